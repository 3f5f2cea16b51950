#include "graph/relation_shape.h"

#include <assert.h>
#include <math.h>

#include "base/float_math.h"
#include "base/tunables.h"

typedef struct {
  uint64_t own;  /* facts that relate an entity to itself            */
  uint64_t both; /* of the others that were looked at: hold both ways */
  uint64_t one;  /* the rest of those                                 */
} mirror_count;

/* Of a large relation some facts tell as much as all, and sooner. */
static mirror_count count_mirrored(const pith_i_graph *g, uint32_t relation) {
  enum { ENOUGH = 1 << 16 };
  pith_i_way way = PITH_I_WAY(relation, 0);
  mirror_count n = {0};
  uint32_t every = g->way_edges[way] / ENOUGH + 1, turn = 0;
  for (uint32_t i = g->way_first[way]; i < g->way_first[way + 1]; i++) {
    uint32_t run = g->way_run[i], x = pith_i_run_node(g, run);
    for (uint32_t e = g->run_edge[run]; e < g->run_edge[run + 1]; e++) {
      if (g->target[e] == x)
        n.own++;
      else if (turn++ % every == 0)
        *(pith_i_graph_has(g, g->target[e], way, x) ? &n.both : &n.one) += 1;
    }
  }
  return n;
}

static float smoothed_odds(uint64_t yes, uint64_t no) {
  return pith_i_float_log(((float)yes + 0.5f) / ((float)no + 0.5f));
}

static void shape_relation(const pith_i_graph *g, uint32_t r,
                           pith_i_relation_shapes *out) {
  uint32_t all = g->way_edges[PITH_I_WAY(r, 0)];
  mirror_count n = count_mirrored(g, r);
  assert(n.own + n.both + n.one <= all);
  out->irreflexive[r] = n.own == 0 && all >= PITH_TUNE_GRAPH_RELATION_FACTS;
  out->mirrored[r] = smoothed_odds(n.both, n.one);
}

/* Of the entities with k + 1 answers or more, those with more to those with
** just as many. */
static void shape_way(const pith_i_graph *g, pith_i_way way, float *another) {
  uint64_t just[PITH_I_ANSWERS_MOST] = {0}, more = 0;
  for (uint32_t i = g->way_first[way]; i < g->way_first[way + 1]; i++) {
    uint32_t size = pith_i_run_size(g, g->way_run[i]);
    if (size <= PITH_I_ANSWERS_MOST)
      just[size - 1]++;
    else
      more++;
  }
  for (int k = PITH_I_ANSWERS_MOST - 1; k >= 0; k--) {
    another[k] = smoothed_odds(more, just[k]);
    more += just[k];
  }
}

pith_status pith_i_relation_shapes_new(pith_i_env *env, const pith_i_graph *g,
                                       pith_i_relation_shapes *out) {
  size_t relations = (size_t)g->relations + 1, ways = (size_t)g->ways + 1;
  out->irreflexive = pith_i_zalloc(env, relations, 1);
  out->mirrored = pith_i_zalloc(env, relations, sizeof *out->mirrored);
  out->another =
      pith_i_zalloc(env, ways * PITH_I_ANSWERS_MOST, sizeof *out->another);
  if (out->irreflexive == NULL || out->mirrored == NULL ||
      out->another == NULL) {
    pith_i_relation_shapes_free(env, out);
    return PITH_ENOMEM;
  }
  for (uint32_t r = 0; r < g->relations; r++)
    shape_relation(g, r, out);
  for (pith_i_way w = 0; w < g->ways; w++)
    shape_way(g, w, out->another + (size_t)w * PITH_I_ANSWERS_MOST);
  return PITH_OK;
}

void pith_i_relation_shapes_free(pith_i_env *env, pith_i_relation_shapes *s) {
  pith_i_release(env, s->irreflexive);
  pith_i_release(env, s->mirrored);
  pith_i_release(env, s->another);
  *s = (pith_i_relation_shapes){0};
}

double pith_i_another(const pith_i_relation_shapes *s, pith_i_way way,
                      uint64_t known) {
  assert(known > 0);
  uint64_t k = known < PITH_I_ANSWERS_MOST ? known : PITH_I_ANSWERS_MOST;
  return (double)s->another[(size_t)way * PITH_I_ANSWERS_MOST + k - 1];
}

bool pith_i_is_functional(const pith_i_graph *g,
                          const pith_i_relation_shapes *s, pith_i_way way) {
  return pith_i_way_nodes(g, way) >= PITH_TUNE_GRAPH_RELATION_FACTS &&
         pith_i_another(s, way, 1) <= log(0.5 / PITH_TUNE_GRAPH_RELATION_FACTS);
}

bool pith_i_is_asymmetric(const pith_i_graph *g,
                          const pith_i_relation_shapes *s, uint32_t relation) {
  return g->way_edges[PITH_I_WAY(relation, 0)] >=
             PITH_TUNE_GRAPH_RELATION_FACTS &&
         (double)s->mirrored[relation] <=
             log(0.5 / PITH_TUNE_GRAPH_RELATION_FACTS);
}
