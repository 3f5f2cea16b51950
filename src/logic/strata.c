#include "logic/strata.h"

#include <assert.h>
#include <string.h>

#include "logic/scc.h"

static pith_status add_form(pith_i_strata *g, const pith_rule *rule) {
  pith_i_form *f = pith_i_form_new(&g->arena, rule);
  if (f == NULL)
    return PITH_ENOMEM;
  return f->never || pith_i_push(g->env, &g->forms, f) ? PITH_OK : PITH_ENOMEM;
}

pith_status pith_i_strata_init(pith_i_strata *g, const pith_i_theory *theory,
                               pith_i_store *store, const bool *wanted) {
  memset(g, 0, sizeof *g);
  g->env = store->env;
  g->arena.env = store->env;
  g->store = store;
  g->named = theory->names.preds.n;
  for (size_t i = 0; i < g->named; i++)
    if (pith_i_relation_get(store, (pith_pred)i,
                            theory->names.preds.at[i].arity) == NULL)
      return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < theory->rules.n; i++)
    if (wanted == NULL || wanted[theory->rules.at[i]->head.pred])
      rc = add_form(g, theory->rules.at[i]);
  return rc;
}

void pith_i_strata_free(pith_i_strata *g) {
  for (size_t i = 0; i < g->hidden.n; i++)
    pith_i_relation_free(g->env, &g->hidden.at[i]);
  pith_i_vec_free(g->env, &g->hidden);
  pith_i_vec_free(g->env, &g->forms);
  pith_i_release(g->env, g->component);
  pith_i_arena_free(&g->arena);
}

/* ---- the order ------------------------------------------------------- */

/* Whether the form's dependencies count; see order_by. */
typedef bool (*form_filter)(const pith_i_form *f);

/* Edges lead from each head to the predicates of its bodies. */
static void fill_edges(const pith_i_strata *g, form_filter wanted,
                       size_t *starts, uint32_t *targets, size_t n) {
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < g->forms.n; i++) {
      const pith_i_form *f = g->forms.at[i];
      for (uint32_t j = 0; wanted(f) && j < f->atom_count; j++)
        if (pass == 0)
          starts[f->head.pred + 2]++;
        else
          targets[starts[f->head.pred + 1]++] = f->atoms[j].pred;
    }
    for (size_t i = 2; pass == 0 && i <= n; i++)
      starts[i] += starts[i - 1];
  }
}

static size_t count_form_atoms(const pith_i_strata *g) {
  size_t n = 0;
  for (size_t i = 0; i < g->forms.n; i++)
    n += g->forms.at[i]->atom_count;
  return n;
}

/* Components by the dependencies of the forms that are wanted. */
static pith_status order_by(pith_i_strata *g, form_filter wanted) {
  size_t n = g->named + g->hidden.n;
  size_t *starts = pith_i_zalloc(g->env, n + 2, sizeof *starts);
  uint32_t *targets =
      pith_i_alloc(g->env, count_form_atoms(g) * sizeof *targets);
  pith_i_release(g->env, g->component);
  g->component = pith_i_alloc(g->env, n * sizeof *g->component);
  pith_status rc = PITH_ENOMEM;
  if (starts != NULL && targets != NULL && g->component != NULL) {
    fill_edges(g, wanted, starts, targets, n);
    rc = pith_i_components(g->env, n, starts, targets, g->component,
                           &g->component_count);
  }
  pith_i_release(g->env, starts);
  pith_i_release(g->env, targets);
  return rc;
}

static bool any_form(const pith_i_form *f) {
  (void)f;
  return true;
}

pith_status pith_i_strata_order(pith_i_strata *g) {
  return order_by(g, any_form);
}

/* ---- transitivity ---------------------------------------------------- */

static bool is_transitivity(const pith_i_form *f) {
  pith_i_link links[2];
  uint32_t scratch[2];
  pith_pred p = f->head.pred;
  return f->atom_count == 2 && f->atoms[0].pred == p && f->atoms[1].pred == p &&
         pith_i_form_chain(f, links, scratch) && !links[0].inverse &&
         !links[1].inverse;
}

static bool is_other(const pith_i_form *f) { return !is_transitivity(f); }

/* Whether p is recursive even without transitivity, given the components by
** all other forms. */
static bool is_recursive_otherwise(const pith_i_strata *g, pith_pred p) {
  for (size_t i = 0; i < g->forms.n; i++) {
    const pith_i_form *f = g->forms.at[i];
    for (uint32_t j = 0; f->head.pred == p && j < f->atom_count; j++)
      if (is_other(f) && g->component[f->atoms[j].pred] == g->component[p])
        return true;
  }
  return false;
}

/* A new predicate with the given facts of p. */
static pith_status hide_predicate(pith_i_strata *g, pith_pred p,
                                  pith_pred *out) {
  assert(p < g->named);
  if (!pith_i_room(g->env, &g->hidden, 1))
    return PITH_ENOMEM;
  *out = (pith_pred)(g->named + g->hidden.n);
  pith_i_relation *r = &g->hidden.at[g->hidden.n++];
  const pith_i_relation *from = &g->store->relations.at[p];
  *r = (pith_i_relation){.rows.width = 2};
  pith_status rc = PITH_OK;
  for (size_t row = 0; rc >= 0 && row < from->given; row++)
    rc = pith_i_tuples_add(g->env, &r->rows, from->rows.at + 2 * row, NULL,
                           NULL);
  r->given = r->rows.n;
  return rc;
}

/* p(X,Y) :- b(X,Y). */
static pith_status add_copy(pith_i_strata *g, pith_pred p, pith_pred b) {
  static const pith_term xy[2] = {PITH_VAR(0), PITH_VAR(1)};
  pith_atom body = {b, 2, xy};
  pith_rule rule = {.head = {p, 2, xy},
                    .body = &body,
                    .body_len = 1,
                    .var_count = 2,
                    .file = PITH_NONE};
  const pith_rule *kept = pith_i_rule_copy(&g->arena, &rule);
  return kept == NULL ? PITH_ENOMEM : add_form(g, kept);
}

/* The first atom of the transitive form, by the order of the chain. */
static uint32_t first_atom(const pith_i_form *f) {
  assert(f->atom_count == 2);
  return f->atoms[0].regs[0] == f->head.regs[0] ? 0 : 1;
}

static pith_status linearise_predicate(pith_i_strata *g, pith_pred p) {
  pith_pred b;
  pith_status rc = hide_predicate(g, p, &b);
  for (size_t i = 0; rc >= 0 && i < g->forms.n; i++) {
    pith_i_form *f = g->forms.at[i];
    if (f->head.pred != p)
      continue;
    if (is_transitivity(f))
      f->atoms[first_atom(f)].pred = b;
    else
      f->head.pred = b;
  }
  return rc < 0 ? rc : add_copy(g, p, b);
}

/* Hidden predicates are not in g->component, but never asked for: the forms
** whose heads they are have been dealt with. */
pith_status pith_i_strata_linearise(pith_i_strata *g) {
  pith_status rc = order_by(g, is_other);
  for (size_t i = 0; rc >= 0 && i < g->forms.n; i++) {
    const pith_i_form *f = g->forms.at[i];
    if (is_transitivity(f) && !is_recursive_otherwise(g, f->head.pred))
      rc = linearise_predicate(g, f->head.pred);
  }
  return rc;
}
