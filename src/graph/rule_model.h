/* A ranker whole: the graph, its rules and how they are weighed; and its rules
** as rules of a theory, so that they can be written, read and shown.
**
** Weights are kept in a theory as facts of three predicates, whose arities
** keep them out of the graph:
**
**   pith_method(Relation, Asked, Method)            how answers are scored
**   pith_weight(Relation, Asked, Feature, Weight)   for the method `learned`
**   pith_odds(Relation, Asked, Bias), and           what a score means
**   pith_odds(slope, own, A), pith_odds(slope, all, C)
**
** Asked is `object` or `subject`. */
#ifndef PITH_GRAPH_RULE_MODEL_H
#define PITH_GRAPH_RULE_MODEL_H

#include "graph/tune.h"
#include "term/theory.h"

typedef struct {
  pith_i_env *env;
  pith_i_theory *theory; /* for its names */
  pith_i_graph *g;
  pith_i_paths rules; /* sorted */
  pith_i_rule_index *index;
  pith_i_scoring scoring;
  pith_i_tuned tuned;
  uint64_t unused; /* rules that were read and are of no use here */
} pith_i_ranker;

void pith_i_ranker_free(pith_i_ranker *r);

/* Room for a rule made of a path. */
typedef struct {
  pith_rule rule;
  pith_atom body[PITH_I_REACH];
  pith_term args[PITH_I_REACH + 1][2];
} pith_i_path_rule;
void pith_i_path_show(const pith_i_graph *g, const pith_i_path *p,
                      pith_i_path_rule *out);

/* The path of a rule, or false: it is no path, or speaks of what the graph
** does not have. */
bool pith_i_path_of(const pith_i_graph *g, const pith_rule *rule,
                    pith_i_path *out);

const char *pith_i_aggregator_name(pith_i_aggregator m);
/* "chain2_best" and the like; the names never change their meaning. */
void pith_i_feature_name(int feature, char *out); /* room for 32 */

/* Writes the scoring as facts, and takes it from facts in a store. What is not
** there stays as it is; what cannot be understood is PITH_EINPUT. */
pith_status pith_i_scoring_write(const pith_i_ranker *r, pith_out *o);
pith_status pith_i_scoring_read(pith_i_ranker *r, const pith_i_store *store);

#endif
