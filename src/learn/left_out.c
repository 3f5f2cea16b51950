#include "learn/left_out.h"

#include <assert.h>

#include "base/tunables.h"
#include "learn/clauses/clause_search.h"
#include "learn/clauses/language_list.h"
#include "score/length.h"

typedef struct {
  const pith_i_task *task;
  pith_i_run *run;
  const pith_example ***all; /* (worlds) the examples as they were */
  size_t *count;             /* (worlds) */
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
  double bits = PITH_I_ATOM_BITS * (double)t->info.size;
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
static void choose_examples(validation *v, uint32_t fold, bool left_out) {
  uint32_t seen[2] = {0, 0};
  for (size_t w = 0; w < v->task->world_count; w++) {
    pith_i_theory *t = v->task->worlds[w].theory;
    t->examples.n = 0;
    for (size_t i = 0; i < v->count[w]; i++) {
      uint32_t n = seen[v->all[w][i]->positive]++;
      if ((n % PITH_TUNE_LEFT_OUT_FOLDS == fold) == left_out)
        t->examples.at[t->examples.n++] = (pith_example *)v->all[w][i];
    }
  }
}

static void count_examples(pith_i_task *task) {
  task->examples = task->positives = 0;
  for (size_t w = 0; w < task->world_count; w++) {
    const pith_i_theory *t = task->worlds[w].theory;
    task->examples += t->examples.n;
    for (size_t i = 0; i < t->examples.n; i++)
      task->positives += t->examples.at[i]->positive;
  }
}

/* Learns without the examples of a fold and predicts them. */
static pith_status validate_fold(validation *v, uint32_t fold) {
  pith_i_task task = *v->task;
  pith_i_best best;
  pith_i_errors errors = {0, 0};
  choose_examples(v, fold, false);
  count_examples(&task);
  pith_i_best_init(&best, &task, 1);
  pith_status rc = pith_i_learn_briefly(&task, v->run, &best, v->richest);
  choose_examples(v, fold, true);
  count_examples(&task);
  if (rc >= 0)
    rc = pith_i_judge(task.worlds, task.world_count,
                      best.at.n == 0 ? NULL : best.at.at[0].rules,
                      best.at.n == 0 ? 0 : best.at.at[0].info.rules, &errors);
  v->left_out += task.examples;
  v->right += task.examples - errors.fp - errors.fn;
  pith_i_best_free(&best);
  return rc;
}

static void restore_examples(validation *v) {
  for (size_t w = 0; w < v->task->world_count && v->all[w] != NULL; w++) {
    pith_i_theory *t = v->task->worlds[w].theory;
    for (size_t i = 0; i < v->count[w]; i++)
      t->examples.at[i] = (pith_example *)v->all[w][i];
    t->examples.n = v->count[w];
  }
}

static pith_status keep_examples(validation *v) {
  pith_i_env *env = v->task->env;
  for (size_t w = 0; w < v->task->world_count; w++) {
    const pith_i_theory *t = v->task->worlds[w].theory;
    v->count[w] = t->examples.n;
    v->all[w] = pith_i_alloc(env, (t->examples.n + 1) * sizeof **v->all);
    if (v->all[w] == NULL)
      return PITH_ENOMEM;
    for (size_t i = 0; i < t->examples.n; i++)
      v->all[w][i] = t->examples.at[i];
  }
  return PITH_OK;
}

static pith_status validate_folds(validation *v) {
  pith_status rc = keep_examples(v);
  bool kept = rc >= 0;
  for (uint32_t fold = 0; rc >= 0 && fold < PITH_TUNE_LEFT_OUT_FOLDS &&
                          !pith_i_stop_requested(v->run);
       fold++)
    rc = validate_fold(v, fold);
  if (kept)
    restore_examples(v);
  return rc;
}

/* By heart: less than half is right of what the larger sign alone gets wrong,
** and less than three in four of all. */
static void report_left_out(const validation *v, pith_theory_info *info) {
  const pith_i_task *task = v->task;
  uint64_t fewer = 2 * task->positives > task->examples
                       ? task->examples - task->positives
                       : task->positives;
  uint64_t wrong = v->left_out - v->right;
  assert(v->right <= v->left_out);
  info->left_out = v->left_out;
  info->left_out_right = v->right;
  info->by_heart = v->left_out == task->examples && 2 * wrong > fewer &&
                   4 * wrong > v->left_out;
}

static bool has_one_target(const pith_i_learned_theory *t) {
  for (uint32_t i = 1; i < t->info.rules; i++)
    if (t->rules[i]->head.pred != t->rules[0]->head.pred)
      return false;
  return true;
}

/* The language in which the theory was found, by the order in which they are
** tried; 0 if there is no one such language. */
static uint32_t language_of(const pith_i_task *task,
                            const pith_i_learned_theory *t) {
  const pith_space *s = &t->info.space;
  if (!s->clauses || s->noisy || s->number == 0 || !has_one_target(t))
    return 0;
  return (s->number - 1) % pith_i_count_languages(task) + 1;
}

pith_status pith_i_check_left_out(const pith_i_task *task, pith_i_run *run,
                                  pith_i_best *best) {
  validation v = {.task = task, .run = run};
  if (best->at.n == 0 || !is_suspicious(task, &best->at.at[0]))
    return PITH_OK;
  v.richest = language_of(task, &best->at.at[0]);
  v.all = pith_i_zalloc(task->env, task->world_count, sizeof *v.all);
  v.count = pith_i_zalloc(task->env, task->world_count, sizeof *v.count);
  pith_status rc = v.all == NULL || v.count == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0)
    rc = validate_folds(&v);
  if (rc >= 0)
    report_left_out(&v, &best->at.at[0].info);
  for (size_t w = 0; v.all != NULL && w < task->world_count; w++)
    pith_i_release(task->env, v.all[w]);
  pith_i_release(task->env, v.all);
  pith_i_release(task->env, v.count);
  return rc;
}
