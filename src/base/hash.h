/* Hashing of bytes and of tuples of 32-bit numbers.
**
** Names come from files that may be hostile, so their hash is SipHash-1-3
** (Aumasson and Bernstein 2012) under a key that each handle draws anew:
** nobody can make up names that all collide. Tuples of numbers start from the
** same secret and take a multiply and a fold to 64 bits per word. No result
** depends on the key: tables keep the order in which things were added. What
** is hashed without a key is only compared with itself. */
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

typedef struct {
  uint64_t k0, k1;
} pith_i_hash_key;

static inline uint64_t pith_i_rotate(uint64_t x, int bits) {
  return x << bits | x >> (64 - bits);
}

static inline void pith_i_sip_round(uint64_t v[4]) {
  v[0] += v[1], v[2] += v[3];
  v[1] = pith_i_rotate(v[1], 13) ^ v[0];
  v[3] = pith_i_rotate(v[3], 16) ^ v[2];
  v[0] = pith_i_rotate(v[0], 32) + v[3];
  v[2] += v[1];
  v[3] = pith_i_rotate(v[3], 21) ^ v[0];
  v[1] = pith_i_rotate(v[1], 17) ^ v[2];
  v[2] = pith_i_rotate(v[2], 32);
}

/* The n < 8 bytes at p as a little-endian number. */
static inline uint64_t pith_i_last_bytes(const unsigned char *p, size_t n) {
  uint64_t last = 0;
  uint32_t four;
  uint16_t two;
  if ((n & 4) != 0) {
    memcpy(&four, p, 4);
    last = four;
    p += 4;
  }
  if ((n & 2) != 0) {
    memcpy(&two, p, 2);
    last |= (uint64_t)two << 8 * (n & 4);
    p += 2;
  }
  if ((n & 1) != 0)
    last |= (uint64_t)*p << 8 * (n & 6);
  return last;
}

/* SipHash-1-3. */
static inline uint64_t pith_i_hash_keyed(pith_i_hash_key key, const void *data,
                                         size_t n) {
  const unsigned char *p = data;
  uint64_t last = (uint64_t)n << 56, w;
  uint64_t v[4] = {key.k0 ^ UINT64_C(0x736f6d6570736575),
                   key.k1 ^ UINT64_C(0x646f72616e646f6d),
                   key.k0 ^ UINT64_C(0x6c7967656e657261),
                   key.k1 ^ UINT64_C(0x7465646279746573)};
  for (; n >= 8; n -= 8, p += 8) {
    memcpy(&w, p, 8);
    v[3] ^= w;
    pith_i_sip_round(v);
    v[0] ^= w;
  }
  last |= pith_i_last_bytes(p, n);
  v[3] ^= last;
  pith_i_sip_round(v);
  v[0] ^= last;
  v[2] ^= 0xff;
  pith_i_sip_round(v);
  pith_i_sip_round(v);
  pith_i_sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static inline uint64_t pith_i_hash_tuple_from(uint64_t start, const uint32_t *t,
                                              size_t n) {
  uint64_t h = start + n;
  size_t i = 0;
  for (; i + 2 <= n; i += 2)
    h = pith_i_mix(h, (uint64_t)t[i] << 32 | t[i + 1]);
  return i < n ? pith_i_mix(h, t[i]) : h;
}

static inline uint64_t pith_i_hash_tuple(const uint32_t *t, size_t n) {
  return pith_i_hash_tuple_from(0, t, n);
}

#endif
