#include "learn/clauses/recursion.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "learn/clauses/goal_graph.h"
#include "learn/clauses/oddness.h"

typedef pith_i_recursive_step step;

/* A rule that is not recursive, and where it holds. */
typedef struct {
  pith_i_clause clause; /* with a cover of its own */
} base;

typedef enum { NO_FILTER, FILTER_FROM, FILTER_TO } filter_place;

/* A recursive program, or, with cost UINT64_MAX, none. */
typedef struct {
  uint64_t cost;
  uint32_t step, other; /* other: a second step, or PITH_NONE */
  uint32_t filter;      /* a part, where there is one         */
  filter_place place;
  uint32_t bases[PITH_TUNE_GOAL_BASE_RULES], base_count;
} candidate;

typedef struct {
  pith_i_space *s;
  const pith_i_exact_limits *limits;
  pith_i_goal_graph graph;
  pith_i_sample m; /* all goals: positive, hidden, negative */
  uint32_t known;  /* positive ones with a label            */
  pith_i_growth growth;
  pith_i_bodies bodies;
  PITH_I_VEC(base) bases;
  pith_i_tuples covers; /* (bases) hashes of their covers */
  size_t bits;          /* 64 words */
  /* Of the step or steps at hand: where the edges of a goal start. */
  uint32_t *first; /* (bits + 1) into to                  */
  PITH_I_VEC(uint32_t) to, stack;
  uint64_t *source; /* (words) goals that lead on          */
  uint64_t *bad;    /* (words) negative ones lead to these */
  uint64_t *bag;    /* (known, words) a positive one to these */
  uint64_t *some;   /* (words) that some base rule covers  */
  uint16_t target;  /* as a choice, to write rules with */
  uint64_t end;     /* of the work, by the sample's count  */
  candidate best;
} finder;

/* ---- what costs too much ----------------------------------------------- */

/* Of a recursive rule with so many atoms before the next goal, at least. */
static uint64_t least_cost_of_rule(const finder *f, uint32_t atoms,
                                   bool crossed) {
  return (uint64_t)PITH_I_COST * (2 + atoms) + 64 * (uint64_t)atoms +
         f->s->head + (crossed ? PITH_I_CROSSED : 0);
}

/* Of a base rule: an atom with a variable of the head. */
static uint64_t least_cost_of_base(void) {
  return 2 * PITH_I_COST + PITH_TUNE_CLAUSE_GIVEN_COST + 1;
}

/* Of a program. Without atoms before the next goal the arguments change their
** places; one atom has two of its own. */
static uint64_t least_cost_of_program(const finder *f) {
  uint64_t turned = least_cost_of_rule(f, 0, true);
  uint64_t straight = least_cost_of_rule(f, 1, false) + 2;
  return least_cost_of_base() + (turned < straight ? turned : straight);
}

/* The least that a program costs beside a base rule, or beside the filter of
 *its
 ** recursive rule. */
static uint64_t least_cost_beside(const finder *f) {
  uint64_t filtered = PITH_I_COST + least_cost_of_base();
  uint64_t rule = least_cost_of_program(f) - least_cost_of_base();
  return rule < filtered ? rule : filtered;
}

/* Atoms that a recursive rule can have before its next goal: with one more
** and the smallest base rule the program would cost as much as the best. */
static uint32_t most_atoms(const finder *f, bool crossed) {
  uint32_t n = 0;
  while (n < PITH_I_ATOMS &&
         least_cost_of_rule(f, n + 1, crossed) + least_cost_of_base() <
             f->limits->below)
    n++;
  return n;
}

/* The same of a base rule, beside the smallest recursive one. */
static uint32_t most_base_atoms(const finder *f) {
  uint64_t rule = least_cost_of_rule(f, 0, false);
  uint32_t n = 1;
  while (n < PITH_I_ATOMS &&
         rule + PITH_I_COST * (uint64_t)(n + 2) < f->limits->below)
    n++;
  return n;
}

/* ---- goals as examples ------------------------------------------------- */

/* The space's examples are the goals from now on: the positive ones, the
** hidden ones, which count as positive, then the negative ones. */
static pith_status adopt_goals(finder *f) {
  pith_i_space *s = f->s;
  const pith_i_tuples *goals = &f->graph.goals;
  uint32_t n = (uint32_t)goals->n, hidden = n - s->examples;
  size_t bytes = ((size_t)n * s->head + 1) * sizeof *s->args;
  uint32_t *args = pith_i_alloc(s->env, bytes);
  double *weight = pith_i_alloc(s->env, (n + 1) * sizeof *weight);
  uint32_t *pick = pith_i_alloc(s->env, (n + 1) * sizeof *pick);
  if (args == NULL || weight == NULL || pick == NULL) {
    pith_i_release(s->env, args);
    pith_i_release(s->env, weight);
    pith_i_release(s->env, pick);
    return PITH_ENOMEM;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i < s->positives  ? i
                  : i < s->examples ? i + hidden
                                    : i - s->examples + s->positives;
    memcpy(args + (size_t)at * s->head, goals->at + (size_t)i * s->head,
           s->head * sizeof *args);
    weight[i] = 1;
    pick[i] = i;
  }
  pith_i_release(s->env, s->args);
  pith_i_release(s->env, s->weight);
  s->args = args;
  s->weight = weight;
  f->known = s->positives;
  s->positives += hidden;
  s->examples = n;
  pith_i_sample_take(&f->m, s, pick, s->positives, n);
  f->bits = 64 * f->m.words;
  return pith_i_space_find_domains(s);
}

/* The bit of a goal by its number in the graph. */
static uint32_t bit_of(const finder *f, uint32_t goal) {
  uint32_t hidden = f->s->positives - f->known;
  uint32_t labelled = f->s->examples - hidden;
  uint32_t at = goal < f->known   ? goal
                : goal < labelled ? goal + hidden
                                  : goal - labelled + f->known;
  return (uint32_t)pith_i_sample_bit(&f->m, at);
}

static void edges_to_bits(finder *f) {
  for (size_t i = 0; i < f->graph.steps.n; i++) {
    step *s = &f->graph.steps.at[i];
    for (size_t k = 0; k < 2 * s->edge_count; k++)
      s->edges[k] = bit_of(f, s->edges[k]);
  }
}

/* ---- base rules -------------------------------------------------------- */

/* Another rule with the same cover: the cheaper of the two is kept. */
static void replace_base(base *old, const pith_i_clause *c) {
  uint64_t *cover = old->clause.cover;
  if (c->cost >= old->clause.cost)
    return;
  old->clause = *c;
  old->clause.cover = cover;
}

static pith_status keep_base(void *ctx, pith_i_bodies *b,
                             const pith_i_clause *c) {
  finder *f = ctx;
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
  base one = {.clause = *c};
  one.clause.cover = pith_i_arena_alloc(&b->arena, bytes + 8);
  if (one.clause.cover == NULL)
    return PITH_ENOMEM;
  memcpy(one.clause.cover, c->cover, bytes);
  return pith_i_push(b->arena.env, &f->bases, one) ? PITH_OK : PITH_ENOMEM;
}

static int by_cost(const void *x, const void *y) {
  const base *a = x, *b = y;
  return (a->clause.cost > b->clause.cost) - (a->clause.cost < b->clause.cost);
}

static uint32_t at_most(uint32_t wanted, uint32_t limit) {
  return limit != 0 && limit < wanted ? limit : wanted;
}

static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Parts over all goals, for filters; and base rules made of them. */
static pith_status make_bases(finder *f) {
  const pith_i_exact_limits *l = f->limits;
  uint32_t head = f->s->head, bases = most_base_atoms(f);
  uint32_t most = at_most(PITH_TUNE_GOAL_FILTER_ATOMS, l->max_body);
  pith_i_grow_limits grow = {
      .atoms = at_most(most, greater(bases, most_atoms(f, false))),
      .vars = PITH_TUNE_GOAL_FILTER_ATOMS,
      .rows = 8 * ((size_t)f->m.n + 100),
      .open = true,
      .run = l->run};
  if (l->max_vars > 0)
    grow.vars = l->max_vars > head
                    ? at_most(PITH_TUNE_GOAL_FILTER_ATOMS, l->max_vars - head)
                    : 0;
  if (l->below != UINT64_MAX)
    grow.below = l->below - least_cost_beside(f);
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

/* ---- one recursive rule, or two ------------------------------------------ */

static void count_edges(finder *f, const step *s) {
  for (size_t i = 0; i < s->edge_count; i++)
    f->first[s->edges[2 * i] + 1]++;
}

static void place_edges(finder *f, const step *s) {
  for (size_t i = 0; i < s->edge_count; i++) {
    uint32_t from = s->edges[2 * i];
    f->to.at[f->first[from]++] = s->edges[2 * i + 1];
    f->source[from >> 6] |= UINT64_C(1) << (from & 63);
  }
}

/* The edges of one step, or of two, by where they start. */
static pith_status load_steps(finder *f, const step *a, const step *b) {
  size_t n = a->edge_count + (b == NULL ? 0 : b->edge_count);
  f->to.n = 0;
  if (!pith_i_room(f->s->env, &f->to, n + 1))
    return PITH_ENOMEM;
  f->to.n = n;
  memset(f->first, 0, (f->bits + 2) * sizeof *f->first);
  memset(f->source, 0, f->m.words * sizeof *f->source);
  count_edges(f, a);
  if (b != NULL)
    count_edges(f, b);
  for (size_t i = 0; i < f->bits; i++)
    f->first[i + 1] += f->first[i];
  place_edges(f, a);
  if (b != NULL)
    place_edges(f, b);
  memmove(f->first + 1, f->first, f->bits * sizeof *f->first);
  f->first[0] = 0;
  f->m.work += n + f->bits / 8;
  return PITH_OK;
}

static void set_goal(uint64_t *set, uint32_t bit) {
  set[bit >> 6] |= UINT64_C(1) << (bit & 63);
}

static bool passes_filter(const uint64_t *filter, uint32_t bit) {
  return filter == NULL || pith_i_bit(filter, bit);
}

/* Adds to the set all that the goal leads to, itself with it. from and to:
** filters, or NULL. */
static pith_status spread_from_goal(finder *f, uint32_t goal,
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

static bool sets_meet(const uint64_t *a, const uint64_t *b, size_t words) {
  for (size_t w = 0; w < words; w++)
    if ((a[w] & b[w]) != 0)
      return true;
  return false;
}

/* Whether some base rule may still hold for a goal of each positive example:
** one of its goals that no negative example leads to. */
static bool could_cover(const finder *f) {
  for (uint32_t i = 0; i < f->known; i++) {
    const uint64_t *bag = f->bag + (size_t)i * f->m.words;
    bool can = false;
    for (size_t w = 0; w < f->m.words && !can; w++)
      can = (bag[w] & f->some[w] & ~f->bad[w]) != 0;
    if (!can)
      return false;
  }
  return true;
}

static pith_status find_bags(finder *f, const uint64_t *from,
                             const uint64_t *to, bool *possible) {
  size_t words = f->m.words;
  pith_status rc = PITH_OK;
  memset(f->bad, 0, words * sizeof *f->bad);
  memset(f->bag, 0, f->known * words * sizeof *f->bag);
  f->m.work += f->known * words / 4;
  for (uint32_t i = f->m.positives; rc >= 0 && i < f->m.n; i++)
    rc = spread_from_goal(f, (uint32_t)pith_i_sample_bit(&f->m, i), from, to,
                          f->bad);
  for (uint32_t i = 0; rc >= 0 && i < f->known; i++)
    rc = spread_from_goal(f, i, from, to, f->bag + (size_t)i * words);
  *possible = rc >= 0 && could_cover(f);
  return rc;
}

/* ---- base rules for it -------------------------------------------------- */

/* Base rules that cover some of the positive examples by way of the steps. */
typedef struct {
  uint32_t rule[PITH_TUNE_GOAL_BASES_COMBINED];
  uint64_t *covers; /* (PITH_TUNE_GOAL_BASES_COMBINED, words) */
  uint32_t n;
  size_t words; /* of the positive examples */
} partial_covers;

static void cover_bags(const finder *f, const uint64_t *cover, uint64_t *out,
                       uint32_t *count) {
  *count = 0;
  memset(out, 0, (f->known / 64 + 1) * sizeof *out);
  for (uint32_t i = 0; i < f->known; i++)
    if (sets_meet(cover, f->bag + (size_t)i * f->m.words, f->m.words)) {
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
static void keep_partial(partial_covers *p, uint32_t rule) {
  const uint64_t *mine = p->covers + p->n * p->words;
  for (uint32_t i = 0; i < p->n; i++)
    if (covers_within(mine, p->covers + i * p->words, p->words))
      return;
  p->rule[p->n++] = rule;
}

static uint32_t count_both(const partial_covers *p, uint32_t a, uint32_t b,
                           uint32_t c) {
  uint32_t n = 0;
  for (size_t w = 0; w < p->words; w++)
    n += (uint32_t)__builtin_popcountll(p->covers[a * p->words + w] |
                                        p->covers[b * p->words + w] |
                                        p->covers[c * p->words + w]);
  return n;
}

static uint64_t cost_of_base(const finder *f, uint32_t i) {
  return f->bases.at[i].clause.cost;
}

static void try_several(finder *f, const partial_covers *p, candidate *c) {
  uint64_t alone = c->cost;
  uint32_t rules = f->limits->max_rules == 0 ? PITH_NONE : f->limits->max_rules;
  uint32_t steps = c->other == PITH_NONE ? 1 : 2;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t j = i + 1; j < p->n; j++)
      for (uint32_t k = j; k < p->n; k++) {
        uint64_t cost = alone + cost_of_base(f, p->rule[i]) +
                        cost_of_base(f, p->rule[j]) +
                        (k > j ? cost_of_base(f, p->rule[k]) : 0);
        if (cost >= f->best.cost || steps + 2 + (k > j) > rules)
          break;
        f->m.work += p->words;
        if (count_both(p, i, j, k) < f->known)
          continue;
        *c = (candidate){.cost = cost,
                         .step = c->step,
                         .other = c->other,
                         .filter = c->filter,
                         .place = c->place,
                         .bases = {p->rule[i], p->rule[j], p->rule[k]},
                         .base_count = 2 + (k > j)};
        f->best = *c;
      }
}

static void try_bases(finder *f, candidate *c, partial_covers *p) {
  uint64_t alone = c->cost;
  p->n = 0;
  for (uint32_t i = 0; i < f->bases.n; i++) {
    const pith_i_clause *b = &f->bases.at[i].clause;
    uint32_t count;
    if (alone + b->cost >= f->best.cost)
      break;
    f->m.work += 2;
    if (sets_meet(b->cover, f->bad, f->m.words))
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

/* ---- all recursive rules ----------------------------------------------- */

static uint32_t places_of(const finder *f, const pith_i_lit *atoms,
                          uint32_t n) {
  uint32_t places = 0;
  for (uint32_t i = 0; i < n; i++)
    places += f->s->choices.at[atoms[i].choice].full;
  return places;
}

static uint64_t least_cost(const finder *f, const step *s, uint32_t atoms) {
  return least_cost_of_rule(f, atoms, s->crossed);
}

static uint64_t cost_of_rule(const finder *f, const step *s,
                             const pith_i_lit *atoms, uint32_t n) {
  return least_cost(f, s, n) + places_of(f, atoms, n) +
         PITH_I_BACKWARD * pith_i_count_backward(f->s, atoms, n);
}

/* The filter's atoms behind the step's, its variables after them. */
static uint32_t append_filter(const finder *f, const candidate *c,
                              pith_i_lit *out) {
  const step *s = &f->graph.steps.at[c->step];
  const pith_i_piece *p = &f->growth.parts.at[c->filter];
  uint32_t head = f->s->head;
  assert(s->n + p->n < PITH_I_ATOMS);
  for (uint32_t i = 0; i < p->n; i++) {
    out[i] = p->atoms[i];
    for (uint32_t k = 0; k < f->s->choices.at[out[i].choice].arity; k++) {
      uint8_t *v = &out[i].arg[k];
      *v = (uint8_t)(*v >= head              ? *v + s->vars
                     : c->place == FILTER_TO ? s->goal[*v]
                                             : *v);
    }
  }
  return p->n;
}

/* Whether b says what a does but for one variable, from `fresh` on, which then
** is *which and has another in a. */
static bool says_same(const pith_i_lit *a, const pith_i_lit *b, uint32_t arity,
                      uint32_t fresh, uint32_t *which, uint32_t *as) {
  uint32_t differ = 0;
  for (uint32_t k = 0; k < arity; k++)
    if (a->arg[k] != b->arg[k]) {
      differ++;
      *which = b->arg[k];
      *as = a->arg[k];
    }
  return a->choice == b->choice &&
         (differ == 0 || (differ == 1 && arity > 1 && *which >= fresh));
}

static void replace_variable(const finder *f, pith_i_lit *atoms, uint32_t n,
                             uint32_t which, uint32_t as) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < f->s->choices.at[atoms[i].choice].arity; k++) {
      uint8_t *v = &atoms[i].arg[k];
      *v = (uint8_t)(*v == which ? as : *v > which ? *v - 1u : *v);
    }
}

/* Leaves out the j-th atom if one before it says the same. */
static bool merge_atom(const finder *f, pith_i_lit *atoms, uint32_t *n,
                       uint32_t j, uint32_t fresh) {
  for (uint32_t i = 0; i < j; i++) {
    uint32_t which = PITH_NONE, as = 0;
    uint32_t arity = f->s->choices.at[atoms[j].choice].arity;
    if (!says_same(&atoms[i], &atoms[j], arity, fresh, &which, &as))
      continue;
    memmove(&atoms[j], &atoms[j + 1], (*n - j - 1) * sizeof *atoms);
    --*n;
    if (which != PITH_NONE)
      replace_variable(f, atoms, *n, which, as);
    return true;
  }
  return false;
}

/* The rule's atoms: the step's, then the filter's, which may be among them.
** Where two atoms say the same but for a variable of the filter, that one is
** taken to be the other; the judge will say whether it is. merge false: as it
** stands. Returns the number of atoms. */
static uint32_t put_together(const finder *f, const candidate *c, bool merge,
                             pith_i_lit *out) {
  const step *s = &f->graph.steps.at[c->step];
  uint32_t n = s->n, fresh = f->s->head + s->vars;
  memcpy(out, s->atoms, s->n * sizeof *out);
  if (c->place == NO_FILTER)
    return n;
  n += append_filter(f, c, out + n);
  for (uint32_t j = s->n; merge && j < n; j++)
    if (merge_atom(f, out, &n, j, fresh))
      j = s->n - 1; /* what was different may be the same now */
  return n;
}

/* Whether atoms and the next goal bind all of the head's variables. */
static bool binds_head(const finder *f, const step *s, const pith_i_lit *atoms,
                       uint32_t n) {
  uint32_t bound = 0;
  for (uint32_t p = 0; p < f->s->head; p++)
    bound |= UINT32_C(1) << s->goal[p];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t p = 0; p < f->s->choices.at[atoms[i].choice].arity; p++)
      bound |= UINT32_C(1) << atoms[i].arg[p];
  uint32_t all = (UINT32_C(1) << f->s->head) - 1;
  return (bound & all) == all;
}

static bool is_allowed(const finder *f, const step *s, const pith_i_lit *atoms,
                       uint32_t n) {
  const pith_i_exact_limits *l = f->limits;
  uint32_t vars = f->s->head + pith_i_lits_vars(f->s, atoms, n);
  return (l->max_body == 0 || n + 1 <= l->max_body) &&
         (l->max_vars == 0 || vars <= l->max_vars) && vars < PITH_I_VARS &&
         binds_head(f, s, atoms, n);
}

static pith_status try_rule(finder *f, candidate *c, partial_covers *p) {
  pith_i_lit atoms[PITH_I_ATOMS];
  const uint64_t *filter =
      c->place == NO_FILTER ? NULL : f->growth.parts.at[c->filter].cover;
  uint32_t n = put_together(f, c, true, atoms);
  bool possible = false;
  c->cost = cost_of_rule(f, &f->graph.steps.at[c->step], atoms, n);
  if (!is_allowed(f, &f->graph.steps.at[c->step], atoms, n) ||
      c->cost + cost_of_base(f, 0) >= f->best.cost)
    return PITH_OK;
  pith_status rc = find_bags(f, c->place == FILTER_FROM ? filter : NULL,
                             c->place == FILTER_TO ? filter : NULL, &possible);
  if (rc >= 0 && possible)
    try_bases(f, c, p);
  return rc;
}

static bool is_out_of_work(const finder *f) {
  return f->m.work > f->end || pith_i_stop_requested(f->limits->run);
}

/* Whether the filter lets some of the step through, and not all. */
static bool filters_step(const finder *f, const pith_i_piece *p) {
  bool some = false, all = true;
  for (size_t w = 0; w < f->m.words; w++) {
    some = some || (f->source[w] & p->cover[w]) != 0;
    all = all && (f->source[w] & ~p->cover[w]) == 0;
  }
  return some && !all;
}

/* A = B is said in the head, not in the body. */
static bool is_equality(const finder *f, const pith_i_piece *p) {
  return f->s->choices.at[p->atoms[0].choice].kind == PITH_I_EQUAL_ATOM;
}

/* The step with each filter of so many atoms; 0: alone. */
static pith_status try_filters(finder *f, uint32_t number, uint32_t atoms,
                               partial_covers *p) {
  candidate c = {.step = number, .other = PITH_NONE};
  if (atoms == 0)
    return try_rule(f, &c, p);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < f->growth.level[atoms].n; i++) {
    c.filter = f->growth.level[atoms].at[i].part;
    const pith_i_piece *part = &f->growth.parts.at[c.filter];
    if (part->twin || is_equality(f, part) || is_out_of_work(f))
      continue;
    f->m.work += f->m.words / 4 + 1;
    c.place = FILTER_FROM;
    if (filters_step(f, part))
      rc = try_rule(f, &c, p);
    c.place = FILTER_TO;
    if (rc >= 0)
      rc = try_rule(f, &c, p);
  }
  return rc;
}

/* Rules of one more atom each time, so that small ones are tried before the
** work is used up. A filter may share up to two atoms with its step. */
static pith_status try_steps(finder *f, partial_covers *p) {
  pith_status rc = PITH_OK;
  for (uint32_t size = 0;
       rc >= 0 && size <= PITH_I_STEP_ATOMS + PITH_TUNE_GOAL_FILTER_ATOMS;
       size++)
    for (uint32_t i = 0; rc >= 0 && i < f->graph.steps.n; i++) {
      const step *s = &f->graph.steps.at[i];
      uint64_t least = least_cost(f, s, size > 2 ? size - 2 : size);
      if (size < s->n || size - s->n > PITH_TUNE_GOAL_FILTER_ATOMS ||
          f->bases.n == 0 || least + cost_of_base(f, 0) >= f->best.cost ||
          is_out_of_work(f))
        continue;
      rc = load_steps(f, s, NULL);
      if (rc >= 0)
        rc = try_filters(f, i, size - s->n, p);
    }
  return rc;
}

/* ---- rules ------------------------------------------------------------- */

/* The target as an atom of a body; only to be written. */
static pith_status add_target_choice(finder *f) {
  pith_i_kind_of_atom c = {.pred = f->s->target, .kind = PITH_I_TARGET_ATOM};
  c.full = c.arity = f->s->head;
  for (uint32_t i = 0; i < PITH_I_PLACES; i++) {
    c.place[i] = (uint8_t)i;
    c.fixed[i] = PITH_NONE;
  }
  f->target = (uint16_t)f->s->choices.n;
  return pith_i_push(f->s->env, &f->s->choices, c) ? PITH_OK : PITH_ENOMEM;
}

/* A recursive rule as a clause of one part. */
static pith_status rule_clause(finder *f, const candidate *c, bool merge,
                               pith_i_clause *out) {
  pith_i_growth *g = &f->growth;
  const step *s = &f->graph.steps.at[c->step];
  pith_i_piece p = {
      .atoms = pith_i_arena_alloc(&g->arena, PITH_I_ATOMS * sizeof *p.atoms)};
  if (p.atoms == NULL)
    return PITH_ENOMEM;
  p.n = put_together(f, c, merge, p.atoms);
  pith_i_lit *goal = &p.atoms[p.n++];
  goal->choice = f->target;
  memcpy(goal->arg, s->goal, sizeof goal->arg);
  p.vars = pith_i_lits_vars(f->s, p.atoms, p.n);
  p.targets = 1;
  *out = (pith_i_clause){.part_count = 1, .atoms = p.n, .vars = p.vars};
  out->targets = 1;
  out->part[0] = (uint32_t)g->parts.n;
  return pith_i_push(g->arena.env, &g->parts, p) ? PITH_OK : PITH_ENOMEM;
}

static pith_status write_program(finder *f, bool merge, pith_i_arena *arena,
                                 pith_i_rules *out) {
  pith_i_set set = {.n = 0};
  pith_i_clause recursive[2];
  candidate one = f->best;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; i < one.base_count; i++)
    set.clause[set.n++] = &f->bases.at[one.bases[i]].clause;
  for (uint32_t i = 0; rc >= 0 && i < 2 && one.step != PITH_NONE; i++) {
    rc = rule_clause(f, &one, merge, &recursive[i]);
    set.clause[set.n++] = &recursive[i];
    one.step = one.other;
  }
  return rc < 0 ? rc : pith_i_set_rules(&f->growth, &set, arena, out);
}

/* ---- programs of two recursive rules ------------------------------------ */

/* Steps that were not expanded together may lead to goals that nobody looked
** at, so that the judge is asked at once. */
static pith_status try_pair(finder *f, candidate *c, partial_covers *p) {
  candidate before = f->best;
  pith_i_errors errors = {0, 0};
  pith_i_arena arena = {.env = f->s->env};
  pith_i_rules rules;
  try_bases(f, c, p);
  if (f->best.cost == before.cost)
    return PITH_OK;
  pith_status rc = write_program(f, true, &arena, &rules);
  if (rc >= 0)
    rc = pith_i_judge(f->s->worlds, f->s->world_count, rules.rules, rules.n,
                      &errors);
  if (errors.fp + errors.fn > 0)
    f->best = before;
  pith_i_arena_free(&arena);
  return rc;
}

/* Two recursive rules, without filters. */
static pith_status try_pairs(finder *f, partial_covers *p) {
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < f->graph.steps.n; i++)
    for (uint32_t k = i + 1; rc >= 0 && k < f->graph.steps.n; k++) {
      const step *a = &f->graph.steps.at[i], *b = &f->graph.steps.at[k];
      candidate c = {.step = i, .other = k};
      bool possible = false;
      if (least_cost(f, a, a->n) + least_cost(f, b, b->n) +
              cost_of_base(f, 0) >=
          f->best.cost)
        continue;
      c.cost = cost_of_rule(f, a, a->atoms, a->n) +
               cost_of_rule(f, b, b->atoms, b->n);
      if (c.cost + cost_of_base(f, 0) >= f->best.cost || is_out_of_work(f) ||
          !is_allowed(f, a, a->atoms, a->n) ||
          !is_allowed(f, b, b->atoms, b->n))
        continue;
      rc = load_steps(f, a, b);
      if (rc >= 0)
        rc = find_bags(f, NULL, NULL, &possible);
      if (rc >= 0 && possible)
        rc = try_pair(f, &c, p);
    }
  return rc;
}

static pith_status search_programs(finder *f) {
  partial_covers p = {.words = f->known / 64 + 1};
  uint64_t all = f->limits->work;
  p.covers = pith_i_alloc(f->s->env, PITH_TUNE_GOAL_BASES_COMBINED * p.words *
                                         sizeof *p.covers);
  if (p.covers == NULL)
    return PITH_ENOMEM;
  f->end = f->m.work + all;
  pith_status rc = try_steps(f, &p);
  f->end = f->m.work + all / 4;
  if (rc >= 0 && f->bases.n > 0 &&
      (f->limits->max_rules == 0 || f->limits->max_rules > 2))
    rc = try_pairs(f, &p);
  pith_i_release(f->s->env, p.covers);
  return rc;
}

/* A filter whose variables were taken to be the step's may say too much; then
** the program stands as it is. */
static pith_status write_best(finder *f, pith_i_arena *arena,
                              pith_i_rules *out) {
  pith_i_errors errors = {1, 1};
  pith_status rc = PITH_OK;
  for (int merge = 1; rc >= 0 && merge >= 0; merge--) {
    rc = write_program(f, merge, arena, out);
    if (rc >= 0)
      rc = pith_i_judge(f->s->worlds, f->s->world_count, out->rules, out->n,
                        &errors);
    if (errors.fp + errors.fn == 0)
      break;
  }
  return rc;
}

/* What is odd about the best program. */
static uint32_t oddness_of(const finder *f) {
  candidate one = f->best;
  uint32_t odd = 0;
  if (one.base_count == 0)
    return 0;
  for (uint32_t i = 0; i < one.base_count; i++)
    odd += f->bases.at[one.bases[i]].clause.odd;
  for (uint32_t i = 0; i < 2 && one.step != PITH_NONE; i++) {
    pith_i_lit atoms[PITH_I_ATOMS];
    uint32_t n = put_together(f, &one, true, atoms);
    odd += PITH_I_BACKWARD * pith_i_count_backward(f->s, atoms, n);
    odd += f->graph.steps.at[one.step].crossed ? PITH_I_CROSSED : 0;
    one.step = one.other;
  }
  return odd;
}

/* ---- all of it --------------------------------------------------------- */

static bool has_twice(const pith_i_space *s, pith_status *rc) {
  pith_i_tuples all = {.width = s->head};
  bool fresh = true;
  for (uint32_t i = 0; *rc >= 0 && i < s->examples && fresh; i++)
    *rc = pith_i_tuples_add(s->env, &all, s->args + (size_t)i * s->head, NULL,
                            &fresh);
  pith_i_tuples_free(s->env, &all);
  return !fresh;
}

static pith_status make_room(finder *f) {
  pith_i_env *env = f->s->env;
  size_t words = f->m.words + 1;
  f->first = pith_i_alloc(env, (f->bits + 2) * sizeof *f->first);
  f->source = pith_i_zalloc(env, 3 * words, sizeof *f->source);
  f->bag = pith_i_alloc(env, (f->known + 1) * words * sizeof *f->bag);
  if (f->first == NULL || f->source == NULL || f->bag == NULL)
    return PITH_ENOMEM;
  f->bad = f->source + words;
  f->some = f->bad + words;
  return PITH_OK;
}

static void free_finder(finder *f) {
  pith_i_env *env = f->s->env;
  pith_i_release(env, f->first);
  pith_i_release(env, f->source);
  pith_i_release(env, f->bag);
  pith_i_vec_free(env, &f->to);
  pith_i_vec_free(env, &f->stack);
  pith_i_vec_free(env, &f->bases);
  pith_i_tuples_free(env, &f->covers);
  pith_i_bodies_free(&f->bodies);
  pith_i_growth_free(&f->growth);
  pith_i_sample_free(&f->m);
  pith_i_goal_graph_free(&f->graph);
}

static pith_status find_programs(finder *f) {
  pith_i_goal_limits goals = {
      .work = f->limits->work / 2,
      .goals = PITH_TUNE_GOAL_NODES + f->s->examples,
      .all_goals = PITH_TUNE_GOAL_NODES_ALL + f->s->examples,
      .atoms = {most_atoms(f, false), most_atoms(f, true)},
      .run = f->limits->run};
  pith_status rc = pith_i_goal_graph_init(&f->graph, f->s, &goals);
  if (rc < 0 || f->graph.steps.n == 0)
    return rc;
  rc = adopt_goals(f);
  if (rc >= 0)
    rc = make_room(f);
  if (rc < 0)
    return rc;
  edges_to_bits(f);
  rc = make_bases(f);
  if (rc >= 0)
    rc = add_target_choice(f);
  return rc < 0 ? rc : search_programs(f);
}

pith_status pith_i_recursion_run(pith_i_space *s,
                                 const pith_i_exact_limits *limits,
                                 pith_i_arena *arena, pith_i_rules *out,
                                 uint64_t *cost, uint32_t *odd) {
  finder f = {.s = s, .limits = limits, .covers = {.width = 2}};
  pith_status rc = PITH_OK;
  out->n = 0;
  f.best = (candidate){.cost = limits->below};
  if (limits->below <= least_cost_of_program(&f) || s->head == 0 ||
      limits->max_rules == 1 || has_twice(s, &rc))
    return rc;
  if (rc >= 0)
    rc = find_programs(&f);
  if (rc >= 0 && f.best.base_count > 0)
    rc = write_best(&f, arena, out);
  *cost = f.best.cost;
  *odd = oddness_of(&f);
  free_finder(&f);
  return rc;
}
