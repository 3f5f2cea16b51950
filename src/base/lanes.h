/* Sixteen restarts side by side: every number of the network is a row of
** LANES floats, one for each restart, so one instruction serves them all. No
** lane ever looks at another, so a lane's result depends neither on its
** neighbours nor on the width of the registers.
**
** In memory a row is a pith_i_real. The hot files (net/kernels.h) work on
** parts of rows, as wide as the registers of the instruction set that they are
** compiled for: all lanes at once, or half of them, or a quarter. Types and
** operators are the vectors of the compiler (GCC and clang); wider ones than
** the registers GCC would take apart lane by lane.
**
** exp and log are our own so that every machine and C library gives the same
** bits; both are good to one unit in the last place.
**
** PITH_I_DOUBLE makes every number a double, and exp and log the C library's.
** Only tests are built so: they compare the same source with numbers that were
** computed in double precision (tests/test_reference.c). */
#ifndef PITH_BASE_LANES_H
#define PITH_BASE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { PITH_I_LANES = 16 };
#define PITH_I_EACH_LANE(l) for (int l = 0; l < PITH_I_LANES; l++)

/* ---- rows ------------------------------------------------------------ */

#ifdef PITH_I_DOUBLE
typedef double pith_i_scalar;
typedef int64_t pith_i_scalar_int; /* as wide: comparisons give it */
#else
typedef float pith_i_scalar;
typedef int32_t pith_i_scalar_int;
#endif
enum { PITH_I_ROW = PITH_I_LANES * sizeof(pith_i_scalar) };
typedef pith_i_scalar pith_i_real __attribute__((vector_size(PITH_I_ROW)));
typedef pith_i_scalar_int pith_i_int __attribute__((vector_size(PITH_I_ROW)));
typedef uint32_t pith_i_word __attribute__((vector_size(64)));

/* The row with x in every lane. */
#define PITH_I_ALL(x) ((pith_i_real){0} + (pith_i_scalar)(x))
/* A constant in the precision of the lanes. */
#define PITH_I_SCALAR(x) ((pith_i_scalar)(x))
/* The first address at or after p where a row may stand. */
#define PITH_I_ALIGN(p)                                                        \
  ((void *)(((uintptr_t)(p) + (PITH_I_ROW - 1)) & ~(uintptr_t)(PITH_I_ROW - 1)))

/* ---- parts of rows --------------------------------------------------- */

#if defined(__AVX512F__)
#define PITH_I_WIDTH 16
#elif defined(__AVX2__)
#define PITH_I_WIDTH 8
#else
#define PITH_I_WIDTH 4
#endif
enum { PITH_I_PARTS = PITH_I_LANES / PITH_I_WIDTH };
/* Vectors may alias their elements, and so rows. */
#define PITH_I_WIDE(size) __attribute__((vector_size((size)*PITH_I_WIDTH)))
typedef pith_i_scalar pith_i_part PITH_I_WIDE(sizeof(pith_i_scalar));
typedef pith_i_scalar_int pith_i_part_int PITH_I_WIDE(sizeof(pith_i_scalar));
typedef uint32_t pith_i_part_word PITH_I_WIDE(4);
typedef int32_t pith_i_part_small PITH_I_WIDE(4); /* a word below 2^31 */

/* The c-th part of the rows at p; and of such, that of the i-th row. */
#define PITH_I_PART(p, c) ((p) == NULL ? NULL : (pith_i_part *)(p) + (c))
#define PITH_I_PART_INT(p, c)                                                  \
  ((p) == NULL ? NULL : (pith_i_part_int *)(p) + (c))
#define PITH_I_AT(p, i) ((p)[(size_t)(i)*PITH_I_PARTS])
#define PITH_I_EACH_PART(c) for (int c = 0; c < PITH_I_PARTS; c++)

/* A hot file is compiled once for each instruction set, and what it exports
** carries its name. */
#ifndef PITH_I_ISA
#define PITH_I_ISA base
#endif
#define PITH_I_PASTE(f, isa) f##_##isa
#define PITH_I_PASTE_ISA(f, isa) PITH_I_PASTE(f, isa)
#define PITH_I_NAME(f) PITH_I_PASTE_ISA(f, PITH_I_ISA)

#define PITH_I_INLINE static inline __attribute__((always_inline))

/* m is a comparison: all ones in the lanes that take a. Use one for nothing
** else: GCC may take others apart lane by lane. */
#define PITH_I_ONE(x) ((pith_i_part){0} + (pith_i_scalar)(x))
#define PITH_I_PICK(m, a, b)                                                   \
  ((pith_i_part)(((pith_i_part_int)(a) & (m)) | ((pith_i_part_int)(b) & ~(m))))
#define PITH_I_PICK_INT(m, a, b) (((a) & (m)) | ((b) & ~(m)))

/* best, who := x, i where x is greater. */
#define PITH_I_TAKE_GREATER(x, i, best, who)                                   \
  do {                                                                         \
    pith_i_part_int take_ = (x) > (best);                                      \
    (best) = PITH_I_PICK(take_, (x), (best));                                  \
    (who) =                                                                    \
        PITH_I_PICK_INT(take_, (pith_i_part_int){0} + (int32_t)(i), (who));    \
  } while (0)

/* A bit for each lane that is not 0; a -0 may count as well. */
PITH_I_INLINE uint32_t pith_i_busy(const pith_i_part *x) {
#if defined(PITH_I_DOUBLE)
  uint32_t bits = 0;
  for (int l = 0; l < PITH_I_WIDTH; l++)
    bits |= (uint32_t)((*x)[l] != 0) << l;
  return bits;
#elif defined(__AVX512F__)
  return _mm512_test_epi32_mask((__m512i)*x, (__m512i)*x);
#else
  pith_i_part_word w = (pith_i_part_word)*x;
  w |= -w; /* the sign is set unless it was 0 */
#if defined(__AVX2__)
  return (uint32_t)_mm256_movemask_ps((__m256)w);
#elif defined(__SSE2__)
  return (uint32_t)_mm_movemask_ps((__m128)w);
#else
  uint32_t bits = 0;
  for (int l = 0; l < PITH_I_WIDTH; l++)
    bits |= w[l] >> 31 << l;
  return bits;
#endif
#endif
}

/* ---- functions ------------------------------------------------------- */

/* y = f(x), lane by lane. Through an array, so that a compiler that may ignore
** errno takes all lanes of a square root at once. */
#define PITH_I_EACH(f, x, y)                                                   \
  do {                                                                         \
    union {                                                                    \
      pith_i_part all;                                                         \
      pith_i_scalar lane[PITH_I_WIDTH];                                        \
    } u_ = {x};                                                                \
    for (int l_ = 0; l_ < PITH_I_WIDTH; l_++)                                  \
      u_.lane[l_] = f(u_.lane[l_]);                                            \
    (y) = u_.all;                                                              \
  } while (0)

#ifdef PITH_I_DOUBLE

#define PITH_I_SQRT(x, y) PITH_I_EACH(sqrt, x, y)
#define PITH_I_EXP(x, y) PITH_I_EACH(exp, x, y)
#define PITH_I_LOG(x, y) PITH_I_EACH(log, x, y)

#else

#define PITH_I_SQRT(x, y) PITH_I_EACH(sqrtf, x, y)

/* y = e^x for x in [-87, 88]; outside it is held at the ends. Cephes' expf. */
#define PITH_I_EXP(x, y)                                                       \
  do {                                                                         \
    pith_i_part x_ = (x);                                                      \
    x_ = PITH_I_PICK(x_ < -87.0f, PITH_I_ONE(-87), x_);                        \
    x_ = PITH_I_PICK(x_ > 88.0f, PITH_I_ONE(88), x_);                          \
    pith_i_part k_ = x_ * 1.44269504088896341f;                                \
    k_ = (k_ + 12582912.0f) - 12582912.0f; /* to the nearest integer */        \
    pith_i_part r_ = x_ - k_ * 0.693359375f;                                   \
    r_ = r_ - k_ * -2.12194440e-4f;                                            \
    pith_i_part p_ = r_ * 1.9875691500e-4f + 1.3981999507e-3f;                 \
    p_ = p_ * r_ + 8.3334519073e-3f;                                           \
    p_ = p_ * r_ + 4.1665795894e-2f;                                           \
    p_ = p_ * r_ + 1.6666665459e-1f;                                           \
    p_ = p_ * r_ + 5.0000001201e-1f;                                           \
    p_ = p_ * r_ * r_ + r_ + 1.0f;                                             \
    pith_i_part_int e_ = __builtin_convertvector(k_, pith_i_part_int);         \
    (y) = p_ * (pith_i_part)((pith_i_part_word)(e_ + 127) << 23);              \
  } while (0)

/* y = ln x for x normal and positive. Cephes' logf. */
#define PITH_I_LOG(x, y)                                                       \
  do {                                                                         \
    pith_i_part_int u_ = (pith_i_part_int)(x)-0x3f3504f3;                      \
    pith_i_part e_ = __builtin_convertvector(u_ >> 23, pith_i_part);           \
    pith_i_part m_ = (pith_i_part)((u_ & 0x007fffff) + 0x3f3504f3) - 1.0f;     \
    pith_i_part p_ = m_ * 7.0376836292e-2f - 1.1514610310e-1f;                 \
    p_ = p_ * m_ + 1.1676998740e-1f;                                           \
    p_ = p_ * m_ - 1.2420140846e-1f;                                           \
    p_ = p_ * m_ + 1.4249322787e-1f;                                           \
    p_ = p_ * m_ - 1.6668057665e-1f;                                           \
    p_ = p_ * m_ + 2.0000714765e-1f;                                           \
    p_ = p_ * m_ - 2.4999993993e-1f;                                           \
    p_ = p_ * m_ + 3.3333331174e-1f;                                           \
    pith_i_part y_ = m_ * m_ * m_ * p_ + e_ * -2.12194440e-4f;                 \
    (y) = m_ + (y_ - m_ * m_ * 0.5f) + e_ * 0.693359375f;                      \
  } while (0)

#endif

/* y = cos(2 pi u) for u in [0, 1), as 2 sin^2(pi (u - 1/2)) - 1, by Taylor;
** good to 1e-6. */
#define PITH_I_COS_TURN(u, y)                                                  \
  do {                                                                         \
    pith_i_part x_ = (u)-0.5f, s_ = x_ * x_;                                   \
    pith_i_part p_ = s_ * -0.00737043094f + 0.0821458866f;                     \
    p_ = p_ * s_ - 0.599264529f;                                               \
    p_ = p_ * s_ + 2.55016404f;                                                \
    p_ = p_ * s_ - 5.16771278f;                                                \
    p_ = (p_ * s_ + 3.14159265f) * x_;                                         \
    (y) = p_ * p_ * 2.0f - 1.0f;                                               \
  } while (0)

#endif
