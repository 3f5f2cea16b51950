/* A task with only some of its examples for a while: those that are left out to
** be predicted, or those of one target. */
#ifndef PITH_TASK_CHOSEN_EXAMPLES_H
#define PITH_TASK_CHOSEN_EXAMPLES_H

#include "task/task.h"

typedef struct {
  pith_i_task task;          /* with the examples that were chosen, counted */
  const pith_example ***all; /* (worlds) the examples as they were   */
  size_t *count;             /* (worlds)                             */
} pith_i_chosen_examples;

typedef bool pith_i_is_chosen(void *ctx, size_t world, const pith_example *e);

/* The worlds are changed, so that no one else may use the task until the end.
** The caller ends it also after failure.
**   PITH_ENOMEM */
pith_status pith_i_chosen_begin(pith_i_chosen_examples *c,
                                const pith_i_task *task);
void pith_i_chosen_end(pith_i_chosen_examples *c); /* all are back */

/* Asks for each example, in order, whether it is one of them. */
void pith_i_chosen_set(pith_i_chosen_examples *c, pith_i_is_chosen *is_chosen,
                       void *ctx);

#endif
