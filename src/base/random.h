/* Random numbers by counting: the i-th number of a stream is a function of
** (seed, stream, i) alone, so a result does not depend on who asks first,
** how many threads there are, or where a run was resumed. */
#ifndef PITH_BASE_RANDOM_H
#define PITH_BASE_RANDOM_H

#include <stdint.h>

/* Steele, Lea and Flood's SplitMix64 finaliser. */
static inline uint64_t pith_i_scramble(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static inline uint64_t pith_i_random(uint64_t seed, uint64_t stream,
                                     uint64_t i) {
  return pith_i_scramble(pith_i_scramble(pith_i_scramble(seed) ^ stream) ^ i);
}

/* A 32-bit mixer for inner loops (it vectorises): Prospector's lowbias32. */
static inline uint32_t pith_i_scramble32(uint32_t x) {
  x ^= x >> 16;
  x *= UINT32_C(0x7feb352d);
  x ^= x >> 15;
  x *= UINT32_C(0x846ca68b);
  return x ^ (x >> 16);
}

#endif
