#include <assert.h>

#include "net/update.h"

#include "net/kernels.h"

typedef pith_i_part real;
typedef pith_i_part_word word;

#define AT PITH_I_AT

/* ---- noise ----------------------------------------------------------- */

/* A 32-bit mixer: Prospector's lowbias32. */
#define SCRAMBLE(x)                                                            \
  do {                                                                         \
    (x) ^= (x) >> 16;                                                          \
    (x) *= UINT32_C(0x7feb352d);                                               \
    (x) ^= (x) >> 15;                                                          \
    (x) *= UINT32_C(0x846ca68b);                                               \
    (x) ^= (x) >> 16;                                                          \
  } while (0)

/* u = the i-th uniform number in (0,1) of each lane at an epoch. */
#define UNIFORM(seed, epoch, i, u)                                             \
  do {                                                                         \
    word x_ = AT(seed, 0) + (uint32_t)(i)*UINT32_C(0x9e3779b9);                \
    SCRAMBLE(x_);                                                              \
    x_ ^= AT(seed, 1);                                                         \
    x_ += (uint32_t)(epoch)*UINT32_C(0x85ebca6b);                              \
    SCRAMBLE(x_);                                                              \
    (u) = __builtin_convertvector((pith_i_part_small)(x_ >> 8), real);         \
    (u) = ((u) + 0.5f) * 0x1p-24f;                                             \
  } while (0)

/* One number for each lane: Box and Muller's normal, or the uniform one. */
PITH_I_INLINE void draw_lanes(pith_i_noise kind, const word *seed,
                              uint32_t epoch, size_t i, pith_i_scalar scale,
                              real *out) {
  real u, v, ln, turn;
  UNIFORM(seed, epoch, 2 * i, u);
  if (kind == PITH_I_UNIFORM) {
    *out = u * scale;
    return;
  }
  PITH_I_LOG(u, ln);
  UNIFORM(seed, epoch, 2 * i + 1, v);
  PITH_I_COS_TURN(v, turn);
  PITH_I_SQRT(ln * -2.0f, u);
  *out = u * turn * scale;
}

void PITH_I_NAME(pith_i_noise_make)(pith_i_noise kind, const pith_i_word *seed,
                                    uint32_t epoch, pith_i_scalar scale,
                                    size_t n, pith_i_real *out) {
  assert(seed != NULL && (n == 0 || out != NULL));
  PITH_I_EACH_PART(c) {
    const word *s = (const word *)seed + c;
    real *to = PITH_I_PART(out, c);
    for (size_t i = 0; i < n; i++)
      draw_lanes(kind, s, epoch, i, scale, &AT(to, i));
  }
}

/* ---- Adam ------------------------------------------------------------ */

void PITH_I_NAME(pith_i_adam)(const pith_i_adam_step *s, size_t n,
                              const pith_i_real *d, pith_i_real *first,
                              pith_i_real *second, pith_i_real *theta) {
  assert(s->low <= s->high && s->second >= 1);
  const pith_i_scalar b1 = PITH_I_SCALAR(0.9), b2 = PITH_I_SCALAR(0.999);
  for (size_t i = 0; i < n * PITH_I_PARTS; i++) {
    real g = PITH_I_PART(d, 0)[i], root, *m = PITH_I_PART(first, i),
         *v = PITH_I_PART(second, i), *x = PITH_I_PART(theta, i);
    *m = *m * b1 + g * (1 - b1);
    *v = *v * b2 + g * g * (1 - b2);
    PITH_I_SQRT(*v * s->second, root);
    real y = *x - *m * s->rate / (root + PITH_I_SCALAR(1e-8));
    y = PITH_I_PICK(y < s->low, PITH_I_ONE(s->low), y);
    *x = PITH_I_PICK(y > s->high, PITH_I_ONE(s->high), y);
  }
}
