related(X,Y) :- near(X,Y).
related(X,Y) :- related(X,Z), related(Z,Y).
near(X,Y) :- parent(X,Y).
near(X,Y) :- parent(Y,X).
