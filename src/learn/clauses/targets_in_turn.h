/* Several targets, one after the other: each is learned from its own examples,
** and what was learned of those before counts as background. The search for all
** at once takes the labels of the others for facts, and may so explain each of
** two by the other: sister(A,B) :- brother(B,A). */
#ifndef PITH_LEARN_CLAUSES_TARGETS_IN_TURN_H
#define PITH_LEARN_CLAUSES_TARGETS_IN_TURN_H

#include "task/best.h"
#include "task/vocabulary.h"

typedef pith_status pith_i_learn_one_target(void *ctx, const pith_i_task *task,
                                            pith_i_best *found);

/* Offers all rules together. targets: those of the task, at least two. */
pith_status pith_i_learn_in_turn(const pith_i_task *task,
                                 const pith_i_preds *targets, pith_i_best *best,
                                 pith_i_learn_one_target *learn, void *ctx);

#endif
