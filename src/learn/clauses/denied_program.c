/* Programs that deny an invented predicate:
**
**   safe(A) :- house(A), \+ not_safe(A).
**   not_safe(A) :- part(A,B), weight(B,C), C =< 10.
**
**   dead(A) :- function(A), \+ not_dead(A).
**   not_dead(A) :- entry(A).
**   not_dead(A) :- calls(B,A), not_dead(B).
**
** The first rule has a body that covers all positive examples; what it covers
** beside them is learned as examples of the invented predicate, of which the
** positive ones are none. So whatever can be said of things can be denied of
** them, with thresholds, constants and several parts; aspects that one atom or
** two make are denied by the languages before this. */
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "learn/clauses/example_sample.h"
#include "learn/clauses/first_rule.h"
#include "learn/clauses/language_list.h"
#include "learn/clauses/oddness.h"

typedef struct {
  pith_i_clause_learner *d;
  pith_i_first_rule first;
  pith_i_sample exceptions; /* what the body covers, the negative ones first */
  bool plain;               /* neither constants nor denials */
} denial;

/* ---- what it denies ------------------------------------------------------ */

/* The negative examples that the body covers are what is to be explained. */
static pith_status take_exceptions(denial *x) {
  pith_i_sample *m = &x->d->sample;
  uint32_t n = 0,
           *pick = pith_i_alloc(x->d->task->env, (m->n + 1) * sizeof *pick);
  if (pick == NULL)
    return PITH_ENOMEM;
  for (uint32_t i = m->positives; i < m->n; i++)
    if (pith_i_bit(x->first.cover, pith_i_sample_bit(m, i)))
      pick[n++] = m->pick[i];
  memcpy(pick + n, m->pick, m->positives * sizeof *pick);
  pith_i_sample_take(&x->exceptions, &x->d->space, pick, n, n + m->positives);
  return PITH_OK;
}

/* Whether the exceptions are one fact about the head's arguments, which can be
** denied itself: \+ sold_in(A,spain). Variables are numbered from the head's
** on. */
static bool is_one_fact(const pith_i_rules *exceptions) {
  const pith_rule *r = exceptions->rules[0];
  if (exceptions->n != 1 || r->body_len != 1 || r->body[0].negated ||
      pith_i_is_builtin(r->body[0].pred))
    return false;
  for (uint32_t i = 0; i < r->head.arity; i++)
    if (!PITH_IS_VAR(r->head.args[i]) || PITH_VAR_INDEX(r->head.args[i]) != i)
      return false;
  return r->var_count == r->head.arity;
}

static pith_status write_denial(denial *x, pith_i_rules *out) {
  pith_i_clause_learner *d = x->d;
  pith_i_rules exceptions;
  pith_pred denied = PITH_NONE;
  pith_status rc = pith_i_first_rule_write(&x->first, out);
  if (rc >= 0)
    rc = pith_i_set_rules(&d->exact.growth, &d->exact.set, &d->arena,
                          &exceptions);
  if (rc >= 0 && is_one_fact(&exceptions))
    return pith_i_deny_in_rule(&d->arena, out->rules[0],
                               exceptions.rules[0]->body);
  if (rc >= 0)
    rc = pith_i_name_denied(&d->space, &denied);
  if (rc >= 0) {
    pith_atom atom = out->rules[0]->head;
    atom.pred = denied;
    rc = pith_i_deny_in_rule(&d->arena, out->rules[0], &atom);
  }
  for (uint32_t i = 0; rc >= 0 && i < exceptions.n; i++) {
    if (exceptions.rules[i]->head.pred == d->space.target)
      exceptions.rules[i]->head.pred = denied;
    out->rules[out->n++] = exceptions.rules[i];
  }
  return rc;
}

static pith_status offer_denial(denial *x) {
  pith_i_clause_learner *d = x->d;
  pith_i_rules rules;
  uint64_t odd = PITH_I_DENIED;
  for (uint32_t i = 0; i < d->exact.set.n; i++)
    odd += d->exact.set.clause[i]->odd;
  pith_status rc = write_denial(x, &rules);
  d->oddness = (double)odd / PITH_I_COST;
  if (rc >= 0)
    rc = pith_i_clauses_offer_rules(d, rules.rules, rules.n, NAN);
  d->oddness = 0;
  if (rc < 0 || !d->fits)
    return rc;
  d->below = x->first.cost + d->exact.set.cost;
  d->found = d->run->now.space;
  d->named = d->space.few > 0;
  d->rule_count = rules.n;
  return PITH_OK;
}

/* ---- one body ------------------------------------------------------------ */

/* Beside the first rule: the denied atom, and the shortest definition. */
static uint64_t least_beside(const pith_i_clause_learner *d) {
  return PITH_I_COST + PITH_TUNE_CLAUSE_GIVEN_COST + d->space.head +
         PITH_I_DENIED;
}

static pith_status search_exceptions(denial *x, uint32_t round) {
  pith_i_clause_learner *d = x->d;
  pith_i_exact_limits limits = pith_i_clauses_limits(d, round);
  uint64_t own = x->first.cost + least_beside(d);
  uint32_t rules = 1 + round; /* many would list the examples */
  if (d->below <= own + 2 * PITH_I_COST)
    return PITH_OK;
  limits.below = d->below == UINT64_MAX ? UINT64_MAX : d->below - own;
  limits.max_rules = limits.max_rules == 0 || limits.max_rules > rules + 1
                         ? rules
                         : limits.max_rules - 1;
  limits.max_invented -= limits.max_invented != PITH_NONE;
  limits.others = limits.last = false;
  pith_status rc = take_exceptions(x);
  d->exact = (pith_i_exact){0};
  if (rc >= 0 && x->exceptions.positives > 0)
    rc = pith_i_exact_run(&d->exact, &x->exceptions, &limits);
  x->first.cost += least_beside(d);
  if (rc >= 0 && x->exceptions.positives > 0 && d->exact.set.cost != UINT64_MAX)
    rc = offer_denial(x);
  x->first.cost -= least_beside(d);
  pith_i_exact_free(&d->exact);
  pith_i_sample_free(&x->exceptions);
  return rc;
}

/* ---- what it denies is recursive -------------------------------------- */

typedef struct {
  const pith_i_clause_learner *d;
  uint64_t below, cost; /* of the program that is denied */
} recursion_turned;

/* The smallest recursive program for the exceptions; it may deny in its turn
** what it goes through. */
static pith_status learn_recursion(void *ctx, const pith_i_task *task,
                                   pith_i_best *found) {
  recursion_turned *t = ctx;
  const pith_i_clause_learner *d = t->d;
  pith_i_clause_learner turned = {.task = task,
                                  .run = d->run,
                                  .best = found,
                                  .use_exact = true,
                                  .brief = true,
                                  .richest = d->richest,
                                  .rounds = d->rounds,
                                  .number = d->number,
                                  .count = d->count,
                                  .below = t->below,
                                  .arena = {.env = task->env}};
  pith_status rc = pith_i_list_targets(task->env, task->worlds,
                                       task->world_count, &turned.targets);
  for (int absent = 0; rc >= 0 && absent < 2; absent++)
    rc = pith_i_clauses_note_full_memory(
        &turned,
        pith_i_clauses_try_recursion(&turned, d->space.target, 0, absent == 1));
  t->cost = turned.below;
  pith_i_vec_free(task->env, &turned.targets);
  pith_i_vec_free(task->env, &turned.rules);
  pith_i_arena_free(&turned.arena);
  return rc;
}

static pith_status offer_recursive_denial(denial *x, pith_i_rules *rules,
                                          const pith_i_learned_theory *t,
                                          uint64_t cost) {
  pith_i_clause_learner *d = x->d;
  pith_status rc = pith_i_deny_theory(d, t, rules);
  d->oddness = (double)PITH_I_DENIED / PITH_I_COST + t->oddness;
  if (rc >= 0)
    rc = pith_i_clauses_offer_rules(d, rules->rules, rules->n, NAN);
  d->oddness = 0;
  if (rc < 0 || !d->fits)
    return rc;
  d->below = cost;
  d->found = d->run->now.space;
  d->named = false;
  d->rule_count = rules->n;
  return PITH_OK;
}

/* Only with the shortest body: its conditions are what the recursion goes
** through, or nothing. In dead(A) :- function(A), \+ not_dead(A) that is all
** that an entry leads to. */
static pith_status search_recursive_exceptions(denial *x) {
  pith_i_clause_learner *d = x->d;
  const pith_i_task *task = d->task;
  uint64_t own = x->first.cost + least_beside(d);
  recursion_turned t = {d, d->below == UINT64_MAX ? UINT64_MAX : d->below - own,
                        UINT64_MAX};
  pith_i_rules rules;
  pith_i_best found;
  if (!task->bounds.recursion || d->targets.n > 1 || d->effort > 0 ||
      task->examples > PITH_TUNE_GOAL_EXAMPLES ||
      d->below <= own + 4 * PITH_I_COST)
    return PITH_OK;
  pith_i_best_init(&found, task, 1);
  pith_status rc = pith_i_first_rule_write(&x->first, &rules);
  if (rc >= 0)
    rc = pith_i_learn_exceptions(task, &rules, learn_recursion, &t, &found);
  if (rc >= 0 && pith_i_best_is_solved(&found))
    rc = offer_recursive_denial(x, &rules, &found.at.at[0], own + t.cost);
  pith_i_best_free(&found);
  return rc;
}

/* ---- all of it ----------------------------------------------------------- */

enum { CONDITIONS = 3 }; /* beyond those that bind the head */

/* With the shortest body there is, then with a few conditions more. */
static pith_status try_bodies(denial *x, uint32_t round) {
  pith_status rc = pith_i_first_rule_open(&x->first, x->d);
  if (rc >= 0 && pith_i_first_rule_bind(&x->first)) {
    rc = search_exceptions(x, round);
    if (rc >= 0 && round == 0 && x->plain)
      rc = search_recursive_exceptions(x);
    for (int i = 0;
         rc >= 0 && i < CONDITIONS && pith_i_first_rule_narrow(&x->first); i++)
      rc = search_exceptions(x, round);
  }
  pith_i_first_rule_close(&x->first);
  return rc;
}

static pith_status deny_in_language(pith_i_clause_learner *d,
                                    const pith_i_language *language,
                                    pith_pred target, uint32_t round) {
  denial x = {.d = d, .plain = language->constants == 0 && !language->absent};
  pith_space before = d->run->now.space;
  pith_status rc =
      pith_i_space_init(&d->space, d->task, d->run, target, language);
  d->sample = (pith_i_sample){0};
  pith_i_clauses_describe(d, language, false);
  if (rc >= 0)
    rc =
        pith_i_sample_draw(&d->sample, &d->space, PITH_TUNE_SEARCH_ALL_EXAMPLES,
                           PITH_TUNE_SEARCH_WHOLE_EXAMPLES, true);
  if (rc >= 0)
    rc = try_bodies(&x, round);
  if (!d->solved)
    d->run->now.space = before;
  pith_i_sample_free(&d->sample);
  pith_i_space_free(&d->space);
  return rc;
}

pith_status pith_i_clauses_try_denied(pith_i_clause_learner *d,
                                      pith_pred target, uint32_t round) {
  pith_i_language languages[] = {
      {.comparisons = true, .different = true},
      {.comparisons = true, .constants = pith_i_most_constants(d->task)},
      {.comparisons = true, .absent = true}};
  pith_status rc = PITH_OK;
  if (!d->task->bounds.invention || pith_i_clauses_invented_left(d) == 0 ||
      d->task->bounds.max_rules == 1 ||
      (round > 0 && pith_i_clauses_has_few_bits(d)))
    return PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < 3 && !pith_i_stop_requested(d->run); i++)
    rc = pith_i_clauses_note_full_memory(
        d, deny_in_language(d, &languages[i], target, round));
  return rc;
}
