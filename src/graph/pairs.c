#include "graph/pairs.h"

#include <assert.h>

bool pith_i_is_binary(const pith_i_theory *theory, pith_pred q) {
  return q < theory->names.preds.n && !PITH_IS_BUILTIN(q) &&
         pith_i_pred(&theory->names, q)->arity == 2;
}

/* ---- examples --------------------------------------------------------- */

static bool is_pair(const pith_example *e, pith_pred pred) {
  return e->atom.arity == 2 && (pred == PITH_NONE || e->atom.pred == pred);
}

pith_status pith_i_pairs_symbols(pith_i_theory *theory, pith_pred pred,
                                 pith_i_symbols *out) {
  pith_i_env *env = theory->env;
  uint8_t *seen = pith_i_zalloc(env, theory->names.symbols.n, 1);
  pith_status rc = seen == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < out->n; i++)
    seen[out->at[i]] = 1;
  for (size_t i = 0; rc >= 0 && i < theory->examples.n; i++)
    for (int k = 0; rc >= 0 && k < 2; k++) {
      const pith_example *e = theory->examples.at[i];
      if (!is_pair(e, pred) || seen[e->atom.args[k]])
        continue;
      seen[e->atom.args[k]] = 1;
      if (!pith_i_push(env, out, e->atom.args[k]))
        rc = PITH_ENOMEM;
    }
  pith_i_release(env, seen);
  return rc;
}

pith_status pith_i_pairs_list(const pith_i_theory *theory,
                              const pith_i_graph *g, pith_pred target,
                              pith_i_pairs *out) {
  size_t n = g->entities, all = 0;
  uint32_t *first = pith_i_zalloc(g->env, n + 2, sizeof *first);
  if (first == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < theory->examples.n; i++) {
    const pith_example *e = theory->examples.at[i];
    if (is_pair(e, target)) {
      assert(g->entity[e->atom.args[0]] < n && g->entity[e->atom.args[1]] < n);
      first[g->entity[e->atom.args[0]] + 2]++;
      all++;
    }
  }
  for (size_t i = 0; i < n; i++)
    first[i + 2] += first[i + 1];
  bool fine = pith_i_room(g->env, out, all);
  for (size_t i = 0; fine && i < theory->examples.n; i++) {
    const pith_example *e = theory->examples.at[i];
    if (!is_pair(e, target))
      continue;
    uint32_t x = g->entity[e->atom.args[0]];
    out->at[first[x + 1]++] =
        (pith_i_pair){x, g->entity[e->atom.args[1]], e->positive};
  }
  out->n = fine ? all : 0;
  pith_i_release(g->env, first);
  return fine ? PITH_OK : PITH_ENOMEM;
}

/* ---- facts of another theory ------------------------------------------ */

typedef struct {
  const pith_i_theory *from;
  pith_i_theory *theory;
  pith_i_symbols *out;
  pith_status rc;
} symbol_visit;

static int visit_symbols(void *ctx, pith_pred pred, const pith_sym *args,
                         size_t n) {
  symbol_visit *v = ctx;
  (void)pred;
  for (size_t i = 0; n == 2 && v->rc >= 0 && i < 2; i++) {
    pith_sym s;
    v->rc = pith_i_sym_translate(v->from, v->theory, args[i], &s);
    if (v->rc >= 0 && !pith_i_push(v->theory->env, v->out, s))
      v->rc = PITH_ENOMEM;
  }
  return v->rc < 0;
}

pith_status pith_i_source_symbols(const pith_i_fact_source *from,
                                  pith_i_theory *theory, pith_i_symbols *out) {
  symbol_visit v = {from->theory, theory, out, PITH_OK};
  pith_i_fact_each(from->store, PITH_NONE, PITH_GIVEN, visit_symbols, &v);
  return v.rc;
}

uint32_t pith_i_source_entity(const pith_i_theory *from,
                              const pith_i_theory *theory,
                              const pith_i_graph *g, pith_sym s) {
  pith_sym own = pith_i_sym_counterpart(from, theory, s);
  return own < g->symbols ? g->entity[own] : PITH_NONE;
}

typedef struct {
  const pith_i_theory *from, *theory;
  const pith_i_graph *g;
  pith_i_held_out *out;
  bool asked;
  pith_i_source_counts counts;
  pith_status rc;
} fact_visit;

static int visit_fact(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  fact_visit *v = ctx;
  if (n != 2)
    return 0;
  pith_pred own = pith_i_pred_counterpart(v->from, v->theory, pred);
  uint32_t relation = own < v->g->preds ? v->g->relation[own] : PITH_NONE;
  uint32_t x = pith_i_source_entity(v->from, v->theory, v->g, args[0]);
  uint32_t y = pith_i_source_entity(v->from, v->theory, v->g, args[1]);
  if (x == PITH_NONE || y == PITH_NONE) {
    v->rc = pith_i_fail(v->g->env, PITH_EARG,
                        "a held-out fact has a constant that the model does "
                        "not know; name its facts when the model is read");
    return 1;
  }
  v->counts.facts++;
  v->counts.unknown += relation == PITH_NONE;
  v->rc = pith_i_held_out_add(v->g->env, v->out, x, relation, y, v->asked);
  return v->rc < 0;
}

pith_status pith_i_source_held_out(const pith_i_fact_source *from,
                                   const pith_i_theory *theory,
                                   const pith_i_graph *g, bool asked,
                                   pith_i_held_out *out,
                                   pith_i_source_counts *counts) {
  fact_visit v = {.from = from->theory,
                  .theory = theory,
                  .g = g,
                  .out = out,
                  .asked = asked};
  pith_i_fact_each(from->store, PITH_NONE, PITH_GIVEN, visit_fact, &v);
  if (counts != NULL)
    *counts = v.counts;
  return v.rc;
}
