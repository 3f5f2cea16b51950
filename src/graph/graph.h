/* The binary facts of a store as a graph: entities are nodes, facts are edges,
** and each can be gone either way.
**
** A way is a relation and a direction. The edges of a node are sorted by way,
** then by target; the edges of one node and one way are a run. So a run names
** a node, a way and the nodes at its other end: the run of (c, way) is also
** the set of all x with an edge to c, gone the opposite way. Everything takes
** memory in proportion to the facts; nothing is a square of anything. */
#ifndef PITH_GRAPH_GRAPH_H
#define PITH_GRAPH_GRAPH_H

#include "fact/store.h"
#include "term/names.h"

typedef uint32_t pith_i_way; /* 2 * relation, + 1 from object to subject */

#define PITH_I_WAY(relation, inverse) (2 * (relation) + (inverse))
#define PITH_I_OPPOSITE(way) ((way) ^ 1u)

enum { PITH_I_NODE_STEP = 8 };

typedef struct {
  pith_i_env *env;
  uint32_t entities, relations, ways, runs, edges; /* ways, edges: both ways */
  pith_sym *symbol;                                /* (entities) */
  uint32_t *entity;    /* (symbols) or PITH_NONE: in no binary fact       */
  size_t symbols;      /* those of the names when the graph was made      */
  pith_pred *pred;     /* (relations) */
  uint32_t *relation;  /* (preds) or PITH_NONE */
  size_t preds;        /* as symbols */
  uint32_t *node_run;  /* (entities + 1) first run of a node              */
  uint32_t *run_edge;  /* (runs + 1) first edge of a run                  */
  pith_i_way *run_way; /* (runs) ascending within a node                  */
  uint32_t *some_node; /* (runs / PITH_I_NODE_STEP + 1) whose that run is  */
  uint32_t *target;    /* (edges) ascending within a run                  */
  /* (edges) The run that has this edge, gone back: which of the runs of the
  ** target, in two bytes, as none but the oddest has 65536; else, in the other,
  ** its number. One of the two is NULL; see pith_i_back_run. */
  uint16_t *back;
  uint32_t *back_wide;
  uint32_t *way_first; /* (ways + 1) into way_run                         */
  uint32_t *way_run;   /* (runs) by way, then by node                     */
  uint32_t *way_edges; /* (ways) edges that go this way                   */
  /* Of a graph that processes share (shared_graph.h): the arrays lie in block,
  ** and file is what the one who made it keeps open; else NULL, and 0. */
  void *block;
  size_t block_bytes;
  int file;
  const pith_i_names *names; /* of its symbols, the owner's; or NULL */
  pith_i_run *run;           /* while it is made; else NULL          */
} pith_i_graph;

/* What is part of a graph although no fact has it: entities, such as those of
** held-out facts, and relations that only rules speak of. */
typedef struct {
  const pith_sym *symbols;
  size_t symbol_count;
  const pith_pred *preds; /* binary */
  size_t pred_count;
  pith_i_run *run; /* that may end before the graph is made, or NULL */
} pith_i_graph_extra;

/* From the given binary facts; extra may be NULL.
**   PITH_STOPPED  the run ended; PITH_EINPUT  no binary fact; PITH_ENOMEM */
pith_status pith_i_graph_new(const pith_i_store *store, size_t symbols,
                             size_t preds, const pith_i_graph_extra *extra,
                             pith_i_graph **out);
void pith_i_graph_free(pith_i_graph *g);

/* The run of a node and a way, or PITH_NONE: there is no such edge. */
uint32_t pith_i_graph_run(const pith_i_graph *g, uint32_t node, pith_i_way way);

/* The edge of a run to a node, or where it would be. */
uint32_t pith_i_graph_edge(const pith_i_graph *g, uint32_t run, uint32_t to);

/* Whether there is an edge; and how many this way at a node. */
bool pith_i_graph_has(const pith_i_graph *g, uint32_t from, pith_i_way way,
                      uint32_t to);
uint32_t pith_i_graph_degree(const pith_i_graph *g, uint32_t node,
                             pith_i_way way);

static inline uint32_t pith_i_run_size(const pith_i_graph *g, uint32_t run) {
  return g->run_edge[run + 1] - g->run_edge[run];
}
/* The run that has this edge, gone back. */
static inline uint32_t pith_i_back_run(const pith_i_graph *g, uint32_t edge) {
  return g->back != NULL ? g->node_run[g->target[edge]] + g->back[edge]
                         : g->back_wide[edge];
}
/* Whose a run is. Keeping that for a few runs saves four bytes for each: from
** the nearest of them we step forward. */
static inline uint32_t pith_i_run_node(const pith_i_graph *g, uint32_t run) {
  uint32_t node = g->some_node[run / PITH_I_NODE_STEP];
  while (g->node_run[node + 1] <= run)
    node++;
  return node;
}
/* How many nodes have an edge that goes this way. */
static inline uint32_t pith_i_way_nodes(const pith_i_graph *g, pith_i_way way) {
  return g->way_first[way + 1] - g->way_first[way];
}

#endif
