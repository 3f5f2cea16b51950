#include "graph/mine_thresholds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/tunables.h"
#include "learn/clauses/cut_points.h"

static const pith_i_symbol *symbol_of(const pith_i_graph *g, uint32_t entity) {
  assert(g->names != NULL && entity < g->entities);
  return &g->names->symbols.at[g->symbol[entity]];
}

/* ---- which relations --------------------------------------------------- */

/* Whether anything is said about it. */
static bool is_subject(const pith_i_graph *g, uint32_t entity) {
  for (uint32_t r = g->node_run[entity]; r < g->node_run[entity + 1]; r++)
    if (g->run_way[r] % 2 == 0)
      return true;
  return false;
}

/* The order that nine in ten of the values have, none of which is a subject. */
static pith_order order_of_way(const pith_i_graph *g, pith_i_way way) {
  uint32_t count[PITH_ORDER_TIME + 1] = {0}, n = 0;
  pith_i_way back = PITH_I_OPPOSITE(way);
  for (uint32_t i = g->way_first[back]; i < g->way_first[back + 1]; i++) {
    uint32_t entity = pith_i_run_node(g, g->way_run[i]);
    uint8_t order = symbol_of(g, entity)->order;
    assert(order <= PITH_ORDER_TIME);
    if (order != PITH_ORDER_NONE && is_subject(g, entity))
      return PITH_ORDER_NONE;
    count[order]++;
    n++;
  }
  for (pith_order o = PITH_ORDER_NUMBER; o <= PITH_ORDER_TIME; o++)
    if (count[o] >= PITH_TUNE_GRAPH_CUT_VALUES && 10.0 * count[o] >= 9.0 * n)
      return o;
  return PITH_ORDER_NONE;
}

/* The largest or the smallest value of an entity; false: it has none. */
static bool find_extreme(const pith_i_graph *g, uint32_t entity, pith_i_way way,
                         bool least, pith_i_extreme *out) {
  uint32_t run = pith_i_graph_run(g, entity, way);
  bool found = false;
  for (uint32_t e = run == PITH_NONE ? 0 : g->run_edge[run];
       run != PITH_NONE && e < g->run_edge[run + 1]; e++) {
    double value = symbol_of(g, g->target[e])->value;
    if (isnan(value) ||
        (found && (least ? value >= out->value : value <= out->value)))
      continue;
    *out = (pith_i_extreme){value, g->target[e]};
    found = true;
  }
  return found;
}

static int compare_extremes(const void *left, const void *right) {
  const pith_i_extreme *a = left, *b = right;
  if (a->value != b->value)
    return a->value < b->value ? -1 : 1;
  return (a->literal > b->literal) - (a->literal < b->literal);
}

static uint32_t list_extremes(const pith_i_graph *g, pith_i_way way, bool least,
                              pith_i_extreme *out) {
  uint32_t n = 0;
  for (uint32_t i = g->way_first[way]; i < g->way_first[way + 1]; i++)
    n +=
        find_extreme(g, pith_i_run_node(g, g->way_run[i]), way, least, &out[n]);
  if (n > 1)
    qsort(out, n, sizeof *out, compare_extremes);
  return n;
}

static pith_status add_way(pith_i_env *env, const pith_i_graph *g,
                           pith_i_way way, pith_i_quantities *q) {
  size_t bytes =
      ((size_t)pith_i_way_nodes(g, way) + 1) * sizeof(pith_i_extreme);
  pith_i_extreme *most = pith_i_alloc(env, bytes);
  pith_i_extreme *least = pith_i_alloc(env, bytes);
  q->at[q->n].way = way;
  q->at[q->n].most = most;
  q->at[q->n].least = least;
  uint32_t i = q->n++;
  if (most == NULL || least == NULL)
    return PITH_ENOMEM;
  q->at[i].entities = list_extremes(g, way, false, most);
  list_extremes(g, way, true, least);
  return PITH_OK;
}

pith_status pith_i_quantities_new(pith_i_env *env, const pith_i_graph *g,
                                  pith_i_quantities *out) {
  pith_status rc = PITH_OK;
  *out = (pith_i_quantities){0};
  if (g->names == NULL)
    return PITH_OK;
  out->at = pith_i_zalloc(env, (size_t)g->relations + 1, sizeof *out->at);
  if (out->at == NULL)
    return PITH_ENOMEM;
  for (uint32_t r = 0; rc >= 0 && r < g->relations; r++)
    if (order_of_way(g, PITH_I_WAY(r, 0)) != PITH_ORDER_NONE)
      rc = add_way(env, g, PITH_I_WAY(r, 0), out);
  return rc;
}

void pith_i_quantities_free(pith_i_env *env, pith_i_quantities *q) {
  for (uint32_t i = 0; i < q->n; i++) {
    pith_i_release(env, q->at[i].most);
    pith_i_release(env, q->at[i].least);
  }
  pith_i_release(env, q->at);
  *q = (pith_i_quantities){0};
}

/* ---- where to cut -------------------------------------------------------- */

/* Nats that a share of s in t costs to tell. */
static double cost_of_share(double s, double t) {
  double cost = 0;
  if (s > 0)
    cost -= s * log(s / t);
  if (t - s > 0)
    cost -= (t - s) * log(1 - s / t);
  return cost;
}

/* What is saved when members are told by the cut: s of t here, of the others
** all - s of n - t. */
static double worth_of_split(double s, double t, double all, double n) {
  if (s / t <= all / n)
    return 0;
  return cost_of_share(all, n) - cost_of_share(s, t) -
         cost_of_share(all - s, n - t);
}

/* How many of n ascending ones are below the value. */
static uint32_t count_below(const pith_i_extreme *at, uint32_t n,
                            double value) {
  uint32_t low = 0, high = n;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (at[middle].value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
static uint32_t count_up_to(const pith_i_extreme *at, uint32_t n,
                            double value) {
  return count_below(at, n, nextafter(value, INFINITY));
}

typedef struct {
  double worth;
  uint32_t support, predictions;
  uint32_t kept, gone; /* the last value that is kept, the first that is not */
} best_cut;

/* The best place to cut, from members' values and those of all, both ascending.
** Only values of members can be the last that is kept. */
static best_cut find_cut(const pith_i_extreme *own, uint32_t m,
                         const pith_i_extreme *all, uint32_t n, bool least) {
  best_cut best = {0};
  for (uint32_t i = 0; i < m; i++) {
    uint32_t at = least ? m - 1 - i : i;
    if (i > 0 && own[at].value == own[least ? at + 1 : at - 1].value)
      continue;
    uint32_t edge = least ? count_up_to(all, n, own[at].value)
                          : count_below(all, n, own[at].value);
    uint32_t s = least ? count_up_to(own, m, own[at].value)
                       : m - count_below(own, m, own[at].value);
    uint32_t t = least ? edge : n - edge;
    if (t == n || t < s)
      continue;
    double worth = worth_of_split(s, t, m, n);
    if (worth > best.worth)
      best = (best_cut){worth, s, t, own[at].literal,
                        all[least ? edge : edge - 1].literal};
  }
  return best;
}

static pith_status add_cut(const pith_i_quantities *q, uint32_t i,
                           pith_i_env *env, const pith_i_graph *g,
                           const pith_i_mining *m, uint32_t head, bool least,
                           pith_i_extreme *own, pith_i_paths *out) {
  uint32_t n = 0;
  for (uint32_t e = g->run_edge[head]; e < g->run_edge[head + 1]; e++)
    n += find_extreme(g, g->target[e], q->at[i].way, least, &own[n]);
  if (n < m->support)
    return PITH_OK;
  qsort(own, n, sizeof *own, compare_extremes);
  best_cut c = find_cut(own, n, least ? q->at[i].least : q->at[i].most,
                        q->at[i].entities, least);
  pith_i_path p = {.head = PITH_I_OPPOSITE(g->run_way[head]),
                   .constant = pith_i_run_node(g, head),
                   .end = PITH_NONE,
                   .length = 1,
                   .step = {q->at[i].way},
                   .compare = least ? PITH_LESS_EQUAL : PITH_GREATER_EQUAL};
  if (c.support < m->support ||
      c.worth < pith_i_reals.GRAPH_CUT_NATS + log((double)n))
    return PITH_OK;
  p.bound = g->symbol[c.kept];
  p.cut_off = g->symbol[c.gone];
  pith_i_path_set(&p, c.support, c.predictions);
  if (p.confidence < m->confidence)
    return PITH_OK;
  return pith_i_push(env, out, p) ? PITH_OK : PITH_ENOMEM;
}

pith_status pith_i_threshold_rules(const pith_i_quantities *q, pith_i_env *env,
                                   const pith_i_graph *g,
                                   const pith_i_mining *m, uint32_t head,
                                   pith_i_paths *out) {
  pith_status rc = PITH_OK;
  if (q->n == 0)
    return rc;
  pith_i_extreme *own =
      pith_i_alloc(env, ((size_t)pith_i_run_size(g, head) + 1) * sizeof *own);
  if (own == NULL)
    return PITH_ENOMEM;
  for (uint32_t i = 0; rc >= 0 && i < q->n; i++)
    if (q->at[i].way / 2 != g->run_way[head] / 2) { /* no fact of its own */
      rc = add_cut(q, i, env, g, m, head, false, own, out);
      if (rc >= 0)
        rc = add_cut(q, i, env, g, m, head, true, own, out);
    }
  pith_i_release(env, own);
  return rc;
}

/* ---- what to write ------------------------------------------------------- */

pith_status pith_i_thresholds_round(pith_i_names *names, pith_i_paths *rules) {
  char text[PITH_I_CUT_TEXT];
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < rules->n; i++) {
    pith_i_path *p = &rules->at[i];
    if (p->compare == 0 || p->cut_off == p->bound)
      continue;
    bool least = p->compare == PITH_LESS_EQUAL;
    const pith_i_symbol *kept = &names->symbols.at[p->bound];
    const pith_i_symbol *gone = &names->symbols.at[p->cut_off];
    size_t n = pith_i_cut_text((pith_order)kept->order,
                               least ? kept->value : gone->value,
                               least ? gone->value : kept->value, least, text);
    pith_sym_kind kind =
        kept->order == PITH_ORDER_NUMBER ? PITH_NUMBER : PITH_NAME;
    if (n > 0)
      rc = pith_i_sym_add(names, text, n, kind, &p->bound);
    p->cut_off = p->bound;
  }
  return rc;
}
