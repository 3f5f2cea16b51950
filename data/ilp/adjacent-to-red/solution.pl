adjacent_to_red(X) :- edge(X,Z), is_red(Z).
is_red(X) :- colour(X,Z), red(Z).
