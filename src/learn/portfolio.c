#include "learn/portfolio.h"

#include <assert.h>

#include "base/tunables.h"
#include "learn/bodies/body_learner.h"
#include "learn/clauses/clause_search.h"
#include "learn/fold_rules.h"
#include "learn/invented_names.h"
#include "learn/left_out.h"
#include "learn/merge_rules.h"
#include "learn/recut.h"
#include "learn/templates/template_learner.h"
#include "learn/unite_predicates.h"
#include "learn/weakest.h"
#include "score/length.h"

typedef struct {
  const pith_i_task *task;
  pith_i_run *run;
  pith_i_best *best;
  bool stopped; /* a stage was cut short                          */
  bool failed;  /* the last stage had too little memory           */
} portfolio;

/* ---- when ---------------------------------------------------------------- */

static bool has_templates(const portfolio *p) {
  return p->task->worlds[0].theory->templates.n > 0;
}

static bool wants_bodies(const portfolio *p) {
  const pith_learn_options *opt = p->task->opt;
  return !has_templates(p) &&
         (opt->method == PITH_METHOD_GRADIENT || opt->each);
}

static bool wants_clauses(const portfolio *p) {
  const pith_learn_options *opt = p->task->opt;
  return !has_templates(p) && !wants_bodies(p) &&
         (opt->method == PITH_METHOD_SEARCH || opt->noise == PITH_NOISE_ON);
}

static bool wants_all(const portfolio *p) {
  return !has_templates(p) && !wants_bodies(p) && !wants_clauses(p);
}

/* The caller wants to stop, and there is something to show. */
static bool is_over(const portfolio *p) {
  return pith_i_stop_by_caller(p->run) && p->best->at.n > 0;
}

/* Rules that name constants may list the examples rather than explain them:
** where that is likely, or where bias.pl speaks of invention, it is tried. */
static bool lists_examples(const portfolio *p) {
  assert(p->best->at.n > 0);
  const pith_i_learned_theory *t = &p->best->at.at[0];
  return pith_i_names_constants(t) &&
         (p->task->bounds.wants_invention ||
          2 * (uint64_t)t->info.rules >= p->task->positives);
}

/* Rules of the targets: definitions of invented predicates, as folding makes
** them, are the price of short bodies and say nothing about the examples. */
static uint32_t count_target_rules(const portfolio *p) {
  const pith_i_learned_theory *t = &p->best->at.at[0];
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->info.rules; i++)
    n += t->rules[i]->head.pred < p->task->given_preds;
  return n;
}

/* Where bias.pl speaks of invention, many rules that take more words than the
** labels are no reason not to try it. */
static bool is_long(const portfolio *p) {
  assert(p->best->at.n > 0);
  return p->task->bounds.wants_invention &&
         count_target_rules(p) >= PITH_TUNE_FOLD_MANY_RULES &&
         p->best->at.at[0].bits > pith_i_label_bits(p->task);
}

static bool is_enough(const portfolio *p) {
  return pith_i_best_is_solved(p->best) && !p->task->opt->go_on &&
         (p->task->bounds.constants || !lists_examples(p)) && !is_long(p);
}

/* Where time or memory ran out, what is left serves to doubt examples. */
static bool needs_invention(const portfolio *p) {
  return wants_all(p) && !p->failed && !p->stopped && !is_enough(p) &&
         !p->best->settled && !is_over(p);
}

/* Short bodies and invented predicates: a long body says the same. */
static bool needs_folding(const portfolio *p) {
  const pith_i_bounds *b = &p->task->bounds;
  return needs_invention(p) && b->wants_invention && b->max_body > 1 &&
         b->max_invented == PITH_NONE;
}

static bool needs_doubt(const portfolio *p) {
  return wants_all(p) && p->task->opt->noise != PITH_NOISE_OFF &&
         !pith_i_best_is_solved(p->best) && !p->best->settled && !is_over(p);
}

/* ---- the table ----------------------------------------------------------- */

typedef pith_status merge_lists(pith_i_best *b, pith_i_best *from);

/* Clauses are searched first, for that is quick and finds the smallest theory.
** What they cannot say without an invented predicate is left to the
** gradient; and if nothing fits at all, some examples may be wrong. share: the
** part of the caller's time that is over when the stage must end, so that
** there is always something to show. */
static const struct {
  pith_i_learner *learn;
  bool (*when)(const portfolio *p);
  double share;
  merge_lists *merge;
} stages[] = {
    {pith_i_learn_templates, has_templates, 1, pith_i_best_take},
    {pith_i_learn_bodies, wants_bodies, 1, pith_i_best_take},
    {pith_i_learn_clauses, wants_clauses, 1, pith_i_best_take},
    {pith_i_learn_exact_clauses, wants_all, 0.75, pith_i_best_take},
    {pith_i_learn_folded, needs_folding, 0.8, pith_i_best_join},
    {pith_i_learn_invented, needs_invention, 0.85, pith_i_best_join},
    {pith_i_learn_noisy_clauses, needs_doubt, 1, pith_i_best_take_shorter},
};
enum { STAGES = sizeof stages / sizeof *stages };

/* Too little memory for one way is no reason to lose what another found. */
static pith_status run_stage(portfolio *p, size_t i) {
  assert(i < STAGES);
  pith_i_run part;
  pith_i_best found;
  pith_i_run_part(&part, p->run, stages[i].share);
  pith_i_best_init(&found, p->task, p->best->keep);
  found.by_restart = p->best->by_restart;
  pith_status rc = stages[i].learn(p->task, &part, &found);
  p->stopped = p->stopped || pith_i_run_is_over(&part);
  p->failed = rc == PITH_ENOMEM;
  if (p->failed && wants_all(p)) {
    found.full = true;
    rc = PITH_OK;
  }
  if (rc >= 0)
    rc = stages[i].merge(p->best, &found);
  pith_i_best_free(&found);
  return rc;
}

/* Many rules that fit all labels, but take more bits than these. */
static bool lists_labels(const portfolio *p) {
  return pith_i_best_is_solved(p->best) &&
         p->best->at.at[0].info.rules >= PITH_TUNE_SEARCH_MANY_RULES &&
         pith_i_best_listing_bits(p->best) > pith_i_label_bits(p->task);
}

/* What was learned by heart fits, but says less than a short theory with some
** wrong labels; so may what lists the labels, where a theory of half its bits
** does without some, or a somewhat longer one that clearly saves labels. */
static bool is_shorter(const portfolio *p, const pith_i_best *found) {
  if (found->at.n == 0 || found->at.at[0].info.rules == 0)
    return false;
  const pith_theory_info *i = &found->at.at[0].info;
  double bits = pith_i_best_listing_bits(found) + i->error_bits;
  double share = bits / pith_i_best_listing_bits(p->best);
  bool saves =
      i->rule_bits + i->error_bits + PITH_TUNE_NOISE_SEEN_BITS <= i->label_bits;
  return p->best->at.at[0].info.by_heart ||
         (pith_i_noise_in_best(p->task, found, true) != PITH_I_NOISE_UNSEEN &&
          share <= (saves ? pith_i_reals.NOISE_LISTED_SHARE : 0.5));
}

static pith_status doubt_what_fits(portfolio *p) {
  const pith_i_best *b = p->best;
  pith_i_best found;
  if (b->at.n == 0 || !(b->at.at[0].info.by_heart || lists_labels(p)) ||
      p->task->opt->noise != PITH_NOISE_AUTO ||
      p->task->examples < PITH_TUNE_NOISE_LISTED_EXAMPLES || is_over(p))
    return PITH_OK;
  pith_i_best_init(&found, p->task, b->keep);
  pith_status rc = pith_i_learn_noisy_clauses(p->task, p->run, &found);
  if (rc == PITH_ENOMEM)
    rc = PITH_OK; /* what there is stays */
  else if (rc >= 0 && is_shorter(p, &found))
    rc = pith_i_best_take_shorter(p->best, &found);
  pith_i_best_free(&found);
  return rc;
}

/* What improves on a theory or tells of it may need more memory than there is:
** then the theory stays as it is. */
static pith_status spare_memory(pith_status rc) {
  return rc == PITH_ENOMEM ? PITH_OK : rc;
}

pith_status pith_i_portfolio(const pith_i_task *task, pith_i_run *run,
                             pith_i_best *best, bool *stopped) {
  assert(best->at.n == 0);
  portfolio p = {.task = task, .run = run, .best = best};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < STAGES; i++)
    if (stages[i].when(&p))
      rc = run_stage(&p, i);
  if (rc >= 0 && p.failed && best->at.n == 0)
    rc = PITH_ENOMEM;
  if (rc >= 0 && wants_all(&p) && !is_over(&p))
    rc = spare_memory(pith_i_merge_rules(task, run, best));
  if (rc >= 0 && wants_all(&p) && !is_over(&p))
    rc = pith_i_unite_predicates(task, best);
  if (rc >= 0 && !has_templates(&p) && !is_over(&p))
    rc = pith_i_name_values(task, best);
  if (rc >= 0 && wants_all(&p)) /* or says that there was no time for it */
    rc = pith_i_check_left_out(task, run, best);
  if (rc >= 0 && wants_all(&p))
    rc = doubt_what_fits(&p);
  if (rc >= 0 && !has_templates(&p) && !is_over(&p))
    rc = spare_memory(pith_i_recut_thresholds(task, run, best));
  if (rc >= 0 && !has_templates(&p) && !is_over(&p))
    rc = spare_memory(pith_i_find_weakest(task, run, best));
  pith_i_number_invented(task, best);
  *stopped =
      p.stopped || pith_i_run_is_over(run) || pith_i_run_was_cancelled(run);
  return rc;
}
