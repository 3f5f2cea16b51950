/* Holding out: a share of all atoms, true or not, is hidden by a hash of the
** atom, so that nobody looks at them while a theory is sought; afterwards they
** say how well the theory predicts. Whether a hidden atom holds is unknown to
** the search, so a rule that derives one is neither right nor wrong. */
#ifndef PITH_COMPRESS_HIDDEN_ATOMS_H
#define PITH_COMPRESS_HIDDEN_ATOMS_H

#include "base/run.h"
#include "fact/store.h"
#include "term/theory.h"

typedef struct {
  double share; /* of all atoms; 0: nothing is hidden */
  uint64_t seed;
} pith_i_hide_atoms;

bool pith_i_is_hidden(const pith_i_hide_atoms *h, pith_pred pred,
                      const pith_sym *args, size_t n);

/* The facts, divided into those that the search may see and those it may
** not. */
typedef struct {
  pith_i_store seen, hidden;
  pith_i_hide_atoms hiding;
} pith_i_divided_facts;

void pith_i_divided_facts_init(pith_i_divided_facts *d, pith_i_env *env,
                               pith_i_hide_atoms hiding);
void pith_i_divided_facts_free(pith_i_divided_facts *d);

/* Divides what store holds, given or derived, and the positive examples of
** theory. The run may be NULL.
**   PITH_EINPUT   nothing is left to see
**   PITH_STOPPED  by the run
**   PITH_ENOMEM */
pith_status pith_i_divide_facts(pith_i_divided_facts *d,
                                const pith_i_theory *theory,
                                const pith_i_store *store, pith_i_run *run);

typedef struct {
  uint64_t facts; /* hidden ones */
  uint64_t right; /* of them, those that follow */
  uint64_t wrong; /* hidden atoms that follow and are not facts */
} pith_i_hidden_counts;

/* Compares the hidden atoms with all that follows from a theory. A predicate
** that was never seen is invented, and says nothing about them. */
pith_i_hidden_counts pith_i_count_hidden(const pith_i_divided_facts *d,
                                         const pith_i_store *follows);

#endif
