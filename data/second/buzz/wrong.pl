buzz(A) :- zero(A).
buzz(A) :- zero(B), succ3(B,C), succ2(C,A).
