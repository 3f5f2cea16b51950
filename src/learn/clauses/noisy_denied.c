/* Programs that deny an invented predicate, where examples may be wrong: the
** first rule may miss some positive examples, and what it covers beside them is
** weighed as examples of the predicate that it denies, with signs turned round.
** Whether all of it is worth its length, the judge says. With many labels more
** work on plain rules finds more. */
#include <math.h>

#include "base/tunables.h"
#include "learn/clauses/example_sample.h"
#include "learn/clauses/first_rule.h"

static pith_status weigh_turned(void *ctx, const pith_i_task *turned,
                                pith_i_best *found) {
  const pith_i_clause_learner *d = ctx;
  pith_i_clause_learner like = {.run = d->run,
                                .use_noisy = true,
                                .brief = true,
                                .effort = pith_i_reals.NOISE_DENIED_EFFORT,
                                .richest = d->richest};
  found->weighs = true;
  return pith_i_clauses_learn_one(&like, turned, found);
}

/* The first rule, the denied atom, and the theory. */
static pith_status offer_denial(pith_i_first_rule *x, pith_i_rules *rules,
                                const pith_i_learned_theory *t) {
  pith_i_clause_learner *d = x->d;
  double before = d->bits;
  size_t room = sizeof rules->rules / sizeof *rules->rules;
  if (t->info.rules == 0 || 1 + t->info.rules > room)
    return PITH_OK;
  pith_status rc = pith_i_deny_theory(d, t, rules);
  if (rc >= 0)
    rc = pith_i_clauses_offer_rules(d, rules->rules, rules->n,
                                    pith_i_first_rule_bits(x) +
                                        PITH_TUNE_NOISE_DENIED_BITS + t->bits);
  d->bits = before;
  return rc;
}

static pith_status try_body(pith_i_first_rule *x) {
  pith_i_clause_learner *d = x->d;
  pith_i_rules rules;
  pith_i_best found;
  pith_i_best_init(&found, d->task, 1);
  pith_status rc = pith_i_first_rule_write(x, &rules);
  if (rc >= 0)
    rc = pith_i_learn_exceptions(d->task, &rules, weigh_turned, d, &found);
  if (rc >= 0 && found.at.n > 0)
    rc = offer_denial(x, &rules, &found.at.at[0]);
  pith_i_best_free(&found);
  return rc;
}

enum { CONDITIONS = 1 }; /* beyond those that bind the head */

static pith_status try_bodies(pith_i_clause_learner *d) {
  pith_i_first_rule x;
  pith_status rc = pith_i_first_rule_open(&x, d);
  x.most_missed =
      (uint32_t)(pith_i_reals.NOISE_DENIED_MISSED * d->sample.positives);
  if (rc >= 0 && pith_i_first_rule_bind(&x)) {
    rc = try_body(&x);
    for (int i = 0; rc >= 0 && i < CONDITIONS && pith_i_first_rule_narrow(&x);
         i++)
      rc = try_body(&x);
  }
  pith_i_first_rule_close(&x);
  return rc;
}

pith_status pith_i_clauses_try_noisy_denied(pith_i_clause_learner *d,
                                            pith_pred target) {
  const pith_i_language plain = {.comparisons = true, .different = true};
  const pith_i_task *task = d->task;
  if (!task->bounds.invention || pith_i_clauses_invented_left(d) == 0 ||
      task->bounds.max_rules == 1 || d->targets.n > 1 || d->effort > 0 ||
      pith_i_label_bits(task) >= PITH_TUNE_NOISE_DEEPER_BITS ||
      pith_i_stop_requested(d->run))
    return PITH_OK;
  pith_status rc = pith_i_space_init(&d->space, task, d->run, target, &plain);
  d->sample = (pith_i_sample){0};
  if (rc >= 0)
    rc = pith_i_sample_draw(&d->sample, &d->space, PITH_TUNE_NOISE_EXAMPLES,
                            PITH_TUNE_NOISE_EXAMPLES, true);
  if (rc >= 0)
    rc = try_bodies(d);
  pith_i_sample_free(&d->sample);
  pith_i_space_free(&d->space);
  return rc;
}
