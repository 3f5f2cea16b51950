/* Exact repair of decoded theories: the theory is changed in one slot, or a
** rule is left out or brought back, as long as that makes it better. All
** changes of many theories are pruned and judged side by side (prune.h). */
#ifndef PITH_COMPRESS_REPAIR_RULES_H
#define PITH_COMPRESS_REPAIR_RULES_H

#include "compress/prune_facts.h"

/* A theory over the slots and the core of a network. */
typedef struct {
  uint32_t *choice; /* (S) as a program (train/program.h)              */
  bool *open;       /* (M) facts it may use, before pruning            */
  bool *core;       /* (M) facts it needs                              */
  bool abduce;      /* it may also use what its rules could do with    */
  pith_i_theory_worth worth;
} pith_i_decoded;

/* Fewer is better: first facts, where one wrong or missing counts as several,
** then rules and body atoms. */
uint64_t pith_i_decoded_cost(const pith_i_net *net, const pith_i_decoded *g);

/* Prunes the drafts: fills core and worth. order: (M) */
void pith_i_decoded_prune(pith_i_prune *p, pith_i_decoded *drafts, size_t n,
                          const uint32_t *order);
/* Changes them while that makes them better. Left off when told to: each is
** then as good as it was, or better.
**   PITH_ENOMEM */
pith_status pith_i_decoded_repair(pith_i_env *env, pith_i_prune *p,
                                  pith_i_decoded *drafts, size_t n,
                                  const uint32_t *order, pith_i_run *run);

#endif
