#include "learn/clauses/clause_search.h"

#include <assert.h>
#include <math.h>

#include "base/tunables.h"
#include "learn/clauses/classes.h"
#include "learn/clauses/clause_learner.h"
#include "learn/clauses/language_list.h"
#include "learn/clauses/oddness.h"
#include "learn/clauses/targets_in_turn.h"
#include "score/length.h"

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
         (language->absent && round > 0 &&
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
    if (!is_beaten(d, &languages[i]) && !is_done(d, &languages[i], i, round) &&
        !pith_i_stop_requested(d->run)) {
      d->needed = needed_kind(d, languages, i);
      rc = pith_i_clauses_try_language(d, &languages[i], target, round, &done);
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
** for, with more work too, even where two rules fit. */
static pith_status try_one_rule(pith_i_clause_learner *d,
                                const pith_i_language *languages, uint32_t n,
                                pith_pred target, uint32_t round) {
  bool few = d->task->examples <= PITH_TUNE_SEARCH_FEW_EXAMPLES;
  if (d->brief || is_good(d, few ? 2 : PITH_TUNE_SEARCH_MANY_RULES) ||
      d->task->bounds.max_rules == 1 || (round > 0 && !few))
    return PITH_OK;
  d->single = true;
  pith_status rc = try_languages(d, languages, n, target, round);
  d->single = false;
  return rc;
}

static pith_status try_rounds(pith_i_clause_learner *d,
                              const pith_i_language *languages, uint32_t n,
                              pith_pred target, pith_i_best *likely) {
  pith_status rc = PITH_OK;
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
    if (rc >= 0 && round == 0 && d->solved)
      rc = try_one_rule(d, languages, n, target, 1);
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

static pith_status try_exact(pith_i_clause_learner *d, pith_pred target) {
  pith_i_language languages[PITH_I_MOST_LANGUAGES];
  pith_i_best likely;
  uint32_t n = pith_i_list_languages(d->task, languages);
  d->below = UINT64_MAX;
  d->named = d->doubted = false;
  d->saving = 0;
  d->number = 0;
  d->done = 0;
  d->rounds = count_rounds(d);
  n = n < d->richest ? n : d->richest;
  d->count = 2 * d->rounds * n;
  pith_i_best_init(&likely, d->task, d->best->keep);
  pith_status rc = try_rounds(d, languages, n, target, &likely);
  pith_i_best_free(&likely);
  if (d->below != UINT64_MAX)
    d->run->now.space = d->found;
  return rc;
}

/* ---- all targets ------------------------------------------------------- */

static pith_status learn_target(pith_i_clause_learner *d, pith_pred target) {
  d->solved = false;
  d->partial_cost = INFINITY;
  /* Of a predicate without positive examples nothing is to be said. */
  if (!pith_i_has_examples(d->task->worlds, d->task->world_count, target,
                           true)) {
    d->space.target = target;
    return pith_i_clauses_offer_rules(d, NULL, 0, 0);
  }
  pith_status rc = d->use_exact ? try_exact(d, target) : PITH_OK;
  if (rc < 0 || d->solved || d->best->settled || d->circular)
    return rc;
  return d->use_noisy ? pith_i_clauses_try_noisy(d, target)
                      : pith_i_clauses_offer_partial(d);
}

/* Whether the background alone explains all examples. */
static pith_status offer_nothing(pith_i_clause_learner *d, bool *enough) {
  pith_i_errors without = {1, 1};
  pith_status rc =
      pith_i_judge(d->task->worlds, d->task->world_count, NULL, 0, &without);
  *enough = rc >= 0 && without.fp + without.fn == 0;
  return *enough ? pith_i_clauses_offer_program(d, 0, NULL) : rc;
}

static pith_status learn_all_at_once(pith_i_clause_learner *d) {
  pith_i_env *env = d->task->env;
  bool enough = false;
  d->arena.env = env;
  pith_status rc = offer_nothing(d, &enough);
  for (size_t i = 0; rc >= 0 && !enough && i < d->targets.n; i++)
    rc = learn_target(d, d->targets.at[i]);
  pith_i_run_phase(d->run, "clauses searched");
  /* Where nothing may be wrong and nothing fits, no rules are the answer. */
  if (rc >= 0 && d->task->opt->noise == PITH_NOISE_OFF && d->best->at.n == 0)
    rc = pith_i_clauses_offer_program(d, 0, NULL);
  if (rc >= 0 && d->best->full && d->best->at.n == 0)
    rc = PITH_ENOMEM;
  pith_i_vec_free(env, &d->rules);
  pith_i_arena_free(&d->arena);
  return rc;
}

/* In the way of another learner, which ctx is. */
static pith_status learn_one_target(void *ctx, const pith_i_task *task,
                                    pith_i_best *found) {
  const pith_i_clause_learner *like = ctx;
  pith_i_clause_learner d = {.task = task,
                             .run = like->run,
                             .best = found,
                             .use_exact = like->use_exact,
                             .use_noisy = like->use_noisy,
                             .brief = like->brief,
                             .small_first = like->small_first,
                             .effort = like->effort,
                             .richest = like->richest};
  pith_status rc = pith_i_list_targets(task->env, task->worlds,
                                       task->world_count, &d.targets);
  if (rc >= 0)
    rc = learn_all_at_once(&d);
  pith_i_vec_free(task->env, &d.targets);
  return rc;
}

/* Where targets are explained by labels of each other, the program may fit and
** be larger than it need be: it has more rules than targets, or long ones. */
static bool needs_turns(const pith_i_clause_learner *d) {
  if (d->targets.n < 2 || pith_i_stop_requested(d->run))
    return false;
  if (!pith_i_best_is_solved(d->best))
    return true;
  const pith_theory_info *found = &d->best->at.at[0].info;
  return found->rules > d->targets.n ||
         found->size > PITH_TUNE_SEARCH_LONG_RULE * d->targets.n;
}

static pith_status list_turns(const pith_i_clause_learner *d,
                              pith_i_turns *out) {
  for (size_t i = 0; i < d->targets.n; i++) {
    pith_i_turn turn = {d->targets.at[i], 0, PITH_NONE};
    if (!pith_i_push(d->task->env, out, turn))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static void reverse_turns(pith_i_turns *turns) {
  for (size_t i = 0; 2 * i + 1 < turns->n; i++) {
    pith_i_turn t = turns->at[i];
    turns->at[i] = turns->at[turns->n - 1 - i];
    turns->at[turns->n - 1 - i] = t;
  }
}

/* What is said by a target can only be learned after it: dead code is what is
** not live. So where the theory may be shorter, they take turns backwards,
** too. */
static pith_status learn_targets_in_turn(pith_i_clause_learner *d) {
  pith_i_turns turns = {0};
  pith_status rc = list_turns(d, &turns);
  for (int pass = 0; rc >= 0 && pass < 2 && needs_turns(d); pass++) {
    rc = pith_i_learn_in_turn(d->task, &turns, d->best, learn_one_target, d);
    reverse_turns(&turns);
  }
  pith_i_vec_free(d->task->env, &turns);
  return rc;
}

/* Whether labels may be wrong in all classes, a few in each. */
static bool may_doubt_classes(const pith_i_clause_learner *d) {
  return d->use_exact && !d->brief && d->task->opt->noise == PITH_NOISE_AUTO &&
         d->task->examples >= PITH_TUNE_NOISE_SEEN_EXAMPLES;
}

/* Where one class has wrong labels, so may another, whose rules fit by listing
** them: all are weighed once more. */
static pith_status weigh_classes(pith_i_clause_learner *d,
                                 const pith_i_turns *turns) {
  pith_i_clause_learner noisy = {
      .task = d->task, .run = d->run, .use_noisy = true, .richest = d->richest};
  pith_i_best found;
  pith_i_best_init(&found, d->task, d->best->keep);
  found.weighs = true;
  pith_status rc =
      pith_i_learn_in_turn(d->task, turns, &found, learn_one_target, &noisy);
  if (rc >= 0 && found.at.n > 0)
    rc = pith_i_best_take_shorter(d->best, &found);
  pith_i_best_free(&found);
  d->best->settled = true;
  return rc;
}

/* One round for each class, until one has nothing that fits or all have more
** rules than should be said without weighing. */
typedef struct {
  pith_i_clause_learner exact;
  uint64_t most, rules; /* of the classes so far */
  double bits;          /* of their rules, which may list wrong labels */
  bool failed;
} class_glance;

static pith_status glance_at_class(void *ctx, const pith_i_task *task,
                                   pith_i_best *found) {
  class_glance *g = ctx;
  if (g->failed || g->rules > g->most)
    return PITH_OK;
  pith_status rc = learn_one_target(&g->exact, task, found);
  g->failed = rc < 0 || !pith_i_best_is_solved(found);
  if (g->failed)
    return rc;
  const pith_i_learned_theory *t = &found->at.at[0];
  g->rules += t->info.rules;
  g->bits +=
      PITH_I_ATOM_BITS * (double)(t->info.size + pith_i_count_constants(t));
  return rc;
}

static pith_status glance_until(const pith_i_clause_learner *d,
                                const pith_i_turns *turns, uint64_t most,
                                class_glance *g, pith_i_best *fits) {
  *g = (class_glance){.exact = {.task = d->task,
                                .run = d->run,
                                .use_exact = true,
                                .brief = true,
                                .effort = pith_i_reals.SEARCH_CLASSES_FIRST,
                                .richest = d->richest},
                      .most = most};
  return pith_i_learn_in_turn(d->task, turns, fits, glance_at_class, g);
}

static pith_status weigh_briefly(const pith_i_clause_learner *d,
                                 const pith_i_turns *turns,
                                 pith_i_best *found) {
  pith_i_clause_learner noisy = {.task = d->task,
                                 .run = d->run,
                                 .use_noisy = true,
                                 .brief = true,
                                 .effort = pith_i_reals.SEARCH_CLASSES_EFFORT,
                                 .richest = d->richest};
  return pith_i_learn_in_turn(d->task, turns, found, learn_one_target, &noisy);
}

/* Whether labels are plainly wrong beside rules that fit them all. */
static bool is_glance_plain(const pith_i_clause_learner *d,
                            const class_glance *g, const pith_i_best *found) {
  return pith_i_clauses_noise_plain(d->task, found,
                                    g->failed ? INFINITY : g->bits);
}

/* One round shows whether a rule or two for each class fit. If not, all classes
** are weighed, with little work: of one alone the labels say too little. */
static pith_status glance_at_classes(pith_i_clause_learner *d,
                                     const pith_i_turns *turns, bool *likely,
                                     bool *done) {
  class_glance g;
  pith_i_best fits, found;
  pith_i_best_init(&fits, d->task, 1);
  pith_i_best_init(&found, d->task, d->best->keep);
  found.weighs = true;
  pith_status rc = glance_until(d, turns, 2 * turns->n, &g, &fits);
  bool many = g.failed || g.rules > g.most;
  if (rc >= 0 && many && !pith_i_stop_requested(d->run))
    rc = weigh_briefly(d, turns, &found);
  bool plain = rc >= 0 && is_glance_plain(d, &g, &found);
  if (rc >= 0 && found.at.n > 0 && !g.failed && !plain) {
    rc = glance_until(d, turns, UINT64_MAX, &g, &fits); /* the others too */
    plain = rc >= 0 && is_glance_plain(d, &g, &found);
  }
  *likely =
      rc >= 0 && pith_i_noise_in_best(d->task, &found) != PITH_I_NOISE_UNSEEN;
  if (plain) {
    found.settled = *done = true;
    rc = pith_i_best_take(d->best, &found);
  } else if (rc >= 0 && pith_i_best_is_solved(&fits) &&
             fits.at.at[0].info.rules <= turns->n + 2) {
    *done = true; /* no class has more than 3 */
    rc = pith_i_best_take(d->best, &fits);
  }
  pith_i_best_free(&fits);
  pith_i_best_free(&found);
  return rc;
}

/* Class by class: together they hide each other's rules. Where labels are
** likely to be wrong, rules that fit all of them are worth less work. */
static pith_status learn_classes(pith_i_clause_learner *d,
                                 const pith_i_turns *turns) {
  d->best->weighs = d->best->weighs || !d->use_exact;
  bool likely = false, done = false;
  pith_i_clause_learner one = *d; /* only what it is asked to do counts */
  pith_status rc = may_doubt_classes(d)
                       ? glance_at_classes(d, turns, &likely, &done)
                       : PITH_OK;
  if (rc < 0 || done)
    return rc;
  one.effort =
      likely && d->effort == 0 ? pith_i_reals.SEARCH_CLASSES_LIKELY : d->effort;
  rc = pith_i_learn_in_turn(d->task, turns, d->best, learn_one_target, &one);
  bool doubted = d->best->settled && !pith_i_best_is_solved(d->best);
  return rc >= 0 && doubted && d->use_exact ? weigh_classes(d, turns) : rc;
}

/* done: nothing else need be looked for. */
static pith_status try_classes(pith_i_clause_learner *d, bool *done) {
  pith_i_turns turns = {0};
  pith_status rc = PITH_OK;
  if (d->targets.n == 1 && !d->task->bounds.no_constants)
    rc = pith_i_list_classes(d->task, d->targets.at[0], &turns);
  bool some = turns.n > 1;
  if (rc >= 0 && some)
    rc = learn_classes(d, &turns);
  *done = some &&
          (pith_i_best_is_solved(d->best) || d->best->settled || !d->use_exact);
  pith_i_vec_free(d->task->env, &turns);
  return rc;
}

static pith_status learn_targets(pith_i_clause_learner *d) {
  bool brief = d->brief; /* of several targets one round shows what fits */
  d->brief = brief || d->targets.n > 1;
  pith_status rc = learn_all_at_once(d);
  d->brief = brief;
  return rc < 0 ? rc : learn_targets_in_turn(d);
}

static pith_status learn_all(pith_i_clause_learner *d) {
  pith_i_env *env = d->task->env;
  bool done = false;
  d->richest = d->richest > 0 ? d->richest : PITH_I_MOST_LANGUAGES;
  d->run->every = PITH_TUNE_SEARCH_LOOK_EVERY;
  d->run->reports = true;
  d->run->now.phase = d->use_exact ? "searching clauses" : "weighing clauses";
  d->run->now.wrong = pith_i_best_wrong(d->best);
  pith_status rc = pith_i_list_targets(env, d->task->worlds,
                                       d->task->world_count, &d->targets);
  if (rc >= 0)
    rc = try_classes(d, &done);
  if (rc >= 0 && !done)
    rc = learn_targets(d);
  pith_i_best_trim(d->best);
  pith_i_vec_free(env, &d->targets);
  return rc;
}

pith_status pith_i_learn_clauses(const pith_i_task *task, pith_i_run *run,
                                 pith_i_best *best) {
  pith_i_clause_learner d = {.task = task,
                             .run = run,
                             .best = best,
                             .use_exact = task->opt->noise != PITH_NOISE_ON,
                             .use_noisy = task->opt->noise != PITH_NOISE_OFF};
  return learn_all(&d);
}

pith_status pith_i_learn_exact_clauses(const pith_i_task *task, pith_i_run *run,
                                       pith_i_best *best) {
  pith_i_clause_learner d = {
      .task = task, .run = run, .best = best, .use_exact = true};
  return learn_all(&d);
}

pith_status pith_i_learn_briefly(const pith_i_task *task, pith_i_run *run,
                                 pith_i_best *best, uint32_t richest,
                                 bool small_first) {
  pith_i_clause_learner d = {.task = task,
                             .run = run,
                             .best = best,
                             .use_exact = true,
                             .brief = true,
                             .small_first = small_first,
                             .richest = richest};
  return learn_all(&d);
}

pith_status pith_i_learn_noisy_clauses(const pith_i_task *task, pith_i_run *run,
                                       pith_i_best *best) {
  pith_i_clause_learner d = {
      .task = task, .run = run, .best = best, .use_noisy = true};
  return learn_all(&d);
}
