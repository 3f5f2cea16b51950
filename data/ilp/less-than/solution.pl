less_than(X,Y) :- succ(X,Y).
less_than(X,Y) :- less_than(X,Z), less_than(Z,Y).
