#include "task/chosen_examples.h"

#include <assert.h>

pith_status pith_i_chosen_begin(pith_i_chosen_examples *c,
                                const pith_i_task *task) {
  pith_i_env *env = task->env;
  *c = (pith_i_chosen_examples){.task = *task};
  c->all = pith_i_zalloc(env, task->world_count, sizeof *c->all);
  c->count = pith_i_zalloc(env, task->world_count, sizeof *c->count);
  if (c->all == NULL || c->count == NULL)
    return PITH_ENOMEM;
  for (size_t w = 0; w < task->world_count; w++) {
    const pith_i_theory *t = task->worlds[w].theory;
    c->count[w] = t->examples.n;
    c->all[w] = pith_i_alloc(env, (t->examples.n + 1) * sizeof **c->all);
    if (c->all[w] == NULL)
      return PITH_ENOMEM;
    for (size_t i = 0; i < t->examples.n; i++)
      c->all[w][i] = t->examples.at[i];
  }
  return PITH_OK;
}

void pith_i_chosen_set(pith_i_chosen_examples *c, pith_i_is_chosen *is_chosen,
                       void *ctx) {
  c->task.examples = c->task.positives = 0;
  for (size_t w = 0; w < c->task.world_count; w++) {
    pith_i_theory *t = c->task.worlds[w].theory;
    t->examples.n = 0;
    for (size_t i = 0; i < c->count[w]; i++) {
      const pith_example *e = c->all[w][i];
      if (!is_chosen(ctx, w, e))
        continue;
      t->examples.at[t->examples.n++] = (pith_example *)e;
      c->task.positives += e->positive;
    }
    c->task.examples += t->examples.n;
  }
}

static bool choose_every_example(void *ctx, size_t world,
                                 const pith_example *e) {
  (void)ctx, (void)world, (void)e;
  return true;
}

void pith_i_chosen_end(pith_i_chosen_examples *c) {
  pith_i_env *env = c->task.env;
  size_t n = c->task.world_count;
  assert(env != NULL);
  if (c->all != NULL && c->all[n - 1] != NULL) /* all were kept */
    pith_i_chosen_set(c, choose_every_example, NULL);
  for (size_t w = 0; c->all != NULL && w < n; w++)
    pith_i_release(env, c->all[w]);
  pith_i_release(env, c->all);
  pith_i_release(env, c->count);
}
