:- use_module('metagol').
body_pred(mother/2).
body_pred(father/2).
metarule([P,Q],[P,A,B],[[Q,A,B]]).
metarule([P,Q,R],([P,A,B]:-[[Q,A,C],[R,C,B]])).
mother(ann,amy). mother(ann,andy). mother(amy,amelia). mother(linda,gavin).
father(steve,amy). father(steve,andy). father(gavin,amelia). father(andy,spongebob).
a :- Pos = [grandparent(ann,amelia), grandparent(steve,amelia),grandparent(ann,spongebob),grandparent(steve,spongebob),grandparent(linda,amelia)],
  Neg = [grandparent(amy,amelia)], learn(Pos,Neg).
