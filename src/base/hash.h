/* Hashing of bytes and of tuples of 32-bit numbers: a multiply and a fold to
** 64 bits per word. Not for adversaries: tables stay correct, only slow. */
#ifndef PITH_BASE_HASH_H
#define PITH_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PITH_I_K0 UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / golden ratio */
#define PITH_I_K1 UINT64_C(0xd6e8feb86659fd93)

/* Asks for memory ahead of use. */
#if defined(__GNUC__)
#define pith_i_prefetch(place) __builtin_prefetch(place)
#else
#define pith_i_prefetch(place) ((void)(place))
#endif

static inline uint64_t pith_i_mix(uint64_t h, uint64_t word) {
  __uint128_t m = (__uint128_t)(h ^ word ^ PITH_I_K1) * PITH_I_K0;
  return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t pith_i_hash_bytes(const void *data, size_t n) {
  const unsigned char *p = data;
  uint64_t h = n * PITH_I_K0, w;
  for (; n >= 8; n -= 8, p += 8) {
    memcpy(&w, p, 8);
    h = pith_i_mix(h, w);
  }
  w = 0;
  if (n > 0)
    memcpy(&w, p, n);
  return pith_i_mix(h, w);
}

static inline uint64_t pith_i_hash_tuple(const uint32_t *t, size_t n) {
  uint64_t h = n;
  size_t i = 0;
  for (; i + 2 <= n; i += 2)
    h = pith_i_mix(h, (uint64_t)t[i] << 32 | t[i + 1]);
  return i < n ? pith_i_mix(h, t[i]) : h;
}

#endif
