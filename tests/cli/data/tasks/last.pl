head(l1,a). tail(l1,l2). head(l2,b). tail(l2,l3). head(l3,c). tail(l3,nil). empty(nil).
head(m1,d). tail(m1,m2). head(m2,a). tail(m2,nil). head(k1,c). tail(k1,m1).
pos(last(l1,c)). pos(last(m1,a)). pos(last(k1,a)). pos(last(l3,c)).
neg(last(l1,a)). neg(last(l1,b)). neg(last(m1,d)). neg(last(k1,d)). neg(last(k1,c)). neg(last(l2,a)).
