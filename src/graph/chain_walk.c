#include "graph/chain_walk.h"

#include <assert.h>
#include <stdlib.h>

/* ---- which ways ------------------------------------------------------- */

/* A relation of which nine in ten facts hold the other way round too is taken
** to be symmetric: to go it backwards is to go it again. */
static bool is_symmetric(const pith_i_graph *g, pith_i_way way) {
  uint64_t both = 0, all = 0;
  for (uint32_t i = g->way_first[way]; i < g->way_first[way + 1]; i++) {
    uint32_t run = g->way_run[i];
    for (uint32_t e = g->run_edge[run]; e < g->run_edge[run + 1]; e++) {
      all++;
      both += pith_i_graph_has(g, g->target[e], way, pith_i_run_node(g, run));
    }
  }
  return all > 0 && 10 * both >= 9 * all;
}

pith_status pith_i_chain_walk_init(pith_i_chain_walk *e, pith_i_env *env,
                                   const pith_i_graph *g, pith_i_way head,
                                   const uint8_t *among) {
  *e = (pith_i_chain_walk){.env = env,
                           .g = g,
                           .head = head,
                           .length = PITH_I_CHAIN_MOST,
                           .among = among,
                           .tree = {.width = 2}};
  e->skip = pith_i_zalloc(env, g->ways, sizeof *e->skip);
  if (e->skip == NULL)
    return PITH_ENOMEM;
  for (uint32_t r = 0; r < g->relations; r++)
    e->skip[PITH_I_WAY(r, 1)] = is_symmetric(g, PITH_I_WAY(r, 0));
  return PITH_OK;
}

void pith_i_chain_walk_free(pith_i_chain_walk *e) {
  if (e->env == NULL)
    return;
  pith_i_release(e->env, e->skip);
  pith_i_tuples_free(e->env, &e->tree);
  pith_i_vec_free(e->env, &e->ends);
  pith_i_vec_free(e->env, &e->found);
}

/* ---- chains ----------------------------------------------------------- */

static const uint32_t *link_of(const pith_i_chain_walk *e, uint32_t chain) {
  assert(chain >= 1 && chain <= e->tree.n);
  return &e->tree.at[2 * ((size_t)chain - 1)];
}

uint32_t pith_i_chain_length(const pith_i_chain_walk *e, uint32_t chain) {
  uint32_t n = 0;
  for (; chain != 0; chain = link_of(e, chain)[0])
    n++;
  return n;
}

uint32_t pith_i_chain_ways(const pith_i_chain_walk *e, uint32_t chain,
                           pith_i_way ways[PITH_I_PATH_MOST]) {
  uint32_t n = pith_i_chain_length(e, chain);
  assert(n <= PITH_I_PATH_MOST);
  for (uint32_t i = n; i-- > 0; chain = link_of(e, chain)[0])
    ways[i] = link_of(e, chain)[1];
  return n;
}

/* chain and one more way; 0 when it is not there and none are added. */
static pith_status extend_chain(pith_i_chain_walk *e, uint32_t chain,
                                pith_i_way way, uint32_t *longer) {
  uint32_t key[2] = {chain, way}, row;
  pith_status rc = PITH_OK;
  if (e->fixed)
    row = pith_i_tuples_find(&e->tree, key);
  else
    rc = pith_i_tuples_add(e->env, &e->tree, key, &row, NULL);
  *longer = rc < 0 || row == PITH_NONE ? 0 : row + 1;
  return rc;
}

pith_status pith_i_chain_add(pith_i_chain_walk *e, const pith_i_way *ways,
                             uint32_t length, uint32_t *chain) {
  pith_status rc = PITH_OK;
  assert(length <= PITH_I_PATH_MOST);
  *chain = 0;
  for (uint32_t i = 0; rc >= 0 && i < length && (i == 0 || *chain != 0); i++)
    rc = extend_chain(e, *chain, ways[i], chain);
  return rc;
}

/* ---- the walk --------------------------------------------------------- */

static pith_status note_end(pith_i_chain_walk *e, uint32_t chain, uint32_t y) {
  if (!e->among[y])
    return PITH_OK;
  return pith_i_push(e->env, &e->ends, (uint64_t)chain << 32 | y) ? PITH_OK
                                                                  : PITH_ENOMEM;
}

static pith_status follow_chains(pith_i_chain_walk *e, uint32_t chain,
                                 uint32_t *trail, uint32_t depth);

static pith_status follow_run(pith_i_chain_walk *e, uint32_t run,
                              uint32_t chain, uint32_t *trail, uint32_t depth) {
  const pith_i_graph *g = e->g;
  bool answers = depth > 1 || g->run_way[run] != e->head;
  pith_status rc = PITH_OK;
  e->touched += pith_i_run_size(g, run);
  e->cut = e->cut || (e->most != 0 && e->touched > e->most);
  for (uint32_t i = g->run_edge[run];
       rc >= 0 && !e->cut && i < g->run_edge[run + 1]; i++) {
    uint32_t y = g->target[i];
    bool new = e->gone == NULL || !e->gone[i];
    for (uint32_t d = 0; new &&d < depth; d++)
      new = trail[d] != y;
    if (!new)
      continue;
    if (answers)
      rc = note_end(e, chain, y);
    trail[depth] = y;
    if (rc >= 0 && depth < e->length)
      rc = follow_chains(e, chain, trail, depth + 1);
  }
  return rc;
}

/* trail: the entities so far, of which there are depth. */
static pith_status follow_chains(pith_i_chain_walk *e, uint32_t chain,
                                 uint32_t *trail, uint32_t depth) {
  const pith_i_graph *g = e->g;
  uint32_t node = trail[depth - 1];
  assert(depth >= 1 && depth <= PITH_I_PATH_MOST);
  pith_status rc = PITH_OK;
  for (uint32_t run = g->node_run[node];
       rc >= 0 && !e->cut && run < g->node_run[node + 1]; run++) {
    uint32_t longer;
    if (e->skip[g->run_way[run]])
      continue;
    rc = extend_chain(e, chain, g->run_way[run], &longer);
    if (rc >= 0 && longer != 0)
      rc = follow_run(e, run, longer, trail, depth);
  }
  return rc;
}

static int compare_ends(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void set_totals(pith_i_chain_walk *e) {
  for (size_t i = 0, end; i < e->found.n; i = end) {
    uint32_t total = 0;
    for (end = i;
         end < e->found.n && e->found.at[end].chain == e->found.at[i].chain;
         end++)
      total += e->found.at[end].count;
    for (size_t j = i; j < end; j++)
      e->found.at[j].total = total;
  }
}

pith_status pith_i_chain_walk_from(pith_i_chain_walk *e, uint32_t x) {
  assert(x < e->g->entities && e->length <= PITH_I_PATH_MOST);
  uint32_t trail[PITH_I_PATH_MOST + 1] = {x};
  e->ends.n = e->found.n = 0;
  e->touched = 0;
  e->cut = pith_i_stop_requested(e->run);
  if (e->cut)
    return PITH_OK;
  pith_status rc = follow_chains(e, 0, trail, 1);
  if (rc < 0 || e->ends.n == 0)
    return rc;
  if (e->ends.n > 0)
    qsort(e->ends.at, e->ends.n, sizeof *e->ends.at, compare_ends);
  for (size_t i = 0; i < e->ends.n; i++) {
    if (i > 0 && e->ends.at[i] == e->ends.at[i - 1])
      e->found.at[e->found.n - 1].count++;
    else if (!pith_i_push(e->env, &e->found,
                          (pith_i_chain_end){(uint32_t)(e->ends.at[i] >> 32),
                                             (uint32_t)e->ends.at[i], 1, 0}))
      return PITH_ENOMEM;
  }
  set_totals(e);
  return PITH_OK;
}
