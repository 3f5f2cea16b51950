#include "learn/clauses/clause_learner.h"

#include <math.h>

#include "base/tunables.h"
#include "learn/clauses/recursion.h"
#include "learn/clauses/transitive.h"

/* Other targets have few labels, too few to be background. */
static void leave_out_targets(pith_i_clause_learner *d) {
  for (size_t i = 0; i < d->space.choices.n; i++)
    if (d->space.choices.at[i].kind == PITH_I_GIVEN_ATOM &&
        pith_i_clauses_is_target(d, d->space.choices.at[i].pred))
      d->space.choices.at[i].kind = PITH_I_OPEN_ATOM;
}

/* What a recursive program may cost, less than that: one that names constants
** where a program does without has to be much smaller. */
static uint64_t most_recursive_cost(const pith_i_clause_learner *d,
                                    bool names) {
  bool adds = d->sparing || (d->solved && !d->named && names);
  return adds ? d->below / 2 : d->below;
}

static pith_status open_recursive_space(pith_i_clause_learner *d,
                                        pith_pred target, uint32_t constants,
                                        bool absent) {
  pith_i_language plain = {
      .constants = constants, .comparisons = true, .absent = absent};
  pith_status rc =
      pith_i_space_init(&d->space, d->task, d->run, target, &plain);
  leave_out_targets(d);
  return rc;
}

/* What costs less than limits->below takes the place of the best. */
static pith_status find_recursive(pith_i_clause_learner *d,
                                  pith_i_exact_limits *limits, uint32_t share,
                                  pith_i_recursion_found *best) {
  pith_i_recursion_found found;
  pith_status rc =
      pith_i_recursion_run(&d->space, limits, share, &d->arena, &found);
  if (rc >= 0 && found.rules.n > 0) {
    *best = found;
    limits->below = found.cost;
  }
  best->cut = found.cut;
  return rc;
}

/* The smallest of closures of base rules and of other recursive rules, among
** few goals and then among all: with few the work suffices for longer rules,
** where a step that leads to thousands, such as from one list to all that begin
** alike, would use it up. The second search needs a new space. */
static pith_status find_in_turn(pith_i_clause_learner *d, pith_pred target,
                                uint32_t constants, bool absent,
                                pith_i_recursion_found *best) {
  pith_i_exact_limits limits = pith_i_clauses_limits(d, 1);
  limits.below = most_recursive_cost(d, d->space.few > 0);
  pith_status rc = pith_i_transitive_run(&d->space, &limits, &d->arena,
                                         &best->rules, &best->cost, &best->odd);
  limits.below = best->cost < limits.below ? best->cost : limits.below;
  if (rc >= 0)
    rc = find_recursive(d, &limits, PITH_TUNE_GOAL_FIRST_SHARE, best);
  if (rc < 0 || !best->cut)
    return rc;
  pith_i_space_free(&d->space);
  rc = open_recursive_space(d, target, constants, absent);
  return rc < 0 ? rc : find_recursive(d, &limits, 1, best);
}

static pith_status offer_recursive(pith_i_clause_learner *d,
                                   const pith_i_recursion_found *found) {
  const pith_i_rules *rules = &found->rules;
  d->oddness = (double)found->odd / PITH_I_COST;
  for (uint32_t i = 0; i < rules->n; i++)
    if (rules->rules[i]->body_len > d->run->now.space.body)
      d->run->now.space.body = rules->rules[i]->body_len;
  pith_status rc = pith_i_clauses_offer_rules(d, rules->rules, rules->n, NAN);
  d->oddness = 0;
  if (rc >= 0 && d->fits) {
    d->below = found->cost;
    d->found = d->run->now.space;
    d->named = d->space.few > 0;
    d->rule_count = rules->n;
  }
  return rc;
}

pith_status pith_i_clauses_try_recursion(pith_i_clause_learner *d,
                                         pith_pred target, uint32_t constants,
                                         bool absent) {
  pith_i_recursion_found best = {.cost = UINT64_MAX};
  uint64_t least = PITH_TUNE_GOAL_SMALLEST * (uint64_t)PITH_I_COST;
  pith_space before = d->run->now.space;
  if (!d->task->bounds.recursion ||
      d->task->examples > PITH_TUNE_GOAL_EXAMPLES ||
      most_recursive_cost(d, constants > 0) <= least)
    return PITH_OK;
  pith_status rc = open_recursive_space(d, target, constants, absent);
  pith_i_clauses_describe(
      d, &(pith_i_language){.recursion = true, .constants = constants}, false);
  /* Through a value that things share, there are too many rules that also name
  ** or deny something to mean one of them. */
  bool leads = (constants == 0 && !absent) ||
               (rc >= 0 && pith_i_space_has_steps(&d->space));
  if (rc >= 0 && leads)
    rc = find_in_turn(d, target, constants, absent, &best);
  if (rc >= 0 && best.rules.n > 0)
    rc = offer_recursive(d, &best);
  if (best.rules.n == 0)
    d->run->now.space = before;
  pith_i_space_free(&d->space);
  return rc;
}
