#include "graph/apply_rules.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/float_math.h"
#include "base/tunables.h"

/* ---- the index -------------------------------------------------------- */

static bool is_chain(const pith_i_path *p) { return p->constant == PITH_NONE; }
static bool is_item(const pith_i_path *p) {
  return p->constant != PITH_NONE && p->end != PITH_NONE && p->length == 1;
}
/* All other rules with constants: those that end anywhere, or at a number; and
** longer ones, which are written by hand alone. */
static bool is_open(const pith_i_path *p) {
  return p->constant != PITH_NONE && !is_item(p);
}

/* Where rules are looked up: by a number that depends on the graph, or
** PITH_NONE where they can never apply. */
static uint32_t head_key(const pith_i_graph *g, const pith_i_path *p) {
  return is_chain(p)
             ? PITH_NONE
             : pith_i_graph_run(g, p->constant, PITH_I_OPPOSITE(p->head));
}
static uint32_t body_key(const pith_i_graph *g, const pith_i_path *p) {
  return is_item(p) ? pith_i_graph_run(g, p->end, PITH_I_OPPOSITE(p->step[0]))
                    : PITH_NONE;
}
static uint32_t way_key(const pith_i_graph *g, const pith_i_path *p) {
  (void)g;
  return is_open(p) ? p->head : PITH_NONE;
}

typedef uint32_t (*rule_key_fn)(const pith_i_graph *g, const pith_i_path *p);

/* Rules by key: first has a number for each key, and one more. The order of
** the rules stays, so in each list the best come first. */
static pith_status index_by(pith_i_rule_index *b, rule_key_fn key,
                            uint32_t keys, uint32_t **first, uint32_t **list) {
  uint32_t *start = pith_i_zalloc(b->env, (size_t)keys + 2, sizeof *start);
  uint32_t *out = pith_i_alloc(b->env, (b->n + 1) * sizeof *out);
  uint32_t *key_of = pith_i_alloc(b->env, (b->n + 1) * sizeof *key_of);
  *first = start;
  *list = out;
  if (start == NULL || out == NULL || key_of == NULL) {
    pith_i_release(b->env, key_of);
    return PITH_ENOMEM;
  }
  for (size_t i = 0; i < b->n; i++) {
    key_of[i] = key(b->g, &b->rules[i]);
    if (key_of[i] != PITH_NONE)
      start[key_of[i] + 2]++;
  }
  for (uint32_t k = 0; k < keys; k++)
    start[k + 2] += start[k + 1];
  for (size_t i = 0; i < b->n; i++)
    if (key_of[i] != PITH_NONE)
      out[start[key_of[i] + 1]++] = (uint32_t)i;
  pith_i_release(b->env, key_of);
  return PITH_OK;
}

/* A rule that was learned has facts that support it; one that was written by
** hand may have none, and then its head has no run to be looked up by. */
static pith_status list_strays(pith_i_rule_index *b) {
  PITH_I_VEC(uint32_t) strays = {0};
  for (size_t i = 0; i < b->n; i++)
    if (!is_chain(&b->rules[i]) && head_key(b->g, &b->rules[i]) == PITH_NONE &&
        !pith_i_push(b->env, &strays, (uint32_t)i)) {
      pith_i_vec_free(b->env, &strays);
      return PITH_ENOMEM;
    }
  b->stray = strays.at;
  b->strays = strays.n;
  return PITH_OK;
}

static pith_status list_chains(pith_i_rule_index *b) {
  size_t n = (size_t)b->g->relations + 1;
  b->chain = pith_i_zalloc(b->env, n, sizeof *b->chain);
  b->chain_end = pith_i_zalloc(b->env, n, sizeof *b->chain_end);
  if (b->chain == NULL || b->chain_end == NULL)
    return PITH_ENOMEM;
  for (size_t i = b->n; i-- > 0;) {
    uint32_t r = b->rules[i].head / 2;
    assert(r < b->g->relations);
    assert(i == 0 || pith_i_path_compare(&b->rules[i - 1], &b->rules[i]) <= 0);
    if (!is_chain(&b->rules[i]))
      continue;
    b->chain[r] = (uint32_t)i;
    if (b->chain_end[r] == 0)
      b->chain_end[r] = (uint32_t)i + 1;
  }
  return PITH_OK;
}

pith_status pith_i_rule_index_new(pith_i_env *env, const pith_i_graph *g,
                                  const pith_i_path *rules, size_t n,
                                  pith_i_rule_index **out) {
  *out = NULL;
  pith_i_rule_index *b = pith_i_zalloc(env, 1, sizeof *b);
  if (b == NULL)
    return PITH_ENOMEM;
  b->env = env;
  b->g = g;
  b->rules = rules;
  b->n = n;
  pith_status rc = list_chains(b);
  if (rc >= 0)
    rc = index_by(b, head_key, g->runs, &b->head_first, &b->by_head);
  if (rc >= 0)
    rc = index_by(b, body_key, g->runs, &b->body_first, &b->by_body);
  if (rc >= 0)
    rc = index_by(b, way_key, g->ways, &b->way_first, &b->by_way);
  if (rc >= 0)
    rc = pith_i_edge_weights(env, g, &b->edge_weights);
  if (rc >= 0)
    rc = list_strays(b);
  if (rc >= 0)
    rc = pith_i_relation_shapes_new(env, g, &b->shapes);
  if (rc < 0) {
    pith_i_rule_index_free(b);
    return rc;
  }
  *out = b;
  return PITH_OK;
}

void pith_i_rule_index_free(pith_i_rule_index *b) {
  if (b == NULL)
    return;
  void *blocks[] = {b->chain,        b->chain_end,  b->by_head, b->head_first,
                    b->by_body,      b->body_first, b->by_way,  b->way_first,
                    b->edge_weights, b->stray};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    pith_i_release(b->env, blocks[i]);
  pith_i_relation_shapes_free(b->env, &b->shapes);
  pith_i_release(b->env, b);
}

/* ---- the applier -------------------------------------------------------- */

pith_status pith_i_applier_new(pith_i_env *env, const pith_i_rule_index *b,
                               pith_i_applier **out) {
  pith_i_applier *d = pith_i_zalloc(env, 1, sizeof *d);
  *out = d;
  if (d == NULL)
    return PITH_ENOMEM;
  d->env = env;
  d->index = b;
  d->slot = pith_i_zalloc(env, (size_t)b->g->entities + 1, sizeof *d->slot);
  if (b->chains != NULL)
    d->chains = pith_i_zalloc(env, b->g->relations, sizeof *d->chains);
  pith_status rc = d->slot == NULL || (b->chains != NULL && d->chains == NULL)
                       ? PITH_ENOMEM
                       : pith_i_walk_new(env, b->g, &d->walk);
  if (rc >= 0)
    rc = pith_i_alike_new(env, b->g, b->edge_weights, &d->likeness);
  if (rc >= 0) {
    d->walk->most = PITH_TUNE_GRAPH_WALK_EDGES;
    return PITH_OK;
  }
  pith_i_applier_free(env, d);
  *out = NULL;
  return rc;
}

void pith_i_applier_free(pith_i_env *env, pith_i_applier *d) {
  if (d == NULL)
    return;
  for (uint32_t r = 0; d->chains != NULL && r < d->index->g->relations; r++)
    pith_i_chain_model_free(d->chains[r]);
  pith_i_release(env, d->chains);
  pith_i_release(env, d->slot);
  pith_i_walk_free(env, d->walk);
  pith_i_alike_free(env, d->likeness);
  pith_i_vec_free(env, &d->candidates);
  pith_i_release(env, d);
}

static pith_i_link_candidate *find_or_add_candidate(pith_i_applier *d,
                                                    uint32_t entity) {
  if (d->slot[entity] == 0) {
    if (!pith_i_push(d->env, &d->candidates,
                     (pith_i_link_candidate){.entity = entity}))
      return NULL;
    d->slot[entity] = (uint32_t)d->candidates.n;
  }
  return &d->candidates.at[d->slot[entity] - 1];
}

static void keep_top(float *top, float confidence) {
  for (int i = 0; i < PITH_I_TOP; i++)
    if (confidence > top[i]) {
      float less = top[i];
      top[i] = confidence;
      confidence = less;
    }
}

static float larger(float a, float b) { return a > b ? a : b; }

static pith_status add_vote(pith_i_applier *d, uint32_t rule,
                            pith_i_rule_kind kind, uint32_t entity,
                            uint32_t groundings) {
  assert(rule < d->index->n && kind < PITH_I_KINDS && groundings > 0);
  pith_i_link_candidate *c = find_or_add_candidate(d, entity);
  if (c == NULL)
    return PITH_ENOMEM;
  float f = (float)d->index->rules[rule].confidence;
  f = f < 0.999f ? f : 0.999f; /* nothing is certain */
  c->rules++;
  c->votes[kind]++;
  c->best[kind] = larger(f, c->best[kind]);
  c->sum[kind] -= pith_i_float_log1p(-f);
  keep_top(c->top, f);
  if (d->on_vote != NULL)
    d->on_vote(d->on_vote_ctx, rule, entity, groundings);
  return PITH_OK;
}

/* ---- the questions --------------------------------------------------- */

static pith_i_rule_kind chain_kind(const pith_i_path *p) {
  assert(is_chain(p) && p->length >= 1);
  return p->length == 1   ? PITH_I_CHAIN1
         : p->length == 2 ? PITH_I_CHAIN2
                          : PITH_I_CHAIN3;
}

/* How much of the last walk, along this rule, ended at its i-th end. */
static void add_flow(pith_i_applier *d, const pith_i_path *p, uint32_t i) {
  const pith_i_walk *w = d->walk;
  pith_i_link_candidate *c = &d->candidates.at[d->slot[w->at[i]] - 1];
  float f = (float)p->confidence;
  float share = f * (float)w->count[i] / (float)w->groundings;
  float flow = f * w->flow[i];
  c->share += share;
  c->flow[chain_kind(p)] += flow;
  c->most_share = larger(share, c->most_share);
  c->most_flow = larger(flow, c->most_flow);
}

static pith_status apply_chain(pith_i_applier *d, uint32_t rule, uint32_t x,
                               pith_i_way way) {
  const pith_i_path *p = &d->index->rules[rule];
  pith_i_way steps[PITH_I_PATH_MOST];
  for (uint32_t i = 0; i < p->length; i++)
    steps[i] =
        way % 2 == 0 ? p->step[i] : PITH_I_OPPOSITE(p->step[p->length - 1 - i]);
  pith_i_walk_from(d->walk, steps, p->length, x);
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && !d->walk->cut && i < d->walk->n; i++) {
    rc = add_vote(d, rule, chain_kind(p), d->walk->at[i], d->walk->count[i]);
    if (rc >= 0)
      add_flow(d, p, i);
  }
  return rc;
}

/* Rules that x's own edges fit. */
static pith_status apply_items(pith_i_applier *d, uint32_t x, pith_i_way way) {
  const pith_i_rule_index *b = d->index;
  const pith_i_graph *g = b->g;
  pith_status rc = PITH_OK;
  uint32_t from = g->run_edge[g->node_run[x]];
  uint32_t to = g->run_edge[g->node_run[x + 1]];
  for (uint32_t e = from; rc >= 0 && e < to; e++) {
    uint32_t run = pith_i_back_run(g, e);
    for (uint32_t i = b->body_first[run]; rc >= 0 && i < b->body_first[run + 1];
         i++) {
      const pith_i_path *p = &b->rules[b->by_body[i]];
      if (p->head == way)
        rc = add_vote(d, b->by_body[i], PITH_I_ITEM, p->constant, 1);
    }
  }
  return rc;
}

/* The edges of x that end where the rule wants it. */
static uint32_t count_compared(const pith_i_graph *g, const pith_i_path *p,
                               uint32_t x) {
  uint32_t run = pith_i_graph_run(g, x, p->step[0]), n = 0;
  for (uint32_t e = run == PITH_NONE ? 0 : g->run_edge[run];
       run != PITH_NONE && e < g->run_edge[run + 1]; e++)
    n += pith_i_path_ends_at(g, p, g->target[e]);
  return n;
}

static uint32_t count_walks(pith_i_applier *d, const pith_i_path *p,
                            uint32_t x) {
  pith_i_walk *w = d->walk;
  uint32_t n = 0;
  pith_i_walk_from(w, p->step, p->length, x);
  for (uint32_t i = 0; !w->cut && i < w->n; i++)
    if (pith_i_path_ends_at(w->g, p, w->at[i]))
      n += w->count[i];
  return n;
}

/* What says where its path ends weighs as a rule of two constants does. */
static bool is_as_item(const pith_i_path *p) {
  return p->end != PITH_NONE || p->compare != 0;
}

/* Groundings of a body b(x,Y) of h(x,c): where b is h, Y is not c. */
static uint32_t count_open(pith_i_applier *d, const pith_i_path *p,
                           uint32_t x) {
  const pith_i_graph *g = d->index->g;
  assert(is_open(p));
  if (p->length > 1)
    return count_walks(d, p, x);
  if (p->compare != 0)
    return count_compared(g, p, x);
  return pith_i_graph_degree(g, x, p->step[0]) -
         (p->step[0] == p->head &&
          pith_i_graph_has(g, x, p->head, p->constant));
}

static pith_status apply_open(pith_i_applier *d, uint32_t x, pith_i_way way) {
  const pith_i_rule_index *b = d->index;
  pith_status rc = PITH_OK;
  for (uint32_t i = b->way_first[way]; rc >= 0 && i < b->way_first[way + 1];
       i++) {
    const pith_i_path *p = &b->rules[b->by_way[i]];
    uint32_t n = count_open(d, p, x);
    if (n > 0)
      rc = add_vote(d, b->by_way[i], is_as_item(p) ? PITH_I_ITEM : PITH_I_OPEN,
                    p->constant, n);
  }
  return rc;
}

/* Rules whose constant is x: everyone whom the body fits. */
static pith_status apply_back(pith_i_applier *d, uint32_t rule) {
  const pith_i_graph *g = d->index->g;
  const pith_i_path *p = &d->index->rules[rule];
  pith_status rc = PITH_OK;
  if (is_item(p)) {
    uint32_t run = pith_i_graph_run(g, p->end, PITH_I_OPPOSITE(p->step[0]));
    if (run == PITH_NONE ||
        pith_i_run_size(g, run) > PITH_TUNE_GRAPH_WALK_MEMBERS)
      return PITH_OK;
    for (uint32_t e = g->run_edge[run]; rc >= 0 && e < g->run_edge[run + 1];
         e++)
      rc = add_vote(d, rule, PITH_I_ITEM_BACK, g->target[e], 1);
    return rc;
  }
  pith_i_way way = p->step[0];
  if (pith_i_way_nodes(g, way) > PITH_TUNE_GRAPH_WALK_MEMBERS)
    return PITH_OK;
  for (uint32_t i = g->way_first[way]; rc >= 0 && i < g->way_first[way + 1];
       i++) {
    uint32_t x = pith_i_run_node(g, g->way_run[i]), n = count_open(d, p, x);
    if (n > 0)
      rc = add_vote(d, rule,
                    is_as_item(p) ? PITH_I_ITEM_BACK : PITH_I_OPEN_BACK, x, n);
  }
  return rc;
}

/* Everyone who stands there already, by how often. */
static pith_status add_priors(pith_i_applier *d, pith_i_way way) {
  const pith_i_graph *g = d->index->g;
  pith_i_way back = PITH_I_OPPOSITE(way);
  if (pith_i_way_nodes(g, back) > PITH_TUNE_GRAPH_WALK_MEMBERS)
    return PITH_OK;
  for (uint32_t i = g->way_first[back]; i < g->way_first[back + 1]; i++) {
    uint32_t run = g->way_run[i];
    pith_i_link_candidate *c =
        find_or_add_candidate(d, pith_i_run_node(g, run));
    if (c == NULL)
      return PITH_ENOMEM;
    c->prior = (float)pith_i_run_size(g, run) / (float)g->way_edges[way];
  }
  return PITH_OK;
}

/* ---- what the graph says beside the rules ------------------------------ */

static pith_i_link_candidate *candidate_at(pith_i_applier *d, uint32_t entity) {
  return d->slot[entity] == 0 ? NULL : &d->candidates.at[d->slot[entity] - 1];
}

/* Those like x and their answers. */
static void ask_alike(pith_i_applier *d, uint32_t x, pith_i_way way) {
  const pith_i_graph *g = d->index->g;
  const pith_i_alike *l = d->likeness;
  uint64_t work = 0;
  float all = 0;
  pith_i_alike_find(d->likeness, x, PITH_TUNE_GRAPH_LIKE_EDGES);
  for (uint32_t i = 0; i < l->n && work < PITH_TUNE_GRAPH_LIKE_EDGES; i++) {
    uint32_t run = pith_i_graph_run(g, l->at[i], way);
    float like = l->value[l->at[i]];
    if (run == PITH_NONE)
      continue;
    all += like;
    work += pith_i_run_size(g, run);
    for (uint32_t e = g->run_edge[run]; e < g->run_edge[run + 1]; e++) {
      pith_i_link_candidate *c = candidate_at(d, g->target[e]);
      if (c == NULL)
        continue;
      c->like_squares += like * like;
      c->like_most = larger(like, c->like_most);
      c->like_share += like;
    }
  }
  for (size_t i = 0; all > 0 && i < d->candidates.n; i++)
    d->candidates.at[i].like_share /= all;
}

/* Those like the answers that x has: of many, some. */
static void ask_answers(pith_i_applier *d, uint32_t x, pith_i_way way) {
  enum { MOST = PITH_TUNE_GRAPH_LIKE_ANSWERS };
  const pith_i_graph *g = d->index->g;
  const pith_i_alike *l = d->likeness;
  uint32_t run = pith_i_graph_run(g, x, way);
  uint32_t n = run == PITH_NONE ? 0 : pith_i_run_size(g, run);
  uint32_t asked = n < MOST ? n : MOST;
  for (uint32_t k = 0; k < asked; k++) {
    uint32_t at = (uint32_t)((uint64_t)k * n / asked);
    pith_i_alike_find(d->likeness, g->target[g->run_edge[run] + at],
                      PITH_TUNE_GRAPH_LIKE_EDGES / MOST);
    for (uint32_t i = 0; i < l->n; i++) {
      pith_i_link_candidate *c = candidate_at(d, l->at[i]);
      if (c != NULL)
        c->like_answers += l->value[l->at[i]] / (float)asked;
    }
  }
}

static void count_links(pith_i_applier *d, uint32_t x) {
  const pith_i_graph *g = d->index->g;
  uint32_t end = g->run_edge[g->node_run[x + 1]];
  for (uint32_t e = g->run_edge[g->node_run[x]]; e < end; e++) {
    pith_i_link_candidate *c = candidate_at(d, g->target[e]);
    if (c != NULL)
      c->links++;
  }
}

static void count_edges(pith_i_applier *d, pith_i_way way) {
  const pith_i_graph *g = d->index->g;
  for (size_t i = 0; i < d->candidates.n; i++) {
    pith_i_link_candidate *c = &d->candidates.at[i];
    c->edges = g->run_edge[g->node_run[c->entity + 1]] -
               g->run_edge[g->node_run[c->entity]];
    c->edges_back = pith_i_graph_degree(g, c->entity, PITH_I_OPPOSITE(way));
    if (c->edges_back > 0)
      c->back = (float)pith_i_another(&d->index->shapes, PITH_I_OPPOSITE(way),
                                      c->edges_back);
  }
}

/* x itself, and those whose fact holds the other way round. */
static void compare_sides(pith_i_applier *d, uint32_t x, pith_i_way way) {
  const pith_i_graph *g = d->index->g;
  uint32_t run = pith_i_graph_run(g, x, PITH_I_OPPOSITE(way));
  if (d->slot[x] > 0)
    candidate_at(d, x)->itself = true;
  for (uint32_t e = run == PITH_NONE ? 0 : g->run_edge[run];
       run != PITH_NONE && e < g->run_edge[run + 1]; e++) {
    pith_i_link_candidate *c = candidate_at(d, g->target[e]);
    if (c != NULL)
      c->mirrored = d->index->shapes.mirrored[way / 2];
  }
}

/* ---- one query --------------------------------------------------------- */

/* The candidates of a chain model: for an object those that it has, for a
** subject every entity. */
static pith_status apply_graded(pith_i_applier *d, pith_i_chain_model *gr,
                                uint32_t x, pith_i_way way) {
  const pith_i_graph *g = d->index->g;
  pith_status rc = PITH_OK;
  if (way % 2 == 1 && x == PITH_NONE)
    return PITH_OK;
  for (uint32_t y = 0; rc >= 0 && y < g->entities; y++) {
    if (way % 2 == 0 && !gr->among[y])
      continue;
    pith_i_link_candidate *c = find_or_add_candidate(d, y);
    if (c == NULL)
      return PITH_ENOMEM;
    rc = way % 2 == 0
             ? pith_i_chain_model_score(gr, x, y, &c->graded, &c->rules)
             : pith_i_chain_model_score(gr, y, x, &c->graded, &c->rules);
  }
  return rc;
}

static pith_status apply_mined(pith_i_applier *d, uint32_t x, pith_i_way way) {
  const pith_i_rule_index *b = d->index;
  pith_status rc = PITH_OK;
  for (uint32_t i = b->chain[way / 2]; rc >= 0 && i < b->chain_end[way / 2];
       i++)
    rc = apply_chain(d, i, x, way);
  if (rc >= 0)
    rc = apply_items(d, x, way);
  if (rc >= 0)
    rc = apply_open(d, x, way);
  uint32_t run = pith_i_graph_run(b->g, x, way);
  for (uint32_t i = run == PITH_NONE ? 0 : b->head_first[run];
       rc >= 0 && run != PITH_NONE && i < b->head_first[run + 1]; i++)
    rc = apply_back(d, b->by_head[i]);
  for (uint32_t i = 0; rc >= 0 && run == PITH_NONE && i < b->strays; i++) {
    const pith_i_path *p = &b->rules[b->stray[i]];
    if (p->constant == x && p->head == PITH_I_OPPOSITE(way))
      rc = apply_back(d, b->stray[i]);
  }
  return rc;
}

pith_status pith_i_applier_chains(pith_i_applier *d, uint32_t relation,
                                  pith_i_chain_model **out) {
  *out = NULL;
  if (d->index->chains == NULL || d->index->chains[relation] == NULL)
    return PITH_OK;
  pith_i_chain_model **own = &d->chains[relation];
  pith_status rc = PITH_OK;
  if (*own == NULL)
    rc = pith_i_chain_model_copy(d->env, d->index->chains[relation], own);
  *out = *own;
  return rc;
}

pith_status pith_i_apply_rules(pith_i_applier *d, uint32_t x, pith_i_way way) {
  pith_i_chain_model *gr;
  assert(way == PITH_NONE || way < d->index->g->ways);
  assert(x == PITH_NONE || x < d->index->g->entities);
  for (size_t i = 0; i < d->candidates.n; i++)
    d->slot[d->candidates.at[i].entity] = 0;
  d->candidates.n = 0;
  if (way == PITH_NONE)
    return PITH_OK;
  pith_status rc = pith_i_applier_chains(d, way / 2, &gr);
  if (rc >= 0 && gr != NULL)
    return apply_graded(d, gr, x, way);
  if (rc >= 0 && x != PITH_NONE)
    rc = apply_mined(d, x, way);
  if (rc >= 0)
    rc = add_priors(d, way);
  if (rc < 0 || d->rules_only)
    return rc;
  if (x != PITH_NONE) { /* else it is as one without edges */
    ask_alike(d, x, way);
    ask_answers(d, x, way);
    count_links(d, x);
    compare_sides(d, x, way);
  }
  count_edges(d, way);
  return rc;
}
