is_a(X,Y) :- is_a(X,Z), is_a(Z,Y).
is_(X,Y) :- is_a(X,Z), is_(Z,Y).
can(X,Y) :- is_a(X,Z), can(Z,Y).
has(X,Y) :- is_a(X,Z), has(Z,Y).
