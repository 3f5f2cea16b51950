% coins
0.4::heads(c1). 0.3::edge(a,b).
edge(b,c).
0.9::path(X,Y) :- edge(X,Y).
query(path(a,X)).
evidence(heads(c1),true).
