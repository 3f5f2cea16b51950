/* A path as a rule of a theory, and back: so paths can be written, read and
** shown. */
#ifndef PITH_GRAPH_PATH_RULE_H
#define PITH_GRAPH_PATH_RULE_H

#include "graph/path.h"
#include "term/theory.h"

/* Room for a rule made of a path. */
typedef struct {
  pith_rule rule;
  pith_atom body[PITH_I_PATH_MOST + 1]; /* a comparison behind the path */
  pith_term args[PITH_I_PATH_MOST + 2][2];
} pith_i_path_rule;

/* Its probability is the path's confidence. */
void pith_i_path_show(const pith_i_graph *g, const pith_i_path *p,
                      pith_i_path_rule *out);

/* The path of a rule; false where the body is not a path, or where the rule
** names something that the graph does not have. The confidence is the rule's
** probability, support and predictions are 0. */
bool pith_i_path_of(const pith_i_graph *g, const pith_rule *rule,
                    pith_i_path *out);

/* The relation of a predicate and the entity of a constant; false where the
** graph has no such thing. */
bool pith_i_find_relation(const pith_i_graph *g, pith_pred pred, uint32_t *out);
bool pith_i_find_entity(const pith_i_graph *g, pith_term constant,
                        uint32_t *out);

#endif
