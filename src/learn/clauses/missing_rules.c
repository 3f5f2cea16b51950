#include "learn/clauses/missing_rules.h"

#include <assert.h>
#include <math.h>

#include "score/length.h"
#include "task/chosen_examples.h"

typedef struct {
  const bool *holds; /* by the theory, in the order of the examples */
  size_t next;
} missed_choice;

static bool is_missed(void *ctx, size_t world, const pith_example *e) {
  missed_choice *m = ctx;
  (void)world;
  bool holds = m->holds[m->next++];
  return !e->positive || !holds;
}

/* Rules for what is missed that take more bits than to say which examples those
** are list them; wrong labels would be listed so. */
static bool is_worth_errors(const pith_i_task *task,
                            const pith_i_learned_theory *theory,
                            const pith_i_learned_theory *rest) {
  double missed = (double)(theory->info.fn + theory->info.fp);
  return PITH_I_ATOM_BITS * (rest->info.size + pith_i_count_constants(rest)) <=
         pith_i_error_bits(missed, (double)task->examples);
}

static pith_status offer_both(const pith_i_learned_theory *one,
                              const pith_i_learned_theory *other,
                              pith_i_best *best) {
  uint32_t n = one->info.rules + other->info.rules;
  uint32_t most = best->task->bounds.max_rules;
  if (most > 0 && n > most)
    return PITH_OK;
  pith_rule **rules = pith_i_alloc(best->env, (n + 1) * sizeof *rules);
  if (rules == NULL)
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < n; i++)
    rules[i] =
        i < one->info.rules ? one->rules[i] : other->rules[i - one->info.rules];
  pith_i_offer o = {.rules = rules, .info = other->info, .bits = NAN};
  o.info.rules = n;
  pith_status rc = pith_i_best_offer(best, &o, NULL);
  pith_i_release(best->env, rules);
  return rc;
}

static pith_status learn_missed(const pith_i_task *task,
                                const pith_i_learned_theory *theory,
                                const bool *holds, pith_i_learn_rest *learn,
                                void *ctx, pith_i_best *best) {
  pith_i_chosen_examples chosen;
  missed_choice missed = {.holds = holds};
  pith_i_best found;
  pith_status rc = pith_i_chosen_begin(&chosen, task);
  if (rc >= 0)
    pith_i_chosen_set(&chosen, is_missed, &missed);
  pith_i_best_init(&found, &chosen.task, 1);
  if (rc >= 0)
    rc = learn(ctx, &chosen.task, &found);
  pith_i_chosen_end(&chosen);
  if (rc >= 0 && pith_i_best_is_solved(&found) &&
      is_worth_errors(task, theory, &found.at.at[0]))
    rc = offer_both(theory, &found.at.at[0], best);
  pith_i_best_free(&found);
  return rc;
}

pith_status pith_i_learn_missing(const pith_i_task *task,
                                 const pith_i_learned_theory *theory,
                                 pith_i_learn_rest *learn, void *ctx,
                                 pith_i_best *best) {
  assert(!theory->info.solved);
  pith_i_errors errors;
  pith_i_pick each = {
      .holds = pith_i_zalloc(task->env, task->examples + 1, sizeof(bool))};
  if (each.holds == NULL)
    return PITH_ENOMEM;
  pith_status rc =
      pith_i_judge_pick(task->worlds, task->world_count, theory->rules,
                        theory->info.rules, &errors, &each);
  bool invents = task->bounds.max_invented != PITH_NONE &&
                 task->bounds.max_invented > 0; /* and both may */
  if (rc >= 0 && each.seen == task->examples && errors.fp == 0 && !invents)
    rc = learn_missed(task, theory, each.holds, learn, ctx, best);
  pith_i_release(task->env, each.holds);
  return rc;
}
