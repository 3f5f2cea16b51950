#include "compress/observations.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"

static int copy_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  return pith_i_fact_give(ctx, pred, (uint32_t)n, args);
}

static pith_status make_relations(pith_i_observations *w, size_t preds) {
  for (size_t p = 0; p < preds; p++) {
    pith_i_relation *r = pith_i_relation_get(
        &w->store, (pith_pred)p,
        pith_i_pred(&w->theory->names, (pith_pred)p)->arity);
    if (r == NULL)
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status count_observed_constants(pith_i_observations *w) {
  bool *seen = pith_i_zalloc(w->env, w->theory->names.symbols.n, sizeof *seen);
  if (seen == NULL)
    return PITH_ENOMEM;
  w->words.constants = 0;
  for (size_t p = 0; p < w->pred_count; p++) {
    const pith_i_tuples *t = &w->store.relations.at[p].rows;
    for (size_t i = 0; i < t->n * t->width; i++) {
      w->words.constants += !seen[t->at[i]];
      seen[t->at[i]] = true;
    }
  }
  pith_i_release(w->env, seen);
  return PITH_OK;
}

static pith_status observations_begin(pith_i_observations *w,
                                      const pith_i_theory *theory,
                                      pith_i_env *env, size_t preds,
                                      size_t more) {
  memset(w, 0, sizeof *w);
  w->env = env;
  w->theory = theory;
  w->scale = 1;
  w->pred_count = preds + more;
  pith_i_store_init(&w->store, env);
  w->base = pith_i_alloc(env, (w->pred_count + 1) * sizeof *w->base);
  w->invented = pith_i_zalloc(env, w->pred_count, sizeof *w->invented);
  w->solid = pith_i_zalloc(env, w->pred_count, sizeof *w->solid);
  return w->base == NULL || w->invented == NULL || w->solid == NULL
             ? PITH_ENOMEM
             : make_relations(w, preds);
}

pith_status pith_i_observations_number(pith_i_observations *w) {
  w->base[0] = 0;
  w->words.preds = 0;
  for (size_t p = 0; p < w->pred_count; p++) {
    pith_i_relation *r = &w->store.relations.at[p];
    w->words.preds += r->rows.n > 0;
    r->old = r->end = r->rows.n;
    w->base[p + 1] = w->base[p] + r->rows.n;
  }
  w->n = w->base[w->pred_count];
  if (w->n >= PITH_NONE)
    return pith_i_fail(w->env, PITH_ENOMEM, "more than 4 billion facts");
  return count_observed_constants(w);
}

static pith_status
observations_fill(pith_i_observations *w, const pith_i_theory *theory,
                  const pith_i_store *observed, pith_part part,
                  const pith_i_store *optional, pith_i_run *run) {
  pith_i_store *to = &w->store;
  pith_status rc =
      observations_begin(w, theory, observed->env, theory->names.preds.n, 0);
  if (rc == PITH_OK)
    rc = pith_i_fact_each_within(observed, part, run, copy_fact, to);
  for (size_t p = 0; rc == PITH_OK && p < w->pred_count; p++)
    w->solid[p] = to->relations.at[p].rows.n;
  if (rc == PITH_OK && optional != NULL)
    rc = pith_i_fact_each_within(optional, PITH_GIVEN, run, copy_fact, to);
  for (size_t p = 0; rc == PITH_OK && p < w->pred_count; p++)
    w->invented[p] = w->solid[p] == 0 && to->relations.at[p].rows.n > 0;
  return rc != PITH_OK ? rc : pith_i_observations_number(w);
}

pith_status pith_i_observations_init(pith_i_observations *w,
                                     const pith_i_theory *theory,
                                     const pith_i_store *observed,
                                     const pith_i_store *optional,
                                     pith_i_run *run) {
  return observations_fill(w, theory, observed, PITH_GIVEN, optional, run);
}

pith_status pith_i_observations_closed(pith_i_observations *w,
                                       const pith_i_theory *theory,
                                       const pith_i_store *store) {
  return observations_fill(w, theory, store, PITH_ALL, NULL, NULL);
}

pith_status pith_i_observations_extend(pith_i_observations *out,
                                       const pith_i_observations *w,
                                       size_t more) {
  pith_status rc =
      observations_begin(out, w->theory, w->env, w->pred_count, more);
  if (rc >= 0)
    rc = pith_i_fact_each(&w->store, PITH_NONE, PITH_GIVEN, copy_fact,
                          &out->store);
  for (size_t p = 0; rc >= 0 && p < w->pred_count; p++) {
    out->solid[p] = w->solid[p];
    out->invented[p] = w->invented[p];
  }
  out->hiding = w->hiding;
  out->scale = w->scale;
  return rc;
}

void pith_i_observations_free(pith_i_observations *w) {
  if (w->env == NULL)
    return;
  pith_i_store_free(&w->store);
  pith_i_release(w->env, w->base);
  pith_i_release(w->env, w->invented);
  pith_i_release(w->env, w->solid);
  memset(w, 0, sizeof *w);
}

static pith_i_plan *make_plan(const pith_i_observations *w, pith_i_arena *arena,
                              const pith_i_form *form, pith_i_plan_spec spec) {
  assert(w->base != NULL);
  pith_i_relation **r =
      pith_i_arena_alloc(arena, (form->atom_count + 1) * sizeof(void *));
  if (r == NULL)
    return NULL;
  for (uint32_t i = 0; i < form->atom_count; i++)
    r[i] = &w->store.relations.at[form->atoms[i].pred];
  spec.relations = r;
  spec.absent = pith_i_plan_absent(arena, &w->store, form);
  spec.absent_view = PITH_I_WHOLE;
  spec.first = PITH_NONE;
  if (form->negative_count > 0 && spec.absent == NULL)
    return NULL;
  return pith_i_plan_new(arena, form, &spec);
}

pith_i_plan *pith_i_plan_body(const pith_i_observations *w, pith_i_arena *arena,
                              const pith_i_form *form, bool every_match) {
  return make_plan(w, arena, form,
                   (pith_i_plan_spec){.every_match = every_match});
}

pith_i_plan *pith_i_plan_from_head(const pith_i_observations *w,
                                   pith_i_arena *arena,
                                   const pith_i_form *form) {
  return make_plan(w, arena, form,
                   (pith_i_plan_spec){.bound = form->head.regs,
                                      .bound_count = form->head.arity,
                                      .every_match = true});
}

double pith_i_observed_bits(const pith_i_observations *w) {
  assert(w->words.preds <= w->pred_count);
  double bits = 0;
  for (size_t p = 0; p < w->pred_count; p++)
    bits += (double)w->solid[p] * pith_i_observation_bits(w, (pith_pred)p);
  return bits;
}

/* ---- samples ---------------------------------------------------------- */

/* Constants are drawn in walks: from a few facts of each predicate to their
** constants, from each of those to a few others that share a fact with it, and
** so on, so that what belongs together stays together. */
typedef struct {
  const pith_i_observations *w;
  bool *chosen;               /* (symbols) */
  PITH_I_VEC(pith_sym) queue; /* chosen, in the order chosen */
  size_t facts;               /* whose constants all are chosen, about */
  uint64_t seed, turn;
} drawing;

static size_t draw_below(drawing *d, size_t n) {
  assert(n > 0);
  return (size_t)(pith_i_random(d->seed, 0x5a, d->turn++) % n);
}

static pith_status choose_constant(drawing *d, pith_sym s) {
  assert(s < d->w->theory->names.symbols.n);
  if (d->chosen[s])
    return PITH_OK;
  d->chosen[s] = true;
  return pith_i_push(d->w->env, &d->queue, s) ? PITH_OK : PITH_ENOMEM;
}

static pith_status choose_row(drawing *d, const pith_i_tuples *t, size_t row) {
  assert(row < t->n);
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < t->width; i++)
    rc = choose_constant(d, t->at[row * t->width + i]);
  return rc;
}

/* A few facts that have s in this column: the newest and then every so many. */
static pith_status choose_near(drawing *d, pith_i_relation *r, uint32_t column,
                               pith_sym s) {
  assert(column < r->rows.width);
  enum { NEAR = 4, SKIP = 8 };
  pith_i_index *x;
  pith_status rc = pith_i_relation_index(d->w->env, r, &column, 1, &x);
  uint32_t row = rc < 0 ? PITH_NONE : pith_i_index_find(x, &r->rows, &s);
  for (size_t taken = 0; rc >= 0 && row != PITH_NONE && taken < NEAR; taken++) {
    rc = choose_row(d, &r->rows, row);
    for (size_t skip = draw_below(d, SKIP) + 1; skip > 0 && row != PITH_NONE;
         skip--)
      row = x->next[row];
  }
  return rc;
}

static pith_status walk_on(drawing *d, pith_sym s) {
  pith_status rc = PITH_OK;
  for (size_t p = 0; rc >= 0 && p < d->w->pred_count; p++) {
    pith_i_relation *r = &d->w->store.relations.at[p];
    for (uint32_t i = 0; rc >= 0 && r->rows.n > 0 && i < r->rows.width; i++)
      rc = choose_near(d, r, i, s);
  }
  return rc;
}

static bool is_chosen(const drawing *d, const pith_i_tuples *t, size_t row) {
  assert(row < t->n);
  for (uint32_t i = 0; i < t->width; i++)
    if (!d->chosen[t->at[row * t->width + i]])
      return false;
  return true;
}

static size_t count_chosen(const drawing *d) {
  size_t n = 0;
  for (size_t p = 0; p < d->w->pred_count; p++) {
    const pith_i_tuples *t = &d->w->store.relations.at[p].rows;
    for (size_t row = 0; row < t->n; row++)
      n += is_chosen(d, t, row);
  }
  return n;
}

static pith_status copy_chosen(const drawing *d, pith_i_observations *s) {
  pith_status rc = PITH_OK;
  for (size_t p = 0; rc >= 0 && p < d->w->pred_count; p++) {
    const pith_i_tuples *t = &d->w->store.relations.at[p].rows;
    for (size_t row = 0; rc >= 0 && row < t->n; row++) {
      if (!is_chosen(d, t, row))
        continue;
      rc = pith_i_fact_give(&s->store, (pith_pred)p, t->width,
                            t->at + row * t->width);
      s->solid[p] += row < d->w->solid[p];
    }
  }
  return rc;
}

static pith_status begin_walks(drawing *d) {
  enum { SEEDS = 4 };
  pith_status rc = PITH_OK;
  for (size_t p = 0; rc >= 0 && p < d->w->pred_count; p++) {
    const pith_i_tuples *t = &d->w->store.relations.at[p].rows;
    for (size_t i = 0; rc >= 0 && t->n > 0 && i < SEEDS; i++)
      rc = choose_row(d, t, draw_below(d, t->n));
  }
  return rc;
}

static pith_status draw_constants(drawing *d, size_t wanted) {
  pith_status rc = begin_walks(d);
  size_t check = 64;
  for (size_t i = 0; rc >= 0; i++) {
    if (i == check || i == d->queue.n) {
      if (count_chosen(d) >= wanted || i == d->queue.n)
        break;
      check += check / 4;
    }
    rc = walk_on(d, d->queue.at[i]);
  }
  return rc;
}

pith_status pith_i_observations_sample(pith_i_observations *s,
                                       const pith_i_observations *w,
                                       size_t wanted, uint64_t seed) {
  assert(s != w);
  assert(wanted > 0);
  drawing d = {.w = w, .seed = seed};
  d.chosen =
      pith_i_zalloc(w->env, w->theory->names.symbols.n, sizeof *d.chosen);
  pith_status rc = observations_begin(s, w->theory, w->env, w->pred_count, 0);
  if (d.chosen == NULL)
    rc = PITH_ENOMEM;
  if (rc >= 0)
    rc = draw_constants(&d, wanted);
  if (rc >= 0)
    rc = copy_chosen(&d, s);
  if (rc >= 0) {
    s->hiding = w->hiding;
    memcpy(s->invented, w->invented, w->pred_count * sizeof *s->invented);
    rc = pith_i_observations_number(s);
    s->scale = s->n == 0 ? 1 : (double)w->n / (double)s->n;
  }
  pith_i_vec_free(w->env, &d.queue);
  pith_i_release(w->env, d.chosen);
  return rc;
}
