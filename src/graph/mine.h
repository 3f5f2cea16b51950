/* Rules for a graph, with their counts.
**
**   short   chains of one and two atoms: every path is walked from every
**           entity, so support and predictions are exact; where the paths of
**           one body are too many, from a fixed share of the entities
**   long    chains of three to five: bodies that join the ends of sampled
**           facts, each counted from sampled entities
**   item    rules with constants: who has an edge to d has an edge to c
**           (mine_constants), or to a number above 18 (mine_thresholds)
**
** Work is counted in edges touched, so a budget gives the same rules on every
** machine and for any number of threads. */
#ifndef PITH_GRAPH_MINE_H
#define PITH_GRAPH_MINE_H

#include "base/parallel.h"
#include "graph/path.h"

enum { PITH_I_MINED_MOST = 5 }; /* atoms in the body of a mined chain */

typedef PITH_I_VEC(pith_i_path) pith_i_paths;

typedef struct {
  uint64_t seed;
  uint32_t target;      /* the one relation to learn, or PITH_NONE: all    */
  uint32_t length;      /* of chains, at most: 1 to 5; 0: see _fill         */
  uint32_t support;     /* facts that a rule must explain, at least        */
  double confidence;    /* and its confidence                              */
  uint32_t keep_short;  /* chains of one and two atoms per relation        */
  uint32_t keep_long;   /* and of each number of atoms from three on       */
  uint32_t keep_item;   /* rules per constant of a head                    */
  uint64_t short_work;  /* edges touched for one body of two               */
  uint64_t long_work;   /* for a longer one                                */
  uint32_t long_facts;  /* facts sampled per relation                      */
  uint32_t long_bodies; /* counted per relation and number of atoms        */
} pith_i_mining;
void pith_i_mining_defaults(pith_i_mining *m);

/* Where there are few relations, or few constants for heads, more can be tried
** for each: puts numbers where m has 0, so that all together stay within what
** a graph of any size can afford. In a large graph whose entities have few
** edges, few paths join two entities, and those of four and five atoms say
** something too; elsewhere chains have three. */
void pith_i_mining_fill(pith_i_mining *m, const pith_i_graph *g);

/* Each adds to rules, which belongs to the crew's owner, in an order that
** depends on the graph alone. PITH_STOPPED: some may be missing. */
pith_status pith_i_mine_short(pith_i_crew *crew, const pith_i_graph *g,
                              const pith_i_mining *m, pith_i_paths *rules);
pith_status pith_i_mine_long(pith_i_crew *crew, const pith_i_graph *g,
                             const pith_i_mining *m, pith_i_paths *rules);
pith_status pith_i_mine_items(pith_i_crew *crew, const pith_i_graph *g,
                              const pith_i_mining *m, pith_i_paths *rules);

/* Best first: by relation, chains before others, confidence; ties by the rule
** itself, so that the order is total. */
int pith_i_path_compare(const void *a, const void *b);

/* Sorts all rules. PITH_STOPPED: the run, which may be NULL, was over before
** that, and they are in some order. */
pith_status pith_i_paths_sort(pith_i_env *env, pith_i_run *run,
                              pith_i_paths *rules);

/* Sorts rules[from..) and of each relation keeps the best. Fast where they are
** a few sorted runs, and env has room for them once more. */
void pith_i_paths_keep(pith_i_env *env, pith_i_paths *rules, size_t from,
                       uint32_t most);

/* Which items of a loop over n make chunk c of `chunks`. */
static inline uint32_t pith_i_chunk(uint32_t n, size_t c, size_t chunks) {
  return (uint32_t)((uint64_t)n * c / chunks);
}

#endif
