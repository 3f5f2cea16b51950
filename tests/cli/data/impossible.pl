% Like data/ilp/even-odd, but no program of its templates fits.
zero(0).
succ(0,1). succ(1,2). succ(2,3). succ(3,4).
pos(even(0)). pos(even(1)). pos(even(4)).
neg(even(2)). neg(even(3)).
