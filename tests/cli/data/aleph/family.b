:- modeh(1, grandparent(+person,+person)).
:- modeb(*, parent(+person,-person)).
:- modeb(*, eyes(+person,#colour)).
:- determination(grandparent/2, parent/2).
:- determination(grandparent/2, eyes/2).
:- set(clauselength,4).
parent(ann,bob). parent(bob,cid). parent(eve,ann). parent(bob,dan). eyes(ann,blue). eyes(bob,green).
