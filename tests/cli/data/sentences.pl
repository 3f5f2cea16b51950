even(X) :- zero(X).
even(X) :- aux(Z), succ(Z,X).
locatedIn(X,Y) :- neighborOf(X,Z), locatedIn(Z,Y).
locatedIn(moldova,X) :- locatedIn(czechia,X).
reach(X,Y) :- edge(X,Y).
reachable(X,Y) :- edge(X,Z), reachable(Z,Y).
connected(X,Y) :- \+ edge(X,Y), path(X,Y).
flies(X) :- bird(X), \+ penguin(X), has_wings(X).
can(X,Y) :- is_a(X,Z), can(Z,Y).
is_a(X,X) :- can(X,_), is_(X,red).
can_fly(X) :- bird(X), \+ can_swim(X).
adult(X) :- age(X,A), A >= 18.
warm(X) :- colour(X,red).
warm(X) :- \+ colour(X,blue), has_colour(X,red), has_part(X,Y), wheel(Y).
likes(X,Y) :- \+ hates(X,Y), knows(X,Y), watches(X,_).
less_than(X,Y) :- succ(X,Z), lessThan(Z,Y).
cyclic(X) :- connected(X,X).
adjacent_to_red(X) :- edge(X,Y), colour(Y,Z), red(Z).
isCitizenOf(X,Y) :- wasBornIn(X,Y), \+ diedIn(X,Y), hasWonPrize(X,Z), hasCapital(Y,Z).
under(X,Y) :- boss(Y,X).
between(X,Y,Z) :- left_of(X,Y), north_of(Y,Z), \+ mid(Z,Y,X).
rich(X) :- income(X,Y), Y > 1000, \+ unemployed(X).
eastbound(X) :- has_car(X,Y), short(Y), closed(Y).
grandparent(X,Y) :- parent(X,Z), parent(Z,Y), X \= Y.
related(X,Y) :- married(X,Y), is_in(X,Z), lives_in(Y,Z).
son(X,Y) :- male(X), child(X,Y).
rain :- cloud, \+ sun.
bond(X) :- atm(X,c,22), \+ charge(X,5).
'日本'(X) :- 'é t'(X), 'GPS'(X), hasURL(X,_), reach(X,X).
buys(X, Y) :- wishes_for(X, Y), price(Y, P), budget(X, B), P =< B.
is_even(X) :- is_odd(Y), succ(Y,X).
target(X) :- f1(X,Y), c2(Y), x_3(X,Y).
approved(A) :- income(A,C), owes(A,D), C > D.
bachelor(A) :- man(A), \+ wed(A,_).
