/* Hashing of names, of bytes and of tuples of 32-bit numbers.
**
** Names come from files that may be hostile, so their hash is wyhash (Wang Yi,
** final version 4) with a seed and secrets that each handle draws anew, as the
** runtime of Go does where a processor has no AES. Secrets hide the words of a
** name before they are multiplied; the product is kept whole, hidden by other
** secrets, multiplied again and folded. Nobody knows names that collide for
** more than a few of all keys. SipHash-1-3 has more analysis behind it, and
** resists those who can time single lookups; it takes three times as many
** instructions (docs/reliability.md). Tuples of numbers start from a secret
** and take a multiply and a fold to 64 bits per word. No result depends on the
** key: tables keep the order in which things were added. What is hashed
** without a key is only compared with itself. */
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

/* The product of two words, folded. */
static inline uint64_t pith_i_multiply_fold(uint64_t a, uint64_t b) {
  __uint128_t m = (__uint128_t)a * b;
  return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t pith_i_mix(uint64_t h, uint64_t word) {
  return pith_i_multiply_fold(h ^ word ^ PITH_I_K1, PITH_I_K0);
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

typedef struct {
  uint64_t start;     /* of every hash: the seed, mixed with two secrets */
  uint64_t secret[4]; /* never told: a word equal to one would blind the hash */
} pith_i_hash_key;

static inline pith_i_hash_key pith_i_hash_key_of(uint64_t seed,
                                                 const uint64_t secret[4]) {
  pith_i_hash_key key = {
      .start = seed ^ pith_i_multiply_fold(seed ^ secret[0], secret[1])};
  memcpy(key.secret, secret, sizeof key.secret);
  return key;
}

static inline uint64_t pith_i_word_at(const unsigned char *p) {
  uint64_t w;
  memcpy(&w, p, 8);
  return w;
}

/* Two half words, which may lie anywhere. */
static inline uint64_t pith_i_halves_at(const unsigned char *high,
                                        const unsigned char *low) {
  uint32_t h, l;
  memcpy(&h, high, 4);
  memcpy(&l, low, 4);
  return (uint64_t)h << 32 | l;
}

/* Takes all but the last 16 or fewer of the *n > 16 bytes at *p. */
static inline uint64_t pith_i_take_words(const pith_i_hash_key *key,
                                         const unsigned char **p, size_t *n) {
  const uint64_t *secret = key->secret;
  uint64_t h = key->start, h1 = h, h2 = h;
  const unsigned char *at = *p;
  size_t left = *n;
  if (left >= 48) {
    for (; left >= 48; left -= 48, at += 48) {
      h = pith_i_multiply_fold(pith_i_word_at(at) ^ secret[1],
                               pith_i_word_at(at + 8) ^ h);
      h1 = pith_i_multiply_fold(pith_i_word_at(at + 16) ^ secret[2],
                                pith_i_word_at(at + 24) ^ h1);
      h2 = pith_i_multiply_fold(pith_i_word_at(at + 32) ^ secret[3],
                                pith_i_word_at(at + 40) ^ h2);
    }
    h ^= h1 ^ h2;
  }
  for (; left > 16; left -= 16, at += 16)
    h = pith_i_multiply_fold(pith_i_word_at(at) ^ secret[1],
                             pith_i_word_at(at + 8) ^ h);
  *p = at;
  *n = left;
  return h;
}

/* wyhash. Words that overlap say all of a short name, together with its
** length. */
static inline uint64_t pith_i_hash_keyed(const pith_i_hash_key *key,
                                         const void *data, size_t n) {
  const unsigned char *p = data;
  uint64_t a = 0, b = 0, h = key->start;
  if (n > 16) {
    size_t left = n;
    h = pith_i_take_words(key, &p, &left);
    a = pith_i_word_at(p + left - 16);
    b = pith_i_word_at(p + left - 8);
  } else if (n >= 4) {
    size_t inner = n >> 3 << 2; /* 0, 4, or 8 where all four lie apart */
    a = pith_i_halves_at(p, p + inner);
    b = pith_i_halves_at(p + n - 4, p + n - 4 - inner);
  } else if (n > 0) {
    a = (uint64_t)p[0] << 16 | (uint64_t)p[n >> 1] << 8 | p[n - 1];
  }
  __uint128_t m = (__uint128_t)(a ^ key->secret[1]) * (b ^ h);
  return pith_i_multiply_fold((uint64_t)m ^ key->secret[0] ^ n,
                              (uint64_t)(m >> 64) ^ key->secret[1]);
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
