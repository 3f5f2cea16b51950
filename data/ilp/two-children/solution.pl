two_children(X) :- edge(X,Z), other(X,Z).
other(X,Y) :- edge(X,Z), neq(Z,Y).
