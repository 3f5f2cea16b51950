/* What speaks for a candidate: the chains that lead to it from an entity, and
** in how many ways each does.
**
** One walk follows all chains at once. They are the nodes of a tree: a chain
** is a shorter chain and one more way to go. A walk adds chains it meets, or
** keeps to those that are there. As in path.h, the entities of a grounding are
** all different. */
#ifndef PITH_GRAPH_CHAIN_WALK_H
#define PITH_GRAPH_CHAIN_WALK_H

#include "base/run.h"
#include "graph/path.h"

enum { PITH_I_CHAIN_MOST = 4 }; /* atoms of the chains that are looked for */

typedef struct {
  uint32_t chain, end; /* sorted by chain, then by end                     */
  uint32_t count;      /* groundings                                       */
  uint32_t total;      /* of this chain, to all candidates together        */
} pith_i_chain_end;

typedef struct {
  pith_i_env *env;
  const pith_i_graph *g;
  pith_i_way head;      /* asked about: a chain of this way alone is none    */
  uint32_t length;      /* atoms, at most                                    */
  const uint8_t *among; /* (entities) which are candidates                   */
  const uint8_t *gone;  /* (edges) not there for now; NULL: all are          */
  uint64_t most;        /* edges that a walk may touch; 0: no limit          */
  pith_i_run *run;      /* no walk starts when it is over; NULL: it never is */
  uint8_t *skip;        /* (ways) opposites of what is its own opposite      */
  pith_i_tuples tree;   /* rows (parent, way); chain n is row n - 1, and a
                           parent of 0 is none                               */
  bool fixed;           /* no chains are added                               */
  PITH_I_VEC(uint64_t) ends; /* of a walk: chain and end, unsorted     */
  PITH_I_VEC(pith_i_chain_end)
  found;            /* of the last walk                       */
  uint64_t touched; /* by it                                  */
  bool cut;         /* it hit the limit, or the run was over  */
} pith_i_chain_walk;

/* All pointers but skip are the caller's and outlive it. PITH_ENOMEM */
pith_status pith_i_chain_walk_init(pith_i_chain_walk *e, pith_i_env *env,
                                   const pith_i_graph *g, pith_i_way head,
                                   const uint8_t *among);
void pith_i_chain_walk_free(pith_i_chain_walk *e);

/* Fills found with what leads from x to candidates other than x. PITH_ENOMEM */
pith_status pith_i_chain_walk_from(pith_i_chain_walk *e, uint32_t x);

/* The chain's ways, first to last; how many. */
uint32_t pith_i_chain_ways(const pith_i_chain_walk *e, uint32_t chain,
                           pith_i_way ways[PITH_I_PATH_MOST]);
uint32_t pith_i_chain_length(const pith_i_chain_walk *e, uint32_t chain);
/* The number of a chain, added if it is not there; 0 when it is not there and
** none are added. PITH_ENOMEM */
pith_status pith_i_chain_add(pith_i_chain_walk *e, const pith_i_way *ways,
                             uint32_t length, uint32_t *chain);

#endif
