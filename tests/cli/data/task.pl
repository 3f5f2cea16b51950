edge(a,b). edge(b,c). edge(c,d).
pos(reach(a,c)). pos(reach(a,d)). pos(reach(d,a)).
neg(reach(c,a)). neg(reach(a,b)).
