#include "compress/aspects.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"

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
  const pith_i_tuples *t = pith_i_aspect_rows(w, p);
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
    uint32_t width = pith_i_aspect_rows(w, p)->width;
    for (uint32_t k = 0;
         rc >= 0 && width > 1 && width <= PITH_I_ASPECT_WIDEST && k < width;
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
    if (pith_i_aspect_rows(w, p)->width == 1 &&
        pith_i_aspect_rows(w, p)->n > 0) {
      n += pith_i_aspect_rows(w, p)->n;
      ++*unary;
    }
  for (size_t i = 0; i < fixed->n; i++)
    n += fixed->at[i].count;
  return n;
}

static void list_unary(properties *q, size_t *number, size_t *n) {
  for (pith_pred p = 0; p < q->w->pred_count; p++) {
    const pith_i_tuples *t = pith_i_aspect_rows(q->w, p);
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
    const pith_i_tuples *t = pith_i_aspect_rows(q->w, fixed->at[i].pred);
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

pith_status pith_i_aspects_add_fixed(const pith_i_observations *w,
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
                         .arity = pith_i_aspect_rows(w, f->pred)->width - 1,
                         .pred = f->pred,
                         .place = f->place,
                         .value = f->value};
    rc = pith_i_aspects_add(w, out, one);
  }
  pith_i_vec_free(w->env, &fixed);
  return rc;
}
