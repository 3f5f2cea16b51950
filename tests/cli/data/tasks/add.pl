% A + B = C by succ, few of them labelled.
succ(k0,k1). succ(k1,k2). succ(k2,k3). succ(k3,k4). succ(k4,k5). succ(k5,k6). succ(k6,k7). succ(k7,k8). succ(k8,k9). succ(k9,k10). succ(k10,k11). succ(k11,k12).
zero(k0). num(k0). num(k1). num(k2). num(k3). num(k4). num(k5). num(k6). num(k7). num(k8). num(k9). num(k10). num(k11). num(k12).
pos(add(k1,k4,k5)).
pos(add(k4,k1,k5)).
pos(add(k2,k4,k6)).
pos(add(k3,k5,k8)).
pos(add(k4,k0,k4)).
pos(add(k3,k2,k5)).
pos(add(k1,k5,k6)).
pos(add(k3,k4,k7)).
pos(add(k4,k3,k7)).
neg(add(k1,k1,k1)).
neg(add(k4,k3,k5)).
neg(add(k5,k0,k4)).
neg(add(k4,k0,k5)).
neg(add(k0,k2,k4)).
neg(add(k4,k5,k11)).
neg(add(k5,k3,k10)).
neg(add(k5,k4,k11)).
neg(add(k1,k2,k1)).
neg(add(k0,k1,k3)).
neg(add(k1,k2,k5)).
neg(add(k5,k2,k9)).
neg(add(k4,k3,k8)).
neg(add(k4,k4,k10)).
neg(add(k4,k1,k6)).
neg(add(k5,k0,k6)).
