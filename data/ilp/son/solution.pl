son(X,Y) :- father(Y,X), male(X).
male(X) :- brother(X,_).
male(X) :- father(X,_).
