even(X) :- zero(X).
even(X) :- odd(Z), succ(Z,X).
odd(X) :- even(Z), succ(Z,X).
