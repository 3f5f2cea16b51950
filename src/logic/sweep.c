#include "logic/sweep.h"

#include <assert.h>
#include <string.h>

#include "fact/bits.h"

/* full and fresh get the bits of from that full has not; whether any. */
PITH_I_FOR_EACH_MACHINE
static bool merge_words(uint64_t *restrict full, uint64_t *restrict fresh,
                        const uint64_t *restrict from, size_t n) {
  uint64_t any = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t news = from[i] & ~full[i];
    full[i] |= news;
    fresh[i] |= news;
    any |= news;
  }
  return any != 0;
}

/* ---- matrices -------------------------------------------------------- */

pith_status pith_i_sweep_init(pith_i_sweep *s, pith_i_env *env, size_t n) {
  memset(s, 0, sizeof *s);
  s->env = env;
  s->n = n;
  s->words = pith_i_bits_words(n);
  s->dirty = pith_i_zalloc(env, s->words, sizeof *s->dirty);
  s->delta = pith_i_zalloc(env, s->words, sizeof *s->delta);
  return s->dirty == NULL || s->delta == NULL ? PITH_ENOMEM : PITH_OK;
}

static void free_grown(pith_i_env *env, pith_i_grown *g) {
  pith_i_release(env, g->full);
  pith_i_release(env, g->fresh);
  pith_i_release(env, g->known);
  pith_i_release(env, g->news);
  pith_i_vec_free(env, &g->ops);
}

void pith_i_sweep_free(pith_i_sweep *s) {
  for (size_t i = 0; i < s->grown.n; i++)
    free_grown(s->env, &s->grown.at[i]);
  for (size_t i = 0; i < s->fixed.n; i++) {
    pith_i_release(s->env, s->fixed.at[i].starts);
    pith_i_release(s->env, s->fixed.at[i].ids);
    pith_i_release(s->env, s->fixed.at[i].bits);
  }
  pith_i_vec_free(s->env, &s->grown);
  pith_i_vec_free(s->env, &s->fixed);
  pith_i_release(s->env, s->dirty);
  pith_i_release(s->env, s->delta);
}

uint32_t pith_i_grown_new(pith_i_sweep *s) {
  if (!pith_i_room(s->env, &s->grown, 1))
    return PITH_NONE;
  pith_i_grown g = {0};
  g.full = pith_i_zalloc(s->env, s->n * s->words, sizeof *g.full);
  g.fresh = pith_i_zalloc(s->env, s->n * s->words, sizeof *g.fresh);
  g.known = pith_i_zalloc(s->env, s->n, sizeof *g.known);
  g.news = pith_i_zalloc(s->env, s->n, sizeof *g.news);
  if (g.full == NULL || g.fresh == NULL || g.known == NULL || g.news == NULL) {
    free_grown(s->env, &g);
    return PITH_NONE;
  }
  s->grown.at[s->grown.n] = g;
  return (uint32_t)s->grown.n++;
}

bool pith_i_grown_op(pith_i_sweep *s, uint32_t from, pith_i_op op) {
  assert(from < s->grown.n && op.to < s->grown.n);
  return pith_i_push(s->env, &s->grown.at[from].ops, op);
}

static inline void widen_range(pith_i_range *r, uint32_t lo, uint32_t hi) {
  if (r->lo >= r->hi) {
    *r = (pith_i_range){lo, hi};
    return;
  }
  r->lo = lo < r->lo ? lo : r->lo;
  r->hi = hi > r->hi ? hi : r->hi;
}

static inline void mark_dirty(pith_i_sweep *s, pith_i_grown *g, size_t x,
                              pith_i_range r) {
  widen_range(&g->known[x], r.lo, r.hi);
  widen_range(&g->news[x], r.lo, r.hi);
  s->dirty[x >> 6] |= UINT64_C(1) << (x & 63);
}

static inline void set_matrix_bit(pith_i_sweep *s, pith_i_grown *g, size_t x,
                                  size_t y) {
  uint32_t word = (uint32_t)(y >> 6);
  uint64_t bit = UINT64_C(1) << (y & 63);
  uint64_t *full = g->full + x * s->words + word;
  if (*full & bit)
    return;
  *full |= bit;
  g->fresh[x * s->words + word] |= bit;
  mark_dirty(s, g, x, (pith_i_range){word, word + 1});
}

void pith_i_grown_set(pith_i_sweep *s, uint32_t grown, size_t x, size_t y) {
  assert(grown < s->grown.n && x < s->n && y < s->n);
  set_matrix_bit(s, &s->grown.at[grown], x, y);
}

static inline void merge_into_row(pith_i_sweep *s, pith_i_grown *g, size_t x,
                                  const uint64_t *from, pith_i_range r) {
  size_t at = x * s->words + r.lo;
  if (g->full + x * s->words != from &&
      merge_words(g->full + at, g->fresh + at, from + r.lo, r.hi - r.lo))
    mark_dirty(s, g, x, r);
}

/* ---- operations ------------------------------------------------------ */

/* Where an operation is: row x of a matrix has s->delta, within r. */
typedef struct {
  pith_i_sweep *s;
  const pith_i_op *op;
  size_t x;
  pith_i_range r;
} place;

/* Calls act for each bit of a row within a range. */
static inline void each_bit(const place *p, const uint64_t *row, pith_i_range r,
                            void (*act)(const place *p, size_t bit)) {
  for (size_t i = r.lo; i < r.hi; i++)
    for (uint64_t word = row[i]; word != 0; word &= word - 1)
      act(p, i * 64 + (size_t)__builtin_ctzll(word));
}

static inline pith_i_grown *operation_target(const place *p) {
  return &p->s->grown.at[p->op->to];
}

static inline void set_in(const place *p, size_t y) {
  set_matrix_bit(p->s, operation_target(p), y, p->x);
}

static inline void merge_delta(const place *p, size_t w) {
  merge_into_row(p->s, operation_target(p), w, p->s->delta, p->r);
}

static inline void merge_grown(const place *p, size_t z) {
  const pith_i_grown *other = &p->s->grown.at[p->op->other];
  pith_i_range r = other->known[z];
  if (r.lo < r.hi)
    merge_into_row(p->s, operation_target(p), p->x,
                   other->full + z * p->s->words, r);
}

static inline void merge_fixed_bits(const place *p, size_t z) {
  const pith_i_fixed *f = &p->s->fixed.at[p->op->fixed];
  merge_into_row(p->s, operation_target(p), p->x, f->bits + z * p->s->words,
                 (pith_i_range){0, (uint32_t)p->s->words});
}

/* As set_bit for each id, with the books kept once for all of them. */
static void set_lists(const place *p) {
  const pith_i_fixed *f = &p->s->fixed.at[p->op->fixed];
  const uint64_t *delta = p->s->delta;
  pith_i_grown *g = operation_target(p);
  uint64_t *full = g->full + p->x * p->s->words;
  uint64_t *fresh = g->fresh + p->x * p->s->words;
  uint32_t lo = UINT32_MAX, hi = 0;
  for (size_t i = p->r.lo; i < p->r.hi; i++)
    for (uint64_t word = delta[i]; word != 0; word &= word - 1) {
      size_t z = i * 64 + (size_t)__builtin_ctzll(word);
      for (size_t k = f->starts[z]; k < f->starts[z + 1]; k++) {
        uint32_t at = f->ids[k] >> 6;
        uint64_t news = (UINT64_C(1) << (f->ids[k] & 63)) & ~full[at];
        full[at] |= news;
        fresh[at] |= news;
        lo = news != 0 && at < lo ? at : lo;
        hi = news != 0 && at >= hi ? at + 1 : hi;
      }
    }
  if (lo < hi)
    mark_dirty(p->s, g, p->x, (pith_i_range){lo, hi});
}

static void fixed_left(const place *p) {
  const pith_i_fixed *f = &p->s->fixed.at[p->op->fixed];
  if (f->bits != NULL)
    each_bit(p, f->bits + p->x * p->s->words,
             (pith_i_range){0, (uint32_t)p->s->words}, merge_delta);
  else
    for (size_t i = f->starts[p->x]; i < f->starts[p->x + 1]; i++)
      merge_delta(p, f->ids[i]);
}

static void grown_left(const place *p) {
  const pith_i_grown *other = &p->s->grown.at[p->op->other];
  each_bit(p, other->full + p->x * p->s->words, other->known[p->x],
           merge_delta);
}

static void apply_operation(const place *p) {
  const uint64_t *delta = p->s->delta;
  switch (p->op->kind) {
  case PITH_I_COPY:
    merge_delta(p, p->x);
    break;
  case PITH_I_INVERT:
    each_bit(p, delta, p->r, set_in);
    break;
  case PITH_I_FIXED_LEFT:
    fixed_left(p);
    break;
  case PITH_I_FIXED_RIGHT:
    if (p->s->fixed.at[p->op->fixed].bits != NULL)
      each_bit(p, delta, p->r, merge_fixed_bits);
    else
      set_lists(p);
    break;
  case PITH_I_GROWN_RIGHT:
    each_bit(p, delta, p->r, merge_grown);
    break;
  case PITH_I_GROWN_LEFT:
    grown_left(p);
    break;
  }
}

/* ---- sweeping -------------------------------------------------------- */

/* Takes the fresh bits of a row and hands them on. */
static void hand_on(pith_i_sweep *s, pith_i_grown *g, size_t x) {
  assert(g->news[x].lo < g->news[x].hi && g->news[x].hi <= s->words);
  pith_i_range r = g->news[x];
  uint64_t *fresh = g->fresh + x * s->words + r.lo;
  size_t bytes = (r.hi - r.lo) * sizeof *fresh;
  memcpy(s->delta + r.lo, fresh, bytes);
  memset(fresh, 0, bytes);
  g->news[x] = (pith_i_range){0, 0};
  for (size_t i = 0; i < g->ops.n; i++)
    apply_operation(&(place){s, &g->ops.at[i], x, r});
}

static void sweep_row(pith_i_sweep *s, size_t x) {
  assert(x < s->n);
  bool any;
  do {
    any = false;
    for (size_t i = 0; i < s->grown.n; i++) {
      pith_i_grown *g = &s->grown.at[i];
      if (g->news[x].lo < g->news[x].hi) {
        hand_on(s, g, x);
        any = true;
      }
    }
  } while (any);
  s->dirty[x >> 6] &= ~(UINT64_C(1) << (x & 63));
}

static pith_status sweep_once(pith_i_sweep *s, bool *any) {
  for (size_t i = 0; i < s->words; i++)
    while (s->dirty[i] != 0) {
      *any = true;
      sweep_row(s, i * 64 + (size_t)__builtin_ctzll(s->dirty[i]));
      pith_status rc = s->poll == NULL ? PITH_OK : s->poll(s->poll_ctx);
      if (rc != PITH_OK)
        return rc;
    }
  return PITH_OK;
}

pith_status pith_i_sweep_run(pith_i_sweep *s) {
  pith_status rc = PITH_OK;
  for (bool any = true; rc == PITH_OK && any;) {
    any = false;
    rc = sweep_once(s, &any);
    s->sweeps += any;
  }
  return rc;
}
