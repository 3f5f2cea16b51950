#include "compress/aspects.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"

enum {
  MOST_FLIPS = 2, /* an interval has two ends                         */
  WIDEST = 3      /* predicates with more places have no aspects      */
};

void pith_i_aspects_free(pith_i_env *env, pith_i_aspects *a) {
  pith_i_vec_free(env, &a->list);
}

static const pith_i_tuples *rows_of_pred(const pith_i_observations *w,
                                         pith_pred p) {
  assert(p < w->pred_count);
  return &w->store.relations.at[p].rows;
}

static pith_status add_aspect(const pith_i_observations *w, pith_i_aspects *out,
                              pith_i_aspect a) {
  for (size_t i = 0; i < out->list.n; i++)
    if (memcmp(&out->list.at[i], &a, sizeof a) == 0)
      return PITH_OK;
  return pith_i_push(w->env, &out->list, a) ? PITH_OK : PITH_ENOMEM;
}

/* ---- fixed places ------------------------------------------------------- */

/* A place with a constant in it, and how many facts have it. */
typedef struct {
  pith_pred pred;
  uint32_t place;
  pith_sym value;
  uint32_t count, included; /* in another property, or another one in it */
  size_t first;             /* of its members in the list of all */
} fixed_place;

typedef PITH_I_VEC(fixed_place) fixed_places;

static pith_status count_values(const pith_i_observations *w, pith_pred p,
                                uint32_t place, uint32_t *count,
                                fixed_places *out) {
  const pith_i_tuples *t = rows_of_pred(w, p);
  for (size_t i = 0; i < t->n; i++)
    count[t->at[i * t->width + place]]++;
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < t->n; i++) {
    uint32_t *n = &count[t->at[i * t->width + place]];
    fixed_place one = {.pred = p,
                       .place = place,
                       .value = t->at[i * t->width + place],
                       .count = *n};
    /* a constant that is in all of them distinguishes nothing */
    if (rc >= 0 && *n >= PITH_TUNE_ASPECT_ROWS && *n < t->n &&
        !pith_i_push(w->env, out, one))
      rc = PITH_ENOMEM;
    *n = 0;
  }
  return rc;
}

static pith_status list_fixed(const pith_i_observations *w, fixed_places *out) {
  uint32_t *count =
      pith_i_zalloc(w->env, w->theory->names.symbols.n + 1, sizeof *count);
  pith_status rc = count == NULL ? PITH_ENOMEM : PITH_OK;
  for (pith_pred p = 0; rc >= 0 && p < w->pred_count; p++) {
    uint32_t width = rows_of_pred(w, p)->width;
    for (uint32_t k = 0; rc >= 0 && width > 1 && width <= WIDEST && k < width;
         k++)
      rc = count_values(w, p, k, count, out);
  }
  pith_i_release(w->env, count);
  return rc;
}

/* Properties of one constant: those of fixed places of binary predicates and
** of unary predicates. Each has a number and a sorted list of members. */
typedef struct {
  const pith_i_observations *w;
  size_t count;  /* properties */
  size_t *start; /* (count + 1) of the members of each */
  pith_sym *member;
  size_t *of_start; /* (symbols + 1) of the properties of each constant */
  uint32_t *of;
  uint32_t *seen; /* (count) */
} properties;

static size_t count_members(const pith_i_observations *w,
                            const fixed_places *fixed, size_t *unary) {
  size_t n = 0;
  *unary = 0;
  for (pith_pred p = 0; p < w->pred_count; p++)
    if (rows_of_pred(w, p)->width == 1 && rows_of_pred(w, p)->n > 0) {
      n += rows_of_pred(w, p)->n;
      ++*unary;
    }
  for (size_t i = 0; i < fixed->n; i++)
    n += fixed->at[i].count;
  return n;
}

static void list_unary(properties *q, size_t *number, size_t *n) {
  for (pith_pred p = 0; p < q->w->pred_count; p++) {
    const pith_i_tuples *t = rows_of_pred(q->w, p);
    if (t->width != 1 || t->n == 0)
      continue;
    q->start[(*number)++] = *n;
    memcpy(q->member + *n, t->at, t->n * sizeof *t->at);
    *n += t->n;
  }
}

/* Members of each fixed place of a binary predicate: rows are visited by
** predicate and place, and slot says whose they are. */
static void list_members(properties *q, fixed_places *fixed, size_t number,
                         size_t n, uint32_t *slot) {
  for (size_t i = 0; i < fixed->n;) {
    size_t j = i;
    for (; j < fixed->n && fixed->at[j].pred == fixed->at[i].pred &&
           fixed->at[j].place == fixed->at[i].place;
         j++) {
      slot[fixed->at[j].value] = (uint32_t)j + 1;
      fixed->at[j].first = n;
      q->start[number + j] = n;
      n += fixed->at[j].count;
    }
    const pith_i_tuples *t = rows_of_pred(q->w, fixed->at[i].pred);
    uint32_t place = fixed->at[i].place;
    for (size_t r = 0; r < t->n; r++) {
      uint32_t s = slot[t->at[r * t->width + place]];
      if (s > 0) /* of three places the next one stands for the others */
        q->member[fixed->at[s - 1].first++] =
            t->at[r * t->width + (place + 1) % t->width];
    }
    for (size_t k = i; k < j; k++)
      slot[fixed->at[k].value] = 0;
    i = j;
  }
  q->start[q->count] = n;
}

static void turn_round(properties *q, size_t symbols) {
  for (size_t i = 0; i < q->start[q->count]; i++)
    q->of_start[q->member[i] + 1]++;
  for (size_t s = 0; s < symbols; s++)
    q->of_start[s + 1] += q->of_start[s];
  for (size_t p = q->count; p-- > 0;)
    for (size_t i = q->start[p + 1]; i-- > q->start[p];)
      q->of[--q->of_start[q->member[i] + 1]] = (uint32_t)p;
  /* now of_start[s + 1] is where s begins */
  memmove(q->of_start, q->of_start + 1, symbols * sizeof *q->of_start);
  q->of_start[symbols] = q->start[q->count];
}

/* Marks both sides of every inclusion of one property in another. */
static void mark_inclusions(properties *q, size_t unary, fixed_places *fixed) {
  for (size_t p = 0; p < q->count; p++) {
    size_t size = q->start[p + 1] - q->start[p];
    memset(q->seen, 0, q->count * sizeof *q->seen);
    for (size_t i = q->start[p]; i < q->start[p + 1]; i++)
      for (size_t k = q->of_start[q->member[i]];
           k < q->of_start[q->member[i] + 1]; k++)
        q->seen[q->of[k]]++;
    for (size_t other = 0; other < q->count; other++) {
      if (other == p || q->seen[other] < size || size < PITH_TUNE_ASPECT_ROWS)
        continue;
      if (p >= unary)
        fixed->at[p - unary].included++;
      if (other >= unary)
        fixed->at[other - unary].included++;
    }
  }
}

static pith_status find_inclusions(const pith_i_observations *w,
                                   fixed_places *fixed) {
  pith_i_arena arena = {.env = w->env};
  properties q = {.w = w};
  size_t unary, symbols = w->theory->names.symbols.n;
  size_t members = count_members(w, fixed, &unary), number = 0, n = 0;
  q.count = unary + fixed->n;
  if (q.count > PITH_TUNE_ASPECT_PROPERTIES)
    return PITH_OK;
  q.start = pith_i_arena_alloc(&arena, (q.count + 1) * sizeof *q.start);
  q.member = pith_i_arena_alloc(&arena, (members + 1) * sizeof *q.member);
  q.of_start = pith_i_zalloc(w->env, symbols + 2, sizeof *q.of_start);
  q.of = pith_i_arena_alloc(&arena, (members + 1) * sizeof *q.of);
  q.seen = pith_i_arena_alloc(&arena, (q.count + 1) * sizeof *q.seen);
  uint32_t *slot = pith_i_zalloc(w->env, symbols + 1, sizeof *slot);
  bool fine = q.start != NULL && q.member != NULL && q.of_start != NULL &&
              q.of != NULL && q.seen != NULL && slot != NULL;
  if (fine) {
    list_unary(&q, &number, &n);
    list_members(&q, fixed, number, n, slot);
    turn_round(&q, symbols);
    mark_inclusions(&q, unary, fixed);
  }
  pith_i_release(w->env, slot);
  pith_i_release(w->env, q.of_start);
  pith_i_arena_free(&arena);
  return fine ? PITH_OK : PITH_ENOMEM;
}

/* Those that take part in an inclusion first, then the most frequent. */
static int compare_promise(const void *a, const void *b) {
  const fixed_place *x = a, *y = b;
  if ((x->included > 0) != (y->included > 0))
    return x->included > 0 ? -1 : 1;
  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  if (x->pred != y->pred)
    return x->pred < y->pred ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

static pith_status add_fixed(const pith_i_observations *w,
                             pith_i_aspects *out) {
  fixed_places fixed = {0};
  pith_status rc = list_fixed(w, &fixed);
  if (rc >= 0)
    rc = find_inclusions(w, &fixed);
  if (rc >= 0 && fixed.n > 0)
    qsort(fixed.at, fixed.n, sizeof *fixed.at, compare_promise);
  for (size_t i = 0; rc >= 0 && i < fixed.n && i < PITH_TUNE_ASPECT_FIXED;
       i++) {
    const fixed_place *f = &fixed.at[i];
    pith_i_aspect one = {.kind = PITH_I_FIXED,
                         .arity = rows_of_pred(w, f->pred)->width - 1,
                         .pred = f->pred,
                         .place = f->place,
                         .value = f->value};
    rc = add_aspect(w, out, one);
  }
  pith_i_vec_free(w->env, &fixed);
  return rc;
}

/* ---- thresholds --------------------------------------------------------- */

static pith_order order_of(const pith_i_observations *w, pith_sym s) {
  return (pith_order)pith_i_sym(&w->theory->names, s)->order;
}

/* Whether all constants in this place of a binary predicate have one order. */
static bool is_ordered(const pith_i_observations *w, pith_pred p,
                       uint32_t place) {
  const pith_i_tuples *t = rows_of_pred(w, p);
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

/* Whether a thing has a property: a unary predicate or a fixed place. */
static bool has_property(const pith_i_observations *w, const pith_i_aspect *a,
                         pith_sym thing) {
  pith_sym key[2] = {thing, thing};
  if (a->kind == PITH_I_FIXED)
    key[a->place] = a->value;
  return pith_i_observation_find(w, a->pred, key) != PITH_NONE;
}

/* Where membership in a property changes along the values, for the things that
** have the property `among` (NULL: all): what begins there, and what ends. */
typedef struct {
  pith_sym begins[MOST_FLIPS + 1], ends[MOST_FLIPS + 1];
  size_t begin_count, end_count;
  bool usable;
} flips;

static flips find_flips(const pith_i_observations *w, const measurement *all,
                        size_t n, const pith_i_aspect *of,
                        const pith_i_aspect *among) {
  flips f = {.usable = true};
  bool inside = false, any = false;
  pith_sym last = PITH_NONE;
  size_t members = 0;
  for (size_t i = 0, j; i < n && f.usable; i = j) {
    size_t there = 0, here = 0;
    for (j = i; j < n && all[j].value == all[i].value; j++)
      if (among == NULL || has_property(w, among, all[j].thing)) {
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
} thresholds;

static pith_status add_flips(thresholds *t, pith_pred pred, uint32_t place,
                             const flips *f) {
  pith_i_aspect one = {.arity = 1, .pred = pred, .place = place};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < f->begin_count + f->end_count; i++) {
    bool begins = i < f->begin_count;
    one.kind = begins ? PITH_I_AT_LEAST : PITH_I_AT_MOST;
    one.value = begins ? f->begins[i] : f->ends[i - f->begin_count];
    size_t before = t->out->list.n;
    if (t->remaining == 0)
      break;
    rc = add_aspect(t->w, t->out, one);
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
  const pith_i_tuples *rows = rows_of_pred(t->w, (pith_pred)number);
  return rows->width == 1 && rows->n >= PITH_TUNE_ASPECT_ROWS;
}

static pith_status try_properties(thresholds *t, pith_pred pred, uint32_t place,
                                  const measurement *all, size_t n) {
  size_t count = t->w->pred_count + t->fixed, tried = 0;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < count && tried < PITH_TUNE_ASPECT_TRIED;
       i++) {
    pith_i_aspect of, among;
    if (!property_at(t, i, &of) || of.pred == pred)
      continue;
    tried++;
    flips f = find_flips(t->w, all, n, &of, NULL);
    if (f.usable)
      rc = add_flips(t, pred, place, &f);
    for (size_t j = 0; rc >= 0 && j < t->w->pred_count; j++) {
      if (j == i || !property_at(t, j, &among))
        continue;
      f = find_flips(t->w, all, n, &of, &among);
      if (f.usable)
        rc = add_flips(t, pred, place, &f);
    }
  }
  return rc;
}

static pith_status add_thresholds_of(thresholds *t, pith_pred pred,
                                     uint32_t place) {
  const pith_i_tuples *rows = rows_of_pred(t->w, pred);
  measurement *all = pith_i_alloc(t->w->env, (rows->n + 1) * sizeof *all);
  if (all == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < rows->n; i++) {
    pith_sym number = rows->at[2 * i + place];
    all[i] = (measurement){pith_i_sym(&t->w->theory->names, number)->value,
                           number, rows->at[2 * i + 1 - place]};
  }
  qsort(all, rows->n, sizeof *all, compare_measurements);
  pith_status rc = try_properties(t, pred, place, all, rows->n);
  pith_i_release(t->w->env, all);
  return rc;
}

static pith_status add_thresholds(const pith_i_observations *w,
                                  pith_i_aspects *out) {
  thresholds t = {w, out, out->list.n, PITH_TUNE_ASPECT_THRESHOLDS};
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; rc >= 0 && p < w->pred_count; p++)
    for (uint32_t place = 0; rc >= 0 && place < 2; place++)
      if (is_ordered(w, p, place))
        rc = add_thresholds_of(&t, p, place);
  return rc;
}

/* ---- pairs of predicates ------------------------------------------------ */

/* One measure of a thing greater than another. */
static pith_status add_comparisons(const pith_i_observations *w,
                                   pith_i_aspects *out) {
  pith_status rc = PITH_OK;
  size_t ordered = 0;
  for (pith_pred p = 0; p < w->pred_count; p++)
    ordered += is_ordered(w, p, 1);
  for (pith_pred p = 0; ordered <= PITH_TUNE_ASPECT_PREDS && p < w->pred_count;
       p++)
    for (pith_pred q = 0; rc >= 0 && q < w->pred_count; q++)
      if (p != q && is_ordered(w, p, 1) && is_ordered(w, q, 1))
        rc = add_aspect(w, out,
                        (pith_i_aspect){.kind = PITH_I_GREATER,
                                        .arity = 1,
                                        .pred = p,
                                        .other = q,
                                        .place = 1});
  return rc;
}

static size_t count_with_facts(const pith_i_observations *w) {
  size_t n = 0;
  for (pith_pred p = 0; p < w->pred_count; p++)
    n += rows_of_pred(w, p)->n > 0;
  return n;
}

static pith_status add_absences(const pith_i_observations *w,
                                pith_i_aspects *out) {
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; p < w->pred_count; p++) {
    const pith_i_tuples *t = rows_of_pred(w, p);
    for (uint32_t k = 0; rc >= 0 && t->n > 0 && t->width <= 2 && k < t->width;
         k++)
      rc = add_aspect(
          w, out,
          (pith_i_aspect){
              .kind = PITH_I_ABSENT, .arity = 1, .pred = p, .place = k});
  }
  return rc;
}

static size_t count_shared(const pith_i_tuples *a, const pith_i_tuples *b,
                           uint32_t turned) {
  size_t n = 0;
  for (size_t i = 0; i < a->n; i++) {
    const pith_sym *r = a->at + 2 * i;
    pith_sym key[2] = {r[turned], r[1 - turned]};
    n += pith_i_tuples_find(b, key) != PITH_NONE;
  }
  return n;
}

static pith_status add_differences(const pith_i_observations *w,
                                   pith_i_aspects *out) {
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; p < w->pred_count; p++)
    for (pith_pred q = 0; rc >= 0 && q < w->pred_count; q++) {
      const pith_i_tuples *a = rows_of_pred(w, p), *b = rows_of_pred(w, q);
      if (a->width != 2 || b->width != 2 || a->n == 0 || b->n == 0)
        continue;
      for (uint32_t turned = p == q; rc >= 0 && turned < 2; turned++) {
        size_t shared = count_shared(a, b, turned);
        pith_i_aspect one = {.kind = PITH_I_DIFFERENCE,
                             .arity = 2,
                             .pred = p,
                             .other = q,
                             .place = turned};
        if (shared > 0 && shared < a->n)
          rc = add_aspect(w, out, one);
      }
    }
  return rc;
}

pith_status pith_i_aspects_find(const pith_i_observations *w,
                                pith_i_aspects *out) {
  *out = (pith_i_aspects){.first = (pith_pred)w->pred_count};
  pith_status rc = add_fixed(w, out);
  if (rc >= 0 && count_with_facts(w) <= PITH_TUNE_ASPECT_PREDS) {
    rc = add_thresholds(w, out);
    if (rc >= 0)
      rc = add_comparisons(w, out);
    if (rc >= 0)
      rc = add_absences(w, out);
    if (rc >= 0)
      rc = add_differences(w, out);
  }
  return rc;
}

/* ---- what aspects hold of ----------------------------------------------- */

typedef struct {
  const pith_i_observations *w;
  const pith_i_aspect *a;
  pith_i_store *to;
  pith_pred pred; /* of the aspect */
} filling;

static pith_status fill_fixed(const filling *f, const pith_sym *row,
                              uint32_t width) {
  pith_sym key[WIDEST];
  uint32_t n = 0;
  if (row[f->a->place] != f->a->value)
    return PITH_OK;
  for (uint32_t i = 0; i < width; i++)
    if (i != f->a->place)
      key[n++] = row[i];
  return pith_i_fact_give(f->to, f->pred, f->a->arity, key);
}

static pith_status fill_compared(const filling *f, const pith_sym *row) {
  const pith_i_names *names = &f->w->theory->names;
  double value = pith_i_sym(names, row[f->a->place])->value;
  double bound = pith_i_sym(names, f->a->value)->value;
  bool holds = f->a->kind == PITH_I_AT_LEAST ? value >= bound : value <= bound;
  return holds ? pith_i_fact_give(f->to, f->pred, 1, &row[1 - f->a->place])
               : PITH_OK;
}

static pith_status fill_greater(const filling *f, const pith_sym *row) {
  const pith_i_names *names = &f->w->theory->names;
  const pith_i_tuples *t = rows_of_pred(f->w, f->a->other);
  pith_i_relation *r = &f->w->store.relations.at[f->a->other];
  const uint32_t column = 0;
  pith_i_index *x;
  pith_status rc = pith_i_relation_index(f->w->env, r, &column, 1, &x);
  uint32_t at = rc < 0 ? PITH_NONE : pith_i_index_find(x, t, &row[0]);
  for (; rc >= 0 && at != PITH_NONE; at = x->next[at])
    if (pith_i_sym(names, row[1])->value >
        pith_i_sym(names, t->at[2 * at + 1])->value)
      return pith_i_fact_give(f->to, f->pred, 1, row);
  return rc;
}

static pith_status fill_difference(const filling *f, const pith_sym *row) {
  uint32_t turned = f->a->place;
  pith_sym key[2] = {row[turned], row[1 - turned]};
  bool there = pith_i_observation_find(f->w, f->a->other, key) != PITH_NONE;
  return there ? PITH_OK : pith_i_fact_give(f->to, f->pred, 2, row);
}

/* Every constant that is not there. */
static pith_status fill_absent(const filling *f) {
  size_t symbols = f->w->theory->names.symbols.n;
  bool *out = pith_i_zalloc(f->w->env, symbols + 1, sizeof *out);
  pith_status rc = out == NULL ? PITH_ENOMEM : PITH_OK;
  for (pith_pred p = 0; rc >= 0 && p < f->w->pred_count; p++) {
    const pith_i_tuples *t = rows_of_pred(f->w, p);
    for (size_t i = 0; i < t->n * t->width; i++)
      out[t->at[i]] = true;
  }
  const pith_i_tuples *t = rows_of_pred(f->w, f->a->pred);
  for (size_t i = 0; rc >= 0 && i < t->n; i++)
    out[t->at[i * t->width + f->a->place]] = false;
  for (pith_sym s = 0; rc >= 0 && s < symbols; s++)
    if (out[s])
      rc = pith_i_fact_give(f->to, f->pred, 1, &s);
  pith_i_release(f->w->env, out);
  return rc;
}

static pith_status fill_row(const filling *f, const pith_sym *row,
                            uint32_t width) {
  switch (f->a->kind) {
  case PITH_I_FIXED:
    return fill_fixed(f, row, width);
  case PITH_I_AT_LEAST:
  case PITH_I_AT_MOST:
    return fill_compared(f, row);
  case PITH_I_GREATER:
    return fill_greater(f, row);
  case PITH_I_DIFFERENCE:
    return fill_difference(f, row);
  case PITH_I_ABSENT:
    break;
  }
  return PITH_OK;
}

static pith_status fill_aspect(const filling *f) {
  const pith_i_tuples *t = rows_of_pred(f->w, f->a->pred);
  if (f->a->kind == PITH_I_ABSENT)
    return fill_absent(f);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->n; i++)
    rc = fill_row(f, t->at + i * t->width, t->width);
  return rc;
}

pith_status pith_i_aspects_observe(const pith_i_aspects *a,
                                   const pith_i_observations *w,
                                   pith_i_observations *out) {
  assert(a->first == w->pred_count);
  pith_status rc = pith_i_observations_extend(out, w, a->list.n);
  for (size_t i = 0; rc >= 0 && i < a->list.n; i++) {
    filling f = {w, &a->list.at[i], &out->store, a->first + (pith_pred)i};
    if (pith_i_relation_get(&out->store, f.pred, f.a->arity) == NULL)
      return PITH_ENOMEM;
    rc = fill_aspect(&f);
  }
  return rc < 0 ? rc : pith_i_observations_number(out);
}

/* ---- rules written out -------------------------------------------------- */

enum { MOST_ATOMS = 24, MOST_VARS = 16 };

typedef struct {
  const pith_i_aspects *a;
  pith_i_names *names;
  pith_i_arena *arena;
  pith_atom atoms[3][MOST_ATOMS]; /* facts, conditions, absences */
  size_t count[3];
  pith_sym vars[MOST_VARS];
  uint32_t var_count;
  bool failed;
} writing;

enum { FACTS, CONDITIONS, ABSENCES };

static void write_atom(writing *w, int part, pith_pred pred, uint32_t arity,
                       const pith_term *args) {
  pith_term *copy = pith_i_arena_alloc(w->arena, (arity + 1) * sizeof *copy);
  if (copy == NULL) {
    w->failed = true;
    return;
  }
  assert(w->count[part] < MOST_ATOMS);
  if (arity > 0)
    memcpy(copy, args, arity * sizeof *copy);
  w->atoms[part][w->count[part]++] = (pith_atom){
      .pred = pred, .arity = arity, .args = copy, .negated = part == ABSENCES};
}

/* A variable that the rule does not have yet: N, N1, ... */
static pith_term new_variable(writing *w) {
  char text[8];
  size_t n = 0;
  assert(w->var_count < MOST_VARS);
  text[n++] = 'N';
  if (w->var_count > 9)
    text[n++] = '1';
  text[n++] = (char)('0' + w->var_count % 10);
  w->failed |=
      pith_i_sym_add(w->names, text, n, PITH_NAME, &w->vars[w->var_count]) < 0;
  return PITH_VAR(w->var_count++);
}

static void write_fixed(writing *w, const pith_i_aspect *a,
                        const pith_term *args) {
  pith_term all[WIDEST];
  for (uint32_t i = 0, k = 0; i <= a->arity; i++)
    all[i] = i == a->place ? a->value : args[k++];
  write_atom(w, FACTS, a->pred, a->arity + 1, all);
}

static void write_compared(writing *w, const pith_i_aspect *a,
                           const pith_term *args) {
  pith_term n = new_variable(w), pair[2], test[2] = {n, a->value};
  pair[a->place] = n;
  pair[1 - a->place] = args[0];
  write_atom(w, FACTS, a->pred, 2, pair);
  write_atom(w, CONDITIONS,
             a->kind == PITH_I_AT_LEAST ? PITH_GREATER_EQUAL : PITH_LESS_EQUAL,
             2, test);
}

static void write_greater(writing *w, const pith_i_aspect *a,
                          const pith_term *args) {
  pith_term test[2] = {new_variable(w), new_variable(w)};
  pith_term left[2] = {args[0], test[0]}, right[2] = {args[0], test[1]};
  write_atom(w, FACTS, a->pred, 2, left);
  write_atom(w, FACTS, a->other, 2, right);
  write_atom(w, CONDITIONS, PITH_GREATER, 2, test);
}

static void write_absent(writing *w, const pith_i_aspect *a, uint32_t width,
                         const pith_term *args) {
  pith_term all[2];
  for (uint32_t i = 0; i < width; i++)
    all[i] = i == a->place ? args[0] : new_variable(w);
  write_atom(w, ABSENCES, a->pred, width, all);
}

static void write_difference(writing *w, const pith_i_aspect *a,
                             const pith_term *args) {
  pith_term pair[2] = {args[a->place], args[1 - a->place]};
  write_atom(w, FACTS, a->pred, 2, args);
  write_atom(w, ABSENCES, a->other, 2, pair);
}

static void write_body_atom(writing *w, const pith_atom *atom) {
  const pith_i_aspect *a = pith_i_aspect_of(w->a, atom->pred);
  if (a == NULL) {
    write_atom(w, pith_i_is_builtin(atom->pred) ? CONDITIONS : FACTS,
               atom->pred, atom->arity, atom->args);
    return;
  }
  switch (a->kind) {
  case PITH_I_FIXED:
    write_fixed(w, a, atom->args);
    break;
  case PITH_I_AT_LEAST:
  case PITH_I_AT_MOST:
    write_compared(w, a, atom->args);
    break;
  case PITH_I_GREATER:
    write_greater(w, a, atom->args);
    break;
  case PITH_I_ABSENT:
    write_absent(w, a, pith_i_pred(w->names, a->pred)->arity, atom->args);
    break;
  case PITH_I_DIFFERENCE:
    write_difference(w, a, atom->args);
    break;
  }
}

pith_pred pith_i_aspect_head(const pith_i_aspects *a, pith_pred pred,
                             uint32_t arity, const pith_sym *args,
                             pith_sym *out) {
  const pith_i_aspect *of = pith_i_aspect_of(a, pred);
  if (of == NULL) {
    if (arity > 0)
      memcpy(out, args, arity * sizeof *out);
    return pred;
  }
  assert(of->kind == PITH_I_FIXED && arity == of->arity);
  for (uint32_t i = 0, k = 0; i <= arity; i++)
    out[i] = i == of->place ? of->value : args[k++];
  return of->pred;
}

pith_rule *pith_i_aspects_expand(const pith_i_aspects *a, pith_i_names *names,
                                 const pith_rule *rule, pith_i_arena *arena) {
  writing w = {.a = a, .names = names, .arena = arena};
  pith_term head[MOST_VARS];
  pith_atom body[3 * MOST_ATOMS];
  assert(rule->var_count < MOST_VARS && rule->head.arity + 1 < MOST_VARS);
  w.var_count = rule->var_count;
  memcpy(w.vars, rule->var_names, rule->var_count * sizeof *w.vars);
  for (uint32_t i = 0; i < rule->body_len; i++)
    write_body_atom(&w, &rule->body[i]);
  if (w.failed)
    return NULL;
  pith_rule out = *rule;
  out.head.pred = pith_i_aspect_head(a, rule->head.pred, rule->head.arity,
                                     rule->head.args, head);
  out.head.arity += out.head.pred != rule->head.pred;
  out.head.args = head;
  out.body_len = 0;
  for (int part = FACTS; part <= ABSENCES; part++)
    for (size_t i = 0; i < w.count[part]; i++)
      body[out.body_len++] = w.atoms[part][i];
  out.body = body;
  out.var_count = w.var_count;
  out.var_names = w.vars;
  return pith_i_rule_copy(arena, &out);
}
