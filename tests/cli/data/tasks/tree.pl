% Below, in a tree of left and right children; none is one step apart.
left(a,b). right(a,c). left(b,d). right(b,e). left(c,f). right(c,g). left(e,h).
right(e,i). left(f,j). right(j,k). left(k,l).
pos(below(a,d)). pos(below(a,h)). pos(below(b,i)). pos(below(c,k)).
pos(below(a,l)). pos(below(f,l)). pos(below(b,h)). pos(below(a,g)).
neg(below(d,a)). neg(below(b,c)). neg(below(b,f)). neg(below(c,h)).
neg(below(e,d)). neg(below(l,f)). neg(below(g,f)). neg(below(h,i)).
