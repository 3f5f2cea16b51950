/* Programs of two recursive rules, each with a filter on the goal it starts
** from, as for keeping some elements of a list:
**
**   keep(A,B) :- first(A,C), odd(C), rest(A,D), keep(D,B).
**   keep(A,B) :- first(A,C), even(C), rest(A,D), keep(D,E), cons(C,E,B).
**
** A filter only takes goals away. So one that leaves some positive example
** without a base rule while the other rule has no filter is out for good, and
** few are left to be combined. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "learn/clauses/oddness.h"
#include "learn/clauses/recursion_finder.h"

/* A rule's filter, or, with part PITH_NONE, none. */
typedef struct {
  uint32_t part;
  uint64_t cost; /* of the rule */
  uint64_t hash; /* of the goals that it leaves to the step */
} rule_filter;

typedef PITH_I_VEC(rule_filter) filter_list;

typedef struct {
  pith_i_recursion_finder *f;
  pith_i_partial_covers *covers;
  uint32_t step[2];
  filter_list all, kept[2];
} pair_search;

static const uint64_t *cover_of(const pith_i_recursion_finder *f,
                                uint32_t part) {
  return part == PITH_NONE ? NULL : f->growth.parts.at[part].cover;
}

static pith_i_recursive_program program_of(const pair_search *s, uint32_t which,
                                           uint32_t part) {
  return (pith_i_recursive_program){
      .step = s->step[which],
      .other = PITH_NONE,
      .filter = part == PITH_NONE ? 0 : part,
      .place = part == PITH_NONE ? PITH_I_NO_FILTER : PITH_I_FILTER_FROM};
}

/* ---- which filters a step may have --------------------------------------- */

static uint64_t hash_passed(const pith_i_recursion_finder *f,
                            const uint64_t *cover) {
  uint64_t h = 1;
  for (size_t w = 0; w < f->m.words; w++)
    h = pith_i_mix(h, f->source[w] & (cover == NULL ? ~UINT64_C(0) : cover[w]));
  return h;
}

static rule_filter *find_hash(const filter_list *list, uint64_t hash) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].hash == hash)
      return &list->at[i];
  return NULL;
}

/* Adds the filter, unless a cheaper one does the same to the step. */
static pith_status list_filter(pair_search *s, uint32_t which, uint32_t part) {
  pith_i_recursion_finder *f = s->f;
  pith_i_lit atoms[PITH_I_ATOMS];
  pith_i_recursive_program c = program_of(s, which, part);
  const pith_i_recursive_step *step = &f->graph.steps.at[c.step];
  uint32_t n = pith_i_recursion_put_together(f, &c, atoms);
  rule_filter one = {part, pith_i_recursion_rule_cost(f, step, atoms, n),
                     hash_passed(f, cover_of(f, part))};
  f->m.work += f->m.words + s->all.n / 4;
  if (!pith_i_recursion_is_allowed(f, step, atoms, n) ||
      one.cost + pith_i_recursion_base_cost(f, 0) >= f->best.cost)
    return PITH_OK;
  rule_filter *same = find_hash(&s->all, one.hash);
  if (same != NULL) {
    *same = one.cost < same->cost ? one : *same;
    return PITH_OK;
  }
  return pith_i_push(f->s->env, &s->all, one) ? PITH_OK : PITH_ENOMEM;
}

/* All filters for one of the steps, none first, then the small ones. */
static pith_status list_filters(pair_search *s, uint32_t which) {
  pith_i_recursion_finder *f = s->f;
  s->all.n = 0;
  pith_status rc =
      pith_i_recursion_load_steps(f, &f->graph.steps.at[s->step[which]], NULL);
  if (rc >= 0)
    rc = list_filter(s, which, PITH_NONE);
  for (uint32_t n = 1; n <= PITH_TUNE_GOAL_PAIR_FILTER_ATOMS; n++)
    for (size_t i = 0; rc >= 0 && i < f->growth.level[n].n; i++) {
      uint32_t part = f->growth.level[n].at[i].part;
      if (pith_i_recursion_may_filter(f, part) &&
          pith_i_recursion_filters_step(f, &f->growth.parts.at[part]))
        rc = list_filter(s, which, part);
    }
  return rc;
}

static pith_status load_pair(pair_search *s, uint32_t first, uint32_t second) {
  pith_i_recursion_finder *f = s->f;
  return pith_i_recursion_load_filtered(
      f, &f->graph.steps.at[s->step[0]], cover_of(f, first),
      &f->graph.steps.at[s->step[1]], cover_of(f, second));
}

static pith_status leads_to_bases(pair_search *s, uint32_t first,
                                  uint32_t second, bool *leads) {
  pith_status rc = load_pair(s, first, second);
  *leads = false;
  return rc < 0 ? rc : pith_i_recursion_leads_to_bases(s->f, leads);
}

static int by_rule_cost(const void *x, const void *y) {
  const rule_filter *a = x, *b = y;
  return a->cost != b->cost ? (a->cost > b->cost) - (a->cost < b->cost)
                            : (a->part > b->part) - (a->part < b->part);
}

/* Keeps the filters that leave all positive examples a way. */
static pith_status keep_filters(pair_search *s, uint32_t which) {
  pith_i_recursion_finder *f = s->f;
  filter_list *kept = &s->kept[which];
  pith_status rc = list_filters(s, which);
  bool leads;
  kept->n = 0;
  for (size_t i = 0; rc >= 0 && i < s->all.n; i++) {
    uint32_t part = s->all.at[i].part;
    if (pith_i_recursion_is_out_of_work(f))
      break;
    rc = leads_to_bases(s, which == 0 ? part : PITH_NONE,
                        which == 1 ? part : PITH_NONE, &leads);
    if (leads && !pith_i_push(f->s->env, kept, s->all.at[i]))
      rc = PITH_ENOMEM;
  }
  if (kept->n > 1)
    qsort(kept->at, kept->n, sizeof *kept->at, by_rule_cost);
  return rc;
}

/* ---- two rules ---- */

static pith_status try_combination(pair_search *s, const rule_filter *a,
                                   const rule_filter *b) {
  pith_i_recursive_program c = program_of(s, 0, a->part);
  bool possible = false;
  pith_status rc = load_pair(s, a->part, b->part);
  if (rc >= 0)
    rc = pith_i_recursion_find_bags(s->f, NULL, NULL, &possible);
  if (rc < 0 || !possible)
    return rc;
  c.other = s->step[1];
  if (b->part != PITH_NONE) {
    c.other_filter = b->part;
    c.other_place = PITH_I_FILTER_FROM;
  }
  c.cost = a->cost + b->cost + PITH_I_TWO_FILTERED;
  return pith_i_recursion_try_step_set(s->f, &c, s->covers);
}

/* Without filters they were tried before; one step with two filters is the same
** whichever comes first, and with one filter is the step alone. */
static bool is_new_combination(const pair_search *s, uint32_t a, uint32_t b) {
  return s->step[0] == s->step[1] ? a < b && b != PITH_NONE
                                  : a != PITH_NONE || b != PITH_NONE;
}

static pith_status try_combinations(pair_search *s) {
  pith_i_recursion_finder *f = s->f;
  uint64_t base = pith_i_recursion_base_cost(f, 0);
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < s->kept[0].n; i++)
    for (size_t k = 0; rc >= 0 && k < s->kept[1].n; k++) {
      const rule_filter *a = &s->kept[0].at[i], *b = &s->kept[1].at[k];
      if (a->cost + b->cost + base >= f->best.cost)
        break; /* those after it cost more */
      if (is_new_combination(s, a->part, b->part) &&
          !pith_i_recursion_is_out_of_work(f))
        rc = try_combination(s, a, b);
    }
  return rc;
}

static pith_status try_two_steps(pair_search *s) {
  pith_i_recursion_finder *f = s->f;
  const pith_i_recursive_step *a = &f->graph.steps.at[s->step[0]],
                              *b = &f->graph.steps.at[s->step[1]];
  bool leads;
  if (pith_i_recursion_is_out_of_work(f) ||
      pith_i_recursion_least_rule_cost(f, a, a->n) +
              pith_i_recursion_least_rule_cost(f, b, b->n) +
              pith_i_recursion_base_cost(f, 0) >=
          f->best.cost)
    return PITH_OK;
  pith_status rc = leads_to_bases(s, PITH_NONE, PITH_NONE, &leads);
  if (!leads)
    return rc;
  for (uint32_t which = 0; rc >= 0 && which < 2; which++)
    rc = keep_filters(s, which);
  return rc < 0 ? rc : try_combinations(s);
}

pith_status pith_i_recursion_try_filtered_pairs(pith_i_recursion_finder *f,
                                                pith_i_partial_covers *p) {
  assert(f->bases.n > 0);
  pair_search s = {.f = f, .covers = p};
  pith_status rc = PITH_OK;
  uint32_t n = (uint32_t)f->graph.steps.n;
  n = n < PITH_TUNE_GOAL_PAIR_STEPS ? n : PITH_TUNE_GOAL_PAIR_STEPS;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i; rc >= 0 && k < n; k++) {
      s.step[0] = i;
      s.step[1] = k;
      rc = try_two_steps(&s);
    }
  pith_i_vec_free(f->s->env, &s.all);
  pith_i_vec_free(f->s->env, &s.kept[0]);
  pith_i_vec_free(f->s->env, &s.kept[1]);
  return rc;
}
