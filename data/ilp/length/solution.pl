list_length(X,X) :- zero(X).
list_length(X,Y) :- cons(X,Z), longer(Z,Y).
longer(X,Y) :- list_length(X,Z), succ(Z,Y).
