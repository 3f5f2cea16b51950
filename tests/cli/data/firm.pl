boss(ann,bob). boss(bob,cid). dept(bob,'R, D'). dept(cid,sales). age(bob,52). age(cid,30).
under(X,Y) :- boss(X,Y).
under(X,Y) :- boss(X,Z), under(Z,Y).
