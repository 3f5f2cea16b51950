#include "compress/aspects.h"

#include <stdlib.h>

#include "base/tunables.h"

enum { MOST_FLIPS = 2 }; /* an interval has two ends */

static pith_order order_of(const pith_i_observations *w, pith_sym s) {
  return (pith_order)pith_i_sym(&w->theory->names, s)->order;
}

bool pith_i_aspect_is_ordered(const pith_i_observations *w, pith_pred p,
                              uint32_t place) {
  const pith_i_tuples *t = pith_i_aspect_rows(w, p);
  if (t->width != 2 || t->n < PITH_TUNE_ASPECT_ROWS)
    return false;
  pith_order order = order_of(w, t->at[place]);
  for (size_t i = 0; order != PITH_ORDER_NONE && i < t->n; i++)
    if (order_of(w, t->at[2 * i + place]) != order)
      return false;
  return order != PITH_ORDER_NONE;
}

typedef struct {
  double value;
  pith_sym number, thing;
} measurement;

static int compare_measurements(const void *a, const void *b) {
  const measurement *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return (x->thing > y->thing) - (x->thing < y->thing);
}

/* Numbers or dates in one place of a predicate, from small to large. */
typedef struct {
  pith_pred pred;
  uint32_t place;
  uint32_t one_each; /* no thing has two of them */
  measurement *all;  /* (n) */
  size_t n;
} column;

/* Whether a thing has a property: a unary predicate or a fixed place. */
static bool has_property(const pith_i_observations *w, const pith_i_aspect *a,
                         pith_sym thing) {
  pith_sym key[2] = {thing, thing};
  if (a->kind == PITH_I_FIXED)
    key[a->place] = a->value;
  return pith_i_observation_find(w, a->pred, key) != PITH_NONE;
}

/* The things whose membership in a property is looked at: all, those that have
** another property, or those that lack it. */
typedef struct {
  const pith_i_aspect *property; /* NULL: all */
  bool lacking;
} selection;

static bool is_selected(const pith_i_observations *w, selection among,
                        pith_sym thing) {
  return among.property == NULL ||
         has_property(w, among.property, thing) != among.lacking;
}

/* Where membership in a property changes along the values: what begins there,
** and what ends. */
typedef struct {
  pith_sym begins[MOST_FLIPS + 1], ends[MOST_FLIPS + 1];
  size_t begin_count, end_count;
  bool usable;
} flips;

static flips find_flips(const pith_i_observations *w, const measurement *all,
                        size_t n, const pith_i_aspect *of, selection among) {
  flips f = {.usable = true};
  bool inside = false, any = false;
  pith_sym last = PITH_NONE;
  size_t members = 0;
  for (size_t i = 0, j; i < n && f.usable; i = j) {
    size_t there = 0, here = 0;
    for (j = i; j < n && all[j].value == all[i].value; j++)
      if (is_selected(w, among, all[j].thing)) {
        here++;
        there += has_property(w, of, all[j].thing);
      }
    if (here == 0)
      continue;
    bool now = there == here;
    members += now ? there : 0;
    if (now && !inside && any)
      f.begins[f.begin_count++] = all[i].number;
    if (!now && inside)
      f.ends[f.end_count++] = last;
    inside = now;
    any = true;
    last = all[i].number;
    f.usable = f.begin_count + f.end_count <= MOST_FLIPS;
  }
  f.usable = f.usable && f.begin_count + f.end_count > 0 &&
             members >= PITH_TUNE_ASPECT_ROWS;
  return f;
}

typedef struct {
  const pith_i_observations *w;
  pith_i_aspects *out;
  size_t fixed;     /* the first so many aspects are fixed places */
  size_t remaining; /* thresholds that may still be added */
  pith_i_run *run;
} thresholds;

/* The value before or after one in the column, or PITH_NONE. */
static pith_sym value_beyond(const column *c, pith_sym value, bool before) {
  pith_sym last = PITH_NONE;
  for (size_t i = 0; i < c->n; i++) {
    pith_sym now = c->all[before ? i : c->n - 1 - i].number;
    if (now == value)
      return last;
    last = now;
  }
  return PITH_NONE;
}

static pith_status add_flips(thresholds *t, const column *c, const flips *f) {
  pith_i_aspect one = {
      .arity = 1, .pred = c->pred, .place = c->place, .one_each = c->one_each};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < f->begin_count + f->end_count; i++) {
    bool begins = i < f->begin_count;
    one.kind = begins ? PITH_I_AT_LEAST : PITH_I_AT_MOST;
    one.value = begins ? f->begins[i] : f->ends[i - f->begin_count];
    one.other = value_beyond(c, one.value, begins);
    size_t before = t->out->list.n;
    if (t->remaining == 0)
      break;
    rc = pith_i_aspects_add(t->w, t->out, one);
    t->remaining -= t->out->list.n - before;
  }
  return rc;
}

/* The property with this number: first the unary predicates, then the fixed
** places; false: it is not one. */
static bool property_at(const thresholds *t, size_t number,
                        pith_i_aspect *out) {
  if (number >= t->w->pred_count) {
    *out = t->out->list.at[number - t->w->pred_count];
    return out->arity == 1;
  }
  *out = (pith_i_aspect){.kind = PITH_I_ABSENT, .pred = (pith_pred)number};
  const pith_i_tuples *rows = pith_i_aspect_rows(t->w, (pith_pred)number);
  return rows->width == 1 && rows->n >= PITH_TUNE_ASPECT_ROWS;
}

static pith_status try_property(thresholds *t, const column *c,
                                const pith_i_aspect *of, selection among) {
  flips f = find_flips(t->w, c->all, c->n, of, among);
  return f.usable ? add_flips(t, c, &f) : PITH_OK;
}

/* Among all things, then among those that have or lack each property. */
static pith_status try_selections(thresholds *t, const column *c, size_t number,
                                  const pith_i_aspect *of) {
  pith_status rc = try_property(t, c, of, (selection){NULL, false});
  for (size_t j = 0;
       rc >= 0 && j < t->w->pred_count && !pith_i_stop_requested(t->run); j++) {
    pith_i_aspect among;
    if (j == number || !property_at(t, j, &among))
      continue;
    rc = try_property(t, c, of, (selection){&among, false});
    if (rc >= 0)
      rc = try_property(t, c, of, (selection){&among, true});
  }
  return rc;
}

static pith_status try_properties(thresholds *t, const column *c) {
  size_t count = t->w->pred_count + t->fixed, tried = 0;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < count && tried < PITH_TUNE_ASPECT_TRIED;
       i++) {
    pith_i_aspect of;
    if (pith_i_stop_requested(t->run))
      break;
    if (!property_at(t, i, &of) || of.pred == c->pred)
      continue;
    tried++;
    rc = try_selections(t, c, i, &of);
  }
  return rc;
}

static int compare_things(const void *a, const void *b) {
  const measurement *x = a, *y = b;
  return (x->thing > y->thing) - (x->thing < y->thing);
}

/* Whether no thing has two values. Leaves the measurements in disorder. */
static bool has_one_each(measurement *all, size_t n) {
  qsort(all, n, sizeof *all, compare_things);
  for (size_t i = 1; i < n; i++)
    if (all[i].thing == all[i - 1].thing)
      return false;
  return true;
}

static pith_status add_thresholds_of(thresholds *t, pith_pred pred,
                                     uint32_t place) {
  const pith_i_tuples *rows = pith_i_aspect_rows(t->w, pred);
  measurement *all = pith_i_alloc(t->w->env, (rows->n + 1) * sizeof *all);
  column c = {.pred = pred, .place = place, .all = all, .n = rows->n};
  if (all == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < rows->n; i++) {
    pith_sym number = rows->at[2 * i + place];
    all[i] = (measurement){pith_i_sym(&t->w->theory->names, number)->value,
                           number, rows->at[2 * i + 1 - place]};
  }
  c.one_each = has_one_each(all, c.n);
  qsort(all, c.n, sizeof *all, compare_measurements);
  pith_status rc = try_properties(t, &c);
  pith_i_release(t->w->env, all);
  return rc;
}

pith_status pith_i_aspects_add_thresholds(const pith_i_observations *w,
                                          pith_i_run *run,
                                          pith_i_aspects *out) {
  thresholds t = {w, out, out->list.n, PITH_TUNE_ASPECT_THRESHOLDS, run};
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; rc >= 0 && p < w->pred_count; p++)
    for (uint32_t place = 0; rc >= 0 && place < 2; place++)
      if (pith_i_aspect_is_ordered(w, p, place))
        rc = add_thresholds_of(&t, p, place);
  return rc;
}
