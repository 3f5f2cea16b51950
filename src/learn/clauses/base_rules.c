#include "learn/clauses/recursion_finder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"

/* Another rule with the same cover: the cheaper of the two is kept. */
static void replace_base(pith_i_base_rule *old, const pith_i_clause *c) {
  uint64_t *cover = old->clause.cover;
  if (c->cost >= old->clause.cost)
    return;
  old->clause = *c;
  old->clause.cover = cover;
}

static pith_status keep_base(void *ctx, pith_i_bodies *b,
                             const pith_i_clause *c) {
  pith_i_recursion_finder *f = ctx;
  size_t bytes = f->m.words * sizeof *c->cover;
  uint64_t h = pith_i_hash_bytes(c->cover, bytes);
  uint32_t key[2] = {(uint32_t)h, (uint32_t)(h >> 32)}, row;
  bool fresh;
  if (c->neg > 0 || f->bases.n >= PITH_TUNE_GOAL_BASES)
    return PITH_OK;
  pith_status rc =
      pith_i_tuples_add(b->arena.env, &f->covers, key, &row, &fresh);
  if (rc < 0)
    return rc;
  if (!fresh) {
    replace_base(&f->bases.at[row], c);
    return PITH_OK;
  }
  assert(row == f->bases.n);
  pith_i_base_rule one = {.clause = *c};
  one.clause.cover = pith_i_arena_alloc(&b->arena, bytes + 8);
  if (one.clause.cover == NULL)
    return PITH_ENOMEM;
  memcpy(one.clause.cover, c->cover, bytes);
  return pith_i_push(b->arena.env, &f->bases, one) ? PITH_OK : PITH_ENOMEM;
}

/* Of those that cost the same, what says less comes first: of the goals that it
** holds for most have no label. */
static int by_cost(const void *x, const void *y) {
  const pith_i_clause *a = &((const pith_i_base_rule *)x)->clause,
                      *b = &((const pith_i_base_rule *)y)->clause;
  return a->cost != b->cost ? (a->cost > b->cost) - (a->cost < b->cost)
                            : (a->pos > b->pos) - (a->pos < b->pos);
}

static uint32_t at_most(uint32_t wanted, uint32_t limit) {
  return limit != 0 && limit < wanted ? limit : wanted;
}

static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

pith_status pith_i_recursion_make_bases(pith_i_recursion_finder *f) {
  const pith_i_exact_limits *l = f->limits;
  uint32_t head = f->s->head, bases = pith_i_recursion_most_base_atoms(f);
  uint32_t most = at_most(PITH_TUNE_GOAL_FILTER_ATOMS, l->max_body);
  pith_i_grow_limits grow = {
      .atoms =
          at_most(most, greater(bases, pith_i_recursion_most_atoms(f, false))),
      .vars = PITH_TUNE_GOAL_FILTER_ATOMS,
      .rows = 8 * ((size_t)f->m.n + 100),
      .open = true,
      .run = l->run};
  grow.bad_count = f->way_count;
  for (uint32_t i = 0; i < f->way_count; i++)
    grow.bad[i] = f->ways + i * f->m.words;
  if (l->max_vars > 0)
    grow.vars = l->max_vars > head
                    ? at_most(PITH_TUNE_GOAL_FILTER_ATOMS, l->max_vars - head)
                    : 0;
  if (l->below != UINT64_MAX)
    grow.below = l->below - pith_i_recursion_least_cost_beside(f);
  pith_i_growth_init(&f->growth, &f->m, &grow);
  pith_i_bodies_init(&f->bodies, &f->growth);
  f->bodies.now = &l->run->now;
  f->bodies.max_vars = l->max_vars;
  f->bodies.visit = keep_base;
  f->bodies.visit_ctx = f;
  pith_status rc = PITH_OK;
  for (uint32_t n = 1; rc >= 0 && n <= grow.atoms; n++) {
    f->growth.limits.work = f->m.work + l->work / 8;
    rc = pith_i_growth_level(&f->growth, n);
    f->bodies.work = f->m.work + l->work / 8;
    if (rc >= 0 && n <= at_most(PITH_TUNE_GOAL_BASE_ATOMS, bases))
      rc = pith_i_bodies_level(&f->bodies, n);
  }
  if (f->bases.n > 1)
    qsort(f->bases.at, f->bases.n, sizeof *f->bases.at, by_cost);
  for (size_t i = 0; i < f->bases.n; i++)
    for (size_t w = 0; w < f->m.words; w++)
      f->some[w] |= f->bases.at[i].clause.cover[w];
  return rc;
}

/* ---- for a recursive rule ---------------------------------------------- */

static void cover_bags(const pith_i_recursion_finder *f, const uint64_t *cover,
                       uint64_t *out, uint32_t *count) {
  *count = 0;
  memset(out, 0, (f->known / 64 + 1) * sizeof *out);
  for (uint32_t i = 0; i < f->known; i++)
    if (pith_i_recursion_sets_meet(cover, f->bag + (size_t)i * f->m.words,
                                   f->m.words)) {
      out[i >> 6] |= UINT64_C(1) << (i & 63);
      ++*count;
    }
}

static bool covers_within(const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t w = 0; w < words; w++)
    if ((a[w] & ~b[w]) != 0)
      return false;
  return true;
}

/* Keeps what is covered unless a cheaper rule covers as much. */
static void keep_partial(pith_i_partial_covers *p, uint32_t rule) {
  const uint64_t *mine = p->covers + p->n * p->words;
  for (uint32_t i = 0; i < p->n; i++)
    if (covers_within(mine, p->covers + i * p->words, p->words))
      return;
  p->rule[p->n++] = rule;
}

static uint32_t count_both(const pith_i_partial_covers *p, uint32_t a,
                           uint32_t b, uint32_t c) {
  uint32_t n = 0;
  for (size_t w = 0; w < p->words; w++)
    n += (uint32_t)__builtin_popcountll(p->covers[a * p->words + w] |
                                        p->covers[b * p->words + w] |
                                        p->covers[c * p->words + w]);
  return n;
}

static void try_several(pith_i_recursion_finder *f,
                        const pith_i_partial_covers *p,
                        const pith_i_recursive_program *c) {
  uint64_t alone = c->cost;
  uint32_t rules = f->limits->max_rules == 0 ? PITH_NONE : f->limits->max_rules;
  uint32_t steps = c->other == PITH_NONE ? 1 : 2;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t j = i + 1; j < p->n; j++)
      for (uint32_t k = j; k < p->n; k++) {
        uint64_t cost = alone + pith_i_recursion_base_cost(f, p->rule[i]) +
                        pith_i_recursion_base_cost(f, p->rule[j]) +
                        (k > j ? pith_i_recursion_base_cost(f, p->rule[k]) : 0);
        if (cost >= f->best.cost || steps + 2 + (k > j) > rules)
          break;
        f->m.work += p->words;
        if (count_both(p, i, j, k) < f->known)
          continue;
        f->best = *c;
        f->best.cost = cost;
        f->best.bases[0] = p->rule[i];
        f->best.bases[1] = p->rule[j];
        f->best.bases[2] = p->rule[k];
        f->best.base_count = 2 + (k > j);
      }
}

void pith_i_recursion_try_bases(pith_i_recursion_finder *f,
                                pith_i_recursive_program *c,
                                pith_i_partial_covers *p) {
  uint64_t alone = c->cost;
  p->n = 0;
  for (uint32_t i = 0; i < f->bases.n; i++) {
    const pith_i_clause *b = &f->bases.at[i].clause;
    uint32_t count;
    if (alone + b->cost >= f->best.cost)
      break;
    f->m.work += 2;
    if (pith_i_recursion_sets_meet(b->cover, f->bad, f->m.words))
      continue;
    f->m.work += f->known;
    cover_bags(f, b->cover, p->covers + p->n * p->words, &count);
    if (count == f->known) {
      c->cost = alone + b->cost;
      c->bases[0] = i;
      c->base_count = 1;
      f->best = *c;
      break; /* those after it cost more */
    }
    if (count > 0 && p->n + 1 < PITH_TUNE_GOAL_BASES_COMBINED)
      keep_partial(p, i);
  }
  c->cost = alone;
  if (p->n > 1)
    try_several(f, p, c);
}
