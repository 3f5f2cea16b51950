/* What is to be explained: the worlds, how large a theory may be, and what
** the caller asked for. Every learner takes a task and a run (base/run.h) and
** offers the theories that it finds to a best-list (best.h). */
#ifndef PITH_TASK_TASK_H
#define PITH_TASK_TASK_H

#include "base/run.h"
#include "fact/world.h"
#include "task/bounds.h"

typedef struct {
  pith_i_env *env;
  pith_i_world *worlds; /* (world_count) nothing is derived between calls */
  size_t world_count;
  const pith_learn_options *opt;
  pith_i_bounds bounds;
  uint64_t examples, positives; /* in all worlds */
  size_t given_preds; /* of the first world; those after them are invented */
} pith_i_task;

/* Takes over worlds, an array from env; what it points to stays the caller's.
** The first world gets every predicate of the others, for it names things. The
** caller frees also after failure.
**   PITH_EINPUT  no world has examples; PITH_ENOMEM */
pith_status pith_i_task_init(pith_i_task *t, pith_i_env *env,
                             pith_i_world *worlds, size_t world_count,
                             const pith_learn_options *opt);
void pith_i_task_free(pith_i_task *t);

/* Bits that tell which examples are positive. */
double pith_i_label_bits(const pith_i_task *t);

/* Derives what the worlds' own rules give, which then counts as background,
** and forgets it again. A failure of any world is the first one's. */
pith_status pith_i_derive_background(const pith_i_world *worlds,
                                     size_t world_count);
void pith_i_forget_background(const pith_i_world *worlds, size_t world_count);

#endif
