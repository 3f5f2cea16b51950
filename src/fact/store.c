#include "fact/store.h"

#include <assert.h>
#include <string.h>

void pith_i_store_init(pith_i_store *s, pith_i_env *env) {
  memset(s, 0, sizeof *s);
  s->env = env;
}

static void free_indexes(pith_i_env *env, pith_i_relation *r) {
  while (r->indexes != NULL) {
    pith_i_index *after = r->indexes->after;
    pith_i_index_free(env, r->indexes);
    r->indexes = after;
  }
}

void pith_i_relation_free(pith_i_env *env, pith_i_relation *r) {
  free_indexes(env, r);
  pith_i_bits_free(env, r->bits);
  pith_i_tuples_free(env, &r->rows);
  pith_i_vec_free(env, &r->marks);
}

void pith_i_store_free(pith_i_store *s) {
  for (size_t i = 0; i < s->relations.n; i++)
    pith_i_relation_free(s->env, &s->relations.at[i]);
  pith_i_vec_free(s->env, &s->relations);
}

pith_i_relation *pith_i_relation_get(pith_i_store *s, pith_pred pred,
                                     uint32_t arity) {
  assert(pred != PITH_NONE);
  if (pred >= s->relations.n) {
    size_t more = pred + 1 - s->relations.n;
    if (!pith_i_room(s->env, &s->relations, more))
      return NULL;
    memset(&s->relations.at[s->relations.n], 0, more * sizeof *s->relations.at);
    s->relations.n += more;
  }
  pith_i_relation *r = &s->relations.at[pred];
  assert(r->rows.n == 0 || r->rows.width == arity);
  r->rows.width = arity;
  r->env = s->env;
  return r;
}

/* ---- indexes and bits ------------------------------------------------ */

static bool is_on(const pith_i_index *x, const uint32_t *columns, uint32_t n) {
  return x->key_width == n &&
         memcmp(x->columns, columns, n * sizeof *columns) == 0;
}

/* Whose memory an index of the relation is. */
static pith_i_env *index_env(pith_i_env *env, const pith_i_relation *r) {
  return r->env != NULL ? r->env : env;
}

pith_i_index *pith_i_relation_index_on(pith_i_env *env, pith_i_relation *r,
                                       const uint32_t *columns, uint32_t n) {
  assert(n > 0 && n <= r->rows.width);
  pith_i_index *x = r->indexes;
  while (x != NULL && !is_on(x, columns, n))
    x = x->after;
  if (x != NULL)
    return x;
  x = pith_i_index_new(index_env(env, r), columns, n);
  if (x != NULL) {
    x->after = r->indexes;
    r->indexes = x;
  }
  return x;
}

pith_status pith_i_relation_index_update(pith_i_env *env, pith_i_relation *r,
                                         pith_i_index *x, pith_i_run *run) {
  return pith_i_index_update(index_env(env, r), x, &r->rows, run);
}

pith_status pith_i_relation_index(pith_i_env *env, pith_i_relation *r,
                                  const uint32_t *columns, uint32_t n,
                                  pith_i_index **out) {
  *out = pith_i_relation_index_on(env, r, columns, n);
  return *out == NULL ? PITH_ENOMEM
                      : pith_i_relation_index_update(env, r, *out, NULL);
}

/* Indexes that know only given facts stay. */
static void cut_to_given(pith_i_env *env, pith_i_relation *r) {
  assert(r->given <= r->rows.n);
  if (r->rows.n == r->given)
    return;
  free_indexes(env, r);
  if (r->given == 0)
    pith_i_tuples_free(env, &r->rows);
  else
    pith_i_tuples_cut(&r->rows, r->given);
}

void pith_i_relation_take_bits(pith_i_env *env, pith_i_relation *r,
                               pith_i_bits *bits) {
  assert(r->bits == NULL && r->rows.width == 2);
  cut_to_given(env, r);
  r->bits = bits;
}

uint32_t pith_i_relation_step(const pith_i_relation *r, uint32_t row) {
  assert(row < r->rows.n);
  if (row < r->given)
    return 0;
  size_t lo = 0, hi = r->marks.n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (r->marks.at[mid].end > row)
      hi = mid;
    else
      lo = mid + 1;
  }
  assert(lo < r->marks.n);
  return r->marks.at[lo].step;
}

size_t pith_i_relation_end(const pith_i_relation *r, uint32_t step) {
  size_t lo = 0, hi = r->marks.n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (r->marks.at[mid].step > step)
      hi = mid;
    else
      lo = mid + 1;
  }
  return lo == 0 ? r->given : r->marks.at[lo - 1].end;
}

void pith_i_store_forget(pith_i_store *s) {
  for (size_t i = 0; i < s->relations.n; i++) {
    pith_i_relation *r = &s->relations.at[i];
    cut_to_given(s->env, r);
    pith_i_bits_free(s->env, r->bits);
    r->bits = NULL;
  }
}

/* ---- facts ----------------------------------------------------------- */

pith_status pith_i_fact_give(pith_i_store *s, pith_pred pred, uint32_t arity,
                             const pith_sym *args) {
  pith_i_relation *r = pith_i_relation_get(s, pred, arity);
  if (r == NULL)
    return PITH_ENOMEM;
  assert(r->rows.n == r->given && r->bits == NULL);
  pith_status rc = pith_i_tuples_add(s->env, &r->rows, args, NULL, NULL);
  r->given = r->rows.n;
  return rc;
}

bool pith_i_fact_holds(const pith_i_store *s, pith_pred pred,
                       const pith_sym *args) {
  if (pred >= s->relations.n)
    return false;
  const pith_i_relation *r = &s->relations.at[pred];
  return r->bits != NULL ? pith_i_bits_holds(r->bits, args[0], args[1])
                         : pith_i_tuples_find(&r->rows, args) != PITH_NONE;
}

bool pith_i_fact_given(const pith_i_store *s, pith_pred pred,
                       const pith_sym *args) {
  if (pred >= s->relations.n)
    return false;
  const pith_i_relation *r = &s->relations.at[pred];
  uint32_t row = pith_i_tuples_find(&r->rows, args);
  return row != PITH_NONE && row < r->given;
}

static uint64_t count_part(const pith_i_relation *r, pith_part part) {
  assert(part >= PITH_GIVEN && part <= PITH_ALL);
  uint64_t all = r->bits != NULL ? r->bits->count : r->rows.n;
  return (part & PITH_GIVEN ? r->given : 0) +
         (part & PITH_DERIVED ? all - r->given : 0);
}

uint64_t pith_i_fact_count(const pith_i_store *s, pith_pred pred,
                           pith_part part) {
  if (pred != PITH_NONE)
    return pred < s->relations.n ? count_part(&s->relations.at[pred], part) : 0;
  uint64_t count = 0;
  for (size_t i = 0; i < s->relations.n; i++)
    count += count_part(&s->relations.at[i], part);
  return count;
}

/* What one call of pith_i_fact_each shares with the loops below. */
typedef struct {
  const pith_i_relation *r;
  pith_pred pred;
  pith_fact_visit visit;
  void *ctx;
} walk;

static int walk_rows(const walk *w, size_t from, size_t to) {
  assert(from <= to && to <= w->r->rows.n);
  const pith_i_tuples *t = &w->r->rows;
  int rc = 0;
  for (size_t row = from; rc == 0 && row < to; row++)
    rc = w->visit(w->ctx, w->pred, t->at + row * t->width, t->width);
  return rc;
}

static int walk_word(const walk *w, pith_sym x, size_t base, uint64_t word) {
  for (; word != 0; word &= word - 1) {
    size_t y = base + (size_t)__builtin_ctzll(word);
    pith_sym pair[2] = {x, pith_i_domain_sym(w->r->bits->domain, y)};
    if (w->r->given > 0 && pith_i_tuples_find(&w->r->rows, pair) != PITH_NONE)
      continue;
    int rc = w->visit(w->ctx, w->pred, pair, 2);
    if (rc != 0)
      return rc;
  }
  return 0;
}

static int walk_bits(const walk *w) {
  assert(w->r->bits != NULL && w->r->rows.width == 2);
  const pith_i_bits *b = w->r->bits;
  int rc = 0;
  for (size_t x = 0; rc == 0 && x < b->n; x++)
    for (size_t i = 0; rc == 0 && i < b->words; i++)
      rc = walk_word(w, pith_i_domain_sym(b->domain, x), i * 64,
                     b->rows[x * b->words + i]);
  return rc;
}

static int walk_relation(const walk *w, pith_part part) {
  int rc = 0;
  if (part & PITH_GIVEN)
    rc = walk_rows(w, 0, w->r->given);
  if (rc == 0 && part & PITH_DERIVED)
    rc = w->r->bits != NULL ? walk_bits(w)
                            : walk_rows(w, w->r->given, w->r->rows.n);
  return rc;
}

int pith_i_fact_each(const pith_i_store *s, pith_pred pred, pith_part part,
                     pith_fact_visit visit, void *ctx) {
  size_t from = pred == PITH_NONE ? 0 : pred;
  size_t to = pred == PITH_NONE ? s->relations.n : (size_t)pred + 1;
  int rc = 0;
  for (size_t i = from; rc == 0 && i < to && i < s->relations.n; i++) {
    walk w = {&s->relations.at[i], (pith_pred)i, visit, ctx};
    rc = walk_relation(&w, part);
  }
  return rc;
}

typedef struct {
  pith_i_env *env;
  pith_i_run *run;
  size_t turn;
  pith_fact_visit visit;
  void *ctx;
} watched_visit;

static int visit_watched(void *ctx, pith_pred pred, const pith_sym *args,
                         size_t n) {
  watched_visit *w = ctx;
  pith_status rc = pith_i_look_at_turn(w->env, w->run, w->turn++);
  return rc != PITH_OK ? rc : w->visit(w->ctx, pred, args, n);
}

int pith_i_fact_each_within(const pith_i_store *s, pith_part part,
                            pith_i_run *run, pith_fact_visit visit, void *ctx) {
  watched_visit w = {s->env, run, 0, visit, ctx};
  return pith_i_fact_each(s, PITH_NONE, part, visit_watched, &w);
}
