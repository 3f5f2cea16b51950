#include "base/tuples.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/run.h"

static inline const uint32_t *row_at(const pith_i_tuples *t, size_t row) {
  return t->at + row * t->width;
}

static inline bool same_row(const uint32_t *a, const uint32_t *b,
                            uint32_t width) {
  for (uint32_t i = 0; i < width; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

static inline uint64_t hash_row(const pith_i_tuples *t, const uint32_t *row) {
  return pith_i_hash_tuple_from(t->start, row, t->width);
}

/* A slot is a row number in as many bits as the table's size needs; the bits
** above it are of the row's hash. So a row that is not the one looked for is
** nearly always told without a look at it. */
static inline uint32_t row_mask(const pith_i_tuples *t) {
  unsigned bits = (unsigned)__builtin_ctzll(t->slot_count);
  return bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
}

static inline uint32_t tag_of(const pith_i_tuples *t, uint64_t hash) {
  return (uint32_t)(hash >> 32) & ~row_mask(t);
}

/* The slot that holds key, or the empty one where it belongs. */
static size_t probe_slots(const pith_i_tuples *t, const uint32_t *key,
                          uint64_t hash) {
  size_t mask = t->slot_count - 1;
  uint32_t rows = row_mask(t), tag = tag_of(t, hash);
  size_t s = (size_t)hash & mask;
  for (; t->slots[s] != PITH_NONE; s = (s + 1) & mask)
    if ((t->slots[s] & ~rows) == tag &&
        same_row(row_at(t, t->slots[s] & rows), key, t->width))
      break;
  return s;
}

uint32_t pith_i_tuples_find(const pith_i_tuples *t, const uint32_t *key) {
  if (t->slot_count == 0)
    return PITH_NONE;
  uint32_t slot = t->slots[probe_slots(t, key, hash_row(t, key))];
  return slot == PITH_NONE ? PITH_NONE : slot & row_mask(t);
}

void pith_i_tuples_expect(const pith_i_tuples *t, const uint32_t *key) {
  enum { CACHED = 1 << 15 }; /* slots that are near anyway */
  if (t->slot_count > CACHED)
    pith_i_prefetch(t->slots + (hash_row(t, key) & (t->slot_count - 1)));
}

/* All rows are different: nothing needs to be compared. */
static void fill_slots(pith_i_tuples *t, size_t row, size_t end) {
  enum { AHEAD = 8 };
  size_t mask = t->slot_count - 1;
  for (; row < end; row++) {
    if (row + AHEAD < t->n)
      pith_i_tuples_expect(t, row_at(t, row + AHEAD));
    uint64_t hash = hash_row(t, row_at(t, row));
    size_t s = (size_t)hash & mask;
    while (t->slots[s] != PITH_NONE)
      s = (s + 1) & mask;
    t->slots[s] = tag_of(t, hash) | (uint32_t)row;
  }
}

static void clear_slots(pith_i_tuples *t) {
  memset(t->slots, 0xff, t->slot_count * sizeof *t->slots);
}

/* Millions of rows take longer than whoever wants to stop should wait. */
static pith_status fill_slots_within(pith_i_env *env, pith_i_tuples *t,
                                     pith_i_run *run) {
  enum { PART = 1 << 16 };
  pith_status rc = PITH_OK;
  clear_slots(t);
  for (size_t row = 0; rc == PITH_OK && row < t->n; row += PART) {
    bool last = t->n - row <= PART;
    fill_slots(t, row, last ? t->n : row + PART);
    if (!last)
      rc = pith_i_stop_requested(run) ? PITH_STOPPED : pith_i_call_poll(env);
  }
  return rc;
}

/* The old slots are kept until the new ones are filled. */
static pith_status set_slot_count(pith_i_env *env, pith_i_tuples *t,
                                  size_t count, pith_i_run *run) {
  assert((count & (count - 1)) == 0 && count > t->n);
  pith_i_tuples next = *t;
  next.slots = pith_i_alloc(env, count * sizeof *next.slots);
  if (next.slots == NULL)
    return PITH_ENOMEM;
  next.slot_count = count;
  next.start = env->key.start;
  pith_status rc = fill_slots_within(env, &next, run);
  pith_i_release(env, rc == PITH_OK ? t->slots : next.slots);
  if (rc == PITH_OK)
    *t = next;
  return rc;
}

static inline bool needs_more_slots(const pith_i_tuples *t, size_t more) {
  return (t->n + more) * 3 > t->slot_count * 2;
}

/* Small tables grow faster: their memory is nothing, their filling is not. */
static pith_status grow_slots(pith_i_env *env, pith_i_tuples *t,
                              pith_i_run *run) {
  enum { SMALL = 1 << 16 };
  return set_slot_count(env, t,
                        t->slot_count == 0      ? 16
                        : t->slot_count < SMALL ? 4 * t->slot_count
                                                : 2 * t->slot_count,
                        run);
}

pith_status pith_i_tuples_grow(pith_i_env *env, pith_i_tuples *t, size_t more,
                               pith_i_run *run) {
  pith_status rc = PITH_OK;
  while (rc == PITH_OK && needs_more_slots(t, more))
    rc = grow_slots(env, t, run);
  return rc;
}

static bool set_row_capacity(pith_i_env *env, pith_i_tuples *t, size_t cap) {
  uint32_t *at = pith_i_realloc(env, t->at, cap * t->width * sizeof *at);
  if (at == NULL)
    return false;
  t->at = at;
  t->cap = cap;
  return true;
}

static bool grow_rows(pith_i_env *env, pith_i_tuples *t) {
  if (t->cap >= PITH_NONE - 1) {
    pith_i_fail(env, PITH_ENOMEM, "more than 4 billion facts of one predicate");
    return false;
  }
  size_t cap = t->cap < 16 ? 16 : t->cap + t->cap / 2;
  return set_row_capacity(env, t, cap >= PITH_NONE ? PITH_NONE - 1 : cap);
}

pith_status pith_i_tuples_reserve(pith_i_env *env, pith_i_tuples *t,
                                  size_t more) {
  if (more >= PITH_NONE - t->n)
    return pith_i_fail(env, PITH_ENOMEM,
                       "more than 4 billion facts of one predicate");
  size_t rows = t->n + more, slots = t->slot_count == 0 ? 16 : t->slot_count;
  if (t->cap < rows && !set_row_capacity(env, t, rows))
    return PITH_ENOMEM;
  while (rows * 3 > slots * 2)
    slots *= 2;
  return slots == t->slot_count ? PITH_OK : set_slot_count(env, t, slots, NULL);
}

pith_status pith_i_tuples_add(pith_i_env *env, pith_i_tuples *t,
                              const uint32_t *key, uint32_t *row, bool *added) {
  assert(t->width > 0 || t->n <= 1);
  pith_status rc = needs_more_slots(t, 1) ? grow_slots(env, t, NULL) : PITH_OK;
  if (rc < 0)
    return rc;
  uint64_t hash = hash_row(t, key);
  size_t s = probe_slots(t, key, hash);
  bool fresh = t->slots[s] == PITH_NONE;
  if (fresh) {
    if (t->n == t->cap && !grow_rows(env, t))
      return PITH_ENOMEM;
    if (t->width > 0)
      memcpy(t->at + t->n * t->width, key, t->width * sizeof *key);
    t->slots[s] = tag_of(t, hash) | (uint32_t)t->n++;
  }
  if (row != NULL)
    *row = t->slots[s] & row_mask(t);
  if (added != NULL)
    *added = fresh;
  return PITH_OK;
}

void pith_i_tuples_cut(pith_i_tuples *t, size_t n) {
  if (n >= t->n)
    return;
  t->n = n;
  clear_slots(t);
  fill_slots(t, 0, n);
}

void pith_i_tuples_free(pith_i_env *env, pith_i_tuples *t) {
  pith_i_release(env, t->at);
  pith_i_release(env, t->slots);
  uint32_t width = t->width;
  memset(t, 0, sizeof *t);
  t->width = width;
}
