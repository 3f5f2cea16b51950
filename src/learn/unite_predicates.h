/* Rules that differ by predicates alone: what is said of fathers and of mothers
** is said of either. Of
**
**   g(A,B) :- father(A,C), father(C,B).    g(A,B) :- father(A,C), mother(C,B).
**   g(A,B) :- mother(A,C), father(C,B).    g(A,B) :- mother(A,C), mother(C,B).
**
** one is left, with an invented father_or_mother. */
#ifndef PITH_LEARN_UNITE_PREDICATES_H
#define PITH_LEARN_UNITE_PREDICATES_H

#include "task/best.h"

/* Offers the best theory so, where it fits all examples and gets shorter. */
pith_status pith_i_unite_predicates(const pith_i_task *task, pith_i_best *best);

#endif
