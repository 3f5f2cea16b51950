#include "fact/index.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

pith_i_index *pith_i_index_new(pith_i_env *env, const uint32_t *columns,
                               uint32_t key_width) {
  assert(key_width > 0);
  pith_i_index *x = pith_i_zalloc(env, 1, sizeof *x);
  if (x == NULL)
    return NULL;
  x->columns = pith_i_alloc(env, key_width * sizeof *columns);
  if (x->columns == NULL) {
    pith_i_release(env, x);
    return NULL;
  }
  memcpy(x->columns, columns, key_width * sizeof *columns);
  for (uint32_t i = 1; i < key_width; i++)
    assert(columns[i - 1] < columns[i]);
  x->key_width = key_width;
  return x;
}

void pith_i_index_free(pith_i_env *env, pith_i_index *x) {
  if (x == NULL)
    return;
  pith_i_release(env, x->columns);
  pith_i_release(env, x->next);
  pith_i_release(env, x->heads);
  pith_i_release(env, x);
}

static uint64_t hash_row(const pith_i_index *x, const uint32_t *row) {
  uint64_t h = x->key_width;
  for (uint32_t i = 0; i < x->key_width; i++)
    h = pith_i_mix(h, row[x->columns[i]]);
  return h;
}

static uint64_t hash_key(const pith_i_index *x, const uint32_t *key) {
  uint64_t h = x->key_width;
  for (uint32_t i = 0; i < x->key_width; i++)
    h = pith_i_mix(h, key[i]);
  return h;
}

static bool same_rows(const pith_i_index *x, const uint32_t *a,
                      const uint32_t *b) {
  for (uint32_t i = 0; i < x->key_width; i++)
    if (a[x->columns[i]] != b[x->columns[i]])
      return false;
  return true;
}

static bool has_key(const pith_i_index *x, const uint32_t *row,
                    const uint32_t *key) {
  for (uint32_t i = 0; i < x->key_width; i++)
    if (row[x->columns[i]] != key[i])
      return false;
  return true;
}

static inline const uint32_t *index_row(const pith_i_tuples *t, size_t row) {
  assert(row < t->n);
  return t->at + row * t->width;
}

/* The head that the row belongs to. */
static uint32_t *head_of(pith_i_index *x, const pith_i_tuples *t,
                         const uint32_t *row) {
  assert(x->direct ? row[x->columns[0]] < x->head_count
                   : x->keys < x->head_count);
  if (x->direct)
    return &x->heads[row[x->columns[0]]];
  size_t mask = x->head_count - 1, s = (size_t)hash_row(x, row) & mask;
  while (x->heads[s] != PITH_NONE &&
         !same_rows(x, index_row(t, x->heads[s]), row))
    s = (s + 1) & mask;
  return &x->heads[s];
}

uint32_t pith_i_index_find_hashed(const pith_i_index *x, const pith_i_tuples *t,
                                  const uint32_t *key) {
  assert(!x->direct);
  if (x->head_count == 0)
    return PITH_NONE;
  size_t mask = x->head_count - 1, s = (size_t)hash_key(x, key) & mask;
  while (x->heads[s] != PITH_NONE &&
         !has_key(x, index_row(t, x->heads[s]), key))
    s = (s + 1) & mask;
  return x->heads[s];
}

/* ---- growing --------------------------------------------------------- */

static bool grow_direct(pith_i_env *env, pith_i_index *x, size_t count) {
  assert(x->direct && count > x->head_count);
  uint32_t *heads = pith_i_alloc(env, count * sizeof *heads);
  if (heads == NULL)
    return false;
  memset(heads, 0xff, count * sizeof *heads);
  if (x->heads != NULL)
    memcpy(heads, x->heads, x->head_count * sizeof *heads);
  pith_i_release(env, x->heads);
  x->heads = heads;
  x->head_count = count;
  return true;
}

/* Moves each chain's head to its place in a larger table. */
static pith_status grow_hashed_heads(pith_i_env *env, pith_i_index *x,
                                     const pith_i_tuples *t, pith_i_run *run) {
  assert(!x->direct);
  pith_i_index larger = *x;
  larger.head_count = x->head_count == 0 ? 16 : 2 * x->head_count;
  larger.heads = pith_i_alloc(env, larger.head_count * sizeof *larger.heads);
  if (larger.heads == NULL)
    return PITH_ENOMEM;
  memset(larger.heads, 0xff, larger.head_count * sizeof *larger.heads);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc == PITH_OK && i < x->head_count; i++) {
    if (x->heads[i] != PITH_NONE)
      *head_of(&larger, t, index_row(t, x->heads[i])) = x->heads[i];
    rc = pith_i_look_at_turn(env, run, i);
  }
  pith_i_release(env, rc == PITH_OK ? x->heads : larger.heads);
  if (rc == PITH_OK)
    *x = larger;
  return rc;
}

static uint32_t largest_new_symbol(const pith_i_index *x,
                                   const pith_i_tuples *t) {
  uint32_t max = 0;
  for (size_t row = x->built; row < t->n; row++) {
    uint32_t value = index_row(t, row)[x->columns[0]];
    max = value > max ? value : max;
  }
  return max;
}

/* Room in heads for symbols that the new rows bring. */
static bool make_direct_room(pith_i_env *env, pith_i_index *x,
                             const pith_i_tuples *t) {
  size_t need = (size_t)largest_new_symbol(x, t) + 1;
  if (need <= x->head_count)
    return true;
  return grow_direct(env, x, need + need / 4);
}

static void choose_kind(pith_i_index *x, const pith_i_tuples *t) {
  size_t few = 4 * t->n + 1024;
  x->direct = x->key_width == 1 && largest_new_symbol(x, t) < few;
}

static bool grow_next(pith_i_env *env, pith_i_index *x, size_t n) {
  if (n <= x->next_cap)
    return true;
  size_t cap = x->built == 0 ? n : n + n / 2;
  uint32_t *next = pith_i_realloc(env, x->next, cap * sizeof *next);
  if (next == NULL)
    return false;
  x->next = next;
  x->next_cap = cap;
  return true;
}

static void link_row(pith_i_index *x, const pith_i_tuples *t, size_t row) {
  assert(row < x->next_cap && row == x->built);
  uint32_t *head = head_of(x, t, index_row(t, row));
  x->keys += *head == PITH_NONE;
  x->next[row] = *head;
  *head = (uint32_t)row;
}

static pith_status take_in_row(pith_i_env *env, pith_i_index *x,
                               const pith_i_tuples *t, pith_i_run *run) {
  pith_status rc = PITH_OK;
  if (!x->direct && (x->keys + 1) * 3 > x->head_count * 2)
    rc = grow_hashed_heads(env, x, t, run);
  if (rc != PITH_OK)
    return rc;
  link_row(x, t, x->built);
  return pith_i_look_at_turn(env, run, x->built++);
}

pith_status pith_i_index_update(pith_i_env *env, pith_i_index *x,
                                const pith_i_tuples *t, pith_i_run *run) {
  assert(x->built <= t->n);
  assert(x->columns[x->key_width - 1] < t->width);
  if (x->built == t->n)
    return PITH_OK;
  if (x->heads == NULL)
    choose_kind(x, t);
  if (!grow_next(env, x, t->n) || (x->direct && !make_direct_room(env, x, t)))
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  while (rc == PITH_OK && x->built < t->n)
    rc = take_in_row(env, x, t, run);
  return rc;
}
