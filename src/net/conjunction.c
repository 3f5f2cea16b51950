/* Nearly all time of training is spent here.
**
** Forward, a joined pair costs two loads, an AND, a comparison and two
** selections for all lanes together. Backward, only the pair that won counts,
** in each lane another: the gradients of an output element go to few places,
** and most elements have none. */
#include <assert.h>

#include "net/conjunction.h"

typedef pith_i_part real;
typedef pith_i_part_int whole;

#define AT PITH_I_AT

#define AND(product, x, y)                                                     \
  ((product) ? (x) * (y) : PITH_I_PICK((x) < (y), (x), (y)))

/* ---- forward, by lists ----------------------------------------------- */

PITH_I_INLINE void lists_forward(const pith_i_join *j, bool product,
                                 const real *a, const real *b, real *out,
                                 whole *won) {
  for (uint32_t e = 0; e < j->size; e++) {
    real best = {0};
    whole who = {0};
    for (uint32_t k = j->start[e]; k < j->start[e + 1]; k++) {
      real x = AT(a, j->left[k]);
      if (b != NULL)
        x = AND(product, x, AT(b, j->right[k]));
      PITH_I_TAKE_GREATER(x, k, best, who);
    }
    AT(out, e) = best;
    AT(won, e) = who;
  }
}

static void sparse_forward(const pith_i_join *j, bool product, const real *a,
                           const real *b, real *out, whole *won) {
  assert(j->start != NULL && j->left != NULL);
  assert((b == NULL) == (j->right == NULL));
  if (b == NULL)
    lists_forward(j, false, a, NULL, out, won);
  else if (product)
    lists_forward(j, true, a, b, out, won);
  else
    lists_forward(j, false, a, b, out, won);
}

/* ---- forward, by strides --------------------------------------------- */

/* One row and TILE columns. The columns are independent of each other, which
** hides the latency of each one's comparisons, and they share what they read.
** Strides are of the row, the column, and k; won is k itself. */
enum { TILE = 4 };

#define TILE_COLUMN(c, x)                                                      \
  do {                                                                         \
    real y_ = AT(b, k * b_step[2] + (c)*b_step[1]), v_ = AND(product, x, y_);  \
    PITH_I_TAKE_GREATER(v_, k, best##c, who##c);                               \
  } while (0)

PITH_I_INLINE void tile_forward(bool product, const real *a, const real *b,
                                const size_t *a_step, const size_t *b_step,
                                size_t depth, real *out, whole *won) {
  assert(depth > 0);
  real best0 = {0}, best1 = {0}, best2 = {0}, best3 = {0};
  whole who0 = {0}, who1 = {0}, who2 = {0}, who3 = {0};
  for (size_t k = 0; k < depth; k++) {
    size_t x = k * a_step[2], next = a_step[1];
    TILE_COLUMN(0, AT(a, x));
    TILE_COLUMN(1, AT(a, x + next));
    TILE_COLUMN(2, AT(a, x + 2 * next));
    TILE_COLUMN(3, AT(a, x + 3 * next));
  }
  AT(out, 0) = best0, AT(out, 1) = best1;
  AT(out, 2) = best2, AT(out, 3) = best3;
  AT(won, 0) = who0, AT(won, 1) = who1;
  AT(won, 2) = who2, AT(won, 3) = who3;
}

/* One element. */
PITH_I_INLINE void element_forward(bool product, const real *a, const real *b,
                                   size_t a_step, size_t b_step, size_t depth,
                                   real *out, whole *won) {
  real best = {0};
  whole who = {0};
  for (size_t k = 0; k < depth; k++) {
    real x = AT(a, k * a_step);
    if (b != NULL)
      x = AND(product, x, AT(b, k * b_step));
    PITH_I_TAKE_GREATER(x, k, best, who);
  }
  *out = best;
  *won = who;
}

/* Columns outside, rows inside: what a tile of columns needs of b then stays
** in the cache, and a is read in order. */
PITH_I_INLINE void grid_forward(const pith_i_grid *g, bool product,
                                const real *a, const real *b, real *out,
                                whole *won) {
  size_t tiled = b == NULL ? 0 : g->columns / TILE * TILE;
  for (size_t c = 0; c < tiled; c += TILE)
    for (size_t i = 0; i < g->n; i++) {
      size_t e = g->out + i * g->columns + c;
      size_t x = g->a + i * g->a_step[0] + c * g->a_step[1];
      size_t y = g->b + i * g->b_step[0] + c * g->b_step[1];
      tile_forward(product, &AT(a, x), &AT(b, y), g->a_step, g->b_step,
                   g->depth, &AT(out, e), &AT(won, e));
    }
  for (size_t i = 0; i < g->n; i++)
    for (size_t c = tiled; c < g->columns; c++) {
      size_t e = g->out + i * g->columns + c;
      size_t x = g->a + i * g->a_step[0] + c * g->a_step[1];
      size_t y = g->b + i * g->b_step[0] + c * g->b_step[1];
      element_forward(product, &AT(a, x), b == NULL ? NULL : &AT(b, y),
                      g->a_step[2], g->b_step[2], g->depth, &AT(out, e),
                      &AT(won, e));
    }
}

static void dense_forward(const pith_i_grid *g, bool product, const real *a,
                          const real *b, real *out, whole *won) {
  if (b == NULL)
    grid_forward(g, false, a, NULL, out, won);
  else if (product)
    grid_forward(g, true, a, b, out, won);
  else
    grid_forward(g, false, a, b, out, won);
}

void PITH_I_NAME(pith_i_conjunction_forward)(const pith_i_net *net,
                                             const pith_i_join *j, bool product,
                                             const real *a, const real *b,
                                             real *out, whole *won) {
  assert((b == NULL) == (j->b == PITH_NONE));
  assert(j->size == 0 || (a != out && b != out));
  if (!net->dense) {
    sparse_forward(j, product, a, b, out, won);
    return;
  }
  for (uint32_t w = 0; w < net->worlds; w++) {
    pith_i_grid g = pith_i_grid_of(net, j, w);
    dense_forward(&g, product, a, b, out, won);
  }
}

/* ---- the gradient of one element ------------------------------------- */

/* Where the pairs of an element are: the k-th is a[left[k]] and b[right[k]],
** or without lists a[x + k x_step] and b[y + k y_step]. */
typedef struct {
  bool product;
  const real *a, *b; /* b NULL: a alone */
  real *da, *db;
  const uint32_t *left, *right;
  size_t x, y, x_step, y_step;
} meeting;

PITH_I_INLINE size_t left_at(const meeting *m, size_t k) {
  return m->left != NULL ? m->left[k] : m->x + k * m->x_step;
}

PITH_I_INLINE size_t right_at(const meeting *m, size_t k) {
  return m->left != NULL ? m->right[k] : m->y + k * m->y_step;
}

/* The pair k in lane l. Of a minimum the smaller side has all. */
PITH_I_INLINE void lane_backward(const meeting *m, size_t k, int l,
                                 pith_i_scalar d) {
  size_t x = left_at(m, k);
  pith_i_scalar *da = (pith_i_scalar *)&AT(m->da, x) + l;
  if (m->b == NULL) {
    *da += d;
    return;
  }
  size_t y = right_at(m, k);
  pith_i_scalar *db = (pith_i_scalar *)&AT(m->db, y) + l;
  pith_i_scalar a = ((const pith_i_scalar *)&AT(m->a, x))[l];
  pith_i_scalar b = ((const pith_i_scalar *)&AT(m->b, y))[l];
  if (m->product) {
    *da += d * b;
    *db += d * a;
  } else {
    pith_i_scalar *smaller = a < b ? da : db;
    *smaller += d;
  }
}

/* The pair k in all lanes; d is 0 in those where another won. */
PITH_I_INLINE void pair_backward(const meeting *m, size_t k, const real *d) {
  size_t x = left_at(m, k);
  if (m->b == NULL) {
    AT(m->da, x) += *d;
    return;
  }
  size_t y = right_at(m, k);
  real a = AT(m->a, x), b = AT(m->b, y), none = {0};
  if (m->product) {
    AT(m->da, x) += *d * b;
    AT(m->db, y) += *d * a;
  } else {
    whole less = a < b;
    AT(m->da, x) += PITH_I_PICK(less, *d, none);
    AT(m->db, y) += PITH_I_PICK(less, none, *d);
  }
}

/* Spreads the gradient of an element over its pairs first .. end-1. Where they
** are fewer than the lanes with a gradient, all lanes are served at once, pair
** after pair; else each lane by itself. The sums are the same to the bit.
** Where nothing held (out is 0) there is no winner. */
PITH_I_INLINE void spread_gradient(const meeting *m, size_t first, size_t end,
                                   const real *out, const whole *won,
                                   const real *dout) {
  assert(first <= end);
  real none = {0}, d = PITH_I_PICK(*out > 0.0f, *dout, none);
  uint32_t busy = pith_i_busy(&d);
  if (busy == 0)
    return;
  if ((size_t)__builtin_popcount(busy) > end - first) {
    for (size_t k = first; k < end; k++) {
      real mine = PITH_I_PICK(*won == (int32_t)k, d, none);
      pair_backward(m, k, &mine);
    }
    return;
  }
  for (; busy != 0; busy &= busy - 1) {
    int l = __builtin_ctz(busy);
    lane_backward(m, (size_t)((const pith_i_scalar_int *)won)[l], l,
                  ((const pith_i_scalar *)&d)[l]);
  }
}

/* ---- backward -------------------------------------------------------- */

static void sparse_backward(const pith_i_join *j, bool product, const real *a,
                            const real *b, const real *out, const whole *won,
                            const real *dout, real *da, real *db) {
  assert(j->start != NULL && (b == NULL) == (j->right == NULL));
  const meeting m = {.product = product,
                     .a = a,
                     .b = b,
                     .da = da,
                     .db = db,
                     .left = j->left,
                     .right = j->right};
  for (uint32_t e = 0; e < j->size; e++)
    spread_gradient(&m, j->start[e], j->start[e + 1], &AT(out, e), &AT(won, e),
                    &AT(dout, e));
}

static void dense_backward(const pith_i_grid *g, bool product, const real *a,
                           const real *b, const real *out, const whole *won,
                           const real *dout, real *da, real *db) {
  for (size_t i = 0; i < g->n; i++)
    for (size_t c = 0; c < g->columns; c++) {
      size_t e = g->out + i * g->columns + c;
      const meeting m = {.product = product,
                         .a = a,
                         .b = b,
                         .da = da,
                         .db = db,
                         .x = g->a + i * g->a_step[0] + c * g->a_step[1],
                         .y = g->b + i * g->b_step[0] + c * g->b_step[1],
                         .x_step = g->a_step[2],
                         .y_step = g->b_step[2]};
      spread_gradient(&m, 0, g->depth, &AT(out, e), &AT(won, e), &AT(dout, e));
    }
}

void PITH_I_NAME(pith_i_conjunction_backward)(
    const pith_i_net *net, const pith_i_join *j, bool product, const real *a,
    const real *b, const real *out, const whole *won, const real *dout,
    real *da, real *db) {
  assert((b == NULL) == (db == NULL));
  assert(j->size == 0 || (da != dout && db != dout));
  if (!net->dense) {
    sparse_backward(j, product, a, b, out, won, dout, da, db);
    return;
  }
  for (uint32_t w = 0; w < net->worlds; w++) {
    pith_i_grid g = pith_i_grid_of(net, j, w);
    dense_backward(&g, product, a, b, out, won, dout, da, db);
  }
}
