/* Class labels: a target whose examples have one of a few values in some place
** that no fact knows, as in class(A,good) and class(A,bad). No rule can bind
** that place but by naming a value, so that each class may be learned from its
** own examples. */
#ifndef PITH_LEARN_CLAUSES_CLASSES_H
#define PITH_LEARN_CLAUSES_CLASSES_H

#include "learn/clauses/targets_in_turn.h"
#include "task/task.h"

/* A turn for each class of the target, in the order in which they come; fewer
** than two: there are no classes. The caller frees the list also after failure.
**   PITH_ENOMEM */
pith_status pith_i_list_classes(const pith_i_task *task, pith_pred target,
                                pith_i_turns *out);

#endif
