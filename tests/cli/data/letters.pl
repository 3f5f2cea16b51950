% A second world for data/ilp/even-odd: other constants, the same rules.
zero(a).
succ(a,b). succ(b,c). succ(c,d). succ(d,e). succ(e,f).
pos(even(a)). pos(even(c)). pos(even(e)).
neg(even(b)). neg(even(d)). neg(even(f)).
