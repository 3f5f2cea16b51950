#include "fact/bits.h"

#include <assert.h>
#include <string.h>

size_t pith_i_bits_words(size_t n) { return (n + 511) / 512 * 8; }

static uint64_t count_ones(const uint64_t *word, size_t n) {
  uint64_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += (uint64_t)__builtin_popcountll(word[i]);
  return count;
}

pith_status pith_i_bits_take(pith_i_env *env, pith_i_domain *domain,
                             uint64_t *rows, pith_i_bits **out) {
  assert(domain->users > 0);
  assert(rows != NULL || domain->ids.n == 0);
  pith_i_bits *b = pith_i_zalloc(env, 1, sizeof *b);
  if (b == NULL)
    return PITH_ENOMEM;
  b->domain = domain;
  b->n = domain->ids.n;
  b->words = pith_i_bits_words(b->n);
  b->rows = rows;
  b->count = count_ones(rows, b->n * b->words);
  domain->users++;
  *out = b;
  return PITH_OK;
}

void pith_i_domain_release(pith_i_env *env, pith_i_domain *d) {
  if (d == NULL)
    return;
  assert(d->users > 0);
  if (--d->users == 0) {
    pith_i_tuples_free(env, &d->ids);
    pith_i_release(env, d);
  }
}

void pith_i_bits_free(pith_i_env *env, pith_i_bits *b) {
  if (b == NULL)
    return;
  pith_i_domain_release(env, b->domain);
  pith_i_release(env, b->rows);
  pith_i_release(env, b->columns);
  pith_i_release(env, b);
}

/* Swaps ever smaller off-diagonal squares. */
void pith_i_transpose_block(uint64_t a[64]) {
  uint64_t mask = UINT64_C(0x00000000ffffffff);
  for (unsigned j = 32; j != 0; j >>= 1, mask ^= mask << j)
    for (unsigned k = 0; k < 64; k = ((k | j) + 1) & ~j) {
      uint64_t t = ((a[k] >> j) ^ a[k | j]) & mask;
      a[k] ^= t << j;
      a[k | j] ^= t;
    }
}

static bool load_block(const uint64_t *from, size_t n, size_t words, size_t i,
                       size_t j, uint64_t block[64]) {
  assert(j < words);
  uint64_t any = 0;
  for (size_t k = 0; k < 64; k++) {
    block[k] = i * 64 + k < n ? from[(i * 64 + k) * words + j] : 0;
    any |= block[k];
  }
  return any != 0;
}

void pith_i_bits_transpose(const uint64_t *from, size_t n, size_t words,
                           uint64_t *to) {
  assert(words * 64 >= n);
  assert(from != to || n == 0);
  uint64_t block[64];
  size_t blocks = (n + 63) / 64;
  for (size_t i = 0; i < blocks; i++)
    for (size_t j = 0; j < blocks; j++) {
      if (!load_block(from, n, words, i, j, block))
        continue;
      pith_i_transpose_block(block);
      for (size_t k = 0; k < 64 && j * 64 + k < n; k++)
        to[(j * 64 + k) * words + i] = block[k];
    }
}

pith_status pith_i_bits_columns(pith_i_env *env, pith_i_bits *b) {
  if (b->columns != NULL)
    return PITH_OK;
  b->columns = pith_i_zalloc(env, b->n * b->words, sizeof *b->columns);
  if (b->columns == NULL)
    return PITH_ENOMEM;
  pith_i_bits_transpose(b->rows, b->n, b->words, b->columns);
  return PITH_OK;
}

bool pith_i_bits_holds(const pith_i_bits *b, pith_sym x, pith_sym y) {
  assert(b->n == b->domain->ids.n);
  uint32_t i = pith_i_domain_id(b->domain, x);
  uint32_t j = pith_i_domain_id(b->domain, y);
  return i != PITH_NONE && j != PITH_NONE &&
         pith_i_bit(b->rows + i * b->words, j);
}
