tone(a,c1). tone(b,c1). tone(c,c2). tone(d,c3). tone(e,c1). tone(f,c2). size(a,5). size(b,7). size(c,2). size(d,1). size(e,9). size(f,3).
pos(w(a)). pos(w(b)). pos(w(e)). neg(w(c)). neg(w(d)). neg(w(f)).
