son(X,Y) :- father(Y,X), male(X).
male(X) :- brother(X,Z).
male(X) :- father(X,Z).
