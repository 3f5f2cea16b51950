#include "learn/clauses/example_sample.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"

/* n of count numbers from first on, at random; the numbers alone decide. */
static void draw_numbers(uint32_t first, uint32_t count, uint32_t n,
                         uint32_t *pick) {
  assert(n <= count);
  uint32_t got = 0;
  for (uint32_t i = 0; i < count && got < n; i++)
    if (pith_i_random(1, first, i) % (count - i) < n - got)
      pick[got++] = first + i;
}

pith_status pith_i_sample_draw(pith_i_sample *m, pith_i_space *s,
                               uint32_t whole, uint32_t few, bool fair) {
  uint32_t pos = s->positives, neg = s->examples - pos;
  if (s->examples > whole) {
    pos = fair ? (uint32_t)((uint64_t)few * pos / s->examples) : few / 2;
    pos = pos < s->positives ? pos : s->positives;
    neg = few - pos < neg ? few - pos : neg;
  }
  uint32_t *pick = pith_i_alloc(s->env, (pos + neg + 1) * sizeof *pick);
  if (pick == NULL)
    return PITH_ENOMEM;
  draw_numbers(0, s->positives, pos, pick);
  draw_numbers(s->positives, s->examples - s->positives, neg, pick + pos);
  pith_i_sample_free(m);
  pith_i_sample_take(m, s, pick, pos, pos + neg);
  return PITH_OK;
}

pith_status pith_i_sample_extend(pith_i_sample *m, pith_i_space *s,
                                 const uint32_t *more, uint32_t n) {
  uint32_t *pick = pith_i_alloc(s->env, (m->n + n + 1) * sizeof *pick);
  uint32_t pos = 0, all = 0;
  if (pick == NULL)
    return PITH_ENOMEM;
  for (int negative = 0; negative < 2; negative++) {
    for (uint32_t i = 0; i < m->n; i++)
      if ((m->pick[i] >= s->positives) == negative)
        pick[all++] = m->pick[i];
    for (uint32_t i = 0; i < n; i++)
      if ((more[i] >= s->positives) == negative)
        pick[all++] = more[i];
    pos = negative ? pos : all;
  }
  pith_i_release(s->env, m->pick);
  pith_i_sample_take(m, s, pick, pos, all);
  return PITH_OK;
}

/* ---- all examples ------------------------------------------------------ */

typedef struct {
  pith_i_sample m;
  pith_i_table table, scratch;
  uint64_t *have, *part; /* (words) */
} example_checker;

static pith_status cover_by_part(example_checker *k, const pith_i_piece *p) {
  bool full;
  pith_status rc = pith_i_table_body(&k->m, k->part, p->atoms, p->n, SIZE_MAX,
                                     &k->table, &k->scratch, &full);
  memset(k->part, 0, k->m.words * sizeof *k->part);
  for (size_t i = 0; rc >= 0 && i < k->table.rows; i++) {
    size_t bit = pith_i_sample_bit(&k->m, k->table.at.at[i * k->table.width]);
    k->part[bit >> 6] |= UINT64_C(1) << (bit & 63);
  }
  return rc;
}

static pith_status cover_chunk(const pith_i_exact *x, example_checker *k) {
  const pith_i_set *set = &x->set;
  pith_status rc = PITH_OK;
  memset(k->have, 0, k->m.words * sizeof *k->have);
  for (uint32_t i = 0; i < set->n; i++) {
    memset(k->part, 0xff, k->m.words * sizeof *k->part);
    for (uint32_t p = 0; rc >= 0 && p < set->clause[i]->part_count; p++)
      rc = cover_by_part(k, &x->growth.parts.at[set->clause[i]->part[p]]);
    for (size_t w = 0; w < k->m.words; w++)
      k->have[w] |= k->part[w];
  }
  return rc;
}

pith_status pith_i_find_wrong(pith_i_space *s, const pith_i_exact *x,
                              uint32_t *wrong, uint32_t *n) {
  example_checker k = {.have = NULL};
  size_t words = PITH_TUNE_SEARCH_CHUNK / 64 + 2;
  k.have = pith_i_alloc(s->env, 2 * words * sizeof *k.have);
  uint32_t *pick = pith_i_alloc(s->env, PITH_TUNE_SEARCH_CHUNK * sizeof *pick);
  pith_status rc = k.have == NULL || pick == NULL ? PITH_ENOMEM : PITH_OK;
  k.part = k.have + words;
  *n = 0;
  for (uint32_t at = 0;
       rc >= 0 && at < s->examples && *n < PITH_TUNE_SEARCH_MORE_EXAMPLES;
       at += PITH_TUNE_SEARCH_CHUNK) {
    uint32_t some = s->examples - at < PITH_TUNE_SEARCH_CHUNK
                        ? s->examples - at
                        : PITH_TUNE_SEARCH_CHUNK;
    uint32_t pos = at >= s->positives ? 0 : s->positives - at;
    for (uint32_t i = 0; i < some; i++)
      pick[i] = at + i;
    pith_i_sample_take(&k.m, s, pick, pos < some ? pos : some, some);
    rc = cover_chunk(x, &k);
    for (uint32_t i = 0;
         rc >= 0 && i < some && *n < PITH_TUNE_SEARCH_MORE_EXAMPLES; i++)
      if (pith_i_bit(k.have, pith_i_sample_bit(&k.m, i)) != (i < k.m.positives))
        wrong[(*n)++] = at + i;
  }
  pith_i_table_free(s->env, &k.table);
  pith_i_table_free(s->env, &k.scratch);
  pith_i_release(s->env, k.have);
  pith_i_release(s->env, pick);
  return rc;
}
