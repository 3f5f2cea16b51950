#include "learn/clauses/clause_learner.h"

#include <assert.h>
#include <math.h>

#include "base/tunables.h"
#include "learn/clauses/example_sample.h"
#include "learn/clauses/ordered_places.h"
#include "score/length.h"

static double program_bits(const pith_i_clause_learner *d) {
  double bits = 1;
  for (uint32_t i = 0; i < d->exact.set.n; i++)
    bits += d->exact.set.clause[i]->bits;
  return bits;
}

/* How many times longer it is to tell the labels than the program. */
static double saving_of(const pith_i_clause_learner *d, uint32_t positives,
                        uint32_t all) {
  assert(positives <= all);
  uint32_t neg = all - positives;
  return pith_i_error_bits(neg < positives ? neg : positives, all) /
         program_bits(d);
}

/* A program that takes more words than the labels of many examples has learned
** them by heart. */
static bool is_learned_by_heart(const pith_i_clause_learner *d) {
  return d->sample.n >= PITH_TUNE_SEARCH_BY_HEART &&
         saving_of(d, d->sample.positives, d->sample.n) < 1;
}

/* In atoms. */
static double oddness_of_set(const pith_i_set *set) {
  double odd = 0;
  for (uint32_t i = 0; i < set->n; i++)
    odd += set->clause[i]->odd;
  return odd / PITH_I_COST;
}

/* What fits all examples, while a sample of them takes fewer bits to tell: one
** rule, or rules of at most twice the bits of the labels. */
static bool is_worth_early(const pith_i_clause_learner *d) {
  return d->exact.set.n == 1 ||
         2 * saving_of(d, d->space.positives, d->space.examples) >= 1;
}

/* Offers what the search found; where it fits, it is what later ones must
** beat. */
static pith_status keep_program(pith_i_clause_learner *d, uint32_t round) {
  pith_i_rules rules;
  pith_status rc =
      pith_i_set_rules(&d->exact.growth, &d->exact.set, &d->arena, &rules);
  d->oddness = oddness_of_set(&d->exact.set);
  if (d->exact.full)
    pith_i_exact_forget(&d->exact); /* the judge needs memory too */
  if (rc >= 0)
    rc = pith_i_clauses_offer_rules(d, rules.rules, rules.n, NAN);
  d->oddness = 0;
  if (rc < 0 || !d->fits) /* through an atom without a label */
    return rc;
  d->saving = saving_of(d, d->space.positives, d->space.examples);
  d->below = d->exact.set.cost;
  d->found = d->run->now.space;
  d->named = d->space.few > 0;
  d->rule_count = rules.n;
  return d->exact.full ? PITH_OK : pith_i_clauses_offer_others(d, round);
}

/* Rules with constants, where a program without fits, must each be for many
** positive examples. */
static uint32_t most_rules(const pith_i_clause_learner *d, uint32_t allowed) {
  uint32_t few = 1 + d->space.positives / 10;
  return d->sparing && (allowed == 0 || few < allowed) ? few : allowed;
}

/* An example that one program gets wrong, the next is likely to get wrong too:
** it is in the sample from then on, in other languages too. Half of the places
** are for either sign. */
static pith_status note_hard(pith_i_clause_learner *d, const uint32_t *wrong,
                             uint32_t n) {
  uint32_t left[2] = {PITH_TUNE_SEARCH_WHOLE_EXAMPLES / 2,
                      PITH_TUNE_SEARCH_WHOLE_EXAMPLES / 2};
  for (size_t i = 0; i < d->hard.n; i++)
    left[d->hard.at[i] < d->space.positives]--;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t *places = &left[wrong[i] < d->space.positives];
    if (*places == 0)
      continue;
    if (!pith_i_push(d->task->env, &d->hard, wrong[i]))
      return PITH_ENOMEM;
    --*places;
  }
  return PITH_OK;
}

/* What is drawn is the same in all languages, so that no hard example is. */
static pith_status draw_sample(pith_i_clause_learner *d, uint32_t whole) {
  pith_i_sample *m = &d->sample;
  pith_status rc = pith_i_sample_draw(m, &d->space, whole,
                                      PITH_TUNE_SEARCH_FIRST_EXAMPLES, false);
  if (rc < 0 || m->n == d->space.examples || d->hard.n == 0)
    return rc;
  return pith_i_sample_extend(m, &d->space, d->hard.at, (uint32_t)d->hard.n);
}

/* One search over the sample. Where that is not all examples, those that go
** wrong are added, until none does. */
static pith_status search_sample(pith_i_clause_learner *d, uint32_t round) {
  uint32_t wrong[PITH_TUNE_SEARCH_MORE_EXAMPLES], n = 1;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && n > 0 && i < PITH_TUNE_SEARCH_REFINEMENTS;
       i++) {
    pith_i_exact_limits limits = pith_i_clauses_limits(d, round);
    limits.max_rules = most_rules(d, limits.max_rules);
    pith_i_exact_free(&d->exact);
    rc = pith_i_exact_run(&d->exact, &d->sample, &limits);
    d->best->full = d->best->full || d->exact.full;
    bool found = d->exact.set.cost != UINT64_MAX;
    bool heart =
        d->sample.n < d->space.examples && found && is_learned_by_heart(d);
    d->heart = d->heart || heart;
    if (rc >= 0 && heart && d->all &&
        d->space.examples <= PITH_TUNE_SEARCH_ALL_EXAMPLES) {
      rc = pith_i_sample_draw(&d->sample, &d->space, d->space.examples, 0,
                              false);
      continue;
    }
    bool dear = found && d->early && !is_worth_early(d);
    if (rc >= 0 && (!found || heart || dear))
      return pith_i_clauses_note_partial(d);
    n = 0;
    if (rc >= 0 && d->sample.n < d->space.examples)
      rc = pith_i_find_wrong(&d->space, &d->exact, wrong, &n);
    if (rc >= 0 && n > 0)
      rc = pith_i_sample_extend(&d->sample, &d->space, wrong, n);
    if (rc >= 0)
      rc = note_hard(d, wrong, n);
  }
  return rc < 0 || n > 0 ? rc : keep_program(d, round);
}

/* Whether the language is one before it, for want of words. */
static bool adds_nothing(const pith_i_clause_learner *d,
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
static bool is_search_done(const pith_i_clause_learner *d) {
  return d->sample.n == d->space.examples && !d->exact.cut;
}

pith_status pith_i_clauses_try_language(pith_i_clause_learner *d,
                                        const pith_i_language *language,
                                        pith_pred target, uint32_t round,
                                        bool *done) {
  pith_status rc =
      pith_i_space_init(&d->space, d->task, d->run, target, language);
  d->sample = (pith_i_sample){0};
  d->exact = (pith_i_exact){0};
  bool whole = d->space.examples <= (language->recursion
                                         ? PITH_TUNE_SEARCH_RECURSIVE_EXAMPLES
                                         : PITH_TUNE_SEARCH_WHOLE_EXAMPLES);
  pith_i_clauses_describe(d, language, false);
  if (rc >= 0)
    rc = draw_sample(d, whole ? d->space.examples
                              : PITH_TUNE_SEARCH_WHOLE_EXAMPLES);
  /* Without invented predicates it is the language before this one. */
  bool same = adds_nothing(d, language);
  if (rc >= 0 && !same)
    rc = search_sample(d, round);
  *done = rc >= 0 && (same || is_search_done(d));
  pith_i_exact_free(&d->exact);
  pith_i_sample_free(&d->sample);
  pith_i_space_free(&d->space);
  return rc;
}
