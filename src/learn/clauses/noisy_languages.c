#include "learn/clauses/clause_learner.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "learn/clauses/clause_search.h"
#include "learn/clauses/example_sample.h"
#include "learn/clauses/label_noise.h"
#include "learn/clauses/language_list.h"
#include "learn/clauses/missing_rules.h"
#include "learn/clauses/noisy_clauses.h"
#include "score/length.h"

/* Where nothing leads from thing to thing, as in a table, recursion is through
** values that they share, and there are very many such rules: those that wrong
** labels make worth their length are never meant. */
static pith_status open_noisy_space(pith_i_clause_learner *d,
                                    pith_i_language *language,
                                    pith_pred target) {
  pith_status rc =
      pith_i_space_init(&d->space, d->task, d->run, target, language);
  if (rc < 0 || !language->recursion || pith_i_space_has_steps(&d->space))
    return rc;
  pith_i_space_free(&d->space);
  language->recursion = false;
  return pith_i_space_init(&d->space, d->task, d->run, target, language);
}

static pith_status try_noisy_language(pith_i_clause_learner *d,
                                      pith_i_language language,
                                      pith_pred target, double effort) {
  pith_status rc = open_noisy_space(d, &language, target);
  d->sample = (pith_i_sample){0};
  bool same = language.helpers && d->space.helpers == 0;
  pith_i_verdict v;
  pith_i_clauses_describe(d, &language, true);
  if (rc >= 0 && !same)
    rc = pith_i_sample_draw(&d->sample, &d->space, PITH_TUNE_NOISE_EXAMPLES,
                            PITH_TUNE_NOISE_EXAMPLES, true);
  if (rc >= 0 && !same) {
    pith_i_exact_limits limits =
        pith_i_clauses_limits(d, pith_i_clauses_has_few_bits(d) ? 0 : 1);
    limits.rows =
        PITH_TUNE_NOISE_ROWS * (d->sample.n + 1000); /* many small tables */
    /* With few bits what is worth its length is short. */
    limits.work = (uint64_t)((double)limits.work * effort /
                             (pith_i_clauses_has_few_bits(d) ? 2 : 1));
    rc = pith_i_noise_run(&d->sample, &limits, &d->arena, &v);
    if (rc >= 0)
      rc = pith_i_clauses_offer_rules(d, v.rules.rules, v.rules.n, v.program);
  }
  pith_i_sample_free(&d->sample);
  pith_i_space_free(&d->space);
  return rc;
}

enum { NOISY_LANGUAGES = 4 };

static void list_noisy_languages(const pith_i_task *task,
                                 pith_i_language *languages) {
  uint32_t most = pith_i_most_constants(task);
  languages[0] =
      (pith_i_language){.recursion = task->bounds.recursion &&
                                     task->examples <= PITH_TUNE_NOISE_EXAMPLES,
                        .constants = task->bounds.constants ? most : 0};
  languages[1] = languages[2] = languages[0];
  languages[1].helpers = true;
  languages[2].different = true;
  languages[2].constants = most;
  languages[2].comparisons = true;
  languages[3] = languages[2];
  languages[3].different = false;
  languages[3].absent = true;
}

static pith_status try_noisy_languages(pith_i_clause_learner *d,
                                       pith_pred target, double effort) {
  pith_i_language languages[NOISY_LANGUAGES];
  double bits = d->bits;
  pith_status rc = PITH_OK;
  list_noisy_languages(d->task, languages);
  for (uint32_t i = 0;
       rc >= 0 && i < NOISY_LANGUAGES && !pith_i_stop_requested(d->run); i++) {
    if ((i == 1 && !d->task->bounds.invention) || (i > 0 && d->targets.n > 1))
      continue;
    d->bits = bits;
    d->number++;
    rc = pith_i_clauses_note_full_memory(
        d, try_noisy_language(d, languages[i], target, effort));
  }
  return rc;
}

static pith_i_errors_seen errors_of_best(const pith_i_task *task,
                                         const pith_i_best *found) {
  assert(found->at.n > 0);
  const pith_theory_info *i = &found->at.at[0].info;
  return (pith_i_errors_seen){.positives = task->positives,
                              .examples = task->examples,
                              .fp = i->fp,
                              .fn = i->fn,
                              .rule_bits = i->rule_bits};
}

/* Errors that lean to one side say that a rule or a condition is missing. With
** many labels it is worth more work to look for it. */
static bool misses_rules(const pith_i_clause_learner *d) {
  if (d->best->at.n == 0 || d->targets.n > 1 ||
      pith_i_label_bits(d->task) < PITH_TUNE_NOISE_DEEPER_BITS)
    return false;
  pith_i_errors_seen seen = errors_of_best(d->task, d->best);
  return pith_i_error_lean(&seen) > pith_i_reals.NOISE_SEEN_LEAN;
}

/* Whether the best there is, with its errors, is hardly shorter than the
** labels: something else may be behind them. */
static bool saves_little(const pith_i_clause_learner *d) {
  if (d->best->at.n == 0 || d->best->at.at[0].info.rules == 0)
    return true;
  const pith_theory_info *i = &d->best->at.at[0].info;
  return i->rule_bits + i->error_bits >
         pith_i_reals.NOISE_LITTLE * i->label_bits;
}

/* All languages once, with more or less work than usual. */
static pith_status weigh_languages(pith_i_clause_learner *d, pith_pred target,
                                   double effort) {
  double bits = d->bits;
  d->best->weighs = true;
  d->below = UINT64_MAX;
  d->number = 0;
  d->count = d->targets.n > 1 ? 1 : 3 + d->task->bounds.invention;
  pith_status rc = d->targets.n > 1 ? PITH_OK : pith_i_clauses_offer_partial(d);
  if (rc < 0)
    return rc;
  d->bits = bits;
  rc = try_noisy_languages(d, target, effort);
  d->bits = bits;
  if (rc >= 0 && saves_little(d))
    rc = pith_i_clauses_note_full_memory(
        d, pith_i_clauses_try_noisy_denied(d, target));
  return rc;
}

pith_status pith_i_clauses_try_noisy(pith_i_clause_learner *d,
                                     pith_pred target) {
  double bits = d->bits;
  pith_status rc = weigh_languages(
      d, target, d->effort > 0 ? d->effort : pith_i_reals.NOISE_EFFORT);
  if (rc < 0 || d->effort > 0 || !misses_rules(d))
    return rc;
  d->bits = bits;
  return weigh_languages(d, target, pith_i_reals.NOISE_DEEPER_EFFORT);
}

/* ---- when some examples are wrong -------------------------------------- */

/* Bits of the program that fits all examples. */
static double solved_bits(const pith_i_best *best) {
  return best->at.n == 0 ? INFINITY
                         : PITH_I_ATOM_BITS * (double)best->at.at[0].info.size;
}

/* A program of many rules that saves little may list wrong labels. */
static bool is_doubtful(const pith_i_clause_learner *d) {
  return d->rule_count >= PITH_TUNE_SEARCH_MANY_RULES &&
         pith_i_label_bits(d->task) <
             PITH_TUNE_SEARCH_ENOUGH * solved_bits(d->best);
}

bool pith_i_clauses_may_doubt(const pith_i_clause_learner *d) {
  return (!d->solved || is_doubtful(d)) && !d->brief && d->targets.n == 1 &&
         !d->task->bounds.wants_invention &&
         d->task->opt->noise == PITH_NOISE_AUTO && !d->best->full &&
         d->task->examples >= PITH_TUNE_NOISE_SEEN_EXAMPLES &&
         !pith_i_stop_requested(d->run);
}

pith_i_noise_seen pith_i_noise_in_best(const pith_i_task *task,
                                       const pith_i_best *found, bool listed) {
  if (found->at.n == 0 || found->at.at[0].info.solved)
    return PITH_I_NOISE_UNSEEN;
  pith_i_errors_seen seen = errors_of_best(task, found);
  seen.listed = listed;
  return pith_i_looks_like_noise(&seen);
}

bool pith_i_clauses_noise_plain(const pith_i_task *task,
                                const pith_i_best *found, double most) {
  if (pith_i_noise_in_best(task, found, false) != PITH_I_NOISE_SEEN)
    return false;
  const pith_theory_info *i = &found->at.at[0].info;
  return 2 * (i->rule_bits + i->error_bits) <= most;
}

/* Where a program fits all labels, what doubts some of them is plain or
** nothing. */
static pith_i_noise_seen noise_beside(const pith_i_clause_learner *d,
                                      const pith_i_best *found) {
  if (!d->solved)
    return pith_i_noise_in_best(d->task, found, false);
  return pith_i_clauses_noise_plain(d->task, found,
                                    pith_i_best_listing_bits(d->best))
             ? PITH_I_NOISE_SEEN
             : PITH_I_NOISE_UNSEEN;
}

/* ---- or a rule is missing ------------------------------------------------ */

static pith_status learn_rest(void *ctx, const pith_i_task *task,
                              pith_i_best *found) {
  const pith_i_clause_learner *d = ctx;
  return pith_i_learn_briefly(task, d->run, found, d->richest, true);
}

/* What gives no negative example and misses positive ones lacks a rule, rather
** than that all wrong labels were of one sign by chance: what it misses is
** looked at by itself, where that rule is the only one. */
static pith_status look_for_missing(pith_i_clause_learner *d,
                                    const pith_i_best *found) {
  pith_space before = d->run->now.space;
  if (found->at.n == 0 || found->at.at[0].info.solved ||
      found->at.at[0].info.fp > 0 || found->at.at[0].info.rules == 0 ||
      found->at.at[0].info.fn < 2 || pith_i_stop_requested(d->run))
    return PITH_OK;
  pith_status rc =
      pith_i_learn_missing(d->task, &found->at.at[0], learn_rest, d, d->best);
  if (rc >= 0 && pith_i_best_is_solved(d->best)) {
    d->solved = true;
    d->rule_count = d->best->at.at[0].info.rules;
    d->named = pith_i_names_constants(&d->best->at.at[0]);
    d->found = d->best->at.at[0].info.space;
  } else {
    d->run->now.space = before;
  }
  return rc;
}

pith_status pith_i_clauses_doubt(pith_i_clause_learner *d, pith_pred target,
                                 pith_i_best *likely) {
  pith_i_best found;
  pith_i_clause_learner e = *d;
  pith_i_best_init(&found, d->task, d->best->keep);
  e.best = &found;
  e.partial_cost = INFINITY;
  pith_status rc =
      weigh_languages(&e, target, pith_i_reals.NOISE_GLANCE_EFFORT);
  if (rc >= 0 && noise_beside(d, &found) != PITH_I_NOISE_SEEN) {
    e.bits = d->bits;
    rc = pith_i_clauses_try_noisy(&e, target);
  }
  d->arena = e.arena;
  memcpy(&d->rules, &e.rules, sizeof d->rules);
  pith_i_noise_seen seen =
      rc < 0 ? PITH_I_NOISE_UNSEEN : noise_beside(d, &found);
  if (rc >= 0 && seen != PITH_I_NOISE_SEEN)
    rc = look_for_missing(d, &found);
  seen = d->solved && seen == PITH_I_NOISE_LIKELY ? PITH_I_NOISE_UNSEEN : seen;
  found.settled = seen == PITH_I_NOISE_SEEN;
  d->doubted = seen == PITH_I_NOISE_LIKELY;
  if (seen != PITH_I_NOISE_UNSEEN)
    rc = pith_i_best_take(d->doubted ? likely : d->best, &found);
  pith_i_best_free(&found);
  return rc;
}
