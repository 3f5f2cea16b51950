#include "learn/left_out.h"

#include <assert.h>

#include "base/tunables.h"
#include "learn/clauses/clause_search.h"
#include "learn/clauses/language_list.h"
#include "score/length.h"
#include "task/chosen_examples.h"

typedef struct {
  pith_i_chosen_examples chosen;
  const pith_i_task *whole;
  pith_i_run *run;
  uint64_t right, left_out;
  uint32_t richest; /* language that is tried: that of the theory; 0: all */
} validation;

static bool is_recursive_theory(const pith_i_learned_theory *t) {
  for (uint32_t i = 0; i < t->info.rules; i++)
    for (uint32_t k = 0; k < t->rules[i]->body_len; k++)
      if (t->rules[i]->body[k].pred == t->rules[i]->head.pred)
        return true;
  return false;
}

/* Many rules for the examples they explain, or many more bits than these. A
** recursive program of few and short rules without constants cannot list
** examples; and a few that are left out may be the only ones to show its first
** step. */
static bool is_suspicious(const pith_i_task *task,
                          const pith_i_learned_theory *t) {
  double labels = pith_i_label_bits(task);
  double bits = pith_i_choices_bits(t->rules, t->info.rules);
  if (is_recursive_theory(t) && !pith_i_names_constants(t) &&
      t->info.rules <= PITH_TUNE_LEFT_OUT_RECURSIVE_RULES && bits < 4 * labels)
    return false;
  uint32_t rules = t->info.rules;
  return t->info.solved && task->examples <= PITH_TUNE_LEFT_OUT_EXAMPLES &&
         task->positives > 2 &&
         ((rules > 2 && 2 * (uint64_t)rules >= task->positives) ||
          bits > 2 * labels);
}

/* The n-th example of either sign is left out of fold n mod folds. */
typedef struct {
  uint32_t fold;
  bool left_out;    /* those that are, or the others */
  uint32_t seen[2]; /* of either sign                */
} fold_choice;

static bool is_in_fold(void *ctx, size_t world, const pith_example *e) {
  fold_choice *f = ctx;
  (void)world;
  uint32_t n = f->seen[e->positive]++;
  return (n % PITH_TUNE_LEFT_OUT_FOLDS == f->fold) == f->left_out;
}

static void choose_fold(validation *v, uint32_t fold, bool left_out) {
  fold_choice f = {.fold = fold, .left_out = left_out};
  assert(fold < PITH_TUNE_LEFT_OUT_FOLDS);
  pith_i_chosen_set(&v->chosen, is_in_fold, &f);
}

/* Learns without the examples of a fold and predicts them. */
static pith_status validate_fold(validation *v, uint32_t fold) {
  const pith_i_task *task = &v->chosen.task;
  pith_i_best best;
  pith_i_errors errors = {0, 0};
  choose_fold(v, fold, false);
  pith_i_best_init(&best, task, 1);
  pith_status rc = pith_i_learn_briefly(task, v->run, &best, v->richest, false);
  choose_fold(v, fold, true);
  if (rc >= 0)
    rc = pith_i_judge(task->worlds, task->world_count,
                      best.at.n == 0 ? NULL : best.at.at[0].rules,
                      best.at.n == 0 ? 0 : best.at.at[0].info.rules, &errors);
  v->left_out += task->examples;
  v->right += task->examples - errors.fp - errors.fn;
  pith_i_best_free(&best);
  return rc;
}

static pith_status validate_folds(validation *v) {
  pith_status rc = pith_i_chosen_begin(&v->chosen, v->whole);
  for (uint32_t fold = 0; rc >= 0 && fold < PITH_TUNE_LEFT_OUT_FOLDS &&
                          !pith_i_stop_requested(v->run);
       fold++)
    rc = validate_fold(v, fold);
  pith_i_chosen_end(&v->chosen);
  return rc;
}

/* By heart: less than half is right of what the larger sign alone gets wrong,
** and less than three in four of all. Perhaps: two or more are wrong, and more
** than one in ten, which labels drawn by chance reach now and then. */
static void report_left_out(const validation *v, pith_theory_info *info) {
  const pith_i_task *task = v->whole;
  uint64_t fewer = 2 * task->positives > task->examples
                       ? task->examples - task->positives
                       : task->positives;
  uint64_t wrong = v->left_out - v->right;
  assert(v->right <= v->left_out);
  info->left_out = v->left_out;
  info->left_out_right = v->right;
  info->by_heart = v->left_out == task->examples && 2 * wrong > fewer &&
                   4 * wrong > v->left_out;
  info->maybe_by_heart =
      !info->by_heart &&
      (v->left_out < task->examples || (wrong > 1 && 10 * wrong > v->left_out));
}

static bool is_same_class(const pith_atom *a, const pith_atom *b) {
  if (a->pred != b->pred)
    return false;
  for (uint32_t i = 0; i < a->arity; i++)
    if (!PITH_IS_VAR(a->args[i]) && a->args[i] != b->args[i])
      return false;
  return true;
}

/* Nor classes of one target, each of which is learned by itself. */
static bool has_one_target(const pith_i_learned_theory *t) {
  for (uint32_t i = 1; i < t->info.rules; i++)
    if (!is_same_class(&t->rules[i]->head, &t->rules[0]->head))
      return false;
  return true;
}

pith_status pith_i_check_left_out(const pith_i_task *task, pith_i_run *run,
                                  pith_i_best *best) {
  validation v = {.whole = task, .run = run};
  if (best->at.n == 0 || !is_suspicious(task, &best->at.at[0]))
    return PITH_OK;
  v.richest = has_one_target(&best->at.at[0])
                  ? pith_i_language_of(task, &best->at.at[0].info.space)
                  : 0;
  pith_status rc = validate_folds(&v);
  if (rc >= 0)
    report_left_out(&v, &best->at.at[0].info);
  return rc;
}
