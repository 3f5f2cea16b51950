/* The few rules of a graph that rank held-out facts nearly as well as all.
**
** Rules are ordered by how much the facts of the graph need them
** (rule_needs.h). A cut keeps those that are among the first so many reasons
** of some fact. So which rules stay does not depend on the facts that were
** held out, only how many do: we weigh the rules of each cut anew and take the
** smallest whose MRR is within a margin of the best. Rules that repeat others
** go in any case. */
#ifndef PITH_GRAPH_FEW_RULES_H
#define PITH_GRAPH_FEW_RULES_H

#include "graph/rule_needs.h"
#include "graph/tune.h"

/* One cut: reasons of each fact that are kept, rules in all, and the MRR. */
typedef struct {
  uint32_t each; /* UINT32_MAX: all, but those that repeat others */
  uint64_t rules;
  double mrr;
} pith_i_rule_cut;

enum { PITH_I_RULE_CUTS = 16 };
typedef struct {
  pith_i_rule_cut at[PITH_I_RULE_CUTS]; /* the largest first */
  uint32_t n;
  uint32_t each; /* the choice */
} pith_i_rule_cuts;

/* Keeps the rules whose place is before `each`. rules: sorted, and stay so. */
void pith_i_rules_cut(pith_i_paths *rules, const uint32_t *place,
                      uint32_t each);

/* Where nobody knows which rules are needed: keeps at most so many, the best of
** each head, which come before its others. A relation's chains count as 64
** heads, as they say more. */
pith_status pith_i_rules_limit(pith_i_env *env, const pith_i_graph *g,
                               pith_i_paths *rules, size_t most);

/* Tries cuts on held-out facts; the index of the tuner is not used.
** PITH_STOPPED: the choice is among those that were tried by then; if none was,
** all are kept. */
pith_status pith_i_rules_choose(const pith_i_tuner *tuner,
                                const pith_i_graph *g,
                                const pith_i_paths *rules,
                                const uint32_t *place, pith_i_rule_cuts *out);

#endif
