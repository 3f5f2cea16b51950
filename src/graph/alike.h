/* Which entities are alike, by the edges that they share.
**
** Two entities share an edge where both have one that goes the same way to the
** same entity. An edge that few have says more than one that many have: it
** weighs the squared log of how many linked entities there are for each that
** has it. The likeness is what both share by what each has, the cosine of the
** two lists of edges: 1 where they are the same, 0 where nothing is shared. */
#ifndef PITH_GRAPH_ALIKE_H
#define PITH_GRAPH_ALIKE_H

#include "graph/graph.h"

/* What all edges of each entity weigh: (entities). One list serves all. */
pith_status pith_i_edge_weights(pith_i_env *env, const pith_i_graph *g,
                                float **out);

typedef struct {
  const pith_i_graph *g;
  const float *weights; /* (entities), the caller's                         */
  uint32_t linked;      /* entities that have an edge                       */
  float *value;         /* (entities) likeness to the last one asked about  */
  uint32_t *at;         /* (n) those that it is like, in the order found    */
  uint32_t n;
} pith_i_alike;

pith_status pith_i_alike_new(pith_i_env *env, const pith_i_graph *g,
                             const float *weights, pith_i_alike **out);
void pith_i_alike_free(pith_i_env *env, pith_i_alike *l);

/* Whom x is like. Edges that very many have are passed over, and at most
** `edges` are touched. */
void pith_i_alike_find(pith_i_alike *l, uint32_t x, uint64_t edges);

#endif
