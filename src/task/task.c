#include "task/task.h"

#include <assert.h>

#include "logic/closure.h"
#include "score/length.h"
#include "term/translate.h"

/* The first world names things: it gets every predicate of the others. */
static pith_status share_names(const pith_i_world *worlds, size_t n) {
  pith_i_theory *first = worlds[0].theory;
  pith_status rc = PITH_OK;
  for (size_t w = 1; w < n; w++) {
    const pith_i_theory *t = worlds[w].theory;
    for (pith_pred p = 0; rc >= 0 && p < t->names.preds.n; p++) {
      pith_pred there = PITH_NONE;
      rc = pith_i_pred_translate(t, first, p, &there);
      if (rc >= 0)
        pith_i_pred(&first->names, there)->roles |=
            pith_i_pred(&t->names, p)->roles;
    }
  }
  return rc;
}

static void count_examples(pith_i_task *t) {
  for (size_t w = 0; w < t->world_count; w++) {
    const pith_i_theory *theory = t->worlds[w].theory;
    t->examples += theory->examples.n;
    for (size_t i = 0; i < theory->examples.n; i++)
      t->positives += theory->examples.at[i]->positive;
  }
}

pith_status pith_i_task_init(pith_i_task *t, pith_i_env *env,
                             pith_i_world *worlds, size_t world_count,
                             const pith_learn_options *opt) {
  assert(world_count > 0);
  *t = (pith_i_task){
      .env = env, .worlds = worlds, .world_count = world_count, .opt = opt};
  count_examples(t);
  if (t->examples == 0)
    return pith_i_fail(env, PITH_EINPUT,
                       "no examples to learn from; give pos(..) and neg(..)");
  pith_status rc = share_names(worlds, world_count);
  t->bounds = pith_i_bounds_of(worlds[0].theory, opt);
  t->given_preds = worlds[0].theory->names.preds.n;
  return rc;
}

void pith_i_task_free(pith_i_task *t) { pith_i_release(t->env, t->worlds); }

double pith_i_label_bits(const pith_i_task *t) {
  assert(t->positives <= t->examples);
  uint64_t neg = t->examples - t->positives;
  return pith_i_error_bits((double)(t->positives < neg ? t->positives : neg),
                           (double)t->examples);
}

pith_status pith_i_derive_background(const pith_i_world *worlds,
                                     size_t world_count) {
  pith_status rc = PITH_OK;
  for (size_t w = 0; rc >= 0 && w < world_count; w++) {
    const pith_i_world *at = &worlds[w];
    pith_i_closure_options opt = {.bits = PITH_I_BITS_NEVER, .run = at->run};
    pith_i_store_forget(at->store);
    if (at->theory->rules.n > 0)
      rc = pith_i_closure(at->theory, at->store, &opt, NULL);
    if (rc == PITH_STOPPED)
      rc = pith_i_fail(at->theory->env, PITH_ELIMIT,
                       "the time was up before all was derived that follows "
                       "from the given rules; give more time");
    if (rc < 0 && w > 0) /* the first world speaks for all */
      pith_i_fail(worlds[0].theory->env, rc, "%s", at->theory->env->error);
  }
  return rc;
}

void pith_i_forget_background(const pith_i_world *worlds, size_t world_count) {
  for (size_t w = 0; w < world_count; w++)
    pith_i_store_forget(worlds[w].store);
}
