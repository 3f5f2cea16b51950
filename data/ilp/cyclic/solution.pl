cyclic(X) :- reach(X,X).
reach(X,Y) :- edge(X,Y).
reach(X,Y) :- reach(X,Z), reach(Z,Y).
