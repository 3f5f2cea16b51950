/* Learning, as the public header has it: arguments are checked, the learners
** do the work. */
#include <math.h>

#include "api/handle.h"
#include "learn/learn_cost.h"
#include "learn/portfolio.h"
#include "learn/templates/template_trace.h"
#include "task/closed_world.h"
#include "term/translate.h"
#include "train/restarts.h"

struct pith_learned {
  pith *owner;
  pith_i_task task;
  pith_i_best best;
  uint32_t steps;
  bool stopped; /* a learner was cut short */
};

enum {
  STEPS = 4,          /* where neither the user nor the templates say */
  FREE_EPOCHS = 1000, /* in each space, without templates             */
};

void pith_learn_defaults(pith_learn_options *opt) {
  *opt = (pith_learn_options){.run = {.seed = 1},
                              .restarts = 64,
                              .keep = 1,
                              .search = true,
                              .max_invented = PITH_NONE};
}

void pith_i_learn_fill(const pith *p, pith_learn_options *opt) {
  bool free = pith_template_count(p) == 0;
  pith_i_recipe recipe = pith_i_recipe_of(opt);
  opt->epochs = opt->epochs == 0 && free ? FREE_EPOCHS : recipe.epochs;
  opt->rate = (double)recipe.rate;
  if (opt->steps == 0 && !free) /* else as each space needs */
    opt->steps = p->theory.steps != 0 ? p->theory.steps : STEPS;
}

/* ---- learning -------------------------------------------------------- */

static pith_status check_learn_options(pith *p, const pith_learn_options *o) {
  const uint32_t most = 1000000;
  if (o->restarts == 0 || o->keep == 0 || o->keep > most)
    return pith_i_fail(&p->env, PITH_EARG,
                       "restarts is at least 1, keep is 1 to %u", most);
  if (pith_template_count(p) == 0 && o->semantics != PITH_BEST)
    return pith_i_fail(&p->env, PITH_EARG,
                       "the paper's semantics learns what stands in the slots "
                       "of templates, and there are none; give some, or leave "
                       "the semantics out");
  if (pith_template_count(p) == 0 && o->checkpoint != NULL)
    return pith_i_fail(&p->env, PITH_EARG,
                       "a checkpoint holds the slots of templates, and there "
                       "are none; without them a run is not resumed, but the "
                       "same seed gives the same result again");
  if ((unsigned)o->method > PITH_METHOD_GRADIENT ||
      (unsigned)o->noise > PITH_NOISE_OFF || (unsigned)o->semantics > PITH_TEXT)
    return pith_i_fail(&p->env, PITH_EARG,
                       "no such method, noise or semantics");
  if (!(o->run.seconds >= 0) || !(o->rate >= 0) || isinf(o->rate))
    return pith_i_fail(&p->env, PITH_EARG,
                       "seconds and rate are numbers of at least 0");
  return PITH_OK;
}

static bool are_worlds(pith *const *handles, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (handles[i] == NULL)
      return false;
  return n > 0;
}

/* The handles as worlds, with nothing derived in them. */
static pith_i_world *worlds_of(pith *const *handles, size_t n) {
  pith_i_world *worlds = pith_i_alloc(&handles[0]->env, n * sizeof *worlds);
  for (size_t i = 0; worlds != NULL && i < n; i++) {
    pith_i_forget(handles[i]);
    worlds[i] = (pith_i_world){.theory = &handles[i]->theory,
                               .store = &handles[i]->store};
  }
  return worlds;
}

static pith_status run_learners(pith_i_world *worlds, size_t n,
                                const pith_learn_options *opt,
                                pith_learned *l) {
  pith_i_run run;
  pith_i_run_begin(&run, &opt->run);
  for (size_t i = 0; i < n; i++)
    worlds[i].run = &run;
  pith_status rc = pith_i_task_init(&l->task, &l->owner->env, worlds, n, opt);
  pith_i_best_init(&l->best, &l->task, opt->each ? opt->restarts : opt->keep);
  l->best.by_restart = opt->each;
  if (rc >= 0)
    rc = pith_i_portfolio(&l->task, &run, &l->best, &l->stopped);
  pith_i_task_free(&l->task);
  return rc;
}

pith_status pith_close_world(pith *p, size_t most, uint64_t seed,
                             size_t *added) {
  pith_i_world world = {.theory = &p->theory, .store = &p->store};
  size_t n;
  pith_i_forget(p);
  pith_i_call_begin(p);
  return pith_i_call_end(
      p, pith_i_close_world(&world, most, seed, added == NULL ? &n : added));
}

pith_status pith_learn(pith *const *worlds, size_t world_count,
                       const pith_learn_options *options, pith_learned **out) {
  *out = NULL;
  if (!are_worlds(worlds, world_count))
    return PITH_EARG;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  if (options != NULL)
    opt = *options;
  pith_status rc = check_learn_options(worlds[0], &opt);
  if (rc < 0)
    return rc;
  pith_i_learn_fill(worlds[0], &opt);
  pith_learned *l = pith_i_zalloc(&worlds[0]->env, 1, sizeof *l);
  pith_i_world *inner = l == NULL ? NULL : worlds_of(worlds, world_count);
  if (inner == NULL) {
    pith_i_release(&worlds[0]->env, l);
    return PITH_ENOMEM;
  }
  l->owner = worlds[0];
  l->steps = opt.steps;
  rc = run_learners(inner, world_count, &opt, l);
  if (rc < 0) {
    pith_learned_free(l);
    return rc;
  }
  *out = l;
  return l->best.full ? PITH_FULL : l->stopped ? PITH_STOPPED : PITH_OK;
}

pith_status pith_learn_trace(pith *const *worlds, size_t world_count,
                             const pith_learn_options *options,
                             const pith_trace_options *which,
                             pith_trace_visit visit, void *ctx) {
  if (!are_worlds(worlds, world_count))
    return PITH_EARG;
  if (pith_template_count(worlds[0]) == 0)
    return pith_i_fail(&worlds[0]->env, PITH_EARG,
                       "without templates there is no training to watch");
  pith_learn_options opt = *options;
  pith_i_learn_fill(worlds[0], &opt);
  pith_i_world *inner = worlds_of(worlds, world_count);
  if (inner == NULL)
    return PITH_ENOMEM;
  pith_i_run run;
  pith_i_task task;
  opt.run.progress = NULL;
  pith_i_run_begin(&run, &opt.run);
  pith_status rc =
      pith_i_task_init(&task, &worlds[0]->env, inner, world_count, &opt);
  if (rc >= 0)
    rc = pith_i_trace_templates(&task, &run, which, visit, ctx);
  pith_i_task_free(&task);
  return rc;
}

pith_status pith_learn_cost(pith *const *worlds, size_t world_count,
                            pith_estimate *out) {
  *out = (pith_estimate){.wide = PITH_NONE};
  if (!are_worlds(worlds, world_count))
    return PITH_EARG;
  pith_i_world *inner = worlds_of(worlds, world_count);
  if (inner == NULL)
    return PITH_ENOMEM;
  pith_i_learn_cost(inner, world_count, out);
  pith_i_release(&worlds[0]->env, inner);
  return PITH_OK;
}

/* ---- results --------------------------------------------------------- */

static const pith_i_learned_theory *theory_at(const pith_learned *l, size_t i) {
  return i < l->best.at.n ? &l->best.at.at[i] : NULL;
}

size_t pith_learned_count(const pith_learned *l) { return l->best.at.n; }

const pith_theory_info *pith_learned_info(const pith_learned *l, size_t i) {
  const pith_i_learned_theory *t = theory_at(l, i);
  return t == NULL ? NULL : &t->info;
}

const pith_rule *pith_learned_rule(const pith_learned *l, size_t i, size_t r) {
  const pith_i_learned_theory *t = theory_at(l, i);
  return t == NULL || r >= t->info.rules ? NULL : t->rules[r];
}

double pith_learned_similarity(const pith_learned *l, size_t i, size_t r) {
  const pith_i_learned_theory *t = theory_at(l, i);
  return t == NULL || r >= t->info.rules ? NAN : t->similarity[r];
}

const pith_merged *pith_learned_merged(const pith_learned *l, size_t i,
                                       size_t m) {
  const pith_i_learned_theory *t = theory_at(l, i);
  return t == NULL || m >= t->info.merged ? NULL : &t->merged[m];
}

const pith_weak_condition *pith_learned_weakest(const pith_learned *l,
                                                size_t i) {
  const pith_i_learned_theory *t = theory_at(l, i);
  return t == NULL ? NULL : t->weakest;
}

uint32_t pith_learned_restarts(const pith_learned *l) {
  return l->best.restarts_done;
}

uint32_t pith_learned_steps(const pith_learned *l) { return l->steps; }

uint64_t pith_learned_epochs(const pith_learned *l) {
  return l->best.epochs_done;
}

pith_status pith_learned_adopt(const pith_learned *l, size_t i, pith *p) {
  const pith_i_learned_theory *t = theory_at(l, i);
  pith_status rc = PITH_OK;
  if (t == NULL)
    return pith_i_fail(&p->env, PITH_EARG, "no such theory");
  size_t before = p->theory.rules.n;
  pith_i_forget(p);
  for (uint32_t r = 0; rc >= 0 && r < t->info.rules; r++) {
    pith_rule *rule;
    rc = pith_i_rule_translate(&l->owner->theory, &p->theory, t->rules[r],
                               &p->theory.arena, &rule);
    if (rc >= 0 && !pith_i_push(&p->env, &p->theory.rules, rule))
      rc = PITH_ENOMEM;
  }
  if (rc < 0)
    p->theory.rules.n = before;
  return rc;
}

void pith_learned_free(pith_learned *l) {
  if (l == NULL)
    return;
  pith_i_env *env = &l->owner->env;
  pith_i_best_free(&l->best);
  pith_i_release(env, l);
}
