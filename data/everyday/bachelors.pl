man(adam). man(bert). man(carl). man(dirk). man(emil).
woman(ida). woman(jane). woman(kate).
wed(adam,ida). wed(carl,kate).
pos(bachelor(bert)). pos(bachelor(dirk)). pos(bachelor(emil)).
neg(bachelor(adam)). neg(bachelor(carl)). neg(bachelor(ida)). neg(bachelor(jane)).
