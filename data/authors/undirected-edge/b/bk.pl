edge(0,1).
edge(2,3).
