edge(0,1).
edge(1,3).
edge(2,2).
