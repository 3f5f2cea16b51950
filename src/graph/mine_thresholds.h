/* Rules that compare a number or a date: who has an edge to one that is at
** least v, or at most v, has an edge to c.
**
**   h(X,c) :- b(X,P), P >= v.
**
** Numbers are quantities where a relation leads to little else and none of them
** has facts of its own; where they have, they are names, as the nodes of many a
** graph are numbered. */
#ifndef PITH_GRAPH_MINE_THRESHOLDS_H
#define PITH_GRAPH_MINE_THRESHOLDS_H

#include "graph/mine.h"

typedef struct {
  double value;
  uint32_t literal; /* the entity that has it */
} pith_i_extreme;

/* The relations of a graph that lead to quantities: for each entity that has
** such facts the largest value and the smallest, in order. */
typedef struct {
  uint32_t n;
  struct {
    pith_i_way way;
    uint32_t entities;
    pith_i_extreme *most, *least; /* (entities) ascending */
  } * at;                         /* (n) */
} pith_i_quantities;

/* None where the graph does not know its names. PITH_ENOMEM */
pith_status pith_i_quantities_new(pith_i_env *env, const pith_i_graph *g,
                                  pith_i_quantities *out);
void pith_i_quantities_free(pith_i_env *env, pith_i_quantities *q);

/* Adds the rules whose head is the run: for each relation that leads to
** quantities, the cut from below and the one from above that tell the members
** of the run best, if they tell enough. */
pith_status pith_i_threshold_rules(const pith_i_quantities *q, pith_i_env *env,
                                   const pith_i_graph *g,
                                   const pith_i_mining *m, uint32_t head,
                                   pith_i_paths *out);

/* Writes the roundest number or date of each gap that a rule cuts in. */
pith_status pith_i_thresholds_round(pith_i_names *names, pith_i_paths *rules);

#endif
