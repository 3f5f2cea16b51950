edge(a,b).
Edge(b,c).
edge(c,d)
edge(d,'e).
reach(X,Y) :- edge(X,Z).
edge(a,b,c).
path(X,Y) :- edge(X,Y.
pos(reach(a,b)).
neg(reach(a,b)).
list([a,b]).
