/* Programs of three recursive rules or more, without filters:
**
**   safe(A) :- exit(A).
**   safe(A) :- door(A,B), safe(B).
**   safe(A) :- stairs(A,B), safe(B).
**   safe(A) :- lift(A,B), safe(B).
**
** More steps lead to more goals. So a set of steps by which a negative example
** leads to a positive one is left, and so is one from which, even with all
** steps that may come, some positive example leads to no base rule. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "learn/clauses/recursion_finder.h"

enum { MOST_STEPS = 2 + PITH_I_FURTHER_STEPS };

typedef struct {
  uint32_t step;
  uint64_t cost; /* of the rule */
  uint64_t hash; /* of its edges */
} single_step;

typedef struct {
  pith_i_recursion_finder *f;
  pith_i_partial_covers *covers;
  PITH_I_VEC(single_step) all; /* the cheapest first */
  uint32_t chosen[MOST_STEPS]; /* of all */
} step_search;

/* ---- which steps may be combined ----------------------------------------- */

static uint64_t hash_step(const pith_i_recursive_step *s) {
  uint64_t sum = s->edge_count;
  for (size_t i = 0; i < s->edge_count; i++)
    sum += pith_i_mix(pith_i_mix(5, s->edges[2 * i]), s->edges[2 * i + 1]);
  return sum;
}

/* A step that leads where a cheaper one does is of no use. */
static single_step *find_same(const step_search *s, uint64_t hash) {
  for (size_t i = 0; i < s->all.n; i++)
    if (s->all.at[i].hash == hash)
      return &s->all.at[i];
  return NULL;
}

static pith_status list_step(step_search *s, uint32_t number) {
  pith_i_recursion_finder *f = s->f;
  const pith_i_recursive_step *step = &f->graph.steps.at[number];
  single_step one = {
      number, pith_i_recursion_rule_cost(f, step, step->atoms, step->n), 0};
  bool possible = false;
  if (step->crossed ||
      !pith_i_recursion_is_allowed(f, step, step->atoms, step->n) ||
      3 * one.cost + pith_i_recursion_base_cost(f, 0) >= f->best.cost)
    return PITH_OK;
  one.hash = hash_step(step);
  f->m.work += step->edge_count + s->all.n;
  single_step *same = find_same(s, one.hash);
  if (same != NULL) {
    *same = one.cost < same->cost ? one : *same;
    return PITH_OK;
  }
  pith_status rc = pith_i_recursion_load_steps(f, step, NULL);
  if (rc >= 0)
    rc = pith_i_recursion_find_bad(f, NULL, NULL, &possible);
  if (rc >= 0 && possible && !pith_i_push(f->s->env, &s->all, one))
    rc = PITH_ENOMEM;
  return rc;
}

static int by_step_cost(const void *x, const void *y) {
  const single_step *a = x, *b = y;
  return a->cost != b->cost ? (a->cost > b->cost) - (a->cost < b->cost)
                            : (a->step > b->step) - (a->step < b->step);
}

/* Those of so many atoms at most. */
static pith_status list_steps(step_search *s, uint32_t atoms) {
  pith_i_recursion_finder *f = s->f;
  pith_status rc = PITH_OK;
  s->all.n = 0;
  for (uint32_t i = 0; rc >= 0 && i < f->graph.steps.n; i++)
    if (f->graph.steps.at[i].n <= atoms && !pith_i_recursion_is_out_of_work(f))
      rc = list_step(s, i);
  if (s->all.n > 1)
    qsort(s->all.at, s->all.n, sizeof *s->all.at, by_step_cost);
  if (s->all.n > PITH_TUNE_GOAL_SEVERAL_STEPS)
    s->all.n = PITH_TUNE_GOAL_SEVERAL_STEPS;
  return rc;
}

/* ---- sets of steps ------------------------------------------------------- */

/* The edges of the first n that are chosen, and of those from `first` on. */
static pith_status load_chosen(const step_search *s, uint32_t n, size_t first) {
  const pith_i_recursive_step *steps[MOST_STEPS + PITH_TUNE_GOAL_SEVERAL_STEPS];
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++)
    steps[count++] = &s->f->graph.steps.at[s->all.at[s->chosen[i]].step];
  for (size_t i = first; i < s->all.n; i++)
    steps[count++] = &s->f->graph.steps.at[s->all.at[i].step];
  return pith_i_recursion_load_all(s->f, steps, count);
}

static pith_status try_chosen(step_search *s, uint32_t n, uint64_t cost) {
  pith_i_recursive_program c = {.cost = cost};
  bool possible = false;
  assert(n > 2 && n <= MOST_STEPS);
  pith_status rc = pith_i_recursion_find_bags(s->f, NULL, NULL, &possible);
  if (rc < 0 || !possible)
    return rc;
  c.step = s->all.at[s->chosen[0]].step;
  c.other = s->all.at[s->chosen[1]].step;
  for (uint32_t i = 2; i < n; i++)
    c.further[c.further_count++] = s->all.at[s->chosen[i]].step;
  return pith_i_recursion_try_step_set(s->f, &c, s->covers);
}

/* All sets of `most` steps that begin with the n chosen ones, which cost so
** much. */
static pith_status choose_steps(step_search *s, uint32_t n, size_t first,
                                uint32_t most, uint64_t cost) {
  pith_i_recursion_finder *f = s->f;
  pith_status rc = PITH_OK;
  for (size_t i = first; rc >= 0 && i < s->all.n; i++) {
    uint64_t one = s->all.at[i].cost;
    bool leads = false, possible = false;
    if (cost + (most - n) * one + pith_i_recursion_base_cost(f, 0) >=
            f->best.cost ||
        pith_i_recursion_is_out_of_work(f))
      break; /* those after it cost more */
    rc = load_chosen(s, n, i);
    if (rc >= 0)
      rc = pith_i_recursion_leads_to_bases(f, &leads);
    if (!leads)
      break; /* and lead to less */
    s->chosen[n] = (uint32_t)i;
    if (rc >= 0)
      rc = load_chosen(s, n + 1, s->all.n);
    if (rc >= 0)
      rc = pith_i_recursion_find_bad(f, NULL, NULL, &possible);
    if (rc >= 0 && possible)
      rc = n + 1 < most ? choose_steps(s, n + 1, i + 1, most, cost + one)
                        : try_chosen(s, n + 1, cost + one);
  }
  return rc;
}

/* Short steps first, of which there are few. */
pith_status pith_i_recursion_try_more_steps(pith_i_recursion_finder *f,
                                            pith_i_partial_covers *p) {
  step_search s = {.f = f, .covers = p};
  uint32_t rules = f->limits->max_rules;
  uint32_t most = rules == 0 || rules > MOST_STEPS ? MOST_STEPS : rules - 1;
  pith_status rc = PITH_OK;
  for (uint32_t k = 1; rc >= 0 && k <= PITH_TUNE_GOAL_SEVERAL_ATOMS; k++) {
    rc = list_steps(&s, k);
    for (uint32_t n = 3; rc >= 0 && n <= most; n++)
      rc = choose_steps(&s, 0, 0, n, 0);
  }
  pith_i_vec_free(f->s->env, &s.all);
  return rc;
}
