% Lists as cells: b is in them.
empty(nil).
first(l1,b). rest(l1,nil).
first(l2,b). rest(l2,l1).
first(l3,d). rest(l3,l2).
first(l4,d). rest(l4,l3).
first(l5,c). rest(l5,nil).
first(l6,d). rest(l6,l5).
first(l7,a). rest(l7,l6).
first(l8,b). rest(l8,l7).
first(l9,d). rest(l9,l8).
first(l10,a). rest(l10,nil).
first(l11,a). rest(l11,l10).
first(l12,b). rest(l12,l11).
first(l13,d). rest(l13,l12).
first(l14,d). rest(l14,l13).
first(l15,b). rest(l15,l10).
first(l16,c). rest(l16,l3).
first(l17,d). rest(l17,l11).
first(l18,a). rest(l18,l5).
first(l19,d). rest(l19,l18).
first(l20,c). rest(l20,l19).
first(l21,c). rest(l21,l10).
first(l22,b). rest(l22,l21).
first(l23,d). rest(l23,l10).
first(l24,c). rest(l24,l23).
first(l25,a). rest(l25,l24).
pos(f(l3)).
pos(f(l12)).
pos(f(l2)).
pos(f(l8)).
pos(f(l9)).
pos(f(l13)).
pos(f(l15)).
pos(f(l14)).
pos(f(l4)).
neg(f(l18)).
neg(f(l19)).
neg(f(l25)).
neg(f(l23)).
neg(f(nil)).
neg(f(l17)).
neg(f(l6)).
neg(f(l5)).
neg(f(l11)).
