/* The smallest core for given rules: facts from which their instances give
** back all that was observed.
**
** A fact that follows from no others must be in the core. If all else follows
** from those, the core is the smallest there is. What does not follow hangs
** together in cycles: there the facts that depend on each other, directly or
** not, are components, and a component's facts can follow only from each
** other and from components before it, which are all true in the end whatever
** was chosen there. So each component is settled on its own, given those
** before it: facts are taken in, one after the other, until all of it follows;
** in small components every choice is tried that could be the best.
**
** Facts of invented predicates are optional: they are in the core only where
** something observed needs them. */
#ifndef PITH_COMPRESS_SMALLEST_CORE_H
#define PITH_COMPRESS_SMALLEST_CORE_H

#include "compress/rule_instances.h"

typedef struct {
  PITH_I_VEC(uint32_t) facts; /* the core, ascending */
  size_t bound;               /* no core for these rules has fewer facts */
  bool minimal;               /* as many as the bound says: proved */
  uint64_t work;              /* it took */
} pith_i_core;

typedef struct pith_i_core_finder pith_i_core_finder;

/* Borrows all three. When the run, which may be NULL, is over, what is left to
** be chosen is chosen blindly. */
pith_status pith_i_core_finder_new(const pith_i_instances *g,
                                   const pith_i_observations *w,
                                   pith_i_run *run, pith_i_core_finder **out);
void pith_i_core_finder_free(pith_i_core_finder *c);

/* Fills core, whose list is used again. active: (rules of the ground). work
** bounds the search for a better core where there are cycles. free_invented:
** optional facts are all taken in, and none is left out again. */
pith_status pith_i_core_find(pith_i_core_finder *c, const bool *active,
                             uint64_t work, bool free_invented,
                             pith_i_core *core);

/* After pith_i_core_find: sets soft (facts) for every fact that the first part
** of the core alone did not give. */
void pith_i_core_cycles(const pith_i_core_finder *c, bool *soft);

#endif
