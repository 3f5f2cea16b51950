#include "train/sliced.h"

#include <assert.h>
#include <string.h>

enum { W = PITH_I_SLICE_WORDS };

#define ROW(array, i) ((array) + (size_t)(i)*W)
#define EACH_WORD(w) for (int w = 0; w < W; w++)
#define EACH_USED(w) for (int w = 0; w < used; w++)

pith_status pith_i_sliced_new(pith_i_env *env, const pith_i_net *net,
                              pith_i_sliced **out) {
  pith_i_sliced *s = pith_i_zalloc(env, 1, sizeof *s);
  if (s == NULL)
    return PITH_ENOMEM;
  size_t tensors = net->pooled ? net->bodies.n : net->tensors;
  size_t rows = net->candidates.n + net->atoms + tensors;
  s->block = pith_i_zalloc(env, rows * W * sizeof(uint64_t) + 64, 1);
  if (s->block == NULL) {
    pith_i_release(env, s);
    return PITH_ENOMEM;
  }
  s->net = net;
  s->choice = (uint64_t *)(((uintptr_t)s->block + 63) & ~(uintptr_t)63);
  s->value = ROW(s->choice, net->candidates.n);
  s->tensor = ROW(s->value, net->atoms);
  *out = s;
  return PITH_OK;
}

void pith_i_sliced_free(pith_i_env *env, pith_i_sliced *s) {
  if (s == NULL)
    return;
  pith_i_release(env, s->block);
  pith_i_release(env, s);
}

void pith_i_sliced_clear(pith_i_sliced *s) {
  memset(s->choice, 0, s->net->candidates.n * W * sizeof *s->choice);
  s->count = 0;
}

void pith_i_sliced_add(pith_i_sliced *s, const uint32_t *choice) {
  assert(s->count < PITH_I_SLICE);
  uint32_t word = s->count / 64, bit = s->count % 64;
  for (size_t i = 0; i < s->net->slots.n; i++)
    if (choice[i] != PITH_NONE)
      ROW(s->choice, choice[i])[word] |= UINT64_C(1) << bit;
  s->count++;
}

void pith_i_sliced_add_either(pith_i_sliced *s, const uint32_t *choice,
                              const uint32_t *second) {
  uint32_t word = s->count / 64, bit = s->count % 64;
  pith_i_sliced_add(s, choice);
  for (size_t i = 0; i < s->net->slots.n; i++)
    if (second[i] != PITH_NONE)
      ROW(s->choice, second[i])[word] |= UINT64_C(1) << bit;
}

/* ---- one round ------------------------------------------------------- */

static void slot_round(pith_i_sliced *s, uint32_t i) {
  const pith_i_net *net = s->net;
  const pith_i_net_slot *slot = &net->slots.at[i];
  uint64_t *m = ROW(s->tensor, net->tensor_offset.at[i]);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    const uint64_t *mask = ROW(s->choice, c);
    if (!p->derived)
      continue;
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = k->map == NULL ? e : k->map[e];
      if (a == PITH_NONE)
        continue;
      const uint64_t *v = ROW(s->value, p->offset + a);
      EACH_WORD(w) ROW(m, e)[w] |= mask[w] & v[w];
    }
  }
}

/* One join; used: words that hold programs, known when this is compiled. */
PITH_I_INLINE void lists_round(const pith_i_join *j, int used,
                               const uint64_t *a, const uint64_t *b,
                               uint64_t *out) {
  for (uint32_t e = 0; e < j->size; e++) {
    uint64_t any[W] = {0};
    for (uint32_t k = j->start[e]; k < j->start[e + 1]; k++) {
      const uint64_t *x = ROW(a, j->left[k]);
      const uint64_t *y = b == NULL ? x : ROW(b, j->right[k]);
      EACH_USED(w) any[w] |= x[w] & y[w];
    }
    EACH_USED(w) ROW(out, e)[w] = any[w];
  }
}

PITH_I_INLINE void grid_round(const pith_i_grid *g, int used, const uint64_t *a,
                              const uint64_t *b, uint64_t *out) {
  for (size_t i = 0; i < g->n * g->columns; i++) {
    size_t row = i / g->columns, column = i % g->columns;
    size_t x = g->a + row * g->a_step[0] + column * g->a_step[1];
    size_t y = g->b + row * g->b_step[0] + column * g->b_step[1];
    uint64_t any[W] = {0};
    for (size_t k = 0; k < g->depth; k++) {
      const uint64_t *p = ROW(a, x + k * g->a_step[2]);
      const uint64_t *q = b == NULL ? p : ROW(b, y + k * g->b_step[2]);
      EACH_USED(w) any[w] |= p[w] & q[w];
    }
    EACH_USED(w) ROW(out, g->out + i)[w] = any[w];
  }
}

PITH_I_INLINE void join_words(const pith_i_net *net, const pith_i_join *j,
                              int used, const uint64_t *a, const uint64_t *b,
                              uint64_t *out) {
  if (!net->dense)
    lists_round(j, used, a, b, out);
  for (uint32_t w = 0; net->dense && w < net->worlds; w++) {
    pith_i_grid g = pith_i_grid_of(net, j, w);
    grid_round(&g, used, a, b, out);
  }
}

static void join_round(pith_i_sliced *s, const pith_i_join *j) {
  const uint32_t *at = s->net->tensor_offset.at;
  const uint64_t *a = ROW(s->tensor, at[j->a]);
  const uint64_t *b = j->b == PITH_NONE ? NULL : ROW(s->tensor, at[j->b]);
  uint64_t *out = ROW(s->tensor, at[j->out]);
  if (s->count <= 64)
    join_words(s->net, j, 1, a, b, out);
  else
    join_words(s->net, j, W, a, b, out);
}

/* True when some program learned something new. */
static bool head_round(pith_i_sliced *s, const pith_i_net_rule *r) {
  const pith_i_net *net = s->net;
  const pith_i_join *last = &net->joins.at[r->first_join + r->joins - 1];
  const uint64_t *body = ROW(s->tensor, net->tensor_offset.at[last->out]);
  const pith_i_net_slot *slot = &net->slots.at[r->head];
  uint64_t changed = 0;
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    uint32_t offset = net->preds.at[k->pred].offset;
    const uint64_t *mask = ROW(s->choice, c);
    for (uint32_t e = 0; e < r->size; e++) {
      uint32_t a = k->map == NULL ? r->atoms[e] : k->map[r->atoms[e]];
      if (a == PITH_NONE)
        continue;
      uint64_t *v = ROW(s->value, offset + a);
      EACH_WORD(w) {
        uint64_t more = mask[w] & ROW(body, e)[w] & ~v[w];
        v[w] |= more;
        changed |= more;
      }
    }
  }
  return changed != 0;
}

/* ---- pooled ----------------------------------------------------------- */

/* Which programs have each body in some rule: (bodies, W), where the tensors
** are in other networks. */
static void pooled_masks(pith_i_sliced *s) {
  const pith_i_net *net = s->net;
  memset(s->tensor, 0, net->bodies.n * W * sizeof *s->tensor);
  for (size_t c = 0; c < net->candidates.n; c++) {
    const uint64_t *has = ROW(s->choice, c);
    uint64_t *mask = ROW(s->tensor, net->candidates.at[c].body);
    EACH_WORD(w) mask[w] |= has[w];
  }
}

static bool is_empty_mask(const uint64_t *mask) {
  uint64_t any = 0;
  EACH_WORD(w) any |= mask[w];
  return any == 0;
}

static void pooled_start(pith_i_sliced *s) {
  const pith_i_net *net = s->net;
  pooled_masks(s);
  for (uint32_t i = 0; i < net->bodies.n; i++) {
    const pith_i_body *b = &net->bodies.at[i];
    const uint64_t *mask = ROW(s->tensor, i);
    uint64_t *v = ROW(s->value, net->preds.at[b->pred].offset);
    for (uint32_t f = 0; f < b->fact_count && !is_empty_mask(mask); f++)
      EACH_WORD(w) ROW(v, b->facts[f])[w] |= mask[w];
  }
}

/* True when some program learned something new. */
static bool pooled_body(pith_i_sliced *s, const pith_i_body *b,
                        const uint64_t *mask) {
  const pith_i_join *j = &s->net->joins.at[b->join];
  uint64_t *v = ROW(s->value, s->net->preds.at[b->pred].offset);
  uint64_t changed = 0;
  for (uint32_t e = 0; e < j->size; e++) {
    uint64_t any[W] = {0}, *to = ROW(v, b->atoms[e]);
    for (uint32_t k = j->start[e]; k < j->start[e + 1]; k++) {
      const uint64_t *x = ROW(s->value, j->left[k]);
      const uint64_t *y = j->b == PITH_NONE ? x : ROW(s->value, j->right[k]);
      EACH_WORD(w) any[w] |= x[w] & y[w];
    }
    EACH_WORD(w) {
      uint64_t more = any[w] & mask[w] & ~to[w];
      to[w] |= more;
      changed |= more;
    }
  }
  return changed != 0;
}

static bool pooled_round(pith_i_sliced *s) {
  const pith_i_net *net = s->net;
  bool changed = false;
  s->stopped = net->joined >= PITH_I_ASK_FROM && pith_i_stop_requested(s->run);
  for (uint32_t i = 0; i < net->bodies.n && !s->stopped; i++) {
    const uint64_t *mask = ROW(s->tensor, i);
    if (net->bodies.at[i].join != PITH_NONE && !is_empty_mask(mask))
      changed = pooled_body(s, &net->bodies.at[i], mask) || changed;
  }
  return changed && !s->stopped;
}

/* ---- all -------------------------------------------------------------- */

static void start_slice_values(pith_i_sliced *s) {
  const pith_i_net *net = s->net;
  size_t bytes = (size_t)net->atoms * W * sizeof *s->value;
  if (s->given != NULL) {
    memcpy(s->value, s->given, bytes);
    return;
  }
  memset(s->value, 0, bytes);
  for (size_t i = 0; i < net->preds.n; i++) {
    const pith_i_net_pred *p = &net->preds.at[i];
    for (uint32_t f = 0; p->derived && f < p->fact_count; f++)
      memset(ROW(s->value, p->offset + p->facts[f]), 0xff,
             W * sizeof *s->value);
  }
}

/* The background's part of the slots stays in the tensors: values only grow,
** so what was ORed in once remains true. */
static void start_slices(pith_i_sliced *s) {
  const pith_i_net *net = s->net;
  start_slice_values(s);
  if (net->pooled) {
    pooled_start(s);
    return;
  }
  memset(s->tensor, 0, (size_t)net->tensors * W * sizeof *s->tensor);
  for (size_t i = 0; i < net->slots.n; i++) {
    const pith_i_net_slot *slot = &net->slots.at[i];
    uint64_t *m = ROW(s->tensor, net->tensor_offset.at[i]);
    for (uint32_t c = slot->first;
         slot->in_body && c < slot->first + slot->count; c++) {
      const pith_i_slot_candidate *k = &net->candidates.at[c];
      const uint64_t *mask = ROW(s->choice, c);
      for (uint32_t f = 0; !net->preds.at[k->pred].derived && f < k->fact_count;
           f++)
        EACH_WORD(w) ROW(m, k->facts[f])[w] |= mask[w];
    }
  }
}

static bool round_all(pith_i_sliced *s) {
  const pith_i_net *net = s->net;
  bool changed = false;
  if (net->pooled)
    return pooled_round(s);
  for (uint32_t r = 0; r < net->rules.n; r++) {
    s->stopped =
        net->joined >= PITH_I_ASK_FROM && pith_i_stop_requested(s->run);
    if (s->stopped)
      return false;
    const pith_i_net_rule *q = &net->rules.at[r];
    for (uint32_t i = 0; i < q->shape->slot_count; i++)
      if (net->slots.at[q->slots[i]].in_body)
        slot_round(s, q->slots[i]);
    for (uint32_t i = 0; i < q->joins; i++)
      join_round(s, &net->joins.at[q->first_join + i]);
    changed = head_round(s, q) || changed;
  }
  return changed;
}

/* ---- errors ---------------------------------------------------------- */

enum { PLANES = 32 };

/* Adds the bits of x to 64 counters held as bit planes. */
static void count_up(uint64_t *plane, uint64_t x) {
  for (int i = 0; x != 0 && i < PLANES; i++) {
    uint64_t carry = plane[i] & x;
    plane[i] ^= x;
    x = carry;
  }
}

static uint32_t read_counter(const uint64_t *plane, uint32_t bit) {
  uint32_t n = 0;
  for (int i = 0; i < PLANES; i++)
    n |= (uint32_t)(plane[i] >> bit & 1) << i;
  return n;
}

static void give_up(const pith_i_sliced *s, pith_i_errors *errors) {
  for (uint32_t i = 0; i < s->count; i++)
    errors[i] = (pith_i_errors){(uint32_t)s->net->examples.n, 0};
}

void pith_i_sliced_close(pith_i_sliced *s) {
  start_slices(s);
  while (round_all(s)) {
  }
}

void pith_i_sliced_run(pith_i_sliced *s, pith_i_errors *errors) {
  pith_i_sliced_close(s);
  if (s->stopped) {
    give_up(s, errors);
    return;
  }
  uint64_t fp[W][PLANES] = {{0}}, fn[W][PLANES] = {{0}};
  for (size_t i = 0; i < s->net->examples.n; i++) {
    const pith_i_net_example *x = &s->net->examples.at[i];
    EACH_WORD(w) {
      uint64_t holds = x->atom == PITH_NONE ? 0 : ROW(s->value, x->atom)[w];
      if (x->label > 0.5f)
        count_up(fn[w], ~holds);
      else
        count_up(fp[w], holds);
    }
  }
  for (uint32_t i = 0; i < s->count; i++) {
    errors[i].fp = read_counter(fp[i / 64], i % 64);
    errors[i].fn = read_counter(fn[i / 64], i % 64);
  }
}
