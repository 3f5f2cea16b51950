#include "learn/clauses/clause_search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"
#include "learn/clauses/further_sets.h"
#include "learn/clauses/label_noise.h"
#include "learn/clauses/noisy_clauses.h"
#include "learn/clauses/oddness.h"
#include "learn/clauses/ordered_places.h"
#include "learn/clauses/recursion.h"
#include "learn/clauses/transitive.h"
#include "score/length.h"
#include "task/vocabulary.h"

enum { MOST_LANGUAGES = 10 };

typedef struct {
  const pith_i_task *task;
  pith_i_run *run;
  pith_i_best *best;
  bool use_exact;     /* look for what fits all examples               */
  bool use_noisy;     /* and, if nothing does, for what is worth its length */
  bool brief;         /* one round                                     */
  uint32_t richest;   /* languages after this one are not tried        */
  bool beside;        /* what is offered now stands beside the best    */
  double oddness;     /* atoms that it counts more for being odd       */
  pith_i_arena arena; /* of the rules */
  pith_i_preds targets;
  PITH_I_VEC(pith_rule *) rules; /* of the targets before this one */
  double bits;                   /* theirs, or NaN                 */
  pith_i_space space;
  pith_i_sample sample;
  pith_i_exact exact;
  bool solved, fits;    /* this target; by the rules offered last */
  bool heart, all;      /* a sample was learned by heart; all are looked at */
  uint32_t rounds;      /* of all languages, each with more work */
  bool named;           /* the best program was found with constants */
  double saving;        /* by the best program */
  uint32_t rule_count;  /* of it */
  uint64_t below;       /* cost of the best */
  pith_space found;     /* where that is */
  bool denies;          /* the language is searched for what denies */
  bool sparing;         /* only for what costs much less than the best */
  pith_i_rules partial; /* worth their words, where nothing fits all */
  double partial_bits, partial_cost; /* cost: with the errors; or INFINITY */
  uint32_t number, count;            /* of this language, and of all */
  uint32_t
      done; /* languages, as bits, with nothing left out but what is dear */
} clause_learner;

/* ---- samples -------------------------------------------------------- */

/* n of count numbers from first on, at random; the numbers alone decide. */
static void draw_numbers(uint32_t first, uint32_t count, uint32_t n,
                         uint32_t *pick) {
  assert(n <= count);
  uint32_t got = 0;
  for (uint32_t i = 0; i < count && got < n; i++)
    if (pith_i_random(1, first, i) % (count - i) < n - got)
      pick[got++] = first + i;
}

/* As many of each sign, or, if fair, as there are. */
static pith_status first_sample(clause_learner *d, uint32_t whole, uint32_t few,
                                bool fair) {
  pith_i_space *s = &d->space;
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
  pith_i_sample_free(&d->sample);
  pith_i_sample_take(&d->sample, s, pick, pos, pos + neg);
  return PITH_OK;
}

/* The sample with more examples; each has its sign by its number. */
static pith_status more_examples(clause_learner *d, const uint32_t *more,
                                 uint32_t n) {
  pith_i_sample *m = &d->sample;
  uint32_t *pick = pith_i_alloc(d->space.env, (m->n + n + 1) * sizeof *pick);
  uint32_t pos = 0, all = 0;
  if (pick == NULL)
    return PITH_ENOMEM;
  for (int negative = 0; negative < 2; negative++) {
    for (uint32_t i = 0; i < m->n; i++)
      if ((m->pick[i] >= d->space.positives) == negative)
        pick[all++] = m->pick[i];
    for (uint32_t i = 0; i < n; i++)
      if ((more[i] >= d->space.positives) == negative)
        pick[all++] = more[i];
    pos = negative ? pos : all;
  }
  pith_i_release(d->space.env, m->pick);
  pith_i_sample_take(m, &d->space, pick, pos, all);
  return PITH_OK;
}

/* ---- all examples --------------------------------------------------- */

typedef struct {
  pith_i_sample m;
  pith_i_table table, scratch;
  uint64_t *have, *part; /* (words) */
} checker;

static pith_status cover_by_part(checker *k, const pith_i_piece *p) {
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

static pith_status cover_chunk(clause_learner *d, checker *k) {
  const pith_i_set *set = &d->exact.set;
  pith_status rc = PITH_OK;
  memset(k->have, 0, k->m.words * sizeof *k->have);
  for (uint32_t i = 0; i < set->n; i++) {
    memset(k->part, 0xff, k->m.words * sizeof *k->part);
    for (uint32_t p = 0; rc >= 0 && p < set->clause[i]->part_count; p++)
      rc = cover_by_part(k, &d->exact.growth.parts.at[set->clause[i]->part[p]]);
    for (size_t w = 0; w < k->m.words; w++)
      k->have[w] |= k->part[w];
  }
  return rc;
}

/* Examples that the set gets wrong: their number, and the first few. */
static pith_status find_wrong(clause_learner *d, uint32_t *wrong, uint32_t *n) {
  pith_i_space *s = &d->space;
  checker k = {.have = NULL};
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
    rc = cover_chunk(d, &k);
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

/* ---- what was found ------------------------------------------------- */

/* The rules of all targets so far. */
static pith_status offer_program(clause_learner *d, double bits, bool *fits) {
  pith_i_offer o = {.rules = d->rules.at,
                    .info = {.stage = PITH_CLAUSES,
                             .rules = (uint32_t)d->rules.n,
                             .loss = NAN,
                             .error = NAN,
                             .space = d->run->now.space},
                    .bits = bits,
                    .oddness = d->oddness,
                    .beside = d->beside};
  return pith_i_best_offer(d->best, &o, fits);
}

/* Rules for this target. With those before they are a program; where more
** targets follow, whether it fits is seen at the last. */
static pith_status offer_rules_of_target(clause_learner *d,
                                         pith_rule *const *rules, uint32_t n,
                                         double bits) {
  assert(rules != NULL || n == 0);
  size_t before = d->rules.n;
  pith_status rc = PITH_OK;
  bool fits = true;
  for (uint32_t i = 0; rc >= 0 && i < n; i++)
    rc = pith_i_push(d->task->env, &d->rules, rules[i]) ? PITH_OK : PITH_ENOMEM;
  if (rc >= 0 && d->space.target == d->targets.at[d->targets.n - 1]) {
    rc = offer_program(d, d->bits + bits, &fits);
    d->rules.n = before;
    if (rc >= 0)
      d->run->now.wrong = pith_i_best_wrong(d->best);
  }
  if (rc < 0)
    d->rules.n = before;
  d->bits += bits;
  d->fits = fits;
  d->solved = d->solved || fits;
  return rc;
}

/* ---- one language --------------------------------------------------- */

static bool is_target(const clause_learner *d, pith_pred pred) {
  for (size_t i = 0; i < d->targets.n; i++)
    if (d->targets.at[i] == pred)
      return true;
  return false;
}

/* Targets before this one may have taken some: what is defined and no
** target. */
static uint32_t invented_left(const clause_learner *d) {
  uint32_t left = d->task->bounds.max_invented;
  for (size_t i = 0; left != PITH_NONE && i < d->rules.n; i++) {
    pith_pred head = d->rules.at[i]->head.pred;
    size_t first = 0;
    while (d->rules.at[first]->head.pred != head)
      first++;
    left -= left > 0 && first == i && !is_target(d, head);
  }
  return left;
}

/* What a program may cost, less than that: constants have to be worth it. */
static uint64_t most_cost(const clause_learner *d) {
  return d->sparing ? d->below - d->below / 4 : d->below;
}

static pith_i_exact_limits limits_of(const clause_learner *d, uint32_t round) {
  assert(round < 2 || round < d->rounds); /* some ask outside of rounds */
  size_t rows = PITH_TUNE_SEARCH_FIRST_ROWS << round;
  return (pith_i_exact_limits){.max_rules = d->task->bounds.max_rules,
                               .max_body = d->task->bounds.max_body,
                               .max_vars = d->task->bounds.max_vars,
                               .max_invented = invented_left(d),
                               .work = PITH_TUNE_SEARCH_FIRST_WORK << 2 * round,
                               .below = most_cost(d),
                               .extra = d->denies ? PITH_I_DENIED : 0,
                               .rows = rows * (d->sample.n + 100),
                               .last = round + 1 == d->rounds,
                               .others = d->best->keep > 1,
                               .run = d->run};
}

static double program_bits(const clause_learner *d) {
  double bits = 1;
  for (uint32_t i = 0; i < d->exact.set.n; i++)
    bits += d->exact.set.clause[i]->bits;
  return bits;
}

/* How many times longer it is to tell the labels than the program. */
static double saving_of(const clause_learner *d, uint32_t positives,
                        uint32_t all) {
  assert(positives <= all);
  uint32_t neg = all - positives;
  return pith_i_error_bits(neg < positives ? neg : positives, all) /
         program_bits(d);
}

/* A program that takes more words than the labels of many examples has learned
** them by heart. */
static bool is_learned_by_heart(const clause_learner *d) {
  return d->sample.n >= PITH_TUNE_SEARCH_BY_HEART &&
         saving_of(d, d->sample.positives, d->sample.n) < 1;
}

/* ---- where nothing fits all ------------------------------------------ */

/* The clauses that are worth their words, if they are the best so far. */
static pith_status note_partial(clause_learner *d) {
  assert(d->sample.positives > 0);
  const pith_i_sample *m = &d->sample;
  pith_i_set set;
  uint32_t covered;
  pith_status rc = pith_i_choose_worth(&d->exact.bodies, &set, &covered);
  if (rc < 0 || set.n == 0)
    return rc;
  double bits = 1, missed = m->positives - covered;
  for (uint32_t i = 0; i < set.n; i++)
    bits += set.clause[i]->bits;
  double cost =
      bits + pith_i_error_bits(missed * d->space.positives / m->positives,
                               d->space.examples);
  if (cost >= d->partial_cost)
    return PITH_OK;
  rc = pith_i_set_rules(&d->exact.growth, &set, &d->arena, &d->partial);
  d->partial_cost = rc < 0 ? INFINITY : cost;
  d->partial_bits = bits;
  return rc;
}

/* It is no solution, but may be the best there is. */
static pith_status offer_partial(clause_learner *d) {
  double before = d->bits;
  if (d->partial_cost == INFINITY)
    return PITH_OK;
  pith_status rc =
      offer_rules_of_target(d, d->partial.rules, d->partial.n, d->partial_bits);
  d->bits = before;
  d->solved = false;
  return rc;
}

/* One of the others that were asked for. */
static pith_status offer_exchanged(void *ctx, const pith_i_rules *rules) {
  clause_learner *d = ctx;
  bool solved = d->solved;
  double bits = d->bits;
  pith_status rc = offer_rules_of_target(d, rules->rules, rules->n, NAN);
  d->solved = solved;
  d->bits = bits;
  return rc;
}

static pith_status offer_other_set(void *ctx, const pith_i_set *set) {
  clause_learner *d = ctx;
  pith_i_rules rules;
  pith_status rc = pith_i_set_rules(&d->exact.growth, set, &d->arena, &rules);
  return rc < 0 ? rc : offer_exchanged(d, &rules);
}

/* With several targets only the last has some. A verdict on many examples
** takes long, so that few are tried. */
static pith_status offer_others(clause_learner *d, uint32_t round) {
  pith_i_exact_limits limits = limits_of(d, round);
  uint32_t most = d->space.examples < PITH_TUNE_SEARCH_OTHERS_EXAMPLES
                      ? PITH_TUNE_SEARCH_OTHERS
                      : PITH_TUNE_SEARCH_OTHERS / 10;
  pith_i_rules rules;
  if (d->best->keep < 2 || d->space.target != d->targets.at[d->targets.n - 1])
    return PITH_OK;
  d->beside = true;
  pith_status rc =
      pith_i_set_rules(&d->exact.growth, &d->exact.set, &d->arena, &rules);
  if (rc >= 0)
    rc = pith_i_rules_exchange(&d->space, &rules, most, offer_exchanged, d);
  if (rc >= 0)
    rc = pith_i_exact_others(&d->exact, &limits, most / 2, offer_other_set, d);
  d->beside = false;
  return rc;
}

/* In atoms. */
static double oddness_of_set(const pith_i_set *set) {
  double odd = 0;
  for (uint32_t i = 0; i < set->n; i++)
    odd += set->clause[i]->odd;
  return odd / PITH_I_COST;
}

/* One search over the sample. Where that is not all examples, those that go
** wrong are added, until none does. */
static pith_status search_sample(clause_learner *d, uint32_t round) {
  uint32_t wrong[PITH_TUNE_SEARCH_MORE_EXAMPLES], n = 1;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && n > 0 && i < PITH_TUNE_SEARCH_REFINEMENTS;
       i++) {
    pith_i_exact_limits limits = limits_of(d, round);
    limits.max_rules = d->sparing ? 1 : limits.max_rules;
    pith_i_exact_free(&d->exact);
    rc = pith_i_exact_run(&d->exact, &d->sample, &limits);
    d->best->full = d->best->full || d->exact.full;
    bool found = d->exact.set.cost != UINT64_MAX;
    bool heart =
        d->sample.n < d->space.examples && found && is_learned_by_heart(d);
    d->heart = d->heart || heart;
    if (rc >= 0 && heart && d->all &&
        d->space.examples <= PITH_TUNE_SEARCH_ALL_EXAMPLES) {
      rc = first_sample(d, d->space.examples, 0, false);
      continue;
    }
    if (rc >= 0 && (!found || heart))
      return note_partial(d);
    n = 0;
    if (rc >= 0 && d->sample.n < d->space.examples)
      rc = find_wrong(d, wrong, &n);
    if (rc >= 0 && n > 0)
      rc = more_examples(d, wrong, n);
  }
  if (rc < 0 || n > 0)
    return rc;
  pith_i_rules rules;
  rc = pith_i_set_rules(&d->exact.growth, &d->exact.set, &d->arena, &rules);
  d->oddness = oddness_of_set(&d->exact.set);
  if (d->exact.full)
    pith_i_exact_forget(&d->exact); /* the judge needs memory too */
  if (rc >= 0)
    rc = offer_rules_of_target(d, rules.rules, rules.n, NAN);
  d->oddness = 0;
  if (rc < 0 || !d->fits) /* through an atom without a label */
    return rc;
  d->saving = saving_of(d, d->space.positives, d->space.examples);
  d->below = d->exact.set.cost;
  d->found = d->run->now.space;
  d->named = d->space.few > 0;
  d->rule_count = rules.n;
  return d->exact.full ? PITH_OK : offer_others(d, round);
}

/* Says where it is, now that the language's words are known. */
static void describe_language(clause_learner *d,
                              const pith_i_language *language, bool noisy) {
  uint32_t most = invented_left(d);
  d->run->now.space = (pith_space){
      .number = d->number,
      .count = d->count,
      .rules = d->task->bounds.max_rules,
      .invented = d->space.helpers < most ? d->space.helpers : most,
      .recursive = language->recursion,
      .clauses = true,
      .inequality = language->different,
      .constants = language->constants > 0,
      .noisy = noisy};
}

/* Whether the language is one before it, for want of words. */
static bool adds_nothing(const clause_learner *d,
                         const pith_i_language *language) {
  bool constants =
      language->constants >
      (d->task->bounds.constants ? PITH_TUNE_LANGUAGE_CONSTANTS : 0);
  if (language->different || language->absent || constants)
    return false;
  return language->helpers       ? d->space.helpers == 0
         : language->comparisons ? !pith_i_space_has_order(&d->space)
                                 : false;
}

/* Whether more work would find nothing that is cheaper. */
static bool is_search_done(const clause_learner *d) {
  return d->sample.n == d->space.examples && !d->exact.cut;
}

/* done: nothing was left out for want of work. */
static pith_status try_language(clause_learner *d,
                                const pith_i_language *language,
                                pith_pred target, uint32_t round, bool *done) {
  pith_status rc = pith_i_space_init(&d->space, d->task->env, d->task->worlds,
                                     d->task->world_count, target, language);
  d->sample = (pith_i_sample){0};
  d->exact = (pith_i_exact){0};
  bool whole = d->space.examples <= (language->recursion
                                         ? PITH_TUNE_SEARCH_RECURSIVE_EXAMPLES
                                         : PITH_TUNE_SEARCH_WHOLE_EXAMPLES);
  describe_language(d, language, false);
  if (rc >= 0)
    rc = first_sample(
        d, whole ? d->space.examples : PITH_TUNE_SEARCH_WHOLE_EXAMPLES,
        PITH_TUNE_SEARCH_FIRST_EXAMPLES, false);
  /* Without invented predicates it is the language before this one. */
  bool same = adds_nothing(d, language);
  /* What denies nothing was found, if at all, in a language before. */
  d->denies = language->absent;
  if (rc >= 0 && !same)
    rc = search_sample(d, round);
  d->denies = false;
  *done = rc >= 0 && (same || is_search_done(d));
  pith_i_exact_free(&d->exact);
  pith_i_sample_free(&d->sample);
  pith_i_space_free(&d->space);
  return rc;
}

/* Other targets have few labels, too few to be background. */
static void leave_out_targets(clause_learner *d) {
  for (size_t i = 0; i < d->space.choices.n; i++)
    if (d->space.choices.at[i].kind == PITH_I_GIVEN_ATOM &&
        is_target(d, d->space.choices.at[i].pred))
      d->space.choices.at[i].kind = PITH_I_OPEN_ATOM;
}

/* The smaller of what is found as the closure of base rules and of what other
** recursive rules give. */
static pith_status find_recursive(clause_learner *d, pith_i_rules *rules,
                                  uint64_t *cost, uint32_t *odd) {
  pith_i_exact_limits limits = limits_of(d, 1);
  limits.below = d->sparing ? d->below / 2 : d->below;
  pith_i_rules other;
  uint32_t other_odd = 0;
  *cost = UINT64_MAX;
  pith_status rc =
      pith_i_transitive_run(&d->space, &limits, &d->arena, rules, cost, odd);
  limits.below = *cost < limits.below ? *cost : limits.below;
  if (rc >= 0)
    rc = pith_i_recursion_run(&d->space, &limits, &d->arena, &other,
                              &limits.below, &other_odd);
  if (rc < 0 || other.n == 0)
    return rc;
  *rules = other;
  *cost = limits.below;
  *odd = other_odd;
  return PITH_OK;
}

static pith_status offer_recursive(clause_learner *d, const pith_i_rules *rules,
                                   uint64_t cost, uint32_t odd) {
  d->oddness = (double)odd / PITH_I_COST;
  for (uint32_t i = 0; i < rules->n; i++)
    if (rules->rules[i]->body_len > d->run->now.space.body)
      d->run->now.space.body = rules->rules[i]->body_len;
  pith_status rc = offer_rules_of_target(d, rules->rules, rules->n, NAN);
  d->oddness = 0;
  if (rc >= 0 && d->fits) {
    d->below = cost;
    d->found = d->run->now.space;
    d->named = d->space.few > 0;
    d->rule_count = rules->n;
  }
  return rc;
}

/* Recursion through atoms without a label; small programs only, but all of
** them, so it comes early; with constants when it is their turn. */
static pith_status try_recursion(clause_learner *d, pith_pred target,
                                 uint32_t constants) {
  pith_i_language plain = {.constants = constants, .comparisons = true};
  pith_i_rules rules = {.n = 0};
  uint64_t cost = UINT64_MAX;
  uint32_t odd = 0;
  uint64_t least = PITH_TUNE_GOAL_SMALLEST * (uint64_t)PITH_I_COST;
  pith_space before = d->run->now.space;
  if (!d->task->bounds.recursion ||
      d->task->examples > PITH_TUNE_GOAL_EXAMPLES ||
      (d->sparing && d->below / 2 <= least))
    return PITH_OK;
  pith_status rc = pith_i_space_init(&d->space, d->task->env, d->task->worlds,
                                     d->task->world_count, target, &plain);
  plain.recursion = true;
  describe_language(d, &plain, false);
  leave_out_targets(d);
  if (rc >= 0)
    rc = find_recursive(d, &rules, &cost, &odd);
  if (rc >= 0 && rules.n > 0)
    rc = offer_recursive(d, &rules, cost, odd);
  if (rules.n == 0)
    d->run->now.space = before;
  pith_i_space_free(&d->space);
  return rc;
}

/* Where memory runs out in one language, another may need less. */
static pith_status note_full_memory(clause_learner *d, pith_status rc) {
  if (rc != PITH_ENOMEM)
    return rc;
  d->best->full = true;
  return PITH_OK;
}

/* Values of a place, at most, for a rule to name one. */
static uint32_t most_constants(const pith_i_task *task) {
  return task->bounds.no_constants ? 0 : PITH_TUNE_LANGUAGE_CONSTANTS;
}

/* From the plain to the rich. Recursion needs all examples at once; where
** these are many, it is tried by itself. Comparisons say nothing new where
** there are neither numbers nor dates; negation comes after what says the same
** positively. */
static uint32_t list_languages(const pith_i_task *task, pith_i_language *out) {
  bool many = task->examples > PITH_TUNE_SEARCH_WHOLE_EXAMPLES;
  bool invent = task->bounds.invention, recursion = task->bounds.recursion;
  uint32_t most = most_constants(task), n = 0,
           fixed = task->bounds.constants ? most : 0;
  bool adds_constants = fixed == 0 && most > 0;
  pith_i_language plain = {.recursion = recursion && !many, .constants = fixed};
  out[n] = plain;
  out[++n] = plain;
  out[n].recursion = true;
  n += recursion && many &&
       task->examples <= PITH_TUNE_SEARCH_RECURSIVE_EXAMPLES;
  out[n] = plain;
  out[n++].comparisons = true;
  out[n] = plain;
  out[n].helpers = true;
  n += invent;
  out[n] = plain;
  out[n].helpers = invent;
  out[n++].different = true;
  out[n] = plain;
  out[n].constants = PITH_TUNE_LANGUAGE_KINDS;
  out[n].comparisons = true;
  n += adds_constants;
  out[n] = plain;
  out[n].absent = true;
  out[n++].comparisons = true;
  out[n] = plain;
  out[n].different = out[n].comparisons = true;
  out[n].constants = most;
  n += fixed == 0;
  out[n] = plain;
  out[n].absent = out[n].comparisons = true;
  out[n].constants = most;
  return n + !task->bounds.no_constants;
}

uint32_t pith_i_count_languages(const pith_i_task *task) {
  pith_i_language languages[MOST_LANGUAGES];
  return list_languages(task, languages);
}

/* Constants are there when nothing fits without: a handful of examples can
** always be told one by one. Otherwise a program with constants must be one
** rule for some positive examples that costs less than three quarters of the
** best, or be recursive and cost less than half of it. One that names constants
** may be one that lists the examples, so that richer languages with constants
** still have their turn. So do they with plenty of examples, except to deny
** constants, of which there is too much to say. */
static bool is_language_due(const clause_learner *d,
                            const pith_i_language *language) {
  bool plenty = d->task->examples >= 50 && !language->absent;
  return d->task->bounds.constants || language->constants == 0 || !d->solved ||
         d->named || plenty;
}

/* Whether every program that uses what the language adds costs more than it
** may: a rule and an atom, with a constant or a denial. */
static bool is_beaten(const clause_learner *d,
                      const pith_i_language *language) {
  uint64_t below = most_cost(d);
  if (d->sparing && d->task->positives < PITH_TUNE_LANGUAGE_NAMED_POSITIVES)
    return true;
  uint64_t least = 2 * (uint64_t)PITH_I_COST +
                   (d->sparing ? PITH_I_COST / 2 : 0) +
                   (language->absent ? PITH_I_DENIED : 0);
  return (language->absent || d->sparing) && least >= below;
}

/* Whether an earlier round looked at all of the language. The last round looks
** for long bodies too, but not for such that deny. */
static bool is_done(const clause_learner *d, const pith_i_language *language,
                    uint32_t i, uint32_t round) {
  return (d->done >> i & 1) &&
         (round + 1 < d->rounds || (language->absent && d->solved));
}

/* A program of many rules may be one of few with an invented predicate, or
** another word. */
static bool is_short_enough(const clause_learner *d) {
  return d->saving > PITH_TUNE_SEARCH_PLENTY && d->rule_count < 4;
}

/* From the plain to the rich, until one says enough. */
static pith_status try_languages(clause_learner *d,
                                 const pith_i_language *languages, uint32_t n,
                                 pith_pred target, uint32_t round) {
  pith_status rc = PITH_OK;
  uint32_t constants_before = languages[0].constants;
  for (uint32_t i = 0; rc >= 0 && i < n; i++) {
    if (d->all ? d->solved : is_short_enough(d))
      break;
    d->number += !d->all;
    bool done = false;
    d->sparing = !is_language_due(d, &languages[i]);
    if (!is_beaten(d, &languages[i]) && !is_done(d, &languages[i], i, round) &&
        !pith_i_stop_requested(d->run)) {
      rc = try_language(d, &languages[i], target, round, &done);
      rc = note_full_memory(d, rc);
      d->done |= (uint32_t)(done && !d->sparing) << i;
    }
    bool constants = languages[i].constants > constants_before;
    if (rc >= 0 && round == 0 && !d->all && (i == 0 || constants))
      rc =
          note_full_memory(d, try_recursion(d, target, languages[i].constants));
    d->sparing = false;
    constants_before = languages[i].constants > constants_before
                           ? languages[i].constants
                           : constants_before;
  }
  return rc;
}

/* What the last round finds is long. Where the labels are told in a few bits,
** it would be learned by heart. */
static uint32_t count_rounds(const clause_learner *d) {
  uint32_t all = PITH_TUNE_SEARCH_ROUNDS;
  bool few = pith_i_label_bits(d->task) < PITH_TUNE_SEARCH_FEW_BITS;
  return few && all > 1 ? all - 1 : all;
}

static pith_status try_noisy_language(clause_learner *d,
                                      pith_i_language language,
                                      pith_pred target) {
  pith_status rc = pith_i_space_init(&d->space, d->task->env, d->task->worlds,
                                     d->task->world_count, target, &language);
  d->sample = (pith_i_sample){0};
  bool same = language.helpers && d->space.helpers == 0;
  pith_i_verdict v;
  describe_language(d, &language, true);
  if (rc >= 0 && !same)
    rc = first_sample(d, PITH_TUNE_NOISE_EXAMPLES, PITH_TUNE_NOISE_EXAMPLES,
                      true);
  if (rc >= 0 && !same) {
    pith_i_exact_limits limits = limits_of(d, 1);
    limits.rows =
        PITH_TUNE_NOISE_ROWS * (d->sample.n + 1000); /* many small tables */
    rc = pith_i_noise_run(&d->sample, &limits, &d->arena, &v);
    if (rc >= 0)
      rc = offer_rules_of_target(d, v.rules.rules, v.rules.n, v.program);
  }
  pith_i_sample_free(&d->sample);
  pith_i_space_free(&d->space);
  return rc;
}

/* More words make each of them dearer: the pool weighs both. With several
** targets there is one try for each, for the next ones rest on it. */
static pith_status try_noisy(clause_learner *d, pith_pred target) {
  enum { LANGUAGES = 4 };
  pith_i_language languages[LANGUAGES] = {
      {.recursion = d->task->bounds.recursion &&
                    d->task->examples <= PITH_TUNE_NOISE_EXAMPLES}};
  uint32_t most = most_constants(d->task);
  languages[0].constants = d->task->bounds.constants ? most : 0;
  languages[1] = languages[2] = languages[0];
  languages[1].helpers = true;
  languages[2].different = true;
  languages[2].constants = most;
  languages[2].comparisons = true;
  languages[3] = languages[2];
  languages[3].different = false;
  languages[3].absent = true;
  d->best->weighs = true;
  d->below = UINT64_MAX;
  double bits = d->bits;
  d->number = 0;
  d->count = d->targets.n > 1 ? 1 : 3 + d->task->bounds.invention;
  pith_status rc = d->targets.n > 1 ? PITH_OK : offer_partial(d);
  for (uint32_t i = 0; rc >= 0 && i < LANGUAGES; i++) {
    if ((i == 1 && !d->task->bounds.invention) || (i > 0 && d->targets.n > 1))
      continue;
    d->bits = bits;
    d->number++;
    rc = note_full_memory(d, try_noisy_language(d, languages[i], target));
  }
  return rc;
}

/* ---- when some examples are wrong -------------------------------------- */

/* What is short was looked for and does not fit. */
static bool may_doubt_early(const clause_learner *d) {
  return !d->solved && !d->brief && d->targets.n == 1 &&
         d->task->opt->noise == PITH_NOISE_AUTO && !d->best->full &&
         d->task->examples >= PITH_TUNE_NOISE_SEEN_EXAMPLES &&
         !pith_i_stop_requested(d->run);
}

static bool is_settled(const pith_i_task *task, const pith_i_best *found) {
  if (found->at.n == 0 || found->at.at[0].info.solved)
    return false;
  const pith_theory_info *i = &found->at.at[0].info;
  pith_i_errors_seen seen = {.positives = task->positives,
                             .examples = task->examples,
                             .fp = i->fp,
                             .fn = i->fn,
                             .rule_bits = i->rule_bits};
  return pith_i_looks_like_noise(&seen);
}

/* Weighs what there is; where that says that labels are wrong, it stays. */
static pith_status doubt_early(clause_learner *d, pith_pred target) {
  pith_i_best found;
  clause_learner e = *d;
  pith_i_best_init(&found, d->task, d->best->keep);
  e.best = &found;
  e.partial_cost = INFINITY;
  pith_status rc = try_noisy(&e, target);
  d->arena = e.arena;
  memcpy(&d->rules, &e.rules, sizeof d->rules);
  found.settled = rc >= 0 && is_settled(d->task, &found);
  if (found.settled)
    rc = pith_i_best_take(d->best, &found);
  pith_i_best_free(&found);
  return rc;
}

static pith_status try_exact(clause_learner *d, pith_pred target) {
  pith_i_language languages[MOST_LANGUAGES];
  uint32_t n = list_languages(d->task, languages);
  pith_status rc = PITH_OK;
  d->below = UINT64_MAX;
  d->named = false;
  d->saving = 0;
  d->number = 0;
  d->done = 0;
  d->rounds = count_rounds(d);
  n = n < d->richest ? n : d->richest;
  d->count = d->rounds * n;
  for (uint32_t round = 0; rc >= 0 && round < d->rounds; round++) {
    d->heart = d->all = false;
    rc = try_languages(d, languages, n, target, round);
    if (rc >= 0 && round == 0 && may_doubt_early(d))
      rc = doubt_early(d, target);
    if (d->best->settled)
      break;
    d->all = !d->solved && d->heart && round + 1 == d->rounds;
    if (rc >= 0 && d->all)
      rc = try_languages(d, languages, n, target, round);
    /* A theory of many rules may have a smaller one behind it. */
    if (d->brief || is_short_enough(d) ||
        (d->solved && (d->rule_count < 4 || round > 0 ||
                       d->saving > PITH_TUNE_SEARCH_ENOUGH)))
      break;
  }
  if (d->below != UINT64_MAX)
    d->run->now.space = d->found;
  return rc;
}

/* ---- all targets ---------------------------------------------------- */

static pith_status learn_target(clause_learner *d, pith_pred target) {
  d->solved = false;
  d->partial_cost = INFINITY;
  /* Of a predicate without positive examples nothing is to be said. */
  if (!pith_i_has_examples(d->task->worlds, d->task->world_count, target,
                           true)) {
    d->space.target = target;
    return offer_rules_of_target(d, NULL, 0, 0);
  }
  pith_status rc = d->use_exact ? try_exact(d, target) : PITH_OK;
  if (rc < 0 || d->solved || d->best->settled)
    return rc;
  return d->use_noisy ? try_noisy(d, target) : offer_partial(d);
}

/* Whether the background alone explains all examples. */
static pith_status offer_nothing(clause_learner *d, bool *enough) {
  pith_i_errors without = {1, 1};
  pith_status rc =
      pith_i_judge(d->task->worlds, d->task->world_count, NULL, 0, &without);
  *enough = rc >= 0 && without.fp + without.fn == 0;
  return *enough ? offer_program(d, 0, NULL) : rc;
}

static pith_status learn_all(clause_learner *d) {
  pith_i_env *env = d->task->env;
  bool enough = false;
  d->richest = d->richest > 0 ? d->richest : MOST_LANGUAGES;
  d->run->every = PITH_TUNE_SEARCH_LOOK_EVERY;
  d->run->reports = true;
  d->run->now.phase = d->use_exact ? "searching clauses" : "weighing clauses";
  d->run->now.wrong = pith_i_best_wrong(d->best);
  d->arena.env = env;
  pith_status rc = pith_i_list_targets(env, d->task->worlds,
                                       d->task->world_count, &d->targets);
  if (rc >= 0)
    rc = offer_nothing(d, &enough);
  for (size_t i = 0; rc >= 0 && !enough && i < d->targets.n; i++)
    rc = learn_target(d, d->targets.at[i]);
  /* Where nothing may be wrong and nothing fits, no rules are the answer. */
  if (rc >= 0 && d->task->opt->noise == PITH_NOISE_OFF && d->best->at.n == 0)
    rc = offer_program(d, 0, NULL);
  if (rc >= 0 && d->best->full && d->best->at.n == 0)
    rc = PITH_ENOMEM;
  pith_i_best_trim(d->best);
  pith_i_vec_free(env, &d->targets);
  pith_i_vec_free(env, &d->rules);
  pith_i_arena_free(&d->arena);
  return rc;
}

pith_status pith_i_learn_clauses(const pith_i_task *task, pith_i_run *run,
                                 pith_i_best *best) {
  clause_learner d = {.task = task,
                      .run = run,
                      .best = best,
                      .use_exact = task->opt->noise != PITH_NOISE_ON,
                      .use_noisy = task->opt->noise != PITH_NOISE_OFF};
  return learn_all(&d);
}

pith_status pith_i_learn_exact_clauses(const pith_i_task *task, pith_i_run *run,
                                       pith_i_best *best) {
  clause_learner d = {
      .task = task, .run = run, .best = best, .use_exact = true};
  return learn_all(&d);
}

pith_status pith_i_learn_briefly(const pith_i_task *task, pith_i_run *run,
                                 pith_i_best *best, uint32_t richest) {
  clause_learner d = {.task = task,
                      .run = run,
                      .best = best,
                      .use_exact = true,
                      .brief = true,
                      .richest = richest};
  return learn_all(&d);
}

pith_status pith_i_learn_noisy_clauses(const pith_i_task *task, pith_i_run *run,
                                       pith_i_best *best) {
  clause_learner d = {
      .task = task, .run = run, .best = best, .use_noisy = true};
  return learn_all(&d);
}
