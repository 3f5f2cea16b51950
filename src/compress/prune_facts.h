/* What many theories are worth, exactly and at once, one theory a bit.
**
** A theory is a program for a network (train/program.h) and a set of facts of
** the network's core. It is worth little when it derives what was not
** observed, and the fewer facts it needs the more. All theories are pruned in
** step: a fact is taken from all of them, what then follows is derived for all
** of them at once (train/sliced.h), and those that miss an observation get it
** back. */
#ifndef PITH_COMPRESS_PRUNE_FACTS_H
#define PITH_COMPRESS_PRUNE_FACTS_H

#include "train/sliced.h"

typedef struct {
  pith_i_sliced *sliced;
  uint64_t *given; /* (A, W) the cores                                    */
  uint64_t *wrong; /* (A, W) derived, but not observed                    */
  bool *observed;  /* (A)                                                 */
  uint64_t abduce[PITH_I_SLICE_WORDS];
  void *block;
} pith_i_prune;

typedef struct {
  uint32_t wrong;   /* atoms derived that were not observed */
  uint32_t missing; /* observed atoms that are not derived  */
  uint32_t core;    /* facts left                           */
} pith_i_theory_worth;

pith_status pith_i_prune_new(pith_i_env *env, const pith_i_net *net,
                             pith_i_prune **out);
void pith_i_prune_free(pith_i_env *env, pith_i_prune *p);

/* Empties, then adds theories: choice (S) as pith_i_sliced_add has it, core
** (M) whether a fact of the network's core is in; with abduce, also those
** facts of invented predicates with which its rules derive what was observed.
** At most PITH_I_SLICE. */
void pith_i_prune_clear(pith_i_prune *p);
void pith_i_prune_add(pith_i_prune *p, const uint32_t *choice, const bool *core,
                      bool abduce);

/* What the theories are worth as they are. worth: (count) */
void pith_i_prune_judge(pith_i_prune *p, pith_i_theory_worth *worth);
/* Takes from each theory the facts of invented predicates without which less
** is derived that was not observed, then every fact that it can do without,
** and judges what is left. order: (M) which fact to try first. */
void pith_i_prune_run(pith_i_prune *p, const uint32_t *order,
                      pith_i_theory_worth *worth);
/* Whether the i-th theory has the m-th fact of the core. */
bool pith_i_prune_has(const pith_i_prune *p, uint32_t i, size_t m);

#endif
