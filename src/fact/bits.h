/* A binary relation over few constants as a square matrix of bits: row x has
** bit y when the relation holds of x and y.
**
** Constants are numbered within a domain, which the relations that were
** computed together share; the domain is freed with its last user. Sixteen
** million pairs over five thousand constants take three megabytes, and rows
** are joined a word at a time. */
#ifndef PITH_FACT_BITS_H
#define PITH_FACT_BITS_H

#include <assert.h>

#include "base/tuples.h"

/* Loops over the words of a row are compiled for what the machine has. A
** resolver runs before the sanitizers are up, so not with them. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) &&          \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                   \
    !defined(__SANITIZE_THREAD__)
#define PITH_I_FOR_EACH_MACHINE                                                \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PITH_I_FOR_EACH_MACHINE
#endif

typedef struct {
  pith_i_tuples ids; /* width 1: the row number of a constant is its id */
  size_t users;
} pith_i_domain;

typedef struct {
  pith_i_domain *domain;
  size_t n, words;   /* constants; words a row        */
  uint64_t *rows;    /* (n, words)                    */
  uint64_t *columns; /* (n, words) transposed, or NULL */
  uint64_t count;    /* pairs                         */
} pith_i_bits;

/* One user less; NULL is fine. */
void pith_i_domain_release(pith_i_env *env, pith_i_domain *d);

/* Words in a row of n bits, a multiple of a cache line. */
size_t pith_i_bits_words(size_t n);

static inline bool pith_i_bit(const uint64_t *row, size_t i) {
  return row[i >> 6] >> (i & 63) & 1;
}

/* Takes rows, which pith_i_alloc gave; on failure they stay the caller's. */
pith_status pith_i_bits_take(pith_i_env *env, pith_i_domain *domain,
                             uint64_t *rows, pith_i_bits **out);
void pith_i_bits_free(pith_i_env *env, pith_i_bits *b);

/* Makes b->columns, unless it is there. */
pith_status pith_i_bits_columns(pith_i_env *env, pith_i_bits *b);

/* Transposes 64 words of 64 bits. */
void pith_i_transpose_block(uint64_t a[64]);

/* to becomes the transpose of from; both (n, words), to all zero. */
void pith_i_bits_transpose(const uint64_t *from, size_t n, size_t words,
                           uint64_t *to);

static inline uint32_t pith_i_domain_id(const pith_i_domain *d, pith_sym s) {
  return pith_i_tuples_find(&d->ids, &s);
}
static inline pith_sym pith_i_domain_sym(const pith_i_domain *d, size_t id) {
  assert(id < d->ids.n);
  return d->ids.at[id];
}

bool pith_i_bits_holds(const pith_i_bits *b, pith_sym x, pith_sym y);

#endif
