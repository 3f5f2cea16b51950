% Connected by edges, whichever way they point.
edge(a,b). edge(c,b). edge(c,d). edge(e,d). edge(f,g). edge(h,g). edge(h,i).
edge(k,l). edge(k,m).
pos(connected(a,c)). pos(connected(a,e)). pos(connected(e,b)).
pos(connected(f,i)). pos(connected(i,g)). pos(connected(l,m)).
pos(connected(d,a)). pos(connected(m,l)). pos(connected(h,f)).
neg(connected(a,f)). neg(connected(g,b)). neg(connected(l,a)).
neg(connected(i,k)). neg(connected(e,h)). neg(connected(m,d)).
neg(connected(k,c)). neg(connected(f,l)).
