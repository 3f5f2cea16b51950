adjacent_to_same(X) :- edge(X,Z), same(X,Z).
same(X,Y) :- colour(X,Z), colour(Y,Z).
