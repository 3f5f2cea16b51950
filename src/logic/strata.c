#include "logic/strata.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/scc.h"

static pith_status add_form(pith_i_strata *g, const pith_rule *rule) {
  pith_i_form *f = pith_i_form_new(&g->arena, g->names, rule);
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
  g->names = &theory->names;
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

static uint32_t count_dependencies(const pith_i_form *f) {
  return f->atom_count + f->negative_count;
}

static pith_pred dependency_at(const pith_i_form *f, uint32_t i) {
  return i < f->atom_count ? f->atoms[i].pred
                           : f->negatives[i - f->atom_count].pred;
}

/* Edges lead from each head to the predicates of its bodies. */
static void fill_edges(const pith_i_strata *g, form_filter wanted,
                       size_t *starts, uint32_t *targets, size_t n) {
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < g->forms.n; i++) {
      const pith_i_form *f = g->forms.at[i];
      for (uint32_t j = 0; wanted(f) && j < count_dependencies(f); j++)
        if (pass == 0)
          starts[f->head.pred + 2]++;
        else
          targets[starts[f->head.pred + 1]++] = dependency_at(f, j);
    }
    for (size_t i = 2; pass == 0 && i <= n; i++)
      starts[i] += starts[i - 1];
  }
}

static size_t count_all_dependencies(const pith_i_strata *g) {
  size_t n = 0;
  for (size_t i = 0; i < g->forms.n; i++)
    n += count_dependencies(g->forms.at[i]);
  return n;
}

/* Components by the dependencies of the forms that are wanted. */
static pith_status order_by(pith_i_strata *g, form_filter wanted) {
  size_t n = g->named + g->hidden.n;
  size_t *starts = pith_i_zalloc(g->env, n + 2, sizeof *starts);
  uint32_t *targets =
      pith_i_alloc(g->env, count_all_dependencies(g) * sizeof *targets);
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

/* ---- stratification -------------------------------------------------- */

enum { LONG_CYCLE = 600 }; /* characters of it in a message */

typedef struct {
  char text[LONG_CYCLE];
  size_t n;
} cycle_text;

static void append_dependency(const pith_i_strata *g, cycle_text *c,
                              pith_pred from, pith_pred to, bool negated) {
  const pith_i_names *names = g->names;
  int n = snprintf(c->text + c->n, sizeof c->text - c->n,
                   "%s%.60s/%u needs %s%.60s/%u", c->n == 0 ? "" : ", ",
                   pith_i_pred_text(names, from),
                   pith_i_pred(names, from)->arity, negated ? "\\+ " : "",
                   pith_i_pred_text(names, to), pith_i_pred(names, to)->arity);
  c->n += (size_t)n < sizeof c->text - c->n ? (size_t)n : 0;
}

/* For each predicate from which `to` can be reached, where to go next: next
** (named), PITH_NONE elsewhere. Breadth first, against the edges. */
static void find_ways(const pith_i_strata *g, pith_pred to, pith_pred *next) {
  memset(next, 0xff, g->named * sizeof *next);
  next[to] = to;
  for (bool any = true; any;) {
    any = false;
    for (size_t i = 0; i < g->forms.n; i++) {
      const pith_i_form *f = g->forms.at[i];
      for (uint32_t j = 0; j < count_dependencies(f); j++) {
        pith_pred body = dependency_at(f, j);
        if (f->head.pred >= g->named || body >= g->named ||
            next[f->head.pred] != PITH_NONE || next[body] == PITH_NONE)
          continue;
        next[f->head.pred] = body;
        any = true;
      }
    }
  }
}

static bool is_negative_edge(const pith_i_strata *g, pith_pred from,
                             pith_pred to) {
  bool positive = false, negative = false;
  for (size_t i = 0; i < g->forms.n; i++) {
    const pith_i_form *f = g->forms.at[i];
    for (uint32_t j = 0; f->head.pred == from && j < count_dependencies(f); j++)
      if (dependency_at(f, j) == to) {
        positive |= j < f->atom_count;
        negative |= j >= f->atom_count;
      }
  }
  return negative && !positive;
}

/* The head of the form depends on itself through its negated atom. */
static pith_status refuse_cycle(const pith_i_strata *g, const pith_i_form *f,
                                pith_pred negated) {
  cycle_text c = {.n = 0};
  pith_pred head = f->head.pred;
  pith_pred *next = pith_i_alloc(g->env, g->named * sizeof *next);
  if (next == NULL)
    return PITH_ENOMEM;
  find_ways(g, head, next);
  append_dependency(g, &c, head, negated, true);
  for (pith_pred at = negated; at != head && at != PITH_NONE; at = next[at])
    append_dependency(g, &c, at, next[at], is_negative_edge(g, at, next[at]));
  pith_i_release(g->env, next);
  const pith_rule *r = f->rule;
  bool placed = r->file != PITH_NONE && r->line > 0;
  return pith_i_fail(g->env, PITH_EINPUT,
                     "%.200s%s%.0u%sthe rules are not stratified: %s; expected "
                     "no predicate to "
                     "depend on its own negation; rewrite one of these rules",
                     placed ? pith_i_sym(g->names, r->file)->text : "",
                     placed ? ":" : "", placed ? r->line : 0,
                     placed ? ": " : "", c.text);
}

static pith_status check_stratified(const pith_i_strata *g) {
  for (size_t i = 0; i < g->forms.n; i++) {
    const pith_i_form *f = g->forms.at[i];
    for (uint32_t j = 0; j < f->negative_count; j++)
      if (g->component[f->negatives[j].pred] == g->component[f->head.pred])
        return refuse_cycle(g, f, f->negatives[j].pred);
  }
  return PITH_OK;
}

pith_status pith_i_strata_order(pith_i_strata *g) {
  pith_status rc = order_by(g, any_form);
  return rc < 0 ? rc : check_stratified(g);
}

uint32_t pith_i_strata_levels(const pith_i_strata *g, uint32_t *level) {
  uint32_t highest = 0;
  assert(g->component != NULL);
  memset(level, 0, (g->named + g->hidden.n) * sizeof *level);
  for (bool any = true; any;) { /* ends: no cycle has a negation */
    any = false;
    for (size_t i = 0; i < g->forms.n; i++) {
      const pith_i_form *f = g->forms.at[i];
      for (uint32_t j = 0; j < count_dependencies(f); j++) {
        uint32_t least = level[dependency_at(f, j)] + (j >= f->atom_count);
        if (level[f->head.pred] >= least)
          continue;
        level[f->head.pred] = least;
        highest = least > highest ? least : highest;
        any = true;
      }
    }
  }
  return highest;
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
  pith_atom body = {.pred = b, .arity = 2, .args = xy};
  pith_rule rule = {.head = {.pred = p, .arity = 2, .args = xy},
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
