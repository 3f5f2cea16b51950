even(X) :- zero(X).
even(X) :- even(Z), succ2(Z,X).
succ2(X,Y) :- succ(X,Z), succ(Z,Y).
