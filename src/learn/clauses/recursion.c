#include "learn/clauses/recursion.h"

#include "base/tunables.h"
#include "learn/clauses/recursion_finder.h"

/* Whether the best program is wrong about some example. */
static pith_status is_best_wrong(pith_i_recursion_finder *f, bool *wrong) {
  pith_i_errors errors = {0, 0};
  pith_i_arena arena = {.env = f->s->env};
  pith_i_rules rules;
  pith_status rc = pith_i_recursion_write(f, &arena, &rules);
  if (rc >= 0)
    rc = pith_i_judge(f->s->worlds, f->s->world_count, rules.rules, rules.n,
                      &errors);
  *wrong = errors.fp + errors.fn > 0;
  pith_i_arena_free(&arena);
  return rc;
}

/* A filter whose variables were taken to be the step's may say too much; then
** all its atoms count, and the program may be no better than the one before. */
static pith_status check_merged(pith_i_recursion_finder *f,
                                const pith_i_recursive_program *before) {
  pith_i_lit atoms[PITH_I_ATOMS];
  const pith_i_recursive_step *s = &f->graph.steps.at[f->best.step];
  bool wrong = false;
  pith_status rc = is_best_wrong(f, &wrong);
  f->m.work += f->bits;
  if (rc < 0 || !wrong)
    return rc;
  uint32_t n = pith_i_recursion_put_together(f, &f->best, atoms);
  f->best.cost -= pith_i_recursion_rule_cost(f, s, atoms, n);
  f->best.apart = true;
  n = pith_i_recursion_put_together(f, &f->best, atoms);
  f->best.cost += pith_i_recursion_rule_cost(f, s, atoms, n);
  if (f->best.cost >= before->cost ||
      !pith_i_recursion_is_allowed(f, s, atoms, n))
    f->best = *before;
  return PITH_OK;
}

static pith_status try_rule(pith_i_recursion_finder *f,
                            pith_i_recursive_program *c,
                            pith_i_partial_covers *p) {
  pith_i_lit atoms[PITH_I_ATOMS];
  const pith_i_piece *part =
      c->place == PITH_I_NO_FILTER ? NULL : &f->growth.parts.at[c->filter];
  const pith_i_recursive_step *s = &f->graph.steps.at[c->step];
  uint32_t n = pith_i_recursion_put_together(f, c, atoms);
  bool possible = false, merged = part != NULL && n < s->n + part->n;
  c->cost = pith_i_recursion_rule_cost(f, s, atoms, n);
  if (!pith_i_recursion_is_allowed(f, s, atoms, n) ||
      c->cost + pith_i_recursion_base_cost(f, 0) >= f->best.cost)
    return PITH_OK;
  pith_status rc = pith_i_recursion_find_bags(
      f, c->place == PITH_I_FILTER_FROM ? part->cover : NULL,
      c->place == PITH_I_FILTER_TO ? part->cover : NULL, &possible);
  if (rc < 0 || !possible)
    return rc;
  pith_i_recursive_program before = f->best;
  pith_i_recursion_try_bases(f, c, p);
  return merged && f->best.cost < before.cost ? check_merged(f, &before)
                                              : PITH_OK;
}

bool pith_i_recursion_is_out_of_work(const pith_i_recursion_finder *f) {
  return f->m.work > f->end || pith_i_stop_requested(f->limits->run);
}

/* Whether the filter lets some of the step through, and not all. */
bool pith_i_recursion_filters_step(const pith_i_recursion_finder *f,
                                   const pith_i_piece *p) {
  bool some = false, all = true;
  for (size_t w = 0; w < f->m.words; w++) {
    some = some || (f->source[w] & p->cover[w]) != 0;
    all = all && (f->source[w] & ~p->cover[w]) == 0;
  }
  return some && !all;
}

/* A = B is said in the head, not in the body. */
static bool is_equality(const pith_i_recursion_finder *f,
                        const pith_i_piece *p) {
  return f->s->choices.at[p->atoms[0].choice].kind == PITH_I_EQUAL_ATOM;
}

bool pith_i_recursion_may_filter(const pith_i_recursion_finder *f,
                                 uint32_t part) {
  const pith_i_piece *p = &f->growth.parts.at[part];
  return !p->twin && !p->stuck && !is_equality(f, p);
}

/* The step with each filter of so many atoms; 0: alone. */
static pith_status try_filters(pith_i_recursion_finder *f, uint32_t number,
                               uint32_t atoms, pith_i_partial_covers *p) {
  pith_i_recursive_program c = {.step = number, .other = PITH_NONE};
  if (atoms == 0)
    return try_rule(f, &c, p);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < f->growth.level[atoms].n; i++) {
    c.filter = f->growth.level[atoms].at[i].part;
    const pith_i_piece *part = &f->growth.parts.at[c.filter];
    if (!pith_i_recursion_may_filter(f, c.filter) ||
        pith_i_recursion_is_out_of_work(f))
      continue;
    f->m.work += f->m.words / 4 + 1;
    c.place = PITH_I_FILTER_FROM;
    if (pith_i_recursion_filters_step(f, part))
      rc = try_rule(f, &c, p);
    c.place = PITH_I_FILTER_TO;
    if (rc >= 0)
      rc = try_rule(f, &c, p);
  }
  return rc;
}

/* Rules of one more atom each time, so that small ones are tried before the
** work is used up. A filter may share up to two atoms with its step. */
static pith_status try_steps(pith_i_recursion_finder *f,
                             pith_i_partial_covers *p) {
  pith_status rc = PITH_OK;
  for (uint32_t size = 0;
       rc >= 0 && size <= PITH_I_STEP_ATOMS + PITH_TUNE_GOAL_FILTER_ATOMS;
       size++)
    for (uint32_t i = 0; rc >= 0 && i < f->graph.steps.n; i++) {
      const pith_i_recursive_step *s = &f->graph.steps.at[i];
      uint64_t least =
          pith_i_recursion_least_rule_cost(f, s, size > 2 ? size - 2 : size);
      if (size < s->n || size - s->n > PITH_TUNE_GOAL_FILTER_ATOMS ||
          f->bases.n == 0 ||
          least + pith_i_recursion_base_cost(f, 0) >= f->best.cost ||
          pith_i_recursion_is_out_of_work(f))
        continue;
      rc = pith_i_recursion_load_steps(f, s, NULL);
      if (rc >= 0)
        rc = try_filters(f, i, size - s->n, p);
    }
  return rc;
}

/* ---- programs of two recursive rules ----------------------------------- */

pith_status pith_i_recursion_try_step_set(pith_i_recursion_finder *f,
                                          pith_i_recursive_program *c,
                                          pith_i_partial_covers *p) {
  pith_i_recursive_program before = f->best;
  bool wrong = false;
  pith_i_recursion_try_bases(f, c, p);
  if (f->best.cost == before.cost)
    return PITH_OK;
  pith_status rc = is_best_wrong(f, &wrong);
  if (wrong)
    f->best = before;
  return rc;
}

/* Two recursive rules, without filters. */
static pith_status try_pairs(pith_i_recursion_finder *f,
                             pith_i_partial_covers *p) {
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < f->graph.steps.n; i++)
    for (uint32_t k = i + 1; rc >= 0 && k < f->graph.steps.n; k++) {
      const pith_i_recursive_step *a = &f->graph.steps.at[i],
                                  *b = &f->graph.steps.at[k];
      pith_i_recursive_program c = {.step = i, .other = k};
      bool possible = false;
      if (pith_i_recursion_least_rule_cost(f, a, a->n) +
              pith_i_recursion_least_rule_cost(f, b, b->n) +
              pith_i_recursion_base_cost(f, 0) >=
          f->best.cost)
        continue;
      c.cost = pith_i_recursion_rule_cost(f, a, a->atoms, a->n) +
               pith_i_recursion_rule_cost(f, b, b->atoms, b->n);
      if (c.cost + pith_i_recursion_base_cost(f, 0) >= f->best.cost ||
          pith_i_recursion_is_out_of_work(f) ||
          !pith_i_recursion_is_allowed(f, a, a->atoms, a->n) ||
          !pith_i_recursion_is_allowed(f, b, b->atoms, b->n))
        continue;
      rc = pith_i_recursion_load_steps(f, a, b);
      if (rc >= 0)
        rc = pith_i_recursion_find_bags(f, NULL, NULL, &possible);
      if (rc >= 0 && possible)
        rc = pith_i_recursion_try_step_set(f, &c, p);
    }
  return rc;
}

static pith_status search_programs(pith_i_recursion_finder *f) {
  pith_i_partial_covers p = {.words = f->known / 64 + 1};
  uint64_t all = f->limits->work;
  p.covers = pith_i_alloc(f->s->env, PITH_TUNE_GOAL_BASES_COMBINED * p.words *
                                         sizeof *p.covers);
  if (p.covers == NULL)
    return PITH_ENOMEM;
  f->end = f->m.work + all;
  pith_status rc = try_steps(f, &p);
  f->end = f->m.work + all / 4;
  bool pairs =
      f->bases.n > 0 && (f->limits->max_rules == 0 || f->limits->max_rules > 2);
  if (rc >= 0 && pairs)
    rc = try_pairs(f, &p);
  f->end = f->m.work + all / 4;
  if (rc >= 0 && pairs)
    rc = pith_i_recursion_try_filtered_pairs(f, &p);
  f->end = f->m.work + all / 8;
  if (rc >= 0 && pairs)
    rc = pith_i_recursion_try_more_steps(f, &p);
  pith_i_release(f->s->env, p.covers);
  return rc;
}

/* ---- all of it --------------------------------------------------------- */

static bool has_twice(const pith_i_space *s, pith_status *rc) {
  pith_i_tuples all = {.width = s->head};
  bool fresh = true;
  for (uint32_t i = 0; *rc >= 0 && i < s->examples && fresh; i++)
    *rc = pith_i_tuples_add(s->env, &all, s->args + (size_t)i * s->head, NULL,
                            &fresh);
  pith_i_tuples_free(s->env, &all);
  return !fresh;
}

static pith_status make_room(pith_i_recursion_finder *f) {
  pith_i_env *env = f->s->env;
  size_t words = f->m.words + 1;
  f->first = pith_i_alloc(env, (f->bits + 2) * sizeof *f->first);
  f->source =
      pith_i_zalloc(env, (3 + PITH_I_BAD_SETS) * words, sizeof *f->source);
  f->bag = pith_i_alloc(env, (f->known + 1) * words * sizeof *f->bag);
  if (f->first == NULL || f->source == NULL || f->bag == NULL)
    return PITH_ENOMEM;
  f->bad = f->source + words;
  f->some = f->bad + words;
  f->ways = f->some + words;
  return PITH_OK;
}

static void free_finder(pith_i_recursion_finder *f) {
  pith_i_env *env = f->s->env;
  pith_i_release(env, f->first);
  pith_i_release(env, f->source);
  pith_i_release(env, f->bag);
  pith_i_vec_free(env, &f->to);
  pith_i_vec_free(env, &f->stack);
  pith_i_vec_free(env, &f->bases);
  pith_i_tuples_free(env, &f->covers);
  pith_i_bodies_free(&f->bodies);
  pith_i_growth_free(&f->growth);
  pith_i_sample_free(&f->m);
  pith_i_goal_graph_free(&f->graph);
}

static pith_status find_programs(pith_i_recursion_finder *f, uint32_t share) {
  uint32_t own = f->s->examples;
  pith_i_goal_limits goals = {.work = f->limits->work / 2,
                              .goals = PITH_TUNE_GOAL_NODES / share + own,
                              .all_goals =
                                  PITH_TUNE_GOAL_NODES_ALL / share + own,
                              .atoms = {pith_i_recursion_most_atoms(f, false),
                                        pith_i_recursion_most_atoms(f, true)},
                              .run = f->limits->run};
  pith_status rc = pith_i_goal_graph_init(&f->graph, f->s, &goals);
  if (rc < 0 || f->graph.steps.n == 0)
    return rc;
  rc = pith_i_recursion_adopt_goals(f);
  if (rc >= 0)
    rc = make_room(f);
  if (rc < 0)
    return rc;
  pith_i_recursion_number_edges(f);
  rc = pith_i_recursion_find_ways(f);
  if (rc >= 0)
    rc = pith_i_recursion_make_bases(f);
  if (rc >= 0)
    rc = pith_i_recursion_add_target(f);
  return rc < 0 ? rc : search_programs(f);
}

pith_status pith_i_recursion_run(pith_i_space *s,
                                 const pith_i_exact_limits *limits,
                                 uint32_t share, pith_i_arena *arena,
                                 pith_i_recursion_found *out) {
  pith_i_recursion_finder f = {
      .s = s, .limits = limits, .covers = {.width = 2}};
  pith_status rc = PITH_OK;
  *out = (pith_i_recursion_found){.cost = limits->below};
  f.best = (pith_i_recursive_program){.cost = limits->below};
  if (limits->below <= pith_i_recursion_least_cost(&f) || s->head == 0 ||
      limits->max_rules == 1 || has_twice(s, &rc) || rc < 0)
    return rc;
  rc = find_programs(&f, share);
  if (rc >= 0 && f.best.base_count > 0)
    rc = pith_i_recursion_write(&f, arena, &out->rules);
  out->cost = f.best.cost;
  out->odd = pith_i_recursion_oddness(&f);
  out->cut = f.graph.cut;
  free_finder(&f);
  return rc;
}
