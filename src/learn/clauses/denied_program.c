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
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tunables.h"
#include "base/utf8.h"
#include "learn/clauses/clause_learner.h"
#include "learn/clauses/example_sample.h"
#include "learn/clauses/language_list.h"
#include "learn/clauses/oddness.h"
#include "task/chosen_examples.h"

typedef struct {
  pith_i_clause_learner *d;
  pith_i_growth growth;     /* of what the body is made of */
  pith_i_clause body;       /* of the first rule */
  uint64_t *cover;          /* (words) of the body */
  uint64_t cost;            /* of the first rule */
  pith_i_sample exceptions; /* what the body covers, the negative ones first */
  bool plain;               /* neither constants nor denials */
} denial;

/* ---- the first rule ------------------------------------------------------ */

static uint32_t count_negatives(const pith_i_sample *m, const uint64_t *cover) {
  return pith_i_count_bits(cover + m->pos_words, m->words - m->pos_words);
}

static uint32_t negatives_left(const denial *x, const pith_i_piece *p) {
  const pith_i_sample *m = &x->d->sample;
  uint32_t n = 0;
  for (size_t w = m->pos_words; w < m->words; w++)
    n += (uint32_t)__builtin_popcountll(x->cover[w] & p->cover[w]);
  return n;
}

static uint64_t part_cost(const denial *x, const pith_i_piece *p) {
  pith_i_helpers none = {.n = 0};
  return pith_i_cost_of_atoms(&x->d->space, p->atoms, p->n, &none);
}

static void add_to_body(denial *x, uint32_t number) {
  const pith_i_piece *p = &x->growth.parts.at[number];
  assert(x->body.part_count < PITH_I_ATOMS);
  for (size_t w = 0; w < x->d->sample.words; w++)
    x->cover[w] &= p->cover[w];
  x->body.part[x->body.part_count++] = number;
  x->body.atoms += p->n;
  x->cost += part_cost(x, p);
}

/* Of the parts that cover all positive examples, the cheapest that binds more
** of the head; or, once all is bound, the one that leaves the fewest negative
** examples. PITH_NONE: there is none. */
static uint32_t choose_part(const denial *x, uint32_t bound) {
  uint32_t all = (UINT32_C(1) << x->d->space.head) - 1, best = PITH_NONE;
  uint64_t least = UINT64_MAX;
  uint32_t now = count_negatives(&x->d->sample, x->cover);
  for (uint32_t i = 0; i < x->growth.parts.n; i++) {
    const pith_i_piece *p = &x->growth.parts.at[i];
    uint32_t left = negatives_left(x, p);
    if (p->pos < x->d->sample.positives || p->targets > 0 || p->denials > 0 ||
        p->loose || (bound == all ? left == now : (p->bound & ~bound) == 0))
      continue;
    uint64_t price = bound == all ? ((uint64_t)left << 32) + part_cost(x, p)
                                  : part_cost(x, p);
    if (price < least) {
      least = price;
      best = i;
    }
  }
  return best;
}

/* Whether parts bind all of the head's variables and cover all positives. */
static bool bind_head(denial *x) {
  uint32_t bound = 0, all = (UINT32_C(1) << x->d->space.head) - 1;
  memset(x->cover, 0xff, x->d->sample.words * sizeof *x->cover);
  x->body = (pith_i_clause){.part_count = 0};
  x->cost = PITH_I_COST;
  while (bound != all) {
    uint32_t next = choose_part(x, bound);
    if (next == PITH_NONE)
      return false;
    bound |= x->growth.parts.at[next].bound;
    add_to_body(x, next);
  }
  return true;
}

/* Whether one more condition leaves fewer negative examples. */
static bool narrow_body(denial *x) {
  uint32_t next = choose_part(x, (UINT32_C(1) << x->d->space.head) - 1);
  if (next == PITH_NONE || x->body.part_count + 1 >= PITH_I_ATOMS)
    return false;
  add_to_body(x, next);
  return true;
}

/* ---- what it denies ------------------------------------------------------ */

/* The negative examples that the body covers are what is to be explained. */
static pith_status take_exceptions(denial *x) {
  pith_i_sample *m = &x->d->sample;
  uint32_t n = 0,
           *pick = pith_i_alloc(x->d->task->env, (m->n + 1) * sizeof *pick);
  if (pick == NULL)
    return PITH_ENOMEM;
  for (uint32_t i = m->positives; i < m->n; i++)
    if (pith_i_bit(x->cover, pith_i_sample_bit(m, i)))
      pick[n++] = m->pick[i];
  memcpy(pick + n, m->pick, m->positives * sizeof *pick);
  pith_i_sample_take(&x->exceptions, &x->d->space, pick, n, n + m->positives);
  return PITH_OK;
}

/* not_safe. */
static pith_status name_denied(pith_i_space *s, pith_pred *out) {
  pith_i_names *names = &s->worlds[0].theory->names;
  char text[PITH_I_INVENTED_TEXT];
  const char *target = pith_i_pred_text(names, s->target);
  snprintf(text, sizeof text, "not_%.*s", pith_i_utf8_cut(target, 200), target);
  return pith_i_pred_invent(names, text, s->head, out);
}

/* The rule with one atom more, which is denied. */
static pith_status deny_in_rule(pith_i_arena *arena, pith_rule *r,
                                const pith_atom *denied) {
  pith_atom *body = pith_i_arena_alloc(arena, (r->body_len + 1) * sizeof *body);
  if (body == NULL)
    return PITH_ENOMEM;
  memcpy(body, r->body, r->body_len * sizeof *body);
  body[r->body_len] = *denied;
  body[r->body_len].negated = true;
  r->body = body;
  r->body_len++;
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
  pith_i_set first = {.n = 1, .clause = {&x->body}};
  pith_i_rules exceptions;
  pith_pred denied = PITH_NONE;
  pith_status rc = pith_i_set_rules(&x->growth, &first, &d->arena, out);
  if (rc >= 0)
    rc = pith_i_set_rules(&d->exact.growth, &d->exact.set, &d->arena,
                          &exceptions);
  if (rc >= 0 && is_one_fact(&exceptions))
    return deny_in_rule(&d->arena, out->rules[0], exceptions.rules[0]->body);
  if (rc >= 0)
    rc = name_denied(&d->space, &denied);
  if (rc >= 0) {
    pith_atom atom = out->rules[0]->head;
    atom.pred = denied;
    rc = deny_in_rule(&d->arena, out->rules[0], &atom);
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
  d->below = x->cost + d->exact.set.cost;
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
  uint64_t own = x->cost + least_beside(d);
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
  x->cost += least_beside(d);
  if (rc >= 0 && x->exceptions.positives > 0 && d->exact.set.cost != UINT64_MAX)
    rc = offer_denial(x);
  x->cost -= least_beside(d);
  pith_i_exact_free(&d->exact);
  pith_i_sample_free(&x->exceptions);
  return rc;
}

/* ---- what it denies is recursive -------------------------------------- */

typedef struct {
  const bool *holds; /* by the first rule, in the order of the examples */
  size_t next;
} covered_choice;

static bool is_covered(void *ctx, size_t world, const pith_example *e) {
  covered_choice *c = ctx;
  (void)world, (void)e;
  return c->holds[c->next++];
}

/* What the body covers wrongly is positive for a while, and what it should
** cover negative. The worlds have copies until the end of the choice. */
static pith_status turn_signs(pith_i_chosen_examples *c, pith_i_arena *arena) {
  for (size_t w = 0; w < c->task.world_count; w++) {
    pith_i_theory *t = c->task.worlds[w].theory;
    for (size_t i = 0; i < t->examples.n; i++) {
      pith_example *turned = pith_i_arena_alloc(arena, sizeof *turned);
      if (turned == NULL)
        return PITH_ENOMEM;
      *turned = *t->examples.at[i];
      turned->positive = !turned->positive;
      t->examples.at[i] = turned;
    }
  }
  c->task.positives = c->task.examples - c->task.positives;
  return PITH_OK;
}

/* The smallest recursive program for the exceptions, under the target's name;
** it may deny in its turn what it goes through. */
static pith_status find_recursive_exceptions(const pith_i_clause_learner *d,
                                             const pith_i_task *task,
                                             uint64_t below, pith_i_best *found,
                                             uint64_t *cost) {
  pith_i_clause_learner turned = {.task = task,
                                  .run = d->run,
                                  .best = found,
                                  .use_exact = true,
                                  .brief = true,
                                  .richest = d->richest,
                                  .rounds = d->rounds,
                                  .number = d->number,
                                  .count = d->count,
                                  .below = below,
                                  .arena = {.env = task->env}};
  pith_status rc = pith_i_list_targets(task->env, task->worlds,
                                       task->world_count, &turned.targets);
  for (int absent = 0; rc >= 0 && absent < 2; absent++)
    rc = pith_i_clauses_note_full_memory(
        &turned,
        pith_i_clauses_try_recursion(&turned, d->space.target, 0, absent == 1));
  *cost = turned.below;
  pith_i_vec_free(task->env, &turned.targets);
  pith_i_vec_free(task->env, &turned.rules);
  pith_i_arena_free(&turned.arena);
  return rc;
}

/* The first rule, and the program that it denies under a name of its own. */
static pith_status write_recursive_denial(const denial *x,
                                          const pith_i_learned_theory *t,
                                          pith_i_rules *out) {
  pith_i_clause_learner *d = x->d;
  pith_pred denied = PITH_NONE;
  pith_atom atom = out->rules[0]->head;
  pith_status rc = name_denied(&d->space, &denied);
  if (rc < 0)
    return rc;
  atom.pred = denied;
  rc = deny_in_rule(&d->arena, out->rules[0], &atom);
  for (uint32_t i = 0; rc >= 0 && i < t->info.rules; i++) {
    pith_rule *r = pith_i_rule_copy(&d->arena, t->rules[i]);
    if (r == NULL)
      return PITH_ENOMEM;
    r->head.pred = denied;
    for (uint32_t k = 0; k < r->body_len; k++)
      if (r->body[k].pred == d->space.target)
        ((pith_atom *)r->body)[k].pred = denied;
    out->rules[out->n++] = r;
  }
  return rc;
}

static pith_status offer_recursive_denial(denial *x, pith_i_rules *rules,
                                          const pith_i_learned_theory *t,
                                          uint64_t cost) {
  pith_i_clause_learner *d = x->d;
  pith_status rc = write_recursive_denial(x, t, rules);
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

/* dead(A) :- function(A), \+ not_dead(A), which is all that is called. */
static pith_status deny_recursion(denial *x, const bool *holds,
                                  pith_i_rules *rules) {
  pith_i_clause_learner *d = x->d;
  uint64_t own = x->cost + least_beside(d), cost = UINT64_MAX;
  covered_choice covered = {.holds = holds};
  pith_i_arena turned = {.env = d->task->env};
  pith_i_chosen_examples chosen;
  pith_i_best found;
  pith_status rc = pith_i_chosen_begin(&chosen, d->task);
  if (rc >= 0) {
    pith_i_chosen_set(&chosen, is_covered, &covered);
    rc = turn_signs(&chosen, &turned);
  }
  pith_i_best_init(&found, &chosen.task, 1);
  if (rc >= 0 && chosen.task.positives > 1)
    rc = find_recursive_exceptions(
        d, &chosen.task, d->below == UINT64_MAX ? UINT64_MAX : d->below - own,
        &found, &cost);
  pith_i_chosen_end(&chosen);
  if (rc >= 0 && pith_i_best_is_solved(&found))
    rc = offer_recursive_denial(x, rules, &found.at.at[0], own + cost);
  pith_i_best_free(&found);
  pith_i_arena_free(&turned);
  return rc;
}

/* Only with the shortest body: its conditions are what the recursion goes
** through, or nothing. */
static pith_status search_recursive_exceptions(denial *x) {
  pith_i_clause_learner *d = x->d;
  const pith_i_task *task = d->task;
  pith_i_set first = {.n = 1, .clause = {&x->body}};
  pith_i_rules rules;
  pith_i_errors errors;
  if (!task->bounds.recursion || d->targets.n > 1 || d->effort > 0 ||
      task->examples > PITH_TUNE_GOAL_EXAMPLES ||
      d->below <= x->cost + least_beside(d) + 4 * PITH_I_COST)
    return PITH_OK;
  pith_i_pick each = {
      .holds = pith_i_zalloc(task->env, task->examples + 1, sizeof(bool))};
  pith_status rc = each.holds == NULL ? PITH_ENOMEM
                                      : pith_i_set_rules(&x->growth, &first,
                                                         &d->arena, &rules);
  if (rc >= 0)
    rc = pith_i_judge_pick(task->worlds, task->world_count, rules.rules, 1,
                           &errors, &each);
  if (rc >= 0 && each.seen == task->examples && errors.fn == 0)
    rc = deny_recursion(x, each.holds, &rules);
  pith_i_release(task->env, each.holds);
  return rc;
}

/* ---- all of it ----------------------------------------------------------- */

enum { CONDITIONS = 3 }; /* beyond those that bind the head */

/* With the shortest body there is, then with a few conditions more. */
static pith_status try_bodies(denial *x, uint32_t round) {
  pith_i_clause_learner *d = x->d;
  pith_i_exact_limits limits = pith_i_clauses_limits(d, 0);
  pith_i_grow_limits grow = {.atoms = 2,
                             .vars = PITH_I_VARS - d->space.head,
                             .rows = limits.rows,
                             .work = d->sample.work + limits.work / 16,
                             .run = d->run};
  pith_i_growth_init(&x->growth, &d->sample, &grow);
  pith_status rc = pith_i_growth_level(&x->growth, 1);
  if (rc >= 0)
    rc = pith_i_growth_level(&x->growth, 2);
  if (rc >= 0 && bind_head(x)) {
    rc = search_exceptions(x, round);
    if (rc >= 0 && round == 0 && x->plain)
      rc = search_recursive_exceptions(x);
    for (int i = 0; rc >= 0 && i < CONDITIONS && narrow_body(x); i++)
      rc = search_exceptions(x, round);
  }
  pith_i_growth_free(&x->growth);
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
  if (rc >= 0) {
    x.cover = pith_i_alloc(d->task->env, (d->sample.words + 1) * 8);
    rc = x.cover == NULL ? PITH_ENOMEM : try_bodies(&x, round);
  }
  if (!d->solved)
    d->run->now.space = before;
  pith_i_release(d->task->env, x.cover);
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
