pos(cyclic(0)).
pos(cyclic(1)).
pos(cyclic(2)).
pos(cyclic(4)).
pos(cyclic(5)).
neg(cyclic(3)).
