/* Long rules as short ones: where bodies may have few atoms and predicates may
** be invented, pith looks for a program without that limit and folds two atoms
** of a body into an invented predicate, again and again, until it is kept.
**
**   t(A) :- s(B,A), s(C,B), s(D,C), t(D).
**
** becomes, with two atoms a body and three variables a rule,
**
**   t(A) :- s_s_s(D,A), t(D).     s_s(C,A) :- s(B,A), s(C,B).
**   s_s_s(D,A) :- s_s(C,A), s(D,C). */
#ifndef PITH_LEARN_FOLD_RULES_H
#define PITH_LEARN_FOLD_RULES_H

#include "task/best.h"

pith_i_learner pith_i_learn_folded;

#endif
