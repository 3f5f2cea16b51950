predecessor(X,Y) :- succ(Y,X).
