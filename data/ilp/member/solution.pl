member(X,Y) :- value(Y,X).
member(X,Y) :- cons(Y,Z), member(X,Z).
