/* One step of forward chaining and its gradient, operation by operation:
**
**   slot   M[e]  = sum over p of w(p) V(p)[e]     soft unification of a body
**                  (or the maximum over p)        atom with every predicate
**   join   B[e]  = max over k of and(a[k], b[k])  soft AND, and the best of
**                                                 all ways to match
**   head   V'(p) = max(V(p), w(p) B)              unification of the head;
**                                                 OR with what was known
**
** Each is a forward and a backward function side by side. The background's
** part of the slots is the same at all steps, so it is made once (base) and
** its gradient gathered over the steps (dbase).
**
** Where two alternatives are equal the first keeps the gradient. */
#include <string.h>

#include "net/tape.h"

typedef pith_i_real real;
typedef pith_i_int whole;

static inline uint32_t place(const uint32_t *map, uint32_t e) {
  return map == NULL ? e : map[e];
}

/* best, who := x, i where x is greater. */
#define TAKE_GREATER(x, i, best, who)                                          \
  do {                                                                         \
    whole take_ = (x) > (best);                                                \
    (best) = PITH_I_PICK(take_, (x), (best));                                  \
    (who) = PITH_I_PICK_INT(take_, PITH_I_ALL_INT(i), (who));                  \
  } while (0)

/* ---- slots: the background ------------------------------------------- */

/* m, won: (slot size); from the facts of the slot's background candidates.
** won is of use in slot_max only. */
PITH_I_HOT static void base_forward(const pith_i_tape *t, uint32_t s, real *m,
                                    whole *won) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  memset(m, 0, slot->size * sizeof *m);
  if (t->semantics.slot_max)
    memset(won, 0xff, slot->size * sizeof *won);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    if (net->preds.at[k->pred].derived)
      continue;
    real w = t->weight[c];
    for (uint32_t f = 0; f < k->fact_count; f++) {
      uint32_t e = k->facts[f];
      if (t->semantics.slot_max)
        TAKE_GREATER(w, c, m[e], won[e]);
      else
        m[e] += w;
    }
  }
}

PITH_I_HOT static void base_backward(pith_i_tape *t, uint32_t s,
                                     const whole *won, const real *dm) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    if (net->preds.at[k->pred].derived)
      continue;
    real sum = {0};
    for (uint32_t f = 0; f < k->fact_count; f++) {
      uint32_t e = k->facts[f];
      sum += t->semantics.slot_max
                 ? PITH_I_PICK(won[e] == (int32_t)c, dm[e], PITH_I_ALL(0))
                 : dm[e];
    }
    t->dweight[c] += sum;
  }
}

/* ---- slots: what was derived ----------------------------------------- */

/* value: (A) before the step; m, won: (slot size), hold the base's. */
PITH_I_HOT static void slot_forward(const pith_i_tape *t, uint32_t s,
                                    const real *value, real *m, whole *won) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    if (!p->derived)
      continue;
    real w = t->weight[c];
    const real *v = value + p->offset;
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = place(k->map, e);
      if (a == PITH_NONE)
        continue;
      real x = w * v[a];
      if (t->semantics.slot_max)
        TAKE_GREATER(x, c, m[e], won[e]);
      else
        m[e] += x;
    }
  }
}

PITH_I_HOT static void slot_backward(pith_i_tape *t, uint32_t s,
                                     const real *value, const whole *won,
                                     const real *dm, real *dvalue) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    if (!p->derived)
      continue;
    real w = t->weight[c], sum = {0};
    const real *v = value + p->offset;
    real *dv = dvalue + p->offset;
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = place(k->map, e);
      if (a == PITH_NONE)
        continue;
      real g = t->semantics.slot_max
                   ? PITH_I_PICK(won[e] == (int32_t)c, dm[e], PITH_I_ALL(0))
                   : dm[e];
      sum += g * v[a];
      dv[a] += g * w;
    }
    t->dweight[c] += sum;
  }
}

/* The background's share of the slot's gradient. In slot_max the candidates
** are told apart by the winners of this step, so it cannot wait. */
PITH_I_HOT static void share_base(pith_i_tape *t, uint32_t s, const whole *won,
                                  const real *dm) {
  const pith_i_net *net = t->net;
  if (t->semantics.slot_max) {
    base_backward(t, s, won, dm);
    return;
  }
  real *dbase = t->dbase + net->tensor_offset.at[s];
  for (uint32_t e = 0; e < net->slots.at[s].size; e++)
    dbase[e] += dm[e];
}

/* ---- joins ----------------------------------------------------------- */

/* a, b: tensors, b may be NULL; out, won: (j->size). */
PITH_I_HOT static void join_forward(const pith_i_join *j, bool product,
                                    const real *a, const real *b, real *out,
                                    whole *won) {
  for (uint32_t e = 0; e < j->size; e++) {
    real best = {0};
    whole who = {0};
    uint32_t end = j->start[e + 1], k = j->start[e];
    if (b == NULL)
      for (; k < end; k++)
        TAKE_GREATER(a[j->left[k]], k, best, who);
    else if (product)
      for (; k < end; k++) {
        real x = a[j->left[k]] * b[j->right[k]];
        TAKE_GREATER(x, k, best, who);
      }
    else
      for (; k < end; k++) {
        real x = a[j->left[k]], y = b[j->right[k]];
        x = PITH_I_PICK(x < y, x, y);
        TAKE_GREATER(x, k, best, who);
      }
    out[e] = best;
    won[e] = who;
  }
}

/* One row and TILE columns of a dense join. The columns are independent of
** each other, which hides the latency of each one's comparisons, and they
** share what they read. ax, bx: strides of the columns; ak, bk: of k. */
enum { TILE = 4 };

#define AND(product, x, y)                                                     \
  ((product) ? (x) * (y) : PITH_I_PICK((x) < (y), (x), (y)))

#define TILE_COLUMN(c, x)                                                      \
  do {                                                                         \
    real y_ = b[k * bk + (c)*bx], v_ = AND(product, x, y_);                    \
    TAKE_GREATER(v_, k, best##c, who##c);                                      \
  } while (0)

static inline void dense_tile(bool product, const real *a, const real *b,
                              const size_t *a_step, const size_t *b_step,
                              size_t depth, real *out, whole *won) {
  size_t ax = a_step[1], ak = a_step[2], bx = b_step[1], bk = b_step[2];
  real best0 = {0}, best1 = {0}, best2 = {0}, best3 = {0};
  whole who0 = {0}, who1 = {0}, who2 = {0}, who3 = {0};
  for (size_t k = 0; k < depth; k++) {
    const real *x = a + k * ak;
    TILE_COLUMN(0, x[0]);
    TILE_COLUMN(1, x[ax]);
    TILE_COLUMN(2, x[2 * ax]);
    TILE_COLUMN(3, x[3 * ax]);
  }
  out[0] = best0, out[1] = best1, out[2] = best2, out[3] = best3;
  won[0] = who0, won[1] = who1, won[2] = who2, won[3] = who3;
}

/* One element. b may be NULL. */
static inline void dense_one(bool product, const real *a, const real *b,
                             size_t ak, size_t bk, size_t depth, real *out,
                             whole *won) {
  real best = {0};
  whole who = {0};
  for (size_t k = 0; k < depth; k++) {
    real v = a[k * ak];
    if (b != NULL)
      v = AND(product, v, b[k * bk]);
    TAKE_GREATER(v, k, best, who);
  }
  *out = best;
  *won = who;
}

/* One join in one world. won is k itself. Columns outside, rows inside: what
** a tile of columns needs of b then stays in the cache, and a is read in
** order. */
static inline void dense_world(const pith_i_grid *g, bool product,
                               const real *a, const real *b, real *out,
                               whole *won) {
  size_t tiled = b == NULL ? 0 : g->columns / TILE * TILE;
  for (size_t c = 0; c < tiled; c += TILE)
    for (size_t i = 0; i < g->n; i++) {
      size_t e = g->out + i * g->columns + c;
      dense_tile(product, a + g->a + i * g->a_step[0] + c * g->a_step[1],
                 b + g->b + i * g->b_step[0] + c * g->b_step[1], g->a_step,
                 g->b_step, g->depth, out + e, won + e);
    }
  for (size_t i = 0; i < g->n; i++)
    for (size_t c = tiled; c < g->columns; c++) {
      size_t e = g->out + i * g->columns + c;
      const real *y =
          b == NULL ? NULL : b + g->b + i * g->b_step[0] + c * g->b_step[1];
      dense_one(product, a + g->a + i * g->a_step[0] + c * g->a_step[1], y,
                g->a_step[2], g->b_step[2], g->depth, out + e, won + e);
    }
}

PITH_I_HOT static void dense_forward(const pith_i_net *net,
                                     const pith_i_join *j, bool product,
                                     const real *a, const real *b, real *out,
                                     whole *won) {
  for (uint32_t w = 0; w < net->worlds; w++) {
    pith_i_grid g = pith_i_grid_of(net, j, w);
    if (product)
      dense_world(&g, true, a, b, out, won);
    else
      dense_world(&g, false, a, b, out, won);
  }
}

/* A byte for each lane, 0xff where the gradient is not 0. */
typedef int8_t byte_lanes __attribute__((vector_size(PITH_I_LANES)));
enum { HALF = PITH_I_LANES / 2 };

static inline void busy_lanes(const real *d, uint64_t *busy) {
  pith_i_word x = (pith_i_word)*d;
  byte_lanes m = __builtin_convertvector((whole)(x | -x) >> 31, byte_lanes);
  memcpy(busy, &m, sizeof m);
}

static inline int count_lanes(const uint64_t *busy) {
  return (__builtin_popcountll(busy[0]) + __builtin_popcountll(busy[1])) / 8;
}

/* The gradient d of and(a, b) in one lane: of a minimum it goes to the
** smaller side. */
static inline void and_lane(bool product, const float *a, const float *b,
                            float d, float *da, float *db) {
  if (product) {
    *da += d * *b;
    *db += d * *a;
  } else {
    float *smaller = *a < *b ? da : db;
    *smaller += d;
  }
}

/* The same in all lanes. */
static inline void and_lanes(bool product, const real *a, const real *b,
                             const real *d, real *da, real *db) {
  if (product) {
    real to_a = *d * *b, to_b = *d * *a;
    *da += to_a;
    *db += to_b;
  } else {
    whole m = *a < *b;
    *da += PITH_I_PICK(m, *d, PITH_I_ALL(0));
    *db += PITH_I_PICK(m, PITH_I_ALL(0), *d);
  }
}

/* A lane's element of a row. */
#define LANE(row, l) (&((float *)(row))[l])
#define LANE_OF(row, l) (&((const float *)(row))[l])

/* The gradient of one output element goes to the pair that won, in each lane
** another. Where there are fewer pairs than lanes to serve, all lanes are
** served at once, pair after pair; else each by itself. The sums are the same
** to the bit. Where nothing held there is no winner. X(k) and Y(k) tell where
*the k-th pair is in a and b. */
#define SPREAD_PAIRS(first, end, X, Y)                                         \
  for (size_t k_ = (first); k_ < (end); k_++) {                                \
    real d_ = PITH_I_PICK(won[e] == (int32_t)k_, d, PITH_I_ALL(0));            \
    if (b == NULL)                                                             \
      da[X(k_)] += d_;                                                         \
    else                                                                       \
      and_lanes(product, &a[X(k_)], &b[Y(k_)], &d_, &da[X(k_)], &db[Y(k_)]);   \
  }

#define SPREAD_LANES(busy, X, Y)                                               \
  for (int half_ = 0; half_ < 2; half_++)                                      \
    for (uint64_t rest_ = (busy)[half_]; rest_ != 0;) {                        \
      int l_ = __builtin_ctzll(rest_) / 8;                                     \
      rest_ &= ~(UINT64_C(0xff) << 8 * l_);                                    \
      l_ += HALF * half_;                                                      \
      size_t k_ = (size_t)((const int32_t *)&won[e])[l_];                      \
      float d_ = *LANE_OF(&d, l_);                                             \
      if (b == NULL)                                                           \
        *LANE(&da[X(k_)], l_) += d_;                                           \
      else                                                                     \
        and_lane(product, LANE_OF(&a[X(k_)], l_), LANE_OF(&b[Y(k_)], l_), d_,  \
                 LANE(&da[X(k_)], l_), LANE(&db[Y(k_)], l_));                  \
    }

#define SPREAD(first, end, X, Y)                                               \
  do {                                                                         \
    uint64_t busy_[2];                                                         \
    real d = PITH_I_PICK(out[e] > 0.0f, dout[e], PITH_I_ALL(0));               \
    busy_lanes(&d, busy_);                                                     \
    if ((busy_[0] | busy_[1]) == 0)                                            \
      break;                                                                   \
    if ((size_t)count_lanes(busy_) > (size_t)(end) - (first))                  \
      SPREAD_PAIRS(first, end, X, Y)                                           \
    else                                                                       \
      SPREAD_LANES(busy_, X, Y)                                                \
  } while (0)

PITH_I_HOT static void join_backward(const pith_i_join *j, bool product,
                                     const real *a, const real *b,
                                     const real *out, const whole *won,
                                     const real *dout, real *da, real *db) {
#define LEFT(k) (j->left[k])
#define RIGHT(k) (j->right[k])
  for (uint32_t e = 0; e < j->size; e++)
    SPREAD(j->start[e], j->start[e + 1], LEFT, RIGHT);
#undef LEFT
#undef RIGHT
}

PITH_I_HOT static void dense_backward(const pith_i_net *net,
                                      const pith_i_join *j, bool product,
                                      const real *a, const real *b,
                                      const real *out, const whole *won,
                                      const real *dout, real *da, real *db) {
#define LEFT(k) (x + (k)*g.a_step[2])
#define RIGHT(k) (y + (k)*g.b_step[2])
  for (uint32_t w = 0; w < net->worlds; w++) {
    pith_i_grid g = pith_i_grid_of(net, j, w);
    for (size_t i = 0; i < g.n; i++)
      for (size_t c = 0; c < g.columns; c++) {
        size_t e = g.out + i * g.columns + c;
        size_t x = g.a + i * g.a_step[0] + c * g.a_step[1];
        size_t y = g.b + i * g.b_step[0] + c * g.b_step[1];
        SPREAD((size_t)0, g.depth, LEFT, RIGHT);
      }
  }
#undef LEFT
#undef RIGHT
}

/* ---- heads ----------------------------------------------------------- */

/* value: (A), holds the old valuation and becomes the new one. */
PITH_I_HOT static void head_forward(const pith_i_tape *t, uint32_t r,
                                    const real *body, real *value,
                                    whole *rule) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    uint32_t offset = net->preds.at[k->pred].offset;
    real w = t->weight[c];
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = place(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      real x = w * body[e];
      TAKE_GREATER(x, r + 1, value[offset + a], rule[offset + a]);
    }
  }
}

PITH_I_HOT static void head_backward(pith_i_tape *t, uint32_t r,
                                     const real *body, const whole *rule,
                                     const real *dvalue, real *dbody) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    uint32_t offset = net->preds.at[k->pred].offset;
    real w = t->weight[c], sum = {0};
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = place(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      real g = PITH_I_PICK(rule[offset + a] == (int32_t)(r + 1),
                           dvalue[offset + a], PITH_I_ALL(0));
      sum += g * body[e];
      dbody[e] += g * w;
    }
    t->dweight[c] += sum;
  }
}

/* What was known keeps the gradient where no rule went above it. */
PITH_I_HOT static void keep_backward(const whole *rule, size_t atoms,
                                     real *dvalue) {
  for (size_t i = 0; i < atoms; i++)
    dvalue[i] = PITH_I_PICK(rule[i] == 0, dvalue[i], PITH_I_ALL(0));
}

/* ---- all steps ------------------------------------------------------- */

/* Where the body of a rule stands among the tensors. */
static uint32_t body_at(const pith_i_net *net, uint32_t r) {
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_join *last = &net->joins.at[q->first_join + q->joins - 1];
  return net->tensor_offset.at[last->out];
}

/* The winners of a step's slots; NULL when none are kept. */
static whole *slot_won(const pith_i_tape *t, uint32_t k, uint32_t s) {
  const pith_i_net *net = t->net;
  return t->semantics.slot_max ? t->slot_won + (size_t)k * net->slot_tensors +
                                     net->tensor_offset.at[s]
                               : NULL;
}

/* The winners of a step's join. */
static whole *join_won(const pith_i_tape *t, uint32_t k, uint32_t tensor) {
  const pith_i_net *net = t->net;
  return t->won + (size_t)k * (net->tensors - net->slot_tensors) +
         (net->tensor_offset.at[tensor] - net->slot_tensors);
}

/* m: (T) */
static void slots_forward(pith_i_tape *t, uint32_t k, const real *old,
                          real *m) {
  const pith_i_net *net = t->net;
  for (uint32_t s = 0; s < net->slots.n; s++) {
    uint32_t at = net->tensor_offset.at[s];
    size_t bytes = net->slots.at[s].size * sizeof *m;
    if (!net->slots.at[s].in_body)
      continue;
    memcpy(m + at, t->base + at, bytes);
    if (t->semantics.slot_max)
      memcpy(slot_won(t, k, s), t->base_won + at, bytes);
    slot_forward(t, s, old, m + at, slot_won(t, k, s));
  }
}

static void step_forward(pith_i_tape *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = t->value + k * atoms;
  real *value = t->value + (k + 1) * atoms;
  real *m = t->tensor + (size_t)k * net->tensors;
  whole *rule = t->rule + k * atoms;
  slots_forward(t, k, old, m);
  for (uint32_t i = 0; i < net->joins.n; i++) {
    const pith_i_join *j = &net->joins.at[i];
    bool product = t->semantics.and_product;
    const real *a = m + at[j->a], *b = j->b == PITH_NONE ? NULL : m + at[j->b];
    if (net->dense)
      dense_forward(net, j, product, a, b, m + at[j->out],
                    join_won(t, k, j->out));
    else
      join_forward(j, product, a, b, m + at[j->out], join_won(t, k, j->out));
  }
  memcpy(value, old, atoms * sizeof *value);
  memset(rule, 0, atoms * sizeof *rule);
  for (uint32_t r = 0; r < net->rules.n; r++)
    head_forward(t, r, m + body_at(net, r), value, rule);
}

/* dvalue: the gradient after the step becomes the one before it. */
static void step_backward(pith_i_tape *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = t->value + k * atoms;
  const real *m = t->tensor + (size_t)k * net->tensors;
  const whole *rule = t->rule + k * atoms;
  real *dm = t->dtensor;
  memset(dm, 0, net->tensors * sizeof *dm);
  for (uint32_t r = 0; r < net->rules.n; r++) {
    uint32_t b = body_at(net, r);
    head_backward(t, r, m + b, rule, t->dvalue, dm + b);
  }
  keep_backward(rule, atoms, t->dvalue);
  for (uint32_t i = (uint32_t)net->joins.n; i-- > 0;) {
    const pith_i_join *j = &net->joins.at[i];
    bool one = j->b == PITH_NONE, product = t->semantics.and_product;
    const real *a = m + at[j->a], *b = one ? NULL : m + at[j->b];
    real *da = dm + at[j->a], *db = one ? NULL : dm + at[j->b];
    uint32_t out = at[j->out];
    const whole *won = join_won(t, k, j->out);
    if (net->dense)
      dense_backward(net, j, product, a, b, m + out, won, dm + out, da, db);
    else
      join_backward(j, product, a, b, m + out, won, dm + out, da, db);
  }
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body) {
      slot_backward(t, s, old, slot_won(t, k, s), dm + at[s], t->dvalue);
      share_base(t, s, slot_won(t, k, s), dm + at[s]);
    }
}

void pith_i_net_forward(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  for (uint32_t s = 0; s < net->slots.n; s++) {
    uint32_t at = net->tensor_offset.at[s];
    if (net->slots.at[s].in_body)
      base_forward(t, s, t->base + at,
                   t->semantics.slot_max ? t->base_won + at : NULL);
  }
  for (uint32_t k = 0; k < net->steps; k++)
    step_forward(t, k);
}

void pith_i_net_backward(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  memset(t->dbase, 0, net->slot_tensors * sizeof *t->dbase);
  for (uint32_t k = net->steps; k-- > 0;)
    step_backward(t, k);
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body && !t->semantics.slot_max)
      base_backward(t, s, NULL, t->dbase + net->tensor_offset.at[s]);
}
