/* For which facts of the graph a rule is needed.
**
** We ask for facts that are known, as if each were missing. The rules that
** give the answer are its reasons; they are ordered by their confidence
** without that fact, so that a rule is not praised for what it was counted on.
** The best place that a rule takes among the reasons of any fact says how much
** it is needed: 0 where it is the best reason for something. Of rules that
** gave the same answers to all questions, and have the same counts, only the
** first has a place: the others repeat it. */
#ifndef PITH_GRAPH_RULE_NEEDS_H
#define PITH_GRAPH_RULE_NEEDS_H

#include "graph/apply_rules.h"

enum { PITH_I_REASONS = 64 }; /* of a fact, the best so many */

#define PITH_I_REPEATED PITH_NONE       /* another rule says the same */
#define PITH_I_UNNEEDED (PITH_NONE - 1) /* by any fact that we asked for */

typedef struct {
  uint32_t *place;   /* (rules) or one of the below                        */
  uint64_t repeated; /* rules that say what another says already */
} pith_i_rule_needs;

/* index: of all rules. On a large graph facts are drawn, and rules of constants
** that were not drawn are ordered among themselves by confidence.
**   PITH_STOPPED: nothing is known, place is NULL; PITH_ENOMEM */
pith_status pith_i_rule_needs_find(pith_i_crew *crew,
                                   const pith_i_rule_index *index,
                                   uint64_t seed, pith_i_rule_needs *out);
void pith_i_rule_needs_free(pith_i_env *env, pith_i_rule_needs *needs);

#endif
