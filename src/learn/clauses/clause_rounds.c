#include <assert.h>

#include "base/tunables.h"
#include "learn/clauses/clause_learner.h"
#include "learn/clauses/language_list.h"
#include "learn/clauses/oddness.h"

/* Constants are there when nothing fits without: a handful of examples can
** always be told one by one. Otherwise a program with constants must have few
** rules for its positive examples and cost less than three quarters of the
** best; where these are very few, or it is recursive, less than half of it. One
** that names constants may be one that lists the examples, so that richer
** languages with constants still have their turn. So do they with plenty of
** examples, except to deny constants, of which there is too much to say. */
static bool is_language_due(const pith_i_clause_learner *d,
                            const pith_i_language *language) {
  bool plenty = d->task->examples >= 50 && !language->absent;
  return d->task->bounds.constants || language->constants == 0 || !d->solved ||
         d->named || plenty;
}

/* Whether every program that uses what the language adds costs more than it
** may: a rule and an atom, with a constant or a denial. */
static bool is_beaten(const pith_i_clause_learner *d,
                      const pith_i_language *language) {
  uint64_t below = pith_i_clauses_most_cost(d);
  if (d->sparing && d->task->positives < PITH_TUNE_LANGUAGE_NAMED_LEAST)
    return true;
  uint64_t least = 2 * (uint64_t)PITH_I_COST +
                   (d->sparing ? PITH_I_COST / 2 : 0) +
                   (language->absent ? PITH_I_DENIED_PROPERTY : 0);
  return (language->absent || d->sparing) && least >= below;
}

/* Whether an earlier round looked at all of the language. The last round looks
** for long bodies too, but not for such that deny. Where labels are few or
** likely to be wrong, one round of denials is enough. */
static bool is_done(const pith_i_clause_learner *d,
                    const pith_i_language *language, uint32_t i,
                    uint32_t round) {
  return ((d->done >> i & 1) &&
          (round + 1 < d->rounds || (language->absent && d->solved))) ||
         (language->absent && round > 0 && !d->single &&
          (d->doubted || pith_i_clauses_has_few_bits(d)));
}

/* A program of many rules may be one of few with an invented predicate, or
** another word; so may a long rule that does without a constant. */
static bool is_short_enough(const pith_i_clause_learner *d) {
  return d->saving > PITH_TUNE_SEARCH_PLENTY &&
         d->rule_count < PITH_TUNE_SEARCH_MANY_RULES &&
         d->below < PITH_TUNE_SEARCH_SHORT * (uint64_t)PITH_I_COST;
}

/* Whether a language says no more than another. */
static bool is_within(const pith_i_language *a, const pith_i_language *b) {
  return a->helpers <= b->helpers && a->recursion <= b->recursion &&
         a->different <= b->different && a->comparisons <= b->comparisons &&
         a->absent <= b->absent && a->constants <= b->constants;
}

/* Whether a language before this one has the same rules where there is one
** alone, so that it cannot be recursive. */
static bool is_repeated(const pith_i_clause_learner *d,
                        const pith_i_language *languages, uint32_t n) {
  bool repeated = false;
  for (uint32_t i = 0; d->single && i < n; i++) {
    pith_i_language with = languages[i];
    with.recursion = languages[n].recursion;
    repeated = repeated || (is_within(&with, &languages[n]) &&
                            is_within(&languages[n], &with));
  }
  return repeated;
}

/* Whether all that a language says was looked at before in those that say no
** more, of which one says as much. */
static bool is_said_before(const pith_i_clause_learner *d,
                           const pith_i_language *languages, uint32_t before,
                           const pith_i_language *language) {
  bool all = false;
  for (uint32_t i = 0; i < before; i++) {
    if (!is_within(&languages[i], language))
      continue;
    if (!(d->done >> i & 1))
      return false;
    all = all || is_within(language, &languages[i]);
  }
  return all;
}

/* The kind of atom that is worth looking for in a language: what denies nothing
** was found, if at all, in a language before; so was what compares nothing by
** \=, unless work ran out. */
static pith_i_kind needed_kind(const pith_i_clause_learner *d,
                               const pith_i_language *languages, uint32_t i) {
  pith_i_language without = languages[i];
  without.different = false;
  if (languages[i].absent)
    return PITH_I_ABSENT_ATOM;
  return languages[i].different && is_said_before(d, languages, i, &without)
             ? PITH_I_DIFFERENT_ATOM
             : PITH_I_GIVEN_ATOM;
}

/* From the plain to the rich, until one says enough. */
static pith_status try_languages(pith_i_clause_learner *d,
                                 const pith_i_language *languages, uint32_t n,
                                 pith_pred target, uint32_t round) {
  pith_status rc = PITH_OK;
  uint32_t constants_before = languages[0].constants;
  for (uint32_t i = 0; rc >= 0 && i < n; i++) {
    if (d->circular || (d->all ? d->solved : is_short_enough(d)))
      break;
    d->number += !d->all;
    bool done = false;
    d->sparing = !is_language_due(d, &languages[i]);
    if (!is_repeated(d, languages, i) && !is_beaten(d, &languages[i]) &&
        !is_done(d, &languages[i], i, round) &&
        !pith_i_stop_requested(d->run)) {
      pith_i_language language = languages[i];
      language.recursion = language.recursion && !d->single;
      d->needed = needed_kind(d, languages, i);
      rc = pith_i_clauses_try_language(d, &language, target, round, &done);
      d->needed = PITH_I_GIVEN_ATOM;
      rc = pith_i_clauses_note_full_memory(d, rc);
      d->done |= (uint32_t)(done && !d->sparing && !d->single) << i;
    }
    bool constants = languages[i].constants > constants_before;
    bool denials = languages[i].absent && languages[i].constants == 0 &&
                   !languages[i].different;
    if (rc >= 0 && round == 0 && !d->all && !d->single &&
        (i == 0 || constants || denials))
      rc = pith_i_clauses_note_full_memory(
          d, pith_i_clauses_try_recursion(d, target, languages[i].constants,
                                          denials));
    d->sparing = false;
    constants_before = languages[i].constants > constants_before
                           ? languages[i].constants
                           : constants_before;
  }
  return rc;
}

/* What the last round finds is long. */
static uint32_t count_rounds(const pith_i_clause_learner *d) {
  uint32_t all = PITH_TUNE_SEARCH_ROUNDS;
  return pith_i_clauses_has_few_bits(d) && all > 1 ? all - 1 : all;
}

/* One more round found nothing that fits all labels. */
static pith_status settle_likely(pith_i_clause_learner *d,
                                 pith_i_best *likely) {
  assert(d->doubted);
  likely->settled = true;
  return pith_i_best_take(d->best, likely);
}

/* Whether the best program is short, or one of fewer rules than this. */
static bool is_good(const pith_i_clause_learner *d, uint32_t many) {
  return is_short_enough(d) ||
         (d->solved &&
          (d->rule_count < many || d->saving > PITH_TUNE_SEARCH_ENOUGH));
}

/* A theory of many rules may have a smaller one behind it. */
static bool is_round_enough(const pith_i_clause_learner *d, uint32_t round) {
  return d->brief || (d->solved && round > 0) ||
         is_good(d, PITH_TUNE_SEARCH_MANY_RULES);
}

/* What a sample calls learned by heart may be worth its length on all examples:
** the plain language shows that soon, before the richer ones get more work. */
static pith_status try_all_early(pith_i_clause_learner *d,
                                 const pith_i_language *languages,
                                 pith_pred target) {
  if (d->brief || d->task->examples > PITH_TUNE_SEARCH_ALL_EXAMPLES ||
      d->rounds < 2)
    return PITH_OK;
  d->all = d->early = true;
  pith_status rc = try_languages(d, languages, 1, target, 1);
  d->all = d->early = false;
  return rc;
}

/* A rule that covers all positive examples by itself: each of its parts does,
** and as there are few of these, it may be long. With few examples it is looked
** for even where two rules fit, and then with the work of the next round. */
static pith_status try_one_rule(pith_i_clause_learner *d,
                                const pith_i_language *languages, uint32_t n,
                                pith_pred target, uint32_t round) {
  bool few = d->task->examples <= PITH_TUNE_SEARCH_FEW_EXAMPLES;
  uint32_t effort = round == 0 && few && d->solved ? 1 : round;
  if (d->brief || is_good(d, few ? 2 : PITH_TUNE_SEARCH_MANY_RULES) ||
      d->task->bounds.max_rules == 1 || (effort > 0 && !few) ||
      d->one_rule_tried > effort)
    return PITH_OK;
  d->single = true;
  pith_status rc = try_languages(d, languages, n, target, effort);
  d->single = false;
  d->one_rule_tried = effort + 1;
  return rc;
}

static pith_status try_rounds(pith_i_clause_learner *d,
                              const pith_i_language *languages, uint32_t n,
                              pith_pred target, pith_i_best *likely) {
  pith_status rc = PITH_OK;
  bool done;
  if (d->single) /* the caller wants no more */
    return pith_i_clauses_try_language(d, &languages[n - 1], target, 0, &done);
  for (uint32_t round = 0; rc >= 0 && round < d->rounds; round++) {
    d->heart = d->all = false;
    if (round > 0)
      rc = try_one_rule(d, languages, n, target, round);
    if (rc >= 0 && (round == 0 || !is_round_enough(d, 0)))
      rc = try_languages(d, languages, n, target, round);
    if (d->circular)
      break;
    if (rc >= 0 && round == 0 && d->heart && !d->solved)
      rc = try_all_early(d, languages, target);
    if (rc >= 0 && round == 0)
      rc = try_one_rule(d, languages, n, target, 0);
    if (rc >= 0 && d->richest >= n && !is_short_enough(d) && !d->doubted)
      rc = pith_i_clauses_try_denied(d, target, round);
    if (rc >= 0 && round == 0 && pith_i_clauses_may_doubt(d))
      rc = pith_i_clauses_doubt(d, target, likely);
    if (rc >= 0 && round == 1 && d->doubted && !d->solved)
      rc = settle_likely(d, likely);
    if (d->best->settled)
      break;
    d->all = !d->solved && d->heart && round + 1 == d->rounds;
    if (rc >= 0 && d->all)
      rc = try_languages(d, languages, n, target, round);
    if (is_round_enough(d, round))
      break;
  }
  return rc;
}

pith_status pith_i_clauses_try_exact(pith_i_clause_learner *d,
                                     pith_pred target) {
  pith_i_language languages[PITH_I_MOST_LANGUAGES];
  pith_i_best likely;
  uint32_t n = pith_i_list_languages(d->task, languages);
  d->below = UINT64_MAX;
  d->named = d->doubted = false;
  d->saving = 0;
  d->number = 0;
  d->done = 0;
  d->rounds = count_rounds(d);
  d->one_rule_tried = 0;
  d->hard.n = 0;
  n = n < d->richest ? n : d->richest;
  d->count = 2 * d->rounds * n;
  pith_i_best_init(&likely, d->task, d->best->keep);
  pith_status rc = try_rounds(d, languages, n, target, &likely);
  pith_i_best_free(&likely);
  pith_i_vec_free(d->task->env, &d->hard);
  if (d->below != UINT64_MAX)
    d->run->now.space = d->found;
  return rc;
}
