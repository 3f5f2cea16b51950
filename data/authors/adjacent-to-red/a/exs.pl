pos(adjacent_to_red(1)).
pos(adjacent_to_red(2)).
neg(adjacent_to_red(0)).
neg(adjacent_to_red(3)).
neg(adjacent_to_red(4)).
neg(adjacent_to_red(5)).
neg(adjacent_to_red(6)).
