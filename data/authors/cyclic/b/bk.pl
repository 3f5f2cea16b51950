edge(0,1).
edge(2,3).
edge(3,4).
edge(4,2).
