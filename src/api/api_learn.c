/* Learning, as the public header has it: worlds are prepared, the network is
** built and trained, and what comes out is judged and made symbolic. */
#include <math.h>
#include <string.h>

#include "api/learned.h"
#include "logic/closure.h"

typedef pith_i_learned_theory theory;

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

void pith_learn_fill(const pith *p, pith_learn_options *opt) {
  bool free = pith_template_count(p) == 0;
  pith_i_recipe recipe = pith_i_recipe_of(opt);
  opt->epochs = opt->epochs == 0 && free ? FREE_EPOCHS : recipe.epochs;
  opt->rate = (double)recipe.rate;
  if (opt->steps == 0 && !free) /* else as each space needs */
    opt->steps = p->theory.steps != 0 ? p->theory.steps : STEPS;
}

/* ---- worlds ---------------------------------------------------------- */

/* The first world names things: it gets every predicate of the others. */
static pith_status share_names(pith *const *worlds, size_t n) {
  pith_i_names *all = &worlds[0]->theory.names;
  pith_status rc = PITH_OK;
  for (size_t w = 1; w < n; w++) {
    const pith_i_names *names = &worlds[w]->theory.names;
    for (pith_pred p = 0; rc >= 0 && p < names->preds.n; p++) {
      pith_pred there = PITH_NONE;
      rc = pith_pred_add(worlds[0], pith_i_pred_text(names, p),
                         pith_i_pred(names, p)->arity, &there);
      if (rc >= 0)
        pith_i_pred(all, there)->roles |= pith_i_pred(names, p)->roles;
    }
  }
  return rc;
}

static pith_status check_worlds(pith *const *worlds, size_t n) {
  size_t examples = 0;
  for (size_t w = 0; w < n; w++)
    examples += pith_example_count(worlds[w]);
  if (examples == 0)
    return pith_i_fail(&worlds[0]->env, PITH_EINPUT,
                       "no examples to learn from; give pos(..) and neg(..)");
  return PITH_OK;
}

/* What the background's own rules derive counts as background. */
static pith_status derive(pith *p) {
  pith_i_closure_options opt = {.bits = PITH_I_BITS_NEVER};
  pith_i_forget(p);
  if (p->theory.rules.n == 0)
    return PITH_OK;
  pith_status rc = pith_i_closure(&p->theory, &p->store, &opt, NULL);
  p->inferred = rc >= 0;
  return rc;
}

static pith_status make_net(pith *const *worlds, size_t n, uint32_t steps,
                            pith_i_net **out) {
  pith_i_env *env = &worlds[0]->env;
  pith_i_world *w = pith_i_alloc(env, n * sizeof *w);
  if (w == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    w[i] = (pith_i_world){.theory = &worlds[i]->theory,
                          .store = &worlds[i]->store};
    rc = derive(worlds[i]);
    if (rc < 0 && i > 0) /* the first world speaks for all */
      pith_i_fail(env, rc, "%s", worlds[i]->env.error);
  }
  if (rc >= 0)
    rc = pith_i_net_new(env, w, n, &(pith_i_net_options){.steps = steps}, out);
  for (size_t i = 0; i < n; i++)
    pith_i_forget(worlds[i]);
  pith_i_release(env, w);
  return rc;
}

/* ---- results --------------------------------------------------------- */

static uint32_t count_rules(const pith_i_net *net, const uint32_t *choice) {
  uint32_t n = 0;
  for (size_t r = 0; r < net->rules.n; r++)
    n += choice[net->rules.at[r].head] != PITH_NONE;
  return n;
}

static pith_status make_rules(const pith_i_net *net, const pith_i_found *f,
                              pith_learned *l, theory *t) {
  uint32_t n = count_rules(net, f->choice), i = 0;
  t->rules = pith_i_arena_alloc(&l->arena, (n + 1) * sizeof *t->rules);
  t->similarity =
      pith_i_arena_alloc(&l->arena, (n + 1) * sizeof *t->similarity);
  if (t->rules == NULL || t->similarity == NULL)
    return PITH_ENOMEM;
  for (size_t r = 0; r < net->rules.n; r++) {
    if (f->choice[net->rules.at[r].head] == PITH_NONE)
      continue;
    t->similarity[i] = (double)f->similarity[r];
    t->rules[i] = pith_i_program_rule(net, f->choice, r, &l->arena);
    if (t->rules[i++] == NULL)
      return PITH_ENOMEM;
  }
  t->info.rules = n;
  return PITH_OK;
}

pith_status pith_i_learned_finish(const pith_i_world *trials, size_t n,
                                  const pith_i_net *net, const pith_i_found *f,
                                  pith_learned *l, theory *t) {
  pith_i_errors errors = {0, 0};
  t->info.stage = f->stage;
  t->info.restart = f->restart;
  t->info.epoch = f->epoch;
  t->info.loss = (double)f->loss;
  t->info.error = (double)f->error;
  pith_status rc = make_rules(net, f, l, t);
  if (rc >= 0)
    rc = pith_i_judge(trials, n, t->rules, t->info.rules, &errors);
  if (rc >= 0 && errors.fp + errors.fn == 0)
    rc = pith_i_judge_simplify(trials, n, t->rules, t->info.rules);
  t->info.fp = errors.fp;
  t->info.fn = errors.fn;
  t->info.solved = errors.fp + errors.fn == 0;
  t->info.size = t->info.rules;
  for (uint32_t i = 0; rc >= 0 && i < t->info.rules; i++)
    t->info.size += t->rules[i]->body_len;
  return rc;
}

static pith_status finish(pith *const *worlds, size_t n, const pith_i_net *net,
                          const pith_i_shelf *shelf, pith_learned *l) {
  pith_i_env *env = &worlds[0]->env;
  pith_i_world *trials = pith_i_alloc(env, n * sizeof *trials);
  l->theories =
      pith_i_arena_alloc(&l->arena, (shelf->n + 1) * sizeof *l->theories);
  pith_status rc =
      trials == NULL || l->theories == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    trials[i] = (pith_i_world){&worlds[i]->theory, &worlds[i]->store};
  for (uint32_t i = 0; rc >= 0 && i < shelf->n; i++) {
    memset(&l->theories[i], 0, sizeof l->theories[i]);
    rc = pith_i_learned_finish(trials, n, net, &shelf->at[i], l,
                               &l->theories[i]);
    l->count += rc >= 0;
  }
  pith_i_release(env, trials);
  return rc;
}

/* ---- learning -------------------------------------------------------- */

static pith_status check_options(pith *p, const pith_learn_options *o) {
  const uint32_t most = 1000000;
  if (o->restarts == 0 || o->keep == 0 || o->keep > most)
    return pith_i_fail(&p->env, PITH_EARG,
                       "restarts is at least 1, keep is 1 to %u", most);
  if (pith_template_count(p) == 0 && o->semantics == PITH_PAPER)
    return pith_i_fail(&p->env, PITH_EARG,
                       "the paper's semantics learns what stands in the slots "
                       "of templates, and there are none; give some, or leave "
                       "the semantics out");
  if (pith_template_count(p) == 0 && o->checkpoint != NULL)
    return pith_i_fail(&p->env, PITH_EARG,
                       "a checkpoint holds the slots of templates, and there "
                       "are none; without them a run is not resumed, but the "
                       "same seed gives the same result again");
  if (!(o->run.seconds >= 0) || !(o->rate >= 0) || isinf(o->rate))
    return pith_i_fail(&p->env, PITH_EARG,
                       "seconds and rate are numbers of at least 0");
  return PITH_OK;
}

static pith_status learn(pith *const *worlds, size_t n,
                         const pith_learn_options *opt, pith_learned *l) {
  pith_i_env *env = l->arena.env;
  pith_i_net *net = NULL;
  pith_i_shelf shelf = {0};
  pith_i_recipe recipe = pith_i_recipe_of(opt);
  pith_i_run run;
  pith_i_run_begin(&run, &opt->run);
  pith_status rc = check_worlds(worlds, n);
  if (rc >= 0)
    rc = share_names(worlds, n);
  if (rc >= 0 && pith_template_count(worlds[0]) == 0)
    return pith_i_learn_free(worlds, n, opt, &run, l);
  if (rc >= 0)
    rc = make_net(worlds, n, opt->steps, &net);
  if (rc >= 0)
    rc = pith_i_shelf_new(env, net, opt->each ? opt->restarts : opt->keep,
                          &shelf);
  if (rc >= 0)
    rc = pith_i_learn(env, net, &recipe, opt, &run, &shelf, &l->info);
  if (rc >= 0)
    rc = finish(worlds, n, net, &shelf, l);
  pith_i_shelf_free(env, &shelf);
  pith_i_net_free(net);
  return rc;
}

pith_status pith_learn(pith *const *worlds, size_t world_count,
                       const pith_learn_options *options, pith_learned **out) {
  *out = NULL;
  if (world_count == 0)
    return PITH_EARG;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  if (options != NULL)
    opt = *options;
  pith_status rc = check_options(worlds[0], &opt);
  if (rc < 0)
    return rc;
  pith_learn_fill(worlds[0], &opt);
  pith_learned *l = pith_i_zalloc(&worlds[0]->env, 1, sizeof *l);
  if (l == NULL)
    return PITH_ENOMEM;
  l->owner = worlds[0];
  l->arena.env = &worlds[0]->env;
  rc = learn(worlds, world_count, &opt, l);
  if (rc < 0) {
    pith_learned_free(l);
    return rc;
  }
  *out = l;
  return l->full ? PITH_FULL : l->info.stopped ? PITH_STOPPED : PITH_OK;
}

size_t pith_learned_count(const pith_learned *l) { return l->count; }

const pith_theory_info *pith_learned_info(const pith_learned *l, size_t i) {
  return &l->theories[i].info;
}

const pith_rule *pith_learned_rule(const pith_learned *l, size_t i, size_t r) {
  return l->theories[i].rules[r];
}

double pith_learned_similarity(const pith_learned *l, size_t i, size_t r) {
  return l->theories[i].similarity[r];
}

uint32_t pith_learned_restarts(const pith_learned *l) {
  return l->info.restarts_done;
}

uint64_t pith_learned_epochs(const pith_learned *l) {
  return l->info.epochs_done;
}

pith_status pith_learned_adopt(const pith_learned *l, size_t i, pith *p) {
  pith_status rc = PITH_OK;
  size_t before = p->theory.rules.n;
  pith_i_forget(p);
  for (uint32_t r = 0; rc >= 0 && r < l->theories[i].info.rules; r++) {
    pith_rule *rule;
    rc =
        pith_i_rule_translate(&l->owner->theory, &p->theory,
                              l->theories[i].rules[r], &p->theory.arena, &rule);
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
  pith_i_env *env = l->arena.env;
  pith_i_arena_free(&l->arena);
  pith_i_release(env, l);
}
