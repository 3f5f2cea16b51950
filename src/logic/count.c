/* Where the head begins with a variable, the rule is matched for one value of
** it after the other, and a second argument is marked in an array when it is
** first predicted: so counting a hundred million pairs needs no more memory
** than there are constants. Other heads are collected in a set. */
#include "logic/count.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "logic/plan.h"

/* Observed facts of a predicate: where they are, and which rows. */
typedef struct {
  pith_pred pred;
  pith_i_relation own; /* given facts and positive examples together */
  bool has_own;
  size_t known;   /* rows of its own that were observed */
  uint32_t first; /* the first with this predicate; its own is used */
} observed;

typedef struct {
  const pith_i_theory *theory;
  pith_i_store *store;
  pith_i_env *env;
  pith_i_arena arena;
  pith_i_form *form;
  observed *seen; /* (atom_count + 1) of the body's atoms and the head */
  pith_i_plan *plan;
  pith_sym *key;  /* (head arity) */
  uint32_t *mark; /* (symbols) the turn in which it was last predicted */
  uint32_t turn;
  pith_i_tuples heads;          /* predicted; where marks do not do */
  bool *is_subject, *is_object; /* (symbols) of an observed head */
  bool by_object;               /* which the PCA looks at */
  bool derived;                 /* what was derived may stand in bodies too */
  pith_counts counts;
} counter;

/* ---- what was observed ----------------------------------------------- */

static pith_i_relation *stored_relation(const counter *c, pith_pred pred) {
  return &c->store->relations.at[pred];
}

static bool has_positive(const counter *c, pith_pred pred) {
  for (size_t i = 0; i < c->theory->examples.n; i++) {
    const pith_example *e = c->theory->examples.at[i];
    if (e->positive && e->atom.pred == pred)
      return true;
  }
  return false;
}

static pith_status copy_rows(counter *c, pith_i_tuples *to,
                             const pith_i_relation *from, size_t first,
                             size_t end) {
  pith_status rc = PITH_OK;
  for (size_t row = first; rc >= 0 && row < end; row++)
    rc = pith_i_tuples_add(c->env, to, from->rows.at + row * to->width, NULL,
                           NULL);
  return rc;
}

/* What was observed comes first, then what was derived, if it is wanted. */
static pith_status join_positives(counter *c, observed *o) {
  const pith_i_relation *from = stored_relation(c, o->pred);
  pith_i_tuples *to = &o->own.rows;
  to->width = from->rows.width;
  o->has_own = true;
  pith_status rc = copy_rows(c, to, from, 0, from->given);
  for (size_t i = 0; rc >= 0 && i < c->theory->examples.n; i++) {
    const pith_example *e = c->theory->examples.at[i];
    if (e->positive && e->atom.pred == o->pred)
      rc = pith_i_tuples_add(c->env, to, e->atom.args, NULL, NULL);
  }
  o->known = to->n;
  if (rc >= 0 && c->derived && from->bits == NULL)
    rc = copy_rows(c, to, from, from->given, from->rows.n);
  o->own.end = to->n;
  return rc;
}

/* Only relations that have positive examples are copied. */
static pith_status observe_predicate(counter *c, uint32_t i, pith_pred pred) {
  observed *o = &c->seen[i];
  *o = (observed){.pred = pred};
  while (c->seen[o->first].pred != pred) /* ends at i itself */
    o->first++;
  assert(o->first <= i);
  if (o->first < i || !has_positive(c, pred))
    return PITH_OK;
  return join_positives(c, o);
}

static observed *observed_of(const counter *c, uint32_t i) {
  assert(i <= c->form->atom_count);
  return &c->seen[c->seen[i].first];
}

static pith_i_relation *relation_of(const counter *c, uint32_t i) {
  observed *o = observed_of(c, i);
  return o->has_own ? &o->own : stored_relation(c, o->pred);
}

static pith_i_view view_of(const counter *c, uint32_t i) {
  const observed *o = observed_of(c, i);
  return !o->has_own && stored_relation(c, o->pred)->given > 0
             ? PITH_I_GIVEN
             : PITH_I_ALL_ROWS;
}

/* How many rows were observed for the head; derived ones do not count. */
static size_t head_rows(const counter *c) {
  const observed *o = observed_of(c, c->form->atom_count);
  return o->has_own ? o->known : stored_relation(c, o->pred)->given;
}

static bool was_observed(const counter *c) {
  const pith_i_relation *r = relation_of(c, c->form->atom_count);
  uint32_t row = pith_i_tuples_find(&r->rows, c->key);
  return row != PITH_NONE && row < head_rows(c);
}

/* ---- the partial completeness assumption ------------------------------ */

/* A relation with few objects for each subject is a function of the subject:
** then another object is taken to be wrong. The more functional side is
** looked at. */
static pith_status note_heads(counter *c) {
  assert(c->form->head.arity == 2);
  size_t symbols = c->theory->names.symbols.n, subjects = 0, objects = 0;
  c->is_subject = pith_i_zalloc(c->env, symbols, sizeof *c->is_subject);
  c->is_object = pith_i_zalloc(c->env, symbols, sizeof *c->is_object);
  if (c->is_subject == NULL || c->is_object == NULL)
    return PITH_ENOMEM;
  const pith_sym *at = relation_of(c, c->form->atom_count)->rows.at;
  for (size_t row = 0; row < head_rows(c); row++, at += 2) {
    subjects += !c->is_subject[at[0]];
    objects += !c->is_object[at[1]];
    c->is_subject[at[0]] = c->is_object[at[1]] = true;
  }
  c->by_object = objects > subjects;
  return PITH_OK;
}

static bool pca_counts(const counter *c) {
  return c->is_subject == NULL ||
         (c->by_object ? c->is_object[c->key[1]] : c->is_subject[c->key[0]]);
}

/* ---- predictions ----------------------------------------------------- */

static void set_counted_key(counter *c, const pith_i_plan *plan) {
  for (uint32_t i = 0; i < plan->form->head.arity; i++)
    c->key[i] = plan->regs[plan->form->head.regs[i]];
}

static void count_key(counter *c) {
  assert(c->counts.support <= c->counts.predictions);
  c->counts.predictions++;
  c->counts.support += was_observed(c);
  c->counts.pca_predictions += pca_counts(c);
}

static bool is_marked(void *ctx, pith_i_plan *plan) {
  counter *c = ctx;
  set_counted_key(c, plan);
  return c->form->head.arity == 2 && c->mark[c->key[1]] == c->turn;
}

static pith_status mark_head(void *ctx, pith_i_plan *plan) {
  counter *c = ctx;
  if (is_marked(c, plan))
    return PITH_OK;
  if (c->form->head.arity == 2)
    c->mark[c->key[1]] = c->turn;
  count_key(c);
  return PITH_OK;
}

static bool is_collected(void *ctx, pith_i_plan *plan) {
  counter *c = ctx;
  set_counted_key(c, plan);
  return pith_i_tuples_find(&c->heads, c->key) != PITH_NONE;
}

static pith_status collect_head(void *ctx, pith_i_plan *plan) {
  counter *c = ctx;
  bool added;
  set_counted_key(c, plan);
  if (pith_i_tuples_add(c->env, &c->heads, c->key, NULL, &added) < 0)
    return PITH_ENOMEM;
  if (added)
    count_key(c);
  return PITH_OK;
}

static pith_status plan_counting(counter *c, const uint32_t *bound,
                                 uint32_t n) {
  const pith_i_form *f = c->form;
  pith_i_relation **relations =
      pith_i_arena_alloc(&c->arena, (f->atom_count + 1) * sizeof *relations);
  pith_i_view *views =
      pith_i_arena_alloc(&c->arena, (f->atom_count + 1) * sizeof *views);
  pith_i_relation **absent = pith_i_plan_absent(&c->arena, c->store, f);
  if (relations == NULL || views == NULL || absent == NULL)
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < f->atom_count; i++) {
    relations[i] = relation_of(c, i);
    relations[i]->end = relations[i]->rows.n;
    views[i] = view_of(c, i);
  }
  c->plan = pith_i_plan_new(&c->arena, f,
                            &(pith_i_plan_spec){.relations = relations,
                                                .views = views,
                                                .absent = absent,
                                                .absent_view = PITH_I_WHOLE,
                                                .first = PITH_NONE,
                                                .bound = bound,
                                                .bound_count = n});
  return c->plan == NULL ? PITH_ENOMEM : PITH_OK;
}

/* ---- one subject after the other -------------------------------------- */

/* Whether the head is h(X), or h(X,Y) with two different variables. */
static bool has_subject(const pith_i_form *f) {
  const pith_i_form_atom *h = &f->head;
  return (h->arity == 1 || h->arity == 2) &&
         !pith_i_is_constant(f, h->regs[0]) &&
         (h->arity == 1 ||
          (!pith_i_is_constant(f, h->regs[1]) && h->regs[0] != h->regs[1]));
}

/* Values that the head's first register can have: those in one place of one
** body atom. */
typedef struct {
  const pith_i_tuples *rows;
  size_t n;
  uint32_t column;
} values;

static values values_in_column(const counter *c, uint32_t atom,
                               uint32_t column) {
  const pith_i_relation *r = relation_of(c, atom);
  if (view_of(c, atom) == PITH_I_GIVEN)
    return (values){&r->rows, r->given, column};
  if (r->bits != NULL)
    return (values){&r->bits->domain->ids, r->bits->n, 0};
  return (values){&r->rows, r->rows.n, column};
}

static values fewest_values(const counter *c) {
  values best = {NULL, SIZE_MAX, 0};
  for (uint32_t i = 0; i < c->form->atom_count; i++)
    for (uint32_t j = 0; j < c->form->atoms[i].arity; j++) {
      if (c->form->atoms[i].regs[j] != c->form->head.regs[0])
        continue;
      values v = values_in_column(c, i, j);
      best = v.n < best.n ? v : best;
    }
  return best;
}

static pith_status count_by_subject(counter *c) {
  assert(has_subject(c->form));
  size_t symbols = c->theory->names.symbols.n;
  pith_status rc = plan_counting(c, c->form->head.regs, 1);
  values v = fewest_values(c);
  bool *done = pith_i_zalloc(c->env, symbols, sizeof *done);
  c->mark = pith_i_zalloc(c->env, symbols, sizeof *c->mark);
  if (done == NULL || c->mark == NULL)
    rc = PITH_ENOMEM;
  pith_i_hooks hooks = {.found = mark_head,
                        .known = is_marked,
                        .ctx = c,
                        .countdown = UINT32_MAX};
  for (size_t i = 0; rc >= 0 && i < v.n; i++) {
    pith_sym x = v.rows->at[i * v.rows->width + v.column];
    if (done[x])
      continue;
    done[x] = true;
    c->turn++;
    c->plan->regs[c->form->head.regs[0]] = x;
    rc = pith_i_plan_run(c->plan, &hooks);
  }
  pith_i_release(c->env, done);
  return rc;
}

static pith_status count_all(counter *c) {
  c->heads.width = c->form->head.arity;
  pith_i_hooks hooks = {.found = collect_head,
                        .known = is_collected,
                        .ctx = c,
                        .countdown = UINT32_MAX};
  pith_status rc = plan_counting(c, NULL, 0);
  return rc < 0 ? rc : pith_i_plan_run(c->plan, &hooks);
}

/* ---- the whole ------------------------------------------------------- */

static pith_status prepare_counter(counter *c, const pith_rule *rule) {
  const pith_i_names *names = &c->theory->names;
  for (size_t i = 0; i < names->preds.n; i++)
    if (pith_i_relation_get(c->store, (pith_pred)i, names->preds.at[i].arity) ==
        NULL)
      return PITH_ENOMEM;
  c->form = pith_i_form_new(&c->arena, &c->theory->names, rule);
  if (c->form == NULL)
    return PITH_ENOMEM;
  uint32_t n = c->form->atom_count + 1;
  c->seen = pith_i_zalloc(c->env, n, sizeof *c->seen);
  c->key = pith_i_alloc(c->env, (rule->head.arity + 1) * sizeof *c->key);
  if (c->seen == NULL || c->key == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < n; i++)
    rc = observe_predicate(
        c, i, i + 1 < n ? c->form->atoms[i].pred : c->form->head.pred);
  return rc >= 0 && rule->head.arity == 2 ? note_heads(c) : rc;
}

static void free_counter(counter *c) {
  for (uint32_t i = 0; c->seen != NULL && i <= c->form->atom_count; i++)
    pith_i_relation_free(c->env, &c->seen[i].own);
  pith_i_release(c->env, c->seen);
  pith_i_release(c->env, c->key);
  pith_i_release(c->env, c->mark);
  pith_i_release(c->env, c->is_subject);
  pith_i_release(c->env, c->is_object);
  pith_i_tuples_free(c->env, &c->heads);
  pith_i_arena_free(&c->arena);
}

static double ratio_or_nan(uint64_t part, uint64_t whole) {
  return whole == 0 ? NAN : (double)part / (double)whole;
}

static void fill_ratios(counter *c) {
  pith_counts *n = &c->counts;
  n->confidence = ratio_or_nan(n->support, n->predictions);
  n->pca_confidence = ratio_or_nan(n->support, n->pca_predictions);
  n->observed = head_rows(c);
  n->head_coverage = ratio_or_nan(n->support, n->observed);
}

typedef pith_status (*count_way)(counter *c);

static pith_status count_predictions(counter *c) {
  return has_subject(c->form) ? count_by_subject(c) : count_all(c);
}

static pith_status count_matching_examples(counter *c) {
  const pith_i_form_atom *head = &c->form->head;
  pith_i_hooks hooks = {.found = pith_i_stop_at_first, .countdown = UINT32_MAX};
  pith_status rc = plan_counting(c, head->regs, head->arity);
  for (size_t i = 0; rc >= 0 && i < c->theory->examples.n; i++) {
    const pith_example *e = c->theory->examples.at[i];
    if (e->atom.pred != head->pred ||
        !pith_i_plan_set_head(c->plan, e->atom.args))
      continue;
    rc = pith_i_plan_run(c->plan, &hooks);
    c->counts.predictions += rc == PITH_STOPPED;
    c->counts.support += rc == PITH_STOPPED && e->positive;
  }
  return rc < 0 ? rc : PITH_OK;
}

static pith_status count_by(const pith_i_theory *theory, pith_i_store *store,
                            const pith_rule *rule, count_way way,
                            pith_counts *out) {
  counter c = {.theory = theory, .store = store, .env = store->env};
  c.derived = way == count_matching_examples; /* to see what it proves */
  c.arena.env = c.env;
  pith_status rc = prepare_counter(&c, rule);
  if (rc >= 0 && !c.form->never)
    rc = way(&c);
  if (rc >= 0) {
    fill_ratios(&c);
    *out = c.counts;
  }
  free_counter(&c);
  return rc;
}

pith_status pith_i_rule_counts(const pith_i_theory *theory, pith_i_store *store,
                               const pith_rule *rule, pith_counts *out) {
  return count_by(theory, store, rule, count_predictions, out);
}

pith_status pith_i_rule_labelled(const pith_i_theory *theory,
                                 pith_i_store *store, const pith_rule *rule,
                                 pith_counts *out) {
  return count_by(theory, store, rule, count_matching_examples, out);
}
