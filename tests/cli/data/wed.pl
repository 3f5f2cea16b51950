man(adam). man(bob). man(carl). man(dave).
age(adam,41). age(bob,17). age(carl,30). age(dave,29.5).
wed(adam,eve). wed(carl,ruth).
bachelor(X) :- man(X), adult(X), \+ wed(X,_).
adult(X) :- age(X,N), N >= 18.
older(X,Y) :- age(X,N), age(Y,M), N > M, \+ bachelor(Y).
pos(bachelor(dave)). neg(bachelor(adam)). neg(bachelor(bob)).
