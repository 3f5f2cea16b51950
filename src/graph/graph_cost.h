/* What learning from a graph will take, from counts alone. */
#ifndef PITH_GRAPH_GRAPH_COST_H
#define PITH_GRAPH_GRAPH_COST_H

#include "graph/mine.h"

typedef struct {
  double bytes;   /* beside what is held already */
  double seconds; /* of one core; rough */
} pith_i_cost;

/* m: filled in. held: (relations) facts held out. */
void pith_i_mining_cost(const pith_i_graph *g, const pith_i_mining *m,
                        const uint64_t *held, uint32_t jobs, pith_i_cost *out);

#endif
