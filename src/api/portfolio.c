/* Learning without templates, for pith_learn: the ways to find a theory, one
** after the other. Clauses are searched first, for that is quick and finds the
** smallest theory. What they cannot say without a predicate that nobody gave
** is left to the gradient; and if nothing fits at all, some examples may be
** wrong. Every exact theory on the way is kept, up to as many as were asked
** for. */
#include <math.h>
#include <string.h>

#include "api/learned.h"
#include "learn/bodies/body_spaces.h"
#include "learn/clauses/clause_search.h"
#include "term/equal.h"

typedef pith_i_learned_theory theory;

/* Of the time that the user gives: until when nothing is wrong, and until
** when predicates are invented. The rest is for examples that may be wrong,
** so that there is always something to show. */
static const double exact_share = 0.75, invent_share = 0.85;

/* ---- clauses ---------------------------------------------------------- */

static pith_status take_program(const pith_i_program_found *c, pith_learned *l,
                                theory *t) {
  *t = (theory){.info = {.stage = c->stage,
                         .rules = c->n,
                         .size = c->size,
                         .space = c->space,
                         .lengths = c->lengths},
                .bits = c->bits};
  t->info.fp = c->errors.fp;
  t->info.fn = c->errors.fn;
  t->info.solved = t->info.fp + t->info.fn == 0;
  t->info.loss = t->info.error = NAN;
  t->rules = pith_i_arena_alloc(&l->arena, (c->n + 1) * sizeof *t->rules);
  t->similarity =
      pith_i_arena_alloc(&l->arena, (c->n + 1) * sizeof *t->similarity);
  if (t->rules == NULL || t->similarity == NULL)
    return PITH_ENOMEM;
  for (uint32_t r = 0; r < c->n; r++) {
    t->similarity[r] = NAN;
    if ((t->rules[r] = pith_i_rule_copy(&l->arena, c->rules[r])) == NULL)
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status take_pool(const pith_i_pool *pool, pith_learned *l) {
  pith_status rc = PITH_OK;
  l->theories =
      pith_i_arena_alloc(&l->arena, (pool->best.n + 1) * sizeof *l->theories);
  if (l->theories == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < pool->best.n; i++) {
    const pith_i_errors *first = &pool->best.at[0].errors,
                        *e = &pool->best.at[i].errors;
    if (first->fp + first->fn == 0 && e->fp + e->fn > 0)
      break; /* beside a theory that fits, none that does not */
    rc = take_program(&pool->best.at[i], l, &l->theories[i]);
    l->count += rc >= 0;
  }
  return rc;
}

static uint32_t either(uint32_t asked, uint32_t bias) {
  return asked != 0 ? asked : bias;
}

static pith_i_induce_options induce_options(const pith_i_theory *theory,
                                            const pith_learn_options *opt,
                                            bool exact, pith_i_run *run) {
  pith_i_limits limits = pith_i_limits_of(theory);
  return (pith_i_induce_options){
      .max_rules = either(opt->max_rules, limits.max_rules),
      .max_body = either(opt->max_body, limits.max_body),
      .max_vars = either(opt->max_vars, limits.max_vars),
      .constants = opt->constants || theory->bias.constants > 0,
      .noisy = opt->noisy,
      .max_invented = opt->max_invented,
      .may_invent = opt->max_invented == PITH_NONE ? limits.invention
                                                   : opt->max_invented > 0,
      .may_recur = limits.recursion,
      .exact = exact,
      .run = run};
}

static pith_status learn_clauses(pith *const *worlds, size_t n,
                                 const pith_learn_options *opt, bool exact,
                                 pith_i_run *run, pith_learned *l) {
  pith_i_env *env = l->arena.env;
  pith_i_pool pool = {0};
  run->every = 32; /* the loops inside are short */
  run->reports = true;
  pith_i_induce_options o = induce_options(&worlds[0]->theory, opt, exact, run);
  pith_i_world *trials = pith_i_alloc(env, n * sizeof *trials);
  if (trials == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    pith_i_forget(worlds[i]);
    trials[i] = (pith_i_world){&worlds[i]->theory, &worlds[i]->store};
  }
  pith_i_pool_init(&pool, env, trials, n, opt->keep);
  pith_status rc = pith_i_induce(&pool, &o);
  l->full = l->full || pool.full;
  l->count = 0;
  if (rc >= 0)
    rc = take_pool(&pool, l);
  l->info.stopped = pith_i_run_is_over(run);
  pith_i_pool_free(&pool);
  pith_i_release(env, trials);
  return rc;
}

/* ---- theories of several stages --------------------------------------- */

static bool is_solved(const pith_learned *l) {
  return l->count > 0 && l->theories[0].info.solved;
}

static bool names_constants(const theory *t) {
  for (uint32_t r = 0; r < t->info.rules; r++)
    for (uint32_t i = 0; i < t->rules[r]->body_len; i++)
      for (uint32_t j = 0; j < t->rules[r]->body[i].arity; j++)
        if (!PITH_IS_VAR(t->rules[r]->body[i].args[j]))
          return true;
  return false;
}

/* Rules that name constants may list the examples rather than explain them:
** where that is likely, or where bias.pl speaks of invention, it is tried. */
static bool lists_examples(pith *const *worlds, size_t n,
                           const pith_learned *l) {
  size_t positives = 0;
  for (size_t w = 0; w < n; w++)
    for (size_t i = 0; i < pith_example_count(worlds[w]); i++)
      positives += pith_example_at(worlds[w], i)->positive;
  return names_constants(&l->theories[0]) &&
         (worlds[0]->theory.bias.enable_pi ||
          2 * (size_t)l->theories[0].info.rules >= positives);
}

static bool is_better(const theory *a, const theory *b) {
  bool x = names_constants(a), y = names_constants(b);
  return x != y ? y : a->info.size < b->info.size;
}

static bool is_among(const theory *all, size_t n, const theory *t) {
  for (size_t i = 0; i < n; i++)
    if (pith_i_rules_same(all[i].rules, all[i].info.rules, t->rules,
                          t->info.rules))
      return true;
  return false;
}

/* The exact theories of both lists, each once: what names no constants first,
** then by size. If there are none, the earlier list stays as it was. */
static pith_status join(pith_learned *l, theory *before, size_t count,
                        uint32_t keep) {
  theory *all =
      pith_i_arena_alloc(&l->arena, (l->count + count + 1) * sizeof *all);
  size_t n = 0;
  if (all == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < l->count + count; i++) {
    const theory *t = i < l->count ? &l->theories[i] : &before[i - l->count];
    if (!t->info.solved || is_among(all, n, t))
      continue;
    size_t at = n++;
    for (; at > 0 && is_better(t, &all[at - 1]); at--)
      all[at] = all[at - 1];
    all[at] = *t;
  }
  if (n > 0) {
    l->theories = all;
    l->count = n < keep ? n : keep;
  } else if (count > 0) {
    l->theories = before;
    l->count = count;
  }
  return PITH_OK;
}

/* ---- the stages ------------------------------------------------------- */

typedef struct {
  const pith_learn_options *opt;
  pith_i_run *run;
  bool stopped; /* a stage was cut short */
} stages;

/* With what needs predicates that nobody gave. Too little memory for that is
** no reason to lose what was there. */
static pith_status invent(pith *const *worlds, size_t n, stages *s,
                          pith_learned *l) {
  pith_i_run run;
  pith_i_run_part(&run, s->run, invent_share);
  theory *before = l->theories;
  size_t count = l->count;
  l->count = 0;
  pith_status rc = pith_i_learn_spaces(worlds, n, s->opt, true, &run, l);
  if (rc == PITH_ENOMEM) {
    l->full = true;
    rc = PITH_OK;
  }
  return rc < 0 ? rc : join(l, before, count, s->opt->keep);
}

/* To say the rules and then which examples they get wrong; for rules of the
** gradient four bits an atom, about. */
static double length_of(pith *const *worlds, size_t n, const theory *t) {
  size_t examples = 0;
  for (size_t w = 0; w < n; w++)
    examples += pith_example_count(worlds[w]);
  return (t->bits > 0 ? t->bits : PITH_I_ATOM_BITS * t->info.size) +
         pith_i_error_bits((double)(t->info.fp + t->info.fn), (double)examples);
}

/* Some examples may be wrong. What was found while none was thought to be
** stays if it is the shorter description. */
static pith_status doubt(pith *const *worlds, size_t n, stages *s,
                         pith_learned *l) {
  pith_learn_options opt = *s->opt;
  pith_i_run run;
  theory *before = l->theories;
  size_t count = l->count;
  opt.noisy = true;
  pith_i_run_part(&run, s->run, 1);
  pith_status rc = learn_clauses(worlds, n, &opt, false, &run, l);
  if (rc == PITH_ENOMEM && count > 0) {
    l->full = true;
    l->count = 0;
    rc = PITH_OK;
  }
  if (rc >= 0 && count > 0 &&
      (l->count == 0 ||
       length_of(worlds, n, before) < length_of(worlds, n, l->theories))) {
    l->theories = before;
    l->count = count;
  }
  return rc;
}

static pith_status go_through(pith *const *worlds, size_t n, stages *s,
                              pith_learned *l) {
  const pith_learn_options *opt = s->opt;
  pith_i_run first;
  pith_i_run_part(&first, s->run, exact_share);
  pith_status rc = learn_clauses(worlds, n, opt, true, &first, l);
  s->stopped = l->info.stopped;
  if (rc == PITH_ENOMEM) {
    l->full = true;
    return doubt(worlds, n, s, l);
  }
  bool enough = rc >= 0 && is_solved(l) && !opt->go_on &&
                (opt->constants || worlds[0]->theory.bias.constants > 0 ||
                 !lists_examples(worlds, n, l));
  if (rc < 0 || enough || (pith_i_stop_by_caller(s->run) && l->count > 0))
    return rc;
  if (!s->stopped) { /* else the time that is left serves to doubt */
    rc = invent(worlds, n, s, l);
    s->stopped = l->info.stopped;
  }
  if (rc < 0 || is_solved(l) || (pith_i_stop_by_caller(s->run) && l->count > 0))
    return rc;
  return doubt(worlds, n, s, l);
}

pith_status pith_i_learn_free(pith *const *worlds, size_t n,
                              const pith_learn_options *opt, pith_i_run *run,
                              pith_learned *l) {
  stages s = {.opt = opt, .run = run};
  if (opt->method == PITH_METHOD_GRADIENT || opt->each)
    return pith_i_learn_spaces(worlds, n, opt, false, run, l);
  if (opt->method == PITH_METHOD_SEARCH || opt->noisy)
    return learn_clauses(worlds, n, opt, false, run, l);
  pith_status rc = go_through(worlds, n, &s, l);
  l->info.stopped = l->info.stopped || s.stopped;
  return rc;
}
