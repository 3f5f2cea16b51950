/* The few rules of a graph that rank held-out facts nearly as well as all.
**
** Rules with the same head, and for rules with a constant the same constant,
** are ordered by confidence. A cut keeps the first so many of each; of chains,
** which serve all entities, several times as many. So which rules stay does
** not depend on the facts that were held out, only how many do: we weigh the
** rules of each cut anew and take the smallest whose MRR is within a margin of
** the best. */
#ifndef PITH_GRAPH_FEW_RULES_H
#define PITH_GRAPH_FEW_RULES_H

#include "graph/tune.h"

/* One cut: rules of each head that are kept, rules in all, and the MRR. */
typedef struct {
  uint32_t each;
  uint64_t rules;
  double mrr;
} pith_i_rule_cut;

enum { PITH_I_RULE_CUTS = 16 };
typedef struct {
  pith_i_rule_cut at[PITH_I_RULE_CUTS]; /* the largest first */
  uint32_t n;
  uint32_t each; /* the choice; UINT32_MAX: all rules */
} pith_i_rule_cuts;

/* Keeps the first rules of each head. rules: sorted, and stay so. */
pith_status pith_i_rules_cut(pith_i_env *env, pith_i_paths *rules,
                             uint32_t each);

/* Tries cuts on held-out facts; index and shapes of the tuner are not used.
** PITH_STOPPED: the choice is to keep all. */
pith_status pith_i_rules_choose(const pith_i_tuner *tuner,
                                const pith_i_graph *g,
                                const pith_i_paths *rules,
                                pith_i_rule_cuts *out);

#endif
