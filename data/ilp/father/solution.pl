father(X,Y) :- husband(X,Z), mother(Z,Y).
