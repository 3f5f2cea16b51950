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

#endif
