% The theory as the paper prints it (section 4.2): kinds are inherited, and so
% is what a kind has.
is_a(X,Y) :- is_a(X,Z), is_a(Z,Y).
has(X,Y) :- is_a(X,Z), has(Z,Y).
