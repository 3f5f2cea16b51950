#include "graph/alike.h"

#include <assert.h>
#include <math.h>

#include "base/float_math.h"
#include "base/tunables.h"

/* Others may be known only because they are asked about: they must not change
** who is like whom. */
static uint32_t count_linked(const pith_i_graph *g) {
  uint32_t n = 0;
  for (uint32_t x = 0; x < g->entities; x++)
    n += g->node_run[x + 1] > g->node_run[x];
  return n;
}

/* Of an edge to the entity whose run this is: who is in it has that edge. */
static float edge_weight(const pith_i_graph *g, uint32_t linked, uint32_t run) {
  float w = pith_i_float_log((float)linked / (float)pith_i_run_size(g, run));
  return w * w;
}

pith_status pith_i_edge_weights(pith_i_env *env, const pith_i_graph *g,
                                float **out) {
  float *weights = pith_i_zalloc(env, (size_t)g->entities + 1, sizeof *weights);
  *out = weights;
  if (weights == NULL)
    return PITH_ENOMEM;
  uint32_t linked = count_linked(g);
  for (uint32_t run = 0; run < g->runs; run++) {
    float w = edge_weight(g, linked, run);
    for (uint32_t e = g->run_edge[run]; e < g->run_edge[run + 1]; e++)
      weights[g->target[e]] += w;
  }
  return PITH_OK;
}

pith_status pith_i_alike_new(pith_i_env *env, const pith_i_graph *g,
                             const float *weights, pith_i_alike **out) {
  pith_i_alike *l = pith_i_zalloc(env, 1, sizeof *l);
  *out = l;
  if (l == NULL)
    return PITH_ENOMEM;
  size_t n = (size_t)g->entities + 1;
  l->g = g;
  l->weights = weights;
  l->linked = count_linked(g);
  l->value = pith_i_zalloc(env, n, sizeof *l->value);
  l->at = pith_i_alloc(env, n * sizeof *l->at);
  if (l->value != NULL && l->at != NULL)
    return PITH_OK;
  pith_i_alike_free(env, l);
  *out = NULL;
  return PITH_ENOMEM;
}

void pith_i_alike_free(pith_i_env *env, pith_i_alike *l) {
  if (l == NULL)
    return;
  pith_i_release(env, l->value);
  pith_i_release(env, l->at);
  pith_i_release(env, l);
}

static void share_edge(pith_i_alike *l, uint32_t x, uint32_t run) {
  const pith_i_graph *g = l->g;
  float w = edge_weight(g, l->linked, run);
  for (uint32_t i = g->run_edge[run]; w > 0 && i < g->run_edge[run + 1]; i++) {
    uint32_t z = g->target[i];
    if (z == x)
      continue;
    if (l->value[z] <= 0)
      l->at[l->n++] = z;
    l->value[z] += w;
  }
}

void pith_i_alike_find(pith_i_alike *l, uint32_t x, uint64_t edges) {
  const pith_i_graph *g = l->g;
  uint64_t work = 0;
  assert(x < g->entities);
  for (uint32_t i = 0; i < l->n; i++)
    l->value[l->at[i]] = 0;
  l->n = 0;
  uint32_t end = g->run_edge[g->node_run[x + 1]];
  for (uint32_t e = g->run_edge[g->node_run[x]]; e < end; e++) {
    uint32_t size = pith_i_run_size(g, pith_i_back_run(g, e));
    if (size > PITH_TUNE_GRAPH_LIKE_MEMBERS)
      continue;
    work += size;
    if (work > edges)
      break;
    share_edge(l, x, pith_i_back_run(g, e));
  }
  for (uint32_t i = 0; i < l->n; i++) {
    uint32_t z = l->at[i];
    l->value[z] /= sqrtf(l->weights[x] * l->weights[z]);
  }
}
