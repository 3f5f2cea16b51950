buzz(X) :- zero(X).
buzz(X) :- buzz(Z), succ5(Z,X).
succ5(X,Y) :- succ2(X,Z), succ3(Z,Y).
