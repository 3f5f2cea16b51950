/* Which plans a round has to run. A plan waits for new facts of one head, or
** runs in every round; so a round takes as long as it has new facts for, and
** not as long as there are rules. */
#ifndef PITH_LOGIC_DUE_PLANS_H
#define PITH_LOGIC_DUE_PLANS_H

#include "base/vec.h"
#include "pith.h"

typedef struct {
  size_t heads;
  uint32_t *from; /* (heads + 2) where in list the plans of a head begin */
  uint32_t *list; /* (plans) those that always run are behind the heads' */
  PITH_I_VEC(uint32_t) due;
} pith_i_due_plans;

/* Plan i waits for head waits_for[i], or is always due if that is `heads`. */
pith_status pith_i_due_plans_sort(pith_i_due_plans *d, pith_i_arena *arena,
                                  const uint32_t *waits_for, size_t plans,
                                  size_t heads);

/* The plans that are due when these heads have new facts, into d->due, in
** the order of the plans. */
pith_status pith_i_due_plans_find(pith_i_due_plans *d, pith_i_env *env,
                                  const uint32_t *fresh, size_t n);

#endif
