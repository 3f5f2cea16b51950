#include "learn/clauses/noisy_clauses.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"
#include "learn/clauses/oddness.h"
#include "score/length.h"

enum {
  RATES = 4,
};

/* Bits of an error when 3, 8, 16 and 30 % are wrong. */
static const double prices[RATES] = {5.0, 3.5, 2.4, 1.2};

typedef struct {
  double value;
  uint32_t clause;
} ranked;

typedef struct {
  pith_i_exact exact; /* what clauses are made of */
  pith_i_sample *m;
  pith_i_arena arena; /* of covers */
  PITH_I_VEC(pith_i_clause) plain, recursive;
  PITH_I_VEC(ranked) order;
  double positives, all; /* by weight */
  bool weighted;
  double definition;            /* bits of an invented predicate */
  uint64_t *have;               /* (words) */
  uint64_t *lanes;              /* (64 words) for each example, the sets of
                                   those tried that have it */
  double price;                 /* of an error */
  pith_i_set best;              /* by bits, at any price */
  double program, errors, bits; /* of the best */
  double wrong;                 /* examples that it gets wrong */
} noisy_search;

/* ---- errors ------------------------------------------------------------- */

static double weight_covered(const noisy_search *l, const uint64_t *bits,
                             uint32_t from, uint32_t to) {
  double sum = 0;
  for (uint32_t i = from; i < to; i++)
    if (pith_i_bit(bits, pith_i_sample_bit(l->m, i)))
      sum += l->m->space->weight[l->m->pick[i]];
  return sum;
}

static double errors_of(const noisy_search *l, const uint64_t *have) {
  const pith_i_sample *m = l->m;
  if (l->weighted)
    return l->positives - weight_covered(l, have, 0, m->positives) +
           weight_covered(l, have, m->positives, m->n);
  return l->positives - pith_i_count_bits(have, m->pos_words) +
         pith_i_count_bits(have + m->pos_words, m->words - m->pos_words);
}

/* ---- collecting clauses --------------------------------------------- */

static double clause_value(const noisy_search *l, const pith_i_clause *c,
                           double price) {
  return price * (l->positives - errors_of(l, c->cover)) - c->bits -
         l->definition * c->invented;
}

static int by_clause_value(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  return a->value != b->value
             ? (a->value < b->value) - (a->value > b->value)
             : (a->clause > b->clause) - (a->clause < b->clause);
}

/* What a clause is worth beside those that cover l->have already. */
static double value_beside(const noisy_search *l, const pith_i_clause *c,
                           double price, double errors) {
  size_t words = l->m->words;
  uint64_t *both = l->lanes; /* free while clauses are collected */
  for (size_t w = 0; w < words; w++)
    both[w] = l->have[w] | c->cover[w];
  l->m->work += words;
  return price * (errors - errors_of(l, both)) - c->bits -
         l->definition * c->invented;
}

/* The best at one price stay: by themselves, then beside the best of them, and
** so on. Alone, the best are variants of one broad clause. */
static void keep_best(noisy_search *l, const pith_i_clause *at, size_t n,
                      double price, bool *stays) {
  /* Covers of recursive clauses say little of what they cover together. */
  uint32_t rounds = at[0].targets > 0 ? 1 : PITH_I_CHOSEN;
  memset(l->have, 0, l->m->words * sizeof *l->have);
  for (uint32_t round = 0; round < rounds; round++) {
    double errors = errors_of(l, l->have);
    for (size_t i = 0; i < n; i++)
      l->order.at[i] =
          (ranked){value_beside(l, &at[i], price, errors), (uint32_t)i};
    qsort(l->order.at, n, sizeof *l->order.at, by_clause_value);
    size_t most = round == 0 ? PITH_TUNE_NOISE_CLAUSES_RANKED
                             : PITH_TUNE_NOISE_CLAUSES_BESIDE;
    for (size_t i = 0; i < n && i < most; i++)
      stays[l->order.at[i].clause] = true;
    if (l->order.at[0].value <= 0)
      break;
    const pith_i_clause *best = &at[l->order.at[0].clause];
    for (size_t w = 0; w < l->m->words; w++)
      l->have[w] |= best->cover[w];
  }
}

/* The best by each price and the first, which are the shortest, stay. */
static pith_status thin_clauses(noisy_search *l, pith_i_clause *at, size_t *n) {
  pith_i_env *env = l->arena.env;
  bool *stays = pith_i_zalloc(env, *n + 1, sizeof *stays);
  if (stays == NULL || !pith_i_room(env, &l->order, *n)) {
    pith_i_release(env, stays);
    return PITH_ENOMEM;
  }
  for (size_t i = 0; i < *n && i < PITH_TUNE_NOISE_CLAUSES_SHORT; i++)
    stays[i] = true;
  for (uint32_t r = 0; *n > 0 && r < RATES; r++)
    keep_best(l, at, *n, prices[r], stays);
  size_t kept = 0;
  for (size_t i = 0; i < *n; i++)
    if (stays[i])
      at[kept++] = at[i];
  *n = kept;
  pith_i_release(env, stays);
  return PITH_OK;
}

static pith_status note_clause(void *ctx, pith_i_bodies *b,
                               const pith_i_clause *c) {
  noisy_search *l = ctx;
  bool plain = c->targets == 0;
  size_t n = plain ? l->plain.n : l->recursive.n;
  pith_i_clause copy = *c;
  copy.bits += PITH_TUNE_NOISE_EXCEPTION_BITS *
               pith_i_count_exceptions(b->g, c->part, c->part_count);
  bool likely = clause_value(l, &copy, prices[0]) > 0 ||
                clause_value(l, &copy, prices[RATES - 1]) > 0;
  if (!likely && n >= PITH_TUNE_NOISE_CLAUSES_SHORT)
    return PITH_OK;
  size_t bytes = l->m->words * sizeof *c->cover;
  copy.cover = pith_i_arena_alloc(&l->arena, bytes + 8);
  if (copy.cover == NULL ||
      !(plain ? pith_i_push(l->arena.env, &l->plain, copy)
              : pith_i_push(l->arena.env, &l->recursive, copy)))
    return PITH_ENOMEM;
  memcpy(copy.cover, c->cover, bytes);
  if (n + 1 < PITH_TUNE_NOISE_CLAUSES_LISTED)
    return PITH_OK;
  return plain ? thin_clauses(l, l->plain.at, &l->plain.n)
               : thin_clauses(l, l->recursive.at, &l->recursive.n);
}

/* Recursive clauses that need the same of the same are one. */
static pith_status find_edges(noisy_search *l, uint64_t work) {
  size_t kept = 0;
  pith_status rc = PITH_OK;
  uint64_t end = l->m->work + work;
  for (size_t i = 0; rc >= 0 && i < l->recursive.n; i++) {
    bool fresh = false;
    if (l->m->work > end || pith_i_stop_requested(l->exact.growth.limits.run))
      break;
    pith_i_clause c = l->recursive.at[i];
    rc = pith_i_clause_edges(&l->exact.bodies, &c, true, &fresh);
    if (rc >= 0 && fresh)
      l->recursive.at[kept++] = c;
  }
  l->recursive.n = kept;
  return rc;
}

/* ---- sets ----------------------------------------------------------- */

/* Bits to say the set. */
static double length_of(const noisy_search *l, const pith_i_set *set) {
  if (set->n == 0)
    return PITH_TUNE_NOISE_EMPTY_BITS;
  double bits = l->definition * pith_i_set_invented(&l->exact.bodies, set);
  for (uint32_t i = 0; i < set->n; i++)
    bits += set->clause[i]->bits;
  return bits;
}

/* What the plain clauses cover, but for the one at `without`. */
static void cover_plain(noisy_search *l, const pith_i_set *set,
                        uint32_t without) {
  memset(l->have, 0, l->m->words * sizeof *l->have);
  for (uint32_t i = 0; i < set->n; i++)
    for (size_t w = 0;
         i != without && set->clause[i]->targets == 0 && w < l->m->words; w++)
      l->have[w] |= set->clause[i]->cover[w];
  l->m->work += l->m->words * (set->n + 1);
}

/* Bits of the program. One that derives nothing, f(A,B) :- f(B,A), is none. */
static double judge_set(noisy_search *l, const pith_i_set *set,
                        double *errors) {
  cover_plain(l, set, PITH_NONE);
  pith_i_clauses_close(l->m, set->clause, set->n, l->have);
  *errors = errors_of(l, l->have);
  bool vain = set->n > 0 && pith_i_count_bits(l->have, l->m->words) == 0;
  return vain ? INFINITY : length_of(l, set);
}

static double price_of(noisy_search *l, const pith_i_set *set) {
  if (!pith_i_set_allowed(&l->exact.bodies, set))
    return INFINITY;
  double errors, bits = judge_set(l, set, &errors);
  return bits + l->price * errors;
}

/* ---- 64 sets at once ------------------------------------------------ */

static bool has_recursive(const pith_i_set *set, uint32_t without) {
  for (uint32_t i = 0; i < set->n; i++)
    if (i != without && set->clause[i]->targets > 0)
      return true;
  return false;
}

/* What the set covers with each of n plain clauses at `at`, before anything is
** derived: a set a bit. */
static void load_lanes(noisy_search *l, const pith_i_set *set, uint32_t at,
                       const pith_i_clause *clause, uint32_t n) {
  assert(n <= 64);
  cover_plain(l, set, at);
  for (size_t w = 0; w < l->m->words; w++) {
    uint64_t *lanes = l->lanes + w * 64;
    memset(lanes, 0, 64 * sizeof *lanes);
    for (uint32_t k = 0; k < n; k++)
      lanes[k] = clause[k].cover[w];
    pith_i_transpose_block(lanes);
    for (uint64_t rest = l->have[w]; rest != 0; rest &= rest - 1)
      lanes[__builtin_ctzll(rest)] = ~UINT64_C(0);
  }
}

/* Examples whose bits are in word w. */
static uint64_t examples_of_word(const pith_i_sample *m, size_t w) {
  bool positive = w < m->pos_words;
  size_t before = 64 * (positive ? w : w - m->pos_words);
  size_t left = (positive ? m->positives : m->n - m->positives) - before;
  return left < 64 ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
}

/* The weight of the examples of word w whose bits are set. */
static double weight_of_word(const noisy_search *l, size_t w, uint64_t bits) {
  const pith_i_sample *m = l->m;
  size_t first =
      w < m->pos_words ? 64 * w : m->positives + 64 * (w - m->pos_words);
  double sum = 0;
  if (!l->weighted)
    return pith_i_count_bits(&bits, 1);
  for (; bits != 0; bits &= bits - 1)
    sum += m->space->weight[m->pick[first + (size_t)__builtin_ctzll(bits)]];
  return sum;
}

/* Errors of the sets with each of n plain clauses at `at`, n up to 64: what
** they derive, a set a bit. Infinitely many: it derives nothing. */
static void judge_lanes(noisy_search *l, const pith_i_set *set, uint32_t at,
                        const pith_i_clause *clause, uint32_t n,
                        double *errors) {
  uint64_t some[64] = {0};
  load_lanes(l, set, at, clause, n);
  pith_i_clauses_close_lanes(l->m, set->clause, set->n, at, l->lanes);
  memset(errors, 0, n * sizeof *errors);
  for (size_t w = 0; w < l->m->words; w++) {
    uint64_t *sets = l->lanes + w * 64, all = examples_of_word(l->m, w);
    pith_i_transpose_block(sets);
    for (uint32_t k = 0; k < n; k++) {
      some[k] |= sets[k];
      errors[k] += weight_of_word(
          l, w, w < l->m->pos_words ? all & ~sets[k] : all & sets[k]);
    }
  }
  for (uint32_t k = 0; k < n; k++)
    if (some[k] == 0)
      errors[k] = INFINITY;
}

/* Whether to look at no more clauses: asked now and then. */
static bool stops_at_clause(const noisy_search *l, size_t i) {
  return i % 64 == 0 && i > 0 &&
         pith_i_stop_requested(l->exact.growth.limits.run);
}

/* The first of the n clauses with which the set is the cheapest below best, or
** NULL. */
static const pith_i_clause *best_lane(noisy_search *l, pith_i_set *set,
                                      uint32_t at, const pith_i_clause *clause,
                                      size_t n, double *best) {
  const pith_i_clause *kept = NULL;
  double errors[64];
  for (size_t from = 0; from < n && !stops_at_clause(l, from); from += 64) {
    uint32_t some = n - from < 64 ? (uint32_t)(n - from) : 64;
    judge_lanes(l, set, at, clause + from, some, errors);
    for (uint32_t k = 0; k < some; k++) {
      set->clause[at] = &clause[from + k];
      if (l->price * errors[k] >= *best ||
          !pith_i_set_allowed(&l->exact.bodies, set))
        continue;
      double price = length_of(l, set) + l->price * errors[k];
      if (price < *best) {
        *best = price;
        kept = set->clause[at];
      }
    }
  }
  return kept;
}

static const pith_i_clause *best_one(noisy_search *l, pith_i_set *set,
                                     uint32_t at, const pith_i_clause *clause,
                                     size_t n, double *best) {
  const pith_i_clause *kept = NULL;
  for (size_t i = 0; i < n && !stops_at_clause(l, i); i++) {
    set->clause[at] = &clause[i];
    double price = price_of(l, set);
    if (price < *best) {
      *best = price;
      kept = &clause[i];
    }
  }
  return kept;
}

/* The set with its clause at `at` exchanged for each of the clauses in turn,
** which are all plain or all recursive; at == set->n adds one. The best is left
** in set; its price is returned. */
static double exchange_clause(noisy_search *l, pith_i_set *set, uint32_t at,
                              const pith_i_clause *clause, size_t n,
                              double best) {
  assert(at <= set->n);
  const pith_i_clause *was = at < set->n ? set->clause[at] : NULL;
  if (at >= PITH_I_CHOSEN || n == 0)
    return best;
  bool lanes = clause[0].targets == 0 && has_recursive(set, at);
  set->n += was == NULL;
  const pith_i_clause *kept = lanes ? best_lane(l, set, at, clause, n, &best)
                                    : best_one(l, set, at, clause, n, &best);
  set->clause[at] = kept != NULL ? kept : was;
  set->n -= set->clause[at] == NULL;
  return best;
}

static double drop_each(noisy_search *l, pith_i_set *set, double best) {
  for (uint32_t i = 0; i < set->n; i++) {
    pith_i_set less = *set;
    less.clause[i] = less.clause[--less.n];
    double price = price_of(l, &less);
    if (price < best) {
      best = price;
      *set = less;
      i = UINT32_MAX;
    }
  }
  return best;
}

static void note_best_set(noisy_search *l, const pith_i_set *set) {
  double errors, program = judge_set(l, set, &errors);
  double wrong = pith_i_error_bits(errors, l->all);
  if (set->n == 0 || program + wrong >= l->bits)
    return;
  l->bits = program + wrong;
  l->program = program;
  l->errors = wrong;
  l->wrong = errors;
  l->best = *set;
}

/* Adds clauses while that pays; then exchanges and drops. */
static double improve_set(noisy_search *l, pith_i_set *set, double best,
                          const pith_i_exact_limits *limits) {
  uint32_t most = limits->max_rules == 0 ? PITH_I_CHOSEN : limits->max_rules;
  for (uint32_t round = 0; round < PITH_TUNE_NOISE_SWAP_ROUNDS; round++) {
    double before = best;
    while (set->n < most) {
      double was = best;
      best = exchange_clause(l, set, set->n, l->plain.at, l->plain.n, best);
      if (best >= was)
        break;
    }
    for (uint32_t i = 0; i < set->n; i++)
      best = set->clause[i]->targets == 0
                 ? exchange_clause(l, set, i, l->plain.at, l->plain.n, best)
                 : exchange_clause(l, set, i, l->recursive.at, l->recursive.n,
                                   best);
    best = drop_each(l, set, best);
    if (best >= before || l->m->work > l->exact.bodies.work ||
        pith_i_stop_requested(limits->run))
      break;
  }
  note_best_set(l, set);
  return best;
}

/* ---- starts --------------------------------------------------------- */

static size_t rank_clauses(noisy_search *l, const pith_i_clause *at, size_t n,
                           size_t most) {
  for (size_t i = 0; i < n; i++)
    l->order.at[i] = (ranked){clause_value(l, &at[i], l->price), (uint32_t)i};
  if (n > 0)
    qsort(l->order.at, n, sizeof *l->order.at, by_clause_value);
  return n < most ? n : most;
}

/* A recursive clause, or two, with the best plain one to start from. */
static void start_recursive(noisy_search *l, const pith_i_clause *a,
                            const pith_i_clause *b, pith_i_set *best,
                            double *price) {
  pith_i_set set = {.n = 0};
  set.clause[set.n++] = a;
  if (b != NULL)
    set.clause[set.n++] = b;
  if (pith_i_stop_requested(l->exact.growth.limits.run))
    return;
  double now =
      exchange_clause(l, &set, set.n, l->plain.at, l->plain.n, INFINITY);
  if (now < *price) {
    *price = now;
    *best = set;
  }
}

/* Sets of plain clauses, the cheapest few of each size: one broad clause may
** look better than the first of three that say it all. */
typedef struct {
  pith_i_set set;
  uint64_t *cover; /* (words) */
  double price;
} candidate;

typedef struct {
  candidate at[PITH_TUNE_NOISE_BEAM];
  uint32_t n;
  uint64_t *covers; /* (PITH_TUNE_NOISE_BEAM + 1, words), the last one of what
                       is tried */
} beam;

static void enter_beam(beam *b, const pith_i_set *set, const uint64_t *cover,
                       double price, size_t words) {
  assert(b->n <= PITH_TUNE_NOISE_BEAM);
  uint32_t at = b->n;
  while (at > 0 && price < b->at[at - 1].price)
    at--;
  bool there = at > 0 && b->at[at - 1].price == price &&
               memcmp(b->at[at - 1].cover, cover, words * sizeof *cover) == 0;
  if (at == PITH_TUNE_NOISE_BEAM || there)
    return;
  uint64_t *room = b->n < PITH_TUNE_NOISE_BEAM
                       ? b->covers + b->n * words
                       : b->at[PITH_TUNE_NOISE_BEAM - 1].cover;
  b->n += b->n < PITH_TUNE_NOISE_BEAM;
  memmove(&b->at[at + 1], &b->at[at], (b->n - 1 - at) * sizeof *b->at);
  b->at[at] = (candidate){*set, room, price};
  memcpy(room, cover, words * sizeof *room);
}

/* From is with each clause. */
static void extend_beam(noisy_search *l, const candidate *from, beam *to) {
  size_t words = l->m->words;
  uint64_t *cover = to->covers + PITH_TUNE_NOISE_BEAM * words;
  pith_i_set set = from->set;
  set.n++;
  for (size_t i = 0; i < l->plain.n; i++) {
    const pith_i_clause *c = &l->plain.at[i];
    for (size_t w = 0; w < words; w++)
      cover[w] = from->cover[w] | c->cover[w];
    l->m->work += words;
    if (memcmp(cover, from->cover, words * sizeof *cover) == 0)
      continue;
    double errors = l->price * errors_of(l, cover);
    if (to->n == PITH_TUNE_NOISE_BEAM &&
        errors >= to->at[PITH_TUNE_NOISE_BEAM - 1].price)
      continue;
    set.clause[set.n - 1] = c;
    if (pith_i_set_allowed(&l->exact.bodies, &set))
      enter_beam(to, &set, cover, length_of(l, &set) + errors, words);
  }
}

static pith_status start_plain(noisy_search *l,
                               const pith_i_exact_limits *limits) {
  pith_i_env *env = l->arena.env;
  uint32_t most = limits->max_rules == 0 ? PITH_I_CHOSEN : limits->max_rules;
  size_t words = l->m->words;
  beam now = {.n = 0}, next;
  pith_i_set best = {.n = 0};
  double price = price_of(l, &best);
  now.covers = pith_i_zalloc(env, 2 * (PITH_TUNE_NOISE_BEAM + 1) * (words + 1),
                             sizeof *now.covers);
  if (now.covers == NULL)
    return PITH_ENOMEM;
  next.covers = now.covers + (PITH_TUNE_NOISE_BEAM + 1) * (words + 1);
  uint64_t *all = now.covers;
  now.at[now.n++] = (candidate){best, now.covers, price};
  for (uint32_t n = 0, late = 0; n < most && late < 2; n++) {
    next.n = 0;
    for (uint32_t i = 0; i < now.n && !pith_i_stop_requested(limits->run); i++)
      extend_beam(l, &now.at[i], &next);
    beam was = now;
    now = next;
    next = was;
    late++;
    if (now.n > 0 && now.at[0].price < price) {
      price = now.at[0].price;
      best = now.at[0].set;
      late = 0;
    }
  }
  pith_i_release(env, all);
  improve_set(l, &best, price, limits);
  return PITH_OK;
}

static pith_status start_all(noisy_search *l,
                             const pith_i_exact_limits *limits) {
  pith_i_set best = {.n = 0};
  double price = INFINITY;
  uint32_t first[PITH_TUNE_NOISE_CLAUSES_RECURSIVE];
  pith_status rc = start_plain(l, limits);
  size_t n = rank_clauses(l, l->recursive.at, l->recursive.n,
                          PITH_TUNE_NOISE_CLAUSES_RECURSIVE);
  for (size_t i = 0; i < n; i++)
    first[i] = l->order.at[i].clause;
  for (size_t i = 0; i < n; i++)
    start_recursive(l, &l->recursive.at[first[i]], NULL, &best, &price);
  if (best.n > 0)
    improve_set(l, &best, price, limits);
  price = INFINITY;
  best.n = 0;
  for (size_t i = 0; i < n && i < PITH_TUNE_NOISE_PAIRED_RECURSIVE; i++)
    for (size_t k = i + 1; k < n && k < PITH_TUNE_NOISE_PAIRED_RECURSIVE; k++)
      start_recursive(l, &l->recursive.at[first[i]], &l->recursive.at[first[k]],
                      &best, &price);
  if (best.n > 0)
    improve_set(l, &best, price, limits);
  return rc;
}

/* Bits of one error more, where so many are wrong. */
static double price_at(double wrong, double all) {
  return log2((all - wrong + 1) / (wrong + 1));
}

/* At the price that errors have by the best set, as long as it gets better. */
static pith_status settle_price(noisy_search *l,
                                const pith_i_exact_limits *limits) {
  pith_status rc = PITH_OK;
  double before = INFINITY;
  while (rc >= 0 && l->best.n > 0 && l->bits < before &&
         2 * l->wrong < l->all && !pith_i_stop_requested(limits->run)) {
    before = l->bits;
    l->price = price_at(l->wrong, l->all);
    pith_i_set set = l->best;
    improve_set(l, &set, price_of(l, &set), limits);
    rc = start_all(l, limits);
  }
  return rc;
}

/* ---- all of it ------------------------------------------------------ */

static pith_status collect_clauses(noisy_search *l,
                                   const pith_i_exact_limits *limits) {
  pith_i_exact *x = &l->exact;
  uint64_t end = l->m->work + limits->work;
  pith_status rc = PITH_OK;
  for (uint32_t n = 1; rc >= 0 && n <= x->growth.limits.atoms; n++) {
    if (l->m->work > end || pith_i_stop_requested(limits->run))
      break;
    x->growth.limits.work = l->m->work + (end - l->m->work) / 2;
    x->bodies.work = end;
    x->body = x->bodies.now->space.body = n;
    rc = pith_i_growth_level(&x->growth, n);
    if (rc >= 0)
      rc = pith_i_bodies_level(&x->bodies, n);
  }
  x->bodies.work = l->m->work + limits->work;
  if (rc >= 0)
    rc = thin_clauses(l, l->plain.at, &l->plain.n);
  if (rc >= 0)
    rc = thin_clauses(l, l->recursive.at, &l->recursive.n);
  return rc < 0 ? rc : find_edges(l, limits->work / 2);
}

static void weigh_all(noisy_search *l) {
  const pith_i_sample *m = l->m;
  for (uint32_t i = 0; i < m->n; i++) {
    double w = m->space->weight[m->pick[i]];
    l->weighted = l->weighted || w != 1;
    l->all += w;
    l->positives += i < m->positives ? w : 0;
  }
}

/* The best program saves nearly its own length, or there is none. A short one
** is soon found where there is nothing to find: it saves half of it at
** least. */
static pith_status make_best_rules(noisy_search *l, pith_i_arena *arena,
                                   pith_i_verdict *out) {
  double saved = pith_i_error_bits(l->positives, l->all) - l->errors;
  if (l->best.n == 0 ||
      saved < fmax(l->program - PITH_TUNE_NOISE_EMPTY_BITS, l->program / 2)) {
    l->best.n = 0;
    l->program = PITH_TUNE_NOISE_EMPTY_BITS;
    l->errors = pith_i_error_bits(l->positives, l->all);
  }
  out->program = l->program;
  out->errors = l->errors;
  return pith_i_set_rules(&l->exact.growth, &l->best, arena, &out->rules);
}

pith_status pith_i_noise_run(pith_i_sample *m,
                             const pith_i_exact_limits *limits,
                             pith_i_arena *arena, pith_i_verdict *out) {
  pith_i_env *env = m->space->env;
  noisy_search l = {.m = m, .arena = {.env = env}, .bits = INFINITY};
  pith_i_exact_prepare(&l.exact, m, limits);
  l.exact.growth.limits.noisy = true;
  l.exact.bodies.visit = note_clause;
  l.exact.bodies.visit_ctx = &l;
  /* Which shape, and of what. */
  l.definition = 2 + log2(1.0 + m->space->helpers);
  weigh_all(&l);
  /* What takes more bits than the labels themselves is worth nothing. */
  l.exact.growth.limits.bits =
      PITH_TUNE_NOISE_EMPTY_BITS + pith_i_error_bits(l.positives, l.all);
  l.have = pith_i_alloc(env, (m->words + 1) * sizeof *l.have);
  l.lanes = pith_i_alloc(env, (m->words + 1) * 64 * sizeof *l.lanes);
  pith_status rc = l.have == NULL || l.lanes == NULL
                       ? PITH_ENOMEM
                       : collect_clauses(&l, limits);
  for (uint32_t r = 0; rc >= 0 && r < RATES; r++) {
    l.price = prices[r];
    rc = start_all(&l, limits);
  }
  if (rc >= 0)
    rc = settle_price(&l, limits);
  if (rc >= 0)
    rc = make_best_rules(&l, arena, out);
  pith_i_release(env, l.have);
  pith_i_release(env, l.lanes);
  pith_i_vec_free(env, &l.plain);
  pith_i_vec_free(env, &l.recursive);
  pith_i_vec_free(env, &l.order);
  pith_i_arena_free(&l.arena);
  pith_i_exact_free(&l.exact);
  return rc;
}
