fizz(X) :- zero(X).
fizz(X) :- fizz(Z), succ3(Z,X).
succ3(X,Y) :- succ2(X,Z), succ(Z,Y).
succ2(X,Y) :- succ(X,Z), succ(Z,Y).
