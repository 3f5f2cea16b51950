red(6).
edge(1,2).
edge(3,2).
colour(0,6).
colour(1,5).
colour(2,6).
colour(3,6).
colour(5,5).
