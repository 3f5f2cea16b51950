#include "learn/clauses/recursion_finder.h"

#include <string.h>

static bool passes_filter(const uint64_t *filter, uint32_t bit) {
  return filter == NULL || pith_i_bit(filter, bit);
}

static void count_edges(pith_i_recursion_finder *f,
                        const pith_i_recursive_step *s, const uint64_t *from) {
  for (size_t i = 0; i < s->edge_count; i++)
    f->first[s->edges[2 * i] + 1] += passes_filter(from, s->edges[2 * i]);
}

static void place_edges(pith_i_recursion_finder *f,
                        const pith_i_recursive_step *s,
                        const uint64_t *filter) {
  for (size_t i = 0; i < s->edge_count; i++) {
    uint32_t from = s->edges[2 * i];
    if (!passes_filter(filter, from))
      continue;
    f->to.at[f->first[from]++] = s->edges[2 * i + 1];
    f->source[from >> 6] |= UINT64_C(1) << (from & 63);
  }
}

static pith_status load_edges(pith_i_recursion_finder *f,
                              const pith_i_recursive_step *const *steps,
                              const uint64_t *const *from, uint32_t n) {
  size_t edges = 0;
  for (uint32_t i = 0; i < n; i++)
    edges += steps[i]->edge_count;
  f->to.n = 0;
  if (!pith_i_room(f->s->env, &f->to, edges + 1))
    return PITH_ENOMEM;
  f->to.n = edges;
  memset(f->first, 0, (f->bits + 2) * sizeof *f->first);
  memset(f->source, 0, f->m.words * sizeof *f->source);
  for (uint32_t i = 0; i < n; i++)
    count_edges(f, steps[i], from == NULL ? NULL : from[i]);
  for (size_t i = 0; i < f->bits; i++)
    f->first[i + 1] += f->first[i];
  for (uint32_t i = 0; i < n; i++)
    place_edges(f, steps[i], from == NULL ? NULL : from[i]);
  memmove(f->first + 1, f->first, f->bits * sizeof *f->first);
  f->first[0] = 0;
  f->m.work += edges + f->bits / 8;
  return PITH_OK;
}

pith_status pith_i_recursion_load_all(pith_i_recursion_finder *f,
                                      const pith_i_recursive_step *const *steps,
                                      uint32_t n) {
  return load_edges(f, steps, NULL, n);
}

pith_status pith_i_recursion_load_filtered(pith_i_recursion_finder *f,
                                           const pith_i_recursive_step *a,
                                           const uint64_t *from_a,
                                           const pith_i_recursive_step *b,
                                           const uint64_t *from_b) {
  const pith_i_recursive_step *steps[] = {a, b};
  const uint64_t *from[] = {from_a, from_b};
  return load_edges(f, steps, from, b == NULL ? 1 : 2);
}

pith_status pith_i_recursion_load_steps(pith_i_recursion_finder *f,
                                        const pith_i_recursive_step *a,
                                        const pith_i_recursive_step *b) {
  return pith_i_recursion_load_filtered(f, a, NULL, b, NULL);
}

static void set_goal(uint64_t *set, uint32_t bit) {
  set[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

/* Adds to the set all that the goal leads to, itself with it. from and to:
** filters, or NULL. */
static pith_status spread_from_goal(pith_i_recursion_finder *f, uint32_t goal,
                                    const uint64_t *from, const uint64_t *to,
                                    uint64_t *set) {
  if (pith_i_bit(set, goal))
    return PITH_OK;
  set_goal(set, goal);
  f->stack.n = 0;
  if (!pith_i_push(f->s->env, &f->stack, goal))
    return PITH_ENOMEM;
  while (f->stack.n > 0) {
    uint32_t at = f->stack.at[--f->stack.n];
    if (!passes_filter(from, at))
      continue;
    for (uint32_t i = f->first[at]; i < f->first[at + 1]; i++) {
      uint32_t next = f->to.at[i];
      f->m.work++;
      if (pith_i_bit(set, next) || !passes_filter(to, next))
        continue;
      set_goal(set, next);
      if (!pith_i_push(f->s->env, &f->stack, next))
        return PITH_ENOMEM;
    }
  }
  return PITH_OK;
}

/* Whether some base rule may still hold for a goal in the bag: one that no
** negative example leads to. */
static bool could_cover(const pith_i_recursion_finder *f, const uint64_t *bag) {
  for (size_t w = 0; w < f->m.words; w++)
    if ((bag[w] & f->some[w] & ~f->bad[w]) != 0)
      return true;
  return false;
}

/* Whether a negative example leads to a positive one, so that nothing is left
** for that. */
static bool is_positive_bad(const pith_i_recursion_finder *f) {
  for (uint32_t i = 0; i < f->known; i += 64) {
    uint32_t left = f->known - i;
    uint64_t positive = left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
    if ((f->bad[i >> 6] & positive) != 0)
      return true;
  }
  return false;
}

pith_status pith_i_recursion_find_bad(pith_i_recursion_finder *f,
                                      const uint64_t *from, const uint64_t *to,
                                      bool *possible) {
  pith_status rc = PITH_OK;
  memset(f->bad, 0, f->m.words * sizeof *f->bad);
  f->m.work += f->m.words / 4;
  *possible = true;
  for (uint32_t i = f->m.positives; *possible && i < f->m.n; i++) {
    rc = spread_from_goal(f, (uint32_t)pith_i_sample_bit(&f->m, i), from, to,
                          f->bad);
    *possible = rc >= 0 && !is_positive_bad(f);
  }
  return rc;
}

static pith_status fill_bag(pith_i_recursion_finder *f, uint32_t i,
                            const uint64_t *from, const uint64_t *to) {
  size_t words = f->m.words;
  uint64_t *bag = f->bag + (size_t)i * words;
  memset(bag, 0, words * sizeof *bag);
  f->m.work += words / 4;
  return spread_from_goal(f, i, from, to, bag);
}

pith_status pith_i_recursion_find_bags(pith_i_recursion_finder *f,
                                       const uint64_t *from, const uint64_t *to,
                                       bool *possible) {
  size_t words = f->m.words;
  pith_status rc = pith_i_recursion_find_bad(f, from, to, possible);
  for (uint32_t i = 0; *possible && i < f->known; i++) {
    rc = fill_bag(f, i, from, to);
    *possible = rc >= 0 && could_cover(f, f->bag + (size_t)i * words);
  }
  return rc;
}

pith_status pith_i_recursion_leads_to_bases(pith_i_recursion_finder *f,
                                            bool *leads) {
  size_t words = f->m.words;
  pith_status rc = PITH_OK;
  *leads = true;
  for (uint32_t i = 0; *leads && i < f->known; i++) {
    rc = fill_bag(f, i, NULL, NULL);
    *leads = rc >= 0 && pith_i_recursion_sets_meet(f->bag + (size_t)i * words,
                                                   f->some, words);
  }
  return rc;
}

pith_status pith_i_recursion_find_ways(pith_i_recursion_finder *f) {
  size_t words = f->m.words;
  pith_status rc = PITH_OK;
  f->way_count = 0;
  memset(f->some, 0xff, words * sizeof *f->some); /* any base rule may be */
  for (uint32_t i = 0; rc >= 0 && f->s->value != NULL &&
                       f->way_count < PITH_I_BAD_SETS && i < f->graph.steps.n;
       i++) {
    const pith_i_recursive_step *s = &f->graph.steps.at[i];
    bool possible = false;
    if (s->n != 1)
      continue;
    rc = pith_i_recursion_load_steps(f, s, NULL);
    if (rc >= 0)
      rc = pith_i_recursion_find_bags(f, NULL, NULL, &possible);
    if (rc >= 0 && possible)
      memcpy(f->ways + f->way_count++ * words, f->bad, words * sizeof *f->bad);
  }
  memset(f->some, 0, words * sizeof *f->some);
  return rc;
}
