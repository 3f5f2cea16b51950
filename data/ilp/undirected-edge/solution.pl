undirected_edge(X,Y) :- edge(X,Y).
undirected_edge(X,Y) :- edge(Y,X).
