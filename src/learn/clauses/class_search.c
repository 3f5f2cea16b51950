#include <math.h>

#include "base/tunables.h"
#include "learn/clauses/classes.h"
#include "learn/clauses/clause_learner.h"
#include "learn/clauses/clause_search.h"
#include "score/length.h"

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
  pith_status rc = pith_i_learn_in_turn(d->task, turns, &found,
                                        pith_i_clauses_learn_one, &noisy);
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
  pith_status rc = pith_i_clauses_learn_one(&g->exact, task, found);
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
  return pith_i_learn_in_turn(d->task, turns, found, pith_i_clauses_learn_one,
                              &noisy);
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
  *likely = rc >= 0 &&
            pith_i_noise_in_best(d->task, &found, false) != PITH_I_NOISE_UNSEEN;
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
  rc = pith_i_learn_in_turn(d->task, turns, d->best, pith_i_clauses_learn_one,
                            &one);
  bool doubted = d->best->settled && !pith_i_best_is_solved(d->best);
  return rc >= 0 && doubted && d->use_exact ? weigh_classes(d, turns) : rc;
}

pith_status pith_i_clauses_try_classes(pith_i_clause_learner *d, bool *done) {
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
