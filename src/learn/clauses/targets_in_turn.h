/* Several targets, one after the other, or the classes of one (classes.h).
** Each is learned from its own examples, and what was learned of targets before
** counts as background. The search for all at once takes the labels of the
** others for facts, and may so explain each of two by the other:
** sister(A,B) :- brother(B,A). */
#ifndef PITH_LEARN_CLAUSES_TARGETS_IN_TURN_H
#define PITH_LEARN_CLAUSES_TARGETS_IN_TURN_H

#include "task/best.h"
#include "task/vocabulary.h"

/* What a turn is about: a target, or its examples with a value in a place. The
** value is one of the first world, or PITH_NONE for all examples. */
typedef struct {
  pith_pred target;
  uint32_t place;
  pith_sym value;
} pith_i_turn;

typedef PITH_I_VEC(pith_i_turn) pith_i_turns;

typedef pith_status pith_i_learn_one_target(void *ctx, const pith_i_task *task,
                                            pith_i_best *found);

/* Offers all rules together. turns: at least two, with all of the task's
** examples among them. */
pith_status pith_i_learn_in_turn(const pith_i_task *task,
                                 const pith_i_turns *turns, pith_i_best *best,
                                 pith_i_learn_one_target *learn, void *ctx);

#endif
