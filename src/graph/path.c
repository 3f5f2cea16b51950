#include "graph/path.h"

#include <assert.h>
#include <math.h>

#include "base/tunables.h"

void pith_i_path_set(pith_i_path *p, uint64_t support, uint64_t predictions) {
  assert(support <= predictions);
  double c = (double)support / ((double)predictions + PITH_I_UNSEEN);
  p->confidence = floor(c * 1e5 + 0.5) / 1e5;
  p->support = support > UINT32_MAX ? UINT32_MAX : (uint32_t)support;
  p->predictions =
      predictions > UINT32_MAX ? UINT32_MAX : (uint32_t)predictions;
}

pith_status pith_i_walk_new(pith_i_env *env, const pith_i_graph *g,
                            pith_i_walk **out) {
  pith_i_walk *w = pith_i_zalloc(env, 1, sizeof *w);
  *out = w;
  if (w == NULL)
    return PITH_ENOMEM;
  size_t n = (size_t)g->entities + 1;
  w->g = g;
  w->hidden_from = PITH_NONE;
  w->slot = pith_i_zalloc(env, n, sizeof *w->slot);
  w->at = pith_i_alloc(env, n * sizeof *w->at);
  w->count = pith_i_alloc(env, n * sizeof *w->count);
  w->flow = pith_i_alloc(env, n * sizeof *w->flow);
  if (w->slot != NULL && w->at != NULL && w->count != NULL && w->flow != NULL)
    return PITH_OK;
  pith_i_walk_free(env, w);
  *out = NULL;
  return PITH_ENOMEM;
}

void pith_i_walk_free(pith_i_env *env, pith_i_walk *w) {
  if (w == NULL)
    return;
  pith_i_release(env, w->slot);
  pith_i_release(env, w->at);
  pith_i_release(env, w->count);
  pith_i_release(env, w->flow);
  pith_i_release(env, w);
}

void pith_i_walk_hide(pith_i_walk *w, uint32_t from, pith_i_way way,
                      uint32_t to) {
  w->hidden_from = from;
  w->hidden = way;
  w->hidden_to = to;
}

static bool is_hidden_edge(const pith_i_walk *w, uint32_t from, pith_i_way way,
                           uint32_t to) {
  if (way == w->hidden)
    return from == w->hidden_from && to == w->hidden_to;
  return way == PITH_I_OPPOSITE(w->hidden) && from == w->hidden_to &&
         to == w->hidden_from;
}

static void count_end(pith_i_walk *w, uint32_t y, float flow) {
  assert(w->n < w->g->entities || w->slot[y] != 0);
  w->groundings++;
  if (w->slot[y] == 0) {
    w->at[w->n] = y;
    w->count[w->n] = 0;
    w->flow[w->n] = 0;
    w->slot[y] = ++w->n;
  }
  w->count[w->slot[y] - 1]++;
  w->flow[w->slot[y] - 1] += flow;
}

/* trail: the entities so far, of which there are depth; flow: the chance to
** have come this way. */
static void follow_path(pith_i_walk *w, const pith_i_way *steps,
                        uint32_t length, uint32_t *trail, uint32_t depth,
                        float flow) {
  const pith_i_graph *g = w->g;
  uint32_t from = trail[depth - 1];
  uint32_t run = pith_i_graph_run(g, from, steps[depth - 1]);
  if (run == PITH_NONE)
    return;
  w->work += pith_i_run_size(g, run);
  flow /= (float)pith_i_run_size(g, run);
  if (w->most != 0 && w->work > w->most) {
    w->cut = true;
    return;
  }
  bool hiding =
      w->hidden_from != PITH_NONE && (w->hidden ^ steps[depth - 1]) <= 1;
  for (uint32_t i = g->run_edge[run]; i < g->run_edge[run + 1]; i++) {
    uint32_t y = g->target[i];
    bool new = !hiding || !is_hidden_edge(w, from, steps[depth - 1], y);
    for (uint32_t d = 0; new &&d < depth; d++)
      new = trail[d] != y;
    if (!new)
      continue;
    if (depth >= length || depth >= PITH_I_PATH_MOST) {
      count_end(w, y, flow);
    } else {
      trail[depth] = y;
      follow_path(w, steps, length, trail, depth + 1, flow);
      if (w->cut)
        return;
    }
  }
}

void pith_i_walk_from(pith_i_walk *w, const pith_i_way *steps, uint32_t length,
                      uint32_t x) {
  uint32_t trail[PITH_I_PATH_MOST + 1] = {x};
  assert(x < w->g->entities && length >= 1 && length <= PITH_I_PATH_MOST);
  for (uint32_t i = 0; i < w->n; i++)
    w->slot[w->at[i]] = 0;
  w->n = 0;
  w->groundings = 0;
  w->cut = false;
  uint64_t most = w->most;
  w->most = most == 0 ? 0 : w->work + most;
  follow_path(w, steps, length, trail, 1, 1);
  w->most = most;
}

/* Ends of the last walk that are facts of the head too. */
static uint32_t count_facts(const pith_i_walk *w, pith_i_way head, uint32_t x) {
  const pith_i_graph *g = w->g;
  uint32_t run = pith_i_graph_run(g, x, head), n = 0;
  if (run == PITH_NONE)
    return 0;
  for (uint32_t e = g->run_edge[run]; e < g->run_edge[run + 1]; e++)
    n += w->slot[g->target[e]] != 0;
  return n;
}

void pith_i_path_count(pith_i_walk *w, pith_i_path *p) {
  const pith_i_graph *g = w->g;
  uint64_t before = w->work, support = 0, predictions = 0;
  pith_i_way first = p->step[0];
  assert(p->constant == PITH_NONE);
  for (uint32_t i = g->way_first[first];
       i < g->way_first[first + 1] &&
       w->work - before < PITH_TUNE_GRAPH_COUNT_EDGES;
       i++) {
    uint32_t x = pith_i_run_node(g, g->way_run[i]);
    pith_i_walk_from(w, p->step, p->length, x);
    predictions += w->n;
    support += count_facts(w, p->head, x);
  }
  pith_i_path_set(p, support, predictions);
}
