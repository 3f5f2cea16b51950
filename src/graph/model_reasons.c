/* Why an answer: the rules that predict it, each with one of its groundings. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "graph/model.h"

typedef struct {
  const pith_i_path *path;
  double weight;       /* in a chain model, times the chain's value; else NaN */
  double strength;     /* to order by                                         */
  uint64_t groundings; /* of the rule, for this answer                        */
  size_t place;        /* ties by the order found                             */
} reason;
typedef PITH_I_VEC(reason) reasons;

/* ---- which rules ------------------------------------------------------ */

typedef struct {
  pith_i_model *m;
  uint32_t entity;
  reasons found;
  bool refused;
} collector;

static void collect_vote(void *ctx, uint32_t rule, uint32_t entity,
                         uint32_t groundings) {
  collector *c = ctx;
  const pith_i_path *p = &c->m->rules.at[rule];
  if (entity == c->entity &&
      !pith_i_push(c->m->env, &c->found,
                   (reason){p, NAN, p->confidence, groundings, c->found.n}))
    c->refused = true;
}

static pith_status collect_rules(collector *c, uint32_t x, pith_i_way way) {
  pith_i_applier *d = c->m->applier;
  d->on_vote = collect_vote;
  d->on_vote_ctx = c;
  d->rules_only = true;
  pith_status rc = pith_i_apply_rules(d, x, way);
  d->on_vote = NULL;
  d->rules_only = false;
  return rc >= 0 && c->refused ? PITH_ENOMEM : rc;
}

static uint64_t count_chain(const pith_i_chain_model *gr, uint32_t rule,
                            uint32_t y) {
  for (size_t i = 0; i < gr->walk.found.n; i++)
    if (gr->walk.found.at[i].chain == gr->chain[rule] &&
        gr->walk.found.at[i].end == y)
      return gr->walk.found.at[i].count;
  return 0;
}

static pith_status collect_chains(collector *c, pith_i_chain_model *gr,
                                  uint32_t x, uint32_t y) {
  double probability;
  uint32_t rules;
  pith_status rc = pith_i_chain_model_score(gr, x, y, &probability, &rules);
  for (uint32_t i = 0; rc >= 0 && i < gr->rules; i++) {
    double share = gr->weight[i] * pith_i_chain_model_value(gr, i, y);
    uint64_t n = count_chain(gr, i, y);
    if (n > 0 && !pith_i_push(c->m->env, &c->found,
                              (reason){&gr->path[i], share, share, n, i}))
      rc = PITH_ENOMEM;
  }
  return rc;
}

static int compare_reasons(const void *left, const void *right) {
  const reason *a = left, *b = right;
  if (a->strength != b->strength)
    return a->strength < b->strength ? 1 : -1;
  return (a->place > b->place) - (a->place < b->place);
}

/* ---- groundings ------------------------------------------------------- */

/* The first path from trail[0] along the rule's steps to an end: `to`, or
** anywhere that the rule allows. */
static bool find_grounding(const pith_i_graph *g, const pith_i_path *p,
                           uint32_t to, uint32_t *trail, uint32_t depth) {
  const pith_i_way *steps = p->step;
  uint32_t length = p->length;
  assert(depth < length);
  if (depth >= PITH_I_PATH_MOST)
    return false;
  uint32_t run = pith_i_graph_run(g, trail[depth], steps[depth]);
  for (uint32_t i = run == PITH_NONE ? 0 : g->run_edge[run];
       run != PITH_NONE && i < g->run_edge[run + 1]; i++) {
    uint32_t y = g->target[i];
    bool good = depth + 1 < length ? y != to
                : to == PITH_NONE  ? pith_i_path_ends_at(g, p, y)
                                   : y == to;
    for (uint32_t d = 0; good && to != PITH_NONE && length > 1 && d <= depth;
         d++)
      good = trail[d] != y;
    trail[depth + 1] = y;
    if (good &&
        (depth + 1 == length || find_grounding(g, p, to, trail, depth + 1)))
      return true;
  }
  return false;
}

static int visit_reason(const pith_i_model *m, const reason *r, uint32_t x,
                        uint32_t y, pith_i_way way, pith_reason_visit visit,
                        void *ctx) {
  const pith_i_graph *g = m->g;
  const pith_i_path *p = r->path;
  pith_i_path_rule shown;
  pith_atom atoms[PITH_I_PATH_MOST + 1]; /* a comparison behind the path */
  pith_term args[PITH_I_PATH_MOST + 1][2];
  uint32_t trail[PITH_I_PATH_MOST + 1];
  bool chain = p->constant == PITH_NONE;
  /* where the rule's X is: a chain's head goes from subject to object */
  trail[0] = (chain ? way % 2 == 0 : way == p->head) ? x : y;
  uint32_t to = chain ? (way % 2 == 0 ? y : x) : p->end;
  pith_i_path_show(g, p, &shown);
  if (!find_grounding(g, p, to, trail, 0))
    return 0;
  for (uint32_t i = 0; i < p->length; i++) {
    args[i][p->step[i] % 2] = g->symbol[trail[i]];
    args[i][1 - p->step[i] % 2] = g->symbol[trail[i + 1]];
    atoms[i] = (pith_atom){
        .pred = g->pred[p->step[i] / 2], .arity = 2, .args = args[i]};
  }
  if (p->compare != 0) {
    args[p->length][0] = g->symbol[trail[p->length]];
    args[p->length][1] = p->bound;
    atoms[p->length] =
        (pith_atom){.pred = p->compare, .arity = 2, .args = args[p->length]};
  }
  pith_reason out = {.rule = &shown.rule,
                     .grounding = atoms,
                     .atoms = p->length + (p->compare != 0),
                     .groundings = r->groundings,
                     .weight = r->weight};
  return visit(ctx, &out);
}

pith_status pith_i_model_reasons(pith_i_model *m, uint32_t x, pith_i_way way,
                                 uint32_t y, size_t most,
                                 pith_reason_visit visit, void *ctx) {
  collector c = {.m = m, .entity = y};
  pith_i_chain_model *gr;
  if (x == PITH_NONE || y == PITH_NONE)
    return PITH_OK;
  pith_status rc = pith_i_applier_chains(m->applier, way / 2, &gr);
  if (rc >= 0 && gr != NULL)
    rc = collect_chains(&c, gr, way % 2 == 0 ? x : y, way % 2 == 0 ? y : x);
  else if (rc >= 0)
    rc = collect_rules(&c, x, way);
  if (c.found.n > 0)
    qsort(c.found.at, c.found.n, sizeof *c.found.at, compare_reasons);
  for (size_t i = 0; rc >= 0 && i < c.found.n && i < most; i++)
    if (visit_reason(m, &c.found.at[i], x, y, way, visit, ctx) != 0)
      break;
  pith_i_vec_free(m->env, &c.found);
  return rc;
}
