cyclic(A) :- edge(A,B), edge(B,C), edge(C,D), edge(E,D), edge(E,A).
