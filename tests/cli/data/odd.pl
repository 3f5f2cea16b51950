edge(germany,france). edge(germany,poland). edge(germany,austria).
edge(denmark,germany). edge(belgium,germany). edge(spain,germani).
reach(X,Y) :- edge(X,Y).
reach(X,Y) :- egde(X,Z), reach(Z,Y).
reach(X,Y) :- edge(X,Y).
alone(X) :- edge(X,X), X \= X.
pos(reach(germany,italy)).
reach(a,b).
