#include "learn/clauses/clause_search.h"

#include <assert.h>
#include <math.h>

#include "base/tunables.h"
#include "learn/clauses/clause_learner.h"
#include "learn/clauses/language_list.h"

static pith_status learn_target(pith_i_clause_learner *d, pith_pred target) {
  d->solved = false;
  d->partial_cost = INFINITY;
  /* Of a predicate without positive examples nothing is to be said. */
  if (!pith_i_has_examples(d->task->worlds, d->task->world_count, target,
                           true)) {
    d->space.target = target;
    return pith_i_clauses_offer_rules(d, NULL, 0, 0);
  }
  pith_status rc = d->use_exact ? pith_i_clauses_try_exact(d, target) : PITH_OK;
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

pith_status pith_i_clauses_learn_one(void *ctx, const pith_i_task *task,
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
    rc = pith_i_learn_in_turn(d->task, &turns, d->best,
                              pith_i_clauses_learn_one, d);
    reverse_turns(&turns);
  }
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
    rc = pith_i_clauses_try_classes(d, &done);
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

pith_status pith_i_learn_one_rule(const pith_i_task *task, pith_i_run *run,
                                  pith_i_best *best, uint32_t language) {
  assert(language > 0);
  pith_i_clause_learner d = {.task = task,
                             .run = run,
                             .best = best,
                             .use_exact = true,
                             .brief = true,
                             .single = true,
                             .richest = language};
  return learn_all(&d);
}

pith_status pith_i_learn_noisy_clauses(const pith_i_task *task, pith_i_run *run,
                                       pith_i_best *best) {
  pith_i_clause_learner d = {
      .task = task, .run = run, .best = best, .use_noisy = true};
  return learn_all(&d);
}
