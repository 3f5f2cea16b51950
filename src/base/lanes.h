/* Sixteen restarts side by side: every number of the network is a row of
** LANES floats, one for each restart, so one instruction serves them all.
** The types are vectors of the compiler's (GCC and clang), which it maps to
** whatever registers the machine has. No lane ever looks at another, so a
** lane's result depends neither on its neighbours nor on the width of the
** registers.
**
** exp and log are our own so that every machine and C library gives the same
** bits; both are good to one unit in the last place. */
#ifndef PITH_BASE_LANES_H
#define PITH_BASE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { PITH_I_LANES = 16 };

typedef float pith_i_real __attribute__((vector_size(64)));
typedef int32_t pith_i_int __attribute__((vector_size(64)));
typedef uint32_t pith_i_word __attribute__((vector_size(64)));

/* Compiles a hot function once for each instruction set; the loader picks.
** For static functions only: what picks would be exported. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&         \
    defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                    \
    !defined(__SANITIZE_THREAD__)
#define PITH_I_HOT __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PITH_I_HOT
#endif

/* For a part of a hot function: it must be compiled with it, once for each
** instruction set. */
#define PITH_I_INLINE static inline __attribute__((always_inline))

/* Macros, not functions: a function that is not inlined would pass vectors by
** another convention in each clone. m: all ones in the lanes that take a. Use
** a comparison as such an m and for nothing else: GCC takes others apart lane
** by lane. */
#define PITH_I_ALL(x) ((pith_i_real){0} + (float)(x))
#define PITH_I_ALL_INT(x) ((pith_i_int){0} + (int32_t)(x))
#define PITH_I_PICK(m, a, b)                                                   \
  ((pith_i_real)(((pith_i_int)(a) & (m)) | ((pith_i_int)(b) & ~(m))))
#define PITH_I_PICK_INT(m, a, b) (((a) & (m)) | ((b) & ~(m)))

/* best, who := x, i where x is greater. */
#define PITH_I_TAKE_GREATER(x, i, best, who)                                   \
  do {                                                                         \
    pith_i_int take_ = (x) > (best);                                           \
    (best) = PITH_I_PICK(take_, (x), (best));                                  \
    (who) = PITH_I_PICK_INT(take_, PITH_I_ALL_INT(i), (who));                  \
  } while (0)

#define PITH_I_EACH_LANE(l) for (int l = 0; l < PITH_I_LANES; l++)

/* y = the square root of x. Through an array, so that a compiler that may
** ignore errno takes all lanes at once. */
#define PITH_I_SQRT(x, y)                                                      \
  do {                                                                         \
    union {                                                                    \
      pith_i_real all;                                                         \
      float lane[PITH_I_LANES];                                                \
    } u_ = {x};                                                                \
    PITH_I_EACH_LANE(l_) u_.lane[l_] = sqrtf(u_.lane[l_]);                     \
    (y) = u_.all;                                                              \
  } while (0)

/* y = e^x for x in [-87, 88]; outside it is held at the ends. Cephes' expf. */
#define PITH_I_EXP(x, y)                                                       \
  do {                                                                         \
    pith_i_real x_ = (x);                                                      \
    x_ = PITH_I_PICK(x_ < -87.0f, PITH_I_ALL(-87), x_);                        \
    x_ = PITH_I_PICK(x_ > 88.0f, PITH_I_ALL(88), x_);                          \
    pith_i_real k_ = x_ * 1.44269504088896341f;                                \
    k_ = (k_ + 12582912.0f) - 12582912.0f; /* to the nearest integer */        \
    pith_i_real r_ = x_ - k_ * 0.693359375f;                                   \
    r_ = r_ - k_ * -2.12194440e-4f;                                            \
    pith_i_real p_ = r_ * 1.9875691500e-4f + 1.3981999507e-3f;                 \
    p_ = p_ * r_ + 8.3334519073e-3f;                                           \
    p_ = p_ * r_ + 4.1665795894e-2f;                                           \
    p_ = p_ * r_ + 1.6666665459e-1f;                                           \
    p_ = p_ * r_ + 5.0000001201e-1f;                                           \
    p_ = p_ * r_ * r_ + r_ + 1.0f;                                             \
    pith_i_int e_ = __builtin_convertvector(k_, pith_i_int);                   \
    (y) = p_ * (pith_i_real)((pith_i_word)(e_ + 127) << 23);                   \
  } while (0)

/* y = ln x for x normal and positive. Cephes' logf. */
#define PITH_I_LOG(x, y)                                                       \
  do {                                                                         \
    pith_i_int u_ = (pith_i_int)(x)-0x3f3504f3;                                \
    pith_i_real e_ = __builtin_convertvector(u_ >> 23, pith_i_real);           \
    pith_i_real m_ = (pith_i_real)((u_ & 0x007fffff) + 0x3f3504f3) - 1.0f;     \
    pith_i_real p_ = m_ * 7.0376836292e-2f - 1.1514610310e-1f;                 \
    p_ = p_ * m_ + 1.1676998740e-1f;                                           \
    p_ = p_ * m_ - 1.2420140846e-1f;                                           \
    p_ = p_ * m_ + 1.4249322787e-1f;                                           \
    p_ = p_ * m_ - 1.6668057665e-1f;                                           \
    p_ = p_ * m_ + 2.0000714765e-1f;                                           \
    p_ = p_ * m_ - 2.4999993993e-1f;                                           \
    p_ = p_ * m_ + 3.3333331174e-1f;                                           \
    pith_i_real y_ = m_ * m_ * m_ * p_ + e_ * -2.12194440e-4f;                 \
    (y) = m_ + (y_ - m_ * m_ * 0.5f) + e_ * 0.693359375f;                      \
  } while (0)

/* y = cos(2 pi u) for u in [0, 1), as 2 sin^2(pi (u - 1/2)) - 1, by Taylor;
** good to 1e-6. */
#define PITH_I_COS_TURN(u, y)                                                  \
  do {                                                                         \
    pith_i_real x_ = (u)-0.5f, s_ = x_ * x_;                                   \
    pith_i_real p_ = s_ * -0.00737043094f + 0.0821458866f;                     \
    p_ = p_ * s_ - 0.599264529f;                                               \
    p_ = p_ * s_ + 2.55016404f;                                                \
    p_ = p_ * s_ - 5.16771278f;                                                \
    p_ = (p_ * s_ + 3.14159265f) * x_;                                         \
    (y) = p_ * p_ * 2.0f - 1.0f;                                               \
  } while (0)

#endif
