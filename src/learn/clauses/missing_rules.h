/* Rules for what a theory leaves out. */
#ifndef PITH_LEARN_CLAUSES_MISSING_RULES_H
#define PITH_LEARN_CLAUSES_MISSING_RULES_H

#include "task/best.h"

/* Looks for rules for the examples of a task, with little work. */
typedef pith_status pith_i_learn_rest(void *ctx, const pith_i_task *task,
                                      pith_i_best *found);

/* A theory that gives no negative example and misses some positive ones: those
** are learned by themselves beside all negative ones, and its rules with what
** is found are offered to the list. Where it is not so, or nothing is found,
** nothing is offered. */
pith_status pith_i_learn_missing(const pith_i_task *task,
                                 const pith_i_learned_theory *theory,
                                 pith_i_learn_rest *learn, void *ctx,
                                 pith_i_best *best);

#endif
