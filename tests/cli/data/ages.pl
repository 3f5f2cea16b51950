age(ann,37). age(bob,17). age(cid,18). age(dan,unknown).
born(ann,'1988-02-01'). born(bob,'2008-06-30').
adult(X) :- age(X,A), A >= 18.
older(X,Y) :- born(X,D), born(Y,E), D < E.
