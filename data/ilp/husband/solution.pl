husband(X,Y) :- father(X,Z), child(Z,Y).
child(X,Y) :- mother(Y,X).
