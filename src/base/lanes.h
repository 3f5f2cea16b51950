/* Sixteen restarts side by side: every number of the network is a row of
** LANES floats, one for each restart, so one instruction serves them all.
** The loops are plain C over a constant count, which compilers vectorise;
** no lane ever looks at another, so a lane's result does not depend on its
** neighbours, nor on the width of the machine's registers.
**
** exp and log are our own so that every machine and C library gives the same
** bits; both are good to about 2 units in the last place. */
#ifndef PITH_BASE_LANES_H
#define PITH_BASE_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { PITH_I_LANES = 16 };

/* Compiles a hot function once for each instruction set; the loader picks. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&         \
    defined(__linux__) && !defined(__SANITIZE_ADDRESS__) &&                    \
    !defined(__SANITIZE_THREAD__)
#define PITH_I_HOT __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PITH_I_HOT
#endif

#define PITH_I_EACH_LANE(l) for (int l = 0; l < PITH_I_LANES; l++)

static inline float pith_i_bits_to_float(uint32_t u) {
  float f;
  memcpy(&f, &u, sizeof f);
  return f;
}
static inline uint32_t pith_i_float_to_bits(float f) {
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

/* e^x for x in [-87, 88]; outside it is held at the ends. */
static inline float pith_i_exp(float x) {
  x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
  float k = x * 1.44269504088896341f;
  k = (k + 12582912.0f) - 12582912.0f; /* to the nearest integer */
  float r = x - k * 0.693359375f;
  r = r - k * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  return p * pith_i_bits_to_float((uint32_t)((int32_t)k + 127) << 23);
}

/* ln x for x normal and positive. */
static inline float pith_i_log(float x) {
  uint32_t u = pith_i_float_to_bits(x) - UINT32_C(0x3f3504f3);
  float e = (float)((int32_t)u >> 23);
  float m =
      pith_i_bits_to_float((u & UINT32_C(0x007fffff)) + UINT32_C(0x3f3504f3)) -
      1.0f;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  float y = m * m * m * p;
  y = y + e * -2.12194440e-4f;
  y = y - 0.5f * m * m;
  return m + y + e * 0.693359375f;
}

/* cos(2 pi u) for u in [0, 1), as 2 sin^2(pi (u - 1/2)) - 1. */
static inline float pith_i_cos_turn(float u) {
  float x = u - 0.5f, y = x * x;
  float s = 0.0821458866f;
  s = s * y - 0.599264529f;
  s = s * y + 2.55016404f;
  s = s * y - 5.16771278f;
  s = s * y + 3.14159265f;
  s = s * x;
  return 2.0f * s * s - 1.0f;
}

#endif
