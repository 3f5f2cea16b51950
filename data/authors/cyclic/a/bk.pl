edge(0,1).
edge(1,2).
edge(1,3).
edge(2,0).
edge(3,4).
edge(3,5).
edge(4,5).
edge(5,4).
