% The six rules that the paper prints (section 4.2), but for wife and husband,
% where it has child in the place of spouse.
mother(X,Y) :- female(X), child(Y,X).
father(X,Y) :- male(X), child(Y,X).
daughter(X,Y) :- female(X), child(X,Y).
son(X,Y) :- male(X), child(X,Y).
wife(X,Y) :- female(X), spouse(X,Y).
husband(X,Y) :- male(X), spouse(X,Y).
