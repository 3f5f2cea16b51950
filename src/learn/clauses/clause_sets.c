#include "learn/clauses/clause_sets.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"

/* Indexes of clauses, the better first. */
typedef struct {
  double worth;
  uint32_t clause;
} ranked;

typedef struct {
  const pith_i_bodies *b;
  size_t words;
  uint64_t *all;    /* (words) every positive example           */
  uint64_t *plain;  /* (words) that a plain clause covers       */
  uint64_t *heads;  /* (words) that the recursive ones may give */
  uint64_t *covers; /* (PITH_I_CHOSEN + 1, words) at each depth */
  ranked *order;    /* (PITH_I_CHOSEN + 1, plain clauses)       */
  const pith_i_clause *recursive[2];
  uint32_t recursive_count;
  pith_i_set now, *best;
  uint32_t most, nodes;
  uint32_t cheapest, widest; /* of plain clauses: cost, positives */
} chooser;

/* ---- bits ------------------------------------------------------------- */

static bool has_all(const uint64_t *have, const uint64_t *want, size_t words) {
  uint64_t rest = 0;
  for (size_t i = 0; i < words; i++)
    rest |= want[i] & ~have[i];
  return rest == 0;
}

static uint32_t count_gained(const uint64_t *cover, const uint64_t *have,
                             size_t words) {
  uint32_t n = 0;
  for (size_t i = 0; i < words; i++)
    n += (uint32_t)__builtin_popcountll(cover[i] & ~have[i]);
  return n;
}

static void set_bit(uint64_t *bits, uint32_t i) {
  bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

static void close_cover(const chooser *h, uint64_t *have) {
  pith_i_clauses_close(h->b->g->m, h->recursive, h->recursive_count, have);
}

/* ---- plain clauses ------------------------------------------------------ */

static int by_worth(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  return a->worth != b->worth
             ? (a->worth < b->worth) - (a->worth > b->worth)
             : (a->clause > b->clause) - (a->clause < b->clause);
}

static uint32_t count_covering(const chooser *h, uint32_t example) {
  uint32_t n = 0;
  for (size_t i = 0; i < h->b->plain.n; i++)
    n += pith_i_bit(h->b->plain.at[i].cover, example);
  return n;
}

/* An example that only plain clauses can cover, of a few the hardest; or
** PITH_NONE: all that is left could come by recursion. */
static uint32_t hardest_example(const chooser *h, const uint64_t *have) {
  assert(h->words > 0);
  uint32_t best = PITH_NONE, fewest = UINT32_MAX, looked = 0;
  for (size_t w = 0; w < h->words && looked < 16; w++) {
    uint64_t left = h->all[w] & ~have[w] & ~h->heads[w];
    for (; left != 0 && looked < 16; left &= left - 1, looked++) {
      uint32_t e = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
      uint32_t n = count_covering(h, e);
      if (n < fewest) {
        fewest = n;
        best = e;
      }
    }
  }
  return best;
}

static uint32_t rank_branches(chooser *h, const uint64_t *have,
                              uint32_t example, ranked *order) {
  uint32_t n = 0;
  for (size_t i = 0; i < h->b->plain.n; i++) {
    const pith_i_clause *c = &h->b->plain.at[i];
    if (example != PITH_NONE && !pith_i_bit(c->cover, example))
      continue;
    uint32_t more = count_gained(c->cover, have, h->words);
    if (more > 0)
      order[n++] = (ranked){(double)more / c->cost, (uint32_t)i};
  }
  h->b->g->m->work += h->b->plain.n * (h->words + 1);
  if (n > 0)
    qsort(order, n, sizeof *order, by_worth);
  return example == PITH_NONE && n > PITH_TUNE_SET_BRANCHES
             ? PITH_TUNE_SET_BRANCHES
             : n;
}

/* ---- invented predicates -------------------------------------------- */

uint32_t pith_i_set_invented(const pith_i_bodies *b, const pith_i_set *set) {
  pith_i_helpers h = {.n = 0};
  for (uint32_t i = 0; i < set->n; i++)
    pith_i_clause_helpers(b->g, set->clause[i], &h);
  return h.n;
}

bool pith_i_set_allowed(const pith_i_bodies *b, const pith_i_set *set) {
  return b->max_invented == PITH_NONE ||
         pith_i_set_invented(b, set) <= b->max_invented;
}

/* ---- branching ------------------------------------------------------ */

static void note_set(chooser *h) {
  if (h->now.cost < h->best->cost && pith_i_set_allowed(h->b, &h->now))
    *h->best = h->now;
}

static void branch_on_example(chooser *h, uint32_t depth) {
  assert(depth <= PITH_I_CHOSEN);
  const uint64_t *have = h->covers + depth * h->words;
  if (h->nodes == 0)
    return;
  h->nodes--;
  if (has_all(have, h->all, h->words)) {
    note_set(h);
    return;
  }
  uint32_t left = count_gained(h->all, have, h->words);
  uint64_t need = h->recursive_count > 0 || h->widest == 0
                      ? 1
                      : (left + h->widest - 1) / h->widest;
  if (h->now.cost + need * h->cheapest >= h->best->cost ||
      h->now.n + need > h->most)
    return;
  ranked *order = h->order + depth * h->b->plain.n;
  uint32_t n = rank_branches(h, have, hardest_example(h, have), order);
  for (uint32_t i = 0; i < n && h->nodes > 0; i++) {
    const pith_i_clause *c = &h->b->plain.at[order[i].clause];
    uint64_t *next = h->covers + (depth + 1) * h->words;
    for (size_t w = 0; w < h->words; w++)
      next[w] = have[w] | c->cover[w];
    close_cover(h, next);
    h->now.clause[h->now.n++] = c;
    h->now.cost += c->cost;
    branch_on_example(h, depth + 1);
    h->now.cost -= c->cost;
    h->now.n--;
  }
}

/* ---- recursive clauses --------------------------------------------------- */

/* Whether all plain clauses together would do, with these recursive ones. */
static bool could_do(chooser *h) {
  uint64_t *have = h->covers;
  memset(h->heads, 0, h->words * sizeof *h->heads);
  for (uint32_t r = 0; r < h->recursive_count; r++)
    for (size_t w = 0; w < h->words; w++)
      h->heads[w] |= h->recursive[r]->cover[w];
  for (size_t w = 0; w < h->words; w++)
    have[w] = h->plain[w] | h->heads[w];
  if (!has_all(have, h->all, h->words))
    return false;
  memcpy(have, h->plain, h->words * sizeof *have);
  close_cover(h, have);
  return has_all(have, h->all, h->words);
}

static void try_recursive(chooser *h, const pith_i_clause *a,
                          const pith_i_clause *b) {
  uint64_t cost =
      (a == NULL ? 0 : a->cost) + (uint64_t)(b == NULL ? 0 : b->cost);
  h->recursive[0] = a;
  h->recursive[1] = b;
  h->recursive_count = (a != NULL) + (b != NULL);
  h->now.n = 0;
  for (uint32_t r = 0; r < h->recursive_count; r++)
    h->now.clause[h->now.n++] = h->recursive[r];
  h->now.cost = cost;
  h->nodes =
      a == NULL ? PITH_TUNE_SET_NODES_PLAIN : PITH_TUNE_SET_NODES_RECURSIVE;
  if (cost + h->cheapest >= h->best->cost || h->now.n >= h->most ||
      h->b->g->m->work > h->b->work || !could_do(h))
    return;
  memset(h->covers, 0, h->words * sizeof *h->covers);
  close_cover(h, h->covers); /* from what is given */
  branch_on_example(h, 0);
}

static void choose_sets(chooser *h) {
  const pith_i_bodies *b = h->b;
  try_recursive(h, NULL, NULL);
  for (size_t i = 0; i < b->recursive.n; i++)
    try_recursive(h, &b->recursive.at[i], NULL);
  size_t n = b->recursive.n < PITH_TUNE_SET_PAIRED_RECURSIVE
                 ? b->recursive.n
                 : PITH_TUNE_SET_PAIRED_RECURSIVE;
  for (size_t i = 0; i < n; i++)
    for (size_t k = i + 1; k < n; k++)
      try_recursive(h, &b->recursive.at[i], &b->recursive.at[k]);
}

/* ---- a set made cheaper ------------------------------------------------- */

/* Whether the set gives every positive example without its clause `without`. */
static bool gives_all(chooser *h, const pith_i_set *set, uint32_t without) {
  const pith_i_clause *recursive[PITH_I_CHOSEN + 1];
  uint64_t *have = h->covers;
  uint32_t n = 0;
  memset(have, 0, h->words * sizeof *have);
  for (uint32_t i = 0; i < set->n; i++) {
    const pith_i_clause *c = set->clause[i];
    if (i == without)
      continue;
    if (c->targets > 0)
      recursive[n++] = c;
    for (size_t w = 0; w < h->words && c->targets == 0; w++)
      have[w] |= c->cover[w];
  }
  h->b->g->m->work += set->n * h->words;
  pith_i_clauses_close(h->b->g->m, recursive, n, have);
  return has_all(have, h->all, h->words);
}

static void sort_dearest_first(pith_i_set *set) {
  for (uint32_t i = 1; i < set->n; i++)
    for (uint32_t k = i;
         k > 0 && set->clause[k - 1]->cost < set->clause[k]->cost; k--) {
      const pith_i_clause *c = set->clause[k];
      set->clause[k] = set->clause[k - 1];
      set->clause[k - 1] = c;
    }
}

/* With one clause more, which may spare others. */
static bool improve_with(chooser *h, const pith_i_clause *more) {
  pith_i_set set = *h->best;
  set.clause[set.n++] = more;
  set.cost += more->cost;
  sort_dearest_first(&set);
  for (uint32_t i = 0; i < set.n;) {
    const pith_i_clause *c = set.clause[i];
    if (c == more || !gives_all(h, &set, i)) {
      i++;
      continue;
    }
    set.n--;
    set.cost -= c->cost;
    memmove(&set.clause[i], &set.clause[i + 1],
            (set.n - i) * sizeof(set.clause[0]));
  }
  if (set.cost >= h->best->cost || set.n > h->most ||
      !pith_i_set_allowed(h->b, &set))
    return false;
  *h->best = set;
  return true;
}

/* Exchanges clauses of the best set for one, as long as that is cheaper. So
** there may be more recursive clauses than branching tries together. */
static void improve_set(chooser *h, uint64_t end) {
  const pith_i_bodies *b = h->b;
  size_t n = b->recursive.n + b->plain.n, since = 0;
  for (size_t i = 0; since < n && h->best->n > 1 &&
                     h->best->n < PITH_I_CHOSEN && b->g->m->work < end;
       i = (i + 1) % n, since++) {
    const pith_i_clause *c = i < b->recursive.n
                                 ? &b->recursive.at[i]
                                 : &b->plain.at[i - b->recursive.n];
    if (c->cost + h->cheapest < h->best->cost && improve_with(h, c))
      since = 0;
  }
}

pith_status pith_i_choose_clauses(const pith_i_bodies *b, uint32_t most,
                                  uint64_t below, pith_i_set *out) {
  const pith_i_sample *m = b->g->m;
  pith_i_env *env = b->arena.env;
  chooser h = {.b = b, .words = m->pos_words, .best = out};
  h.most = most == 0 || most > PITH_I_CHOSEN ? PITH_I_CHOSEN : most;
  *out = (pith_i_set){.cost = below};
  size_t depth = PITH_I_CHOSEN + 2;
  h.covers = pith_i_zalloc(env, (depth + 3) * (h.words + 1), sizeof *h.covers);
  h.order = pith_i_alloc(env, depth * (b->plain.n + 1) * sizeof *h.order);
  pith_status rc = PITH_ENOMEM;
  if (h.covers != NULL && h.order != NULL) {
    h.all = h.covers + depth * h.words;
    h.plain = h.all + h.words;
    h.heads = h.plain + h.words;
    h.cheapest = UINT32_MAX;
    for (uint32_t i = 0; i < m->positives; i++)
      set_bit(h.all, i);
    for (size_t i = 0; i < b->plain.n; i++) {
      const pith_i_clause *c = &b->plain.at[i];
      h.cheapest = c->cost < h.cheapest ? c->cost : h.cheapest;
      h.widest = c->pos > h.widest ? c->pos : h.widest;
      for (size_t w = 0; w < h.words; w++)
        h.plain[w] |= c->cover[w];
    }
    uint64_t spare = b->work > m->work ? (b->work - m->work) / 4 : 0;
    if (b->plain.n > 0) {
      choose_sets(&h);
      improve_set(&h, m->work + spare);
    }
    rc = PITH_OK;
  }
  pith_i_release(env, h.covers);
  pith_i_release(env, h.order);
  if (out->n == 0)
    out->cost = UINT64_MAX;
  return rc;
}

/* ---- a part of the examples ------------------------------------------- */

/* Bits for each positive example that is told by itself. */
static double price_of_one(const pith_i_sample *m) {
  return m->positives == 0 ? 0 : log2((double)m->n / m->positives) + 1.5;
}

pith_status pith_i_choose_worth(const pith_i_bodies *b, uint32_t max_rules,
                                pith_i_set *out, uint32_t *covered) {
  const pith_i_sample *m = b->g->m;
  double price = price_of_one(m);
  uint64_t *have = pith_i_zalloc(b->arena.env, m->words + 1, sizeof *have);
  *out = (pith_i_set){.n = 0};
  *covered = 0;
  if (have == NULL)
    return PITH_ENOMEM;
  uint32_t most =
      max_rules == 0 || max_rules > PITH_I_CHOSEN ? PITH_I_CHOSEN : max_rules;
  while (out->n < most) {
    const pith_i_clause *best = NULL;
    double worth = 0;
    for (size_t i = 0; i < b->plain.n; i++) {
      const pith_i_clause *c = &b->plain.at[i];
      double w = price * count_gained(c->cover, have, m->pos_words) - c->bits;
      out->clause[out->n] = c;
      out->n++;
      if (w > worth && pith_i_set_allowed(b, out)) {
        worth = w;
        best = c;
      }
      out->n--;
    }
    if (best == NULL)
      break;
    *covered += count_gained(best->cover, have, m->pos_words);
    for (size_t w = 0; w < m->pos_words; w++)
      have[w] |= best->cover[w];
    out->clause[out->n++] = best;
    out->cost += best->cost;
  }
  pith_i_release(b->arena.env, have);
  return PITH_OK;
}
