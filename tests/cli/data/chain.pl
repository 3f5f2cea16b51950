% Numbers in a row, and one pair apart.
next(1,2). next(2,3). next(3,4). next(4,5). next(10,11).
before(X,Y) :- next(X,Y).
before(X,Y) :- next(X,Z), before(Z,Y).
