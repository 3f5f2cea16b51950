connected(X,Y) :- edge(X,Y).
connected(X,Y) :- connected(X,Z), connected(Z,Y).
