head_pred(out,2). body_pred(in,2). body_pred(succ,2). body_pred(add,3). body_pred(lt,2).
body_pred(c0,1). body_pred(c1,1). body_pred(c2,1). body_pred(c3,1). body_pred(c4,1). body_pred(c5,1). body_pred(c6,1). body_pred(c7,1). body_pred(c8,1). body_pred(c9,1). 
