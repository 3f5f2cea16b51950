pos(cyclic(2)).
pos(cyclic(3)).
pos(cyclic(4)).
neg(cyclic(0)).
neg(cyclic(1)).
