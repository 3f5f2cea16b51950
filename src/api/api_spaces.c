/* Learning without templates by the gradient, for pith_learn: theories are
** collected from one space after the other. */
#include <math.h>
#include <string.h>

#include "api/learned.h"
#include "learn/bodies/body_spaces.h"

typedef pith_i_learned_theory theory;

typedef struct {
  const pith_i_world *trials;
  size_t n;
  const pith_learn_options *opt;
  pith_learned *l;
  size_t room;   /* of l->theories */
  size_t solved; /* of them        */
} collector;

static bool is_better(const theory *a, const theory *b) {
  uint64_t x = a->info.fp + a->info.fn, y = b->info.fp + b->info.fn;
  return x != y ? x < y : a->info.size < b->info.size;
}

/* Behind those that are no worse; the last falls off when there is no room. */
static void insert(collector *c, const theory *t) {
  theory *at = c->l->theories;
  size_t i = c->l->count;
  while (i > 0 && is_better(t, &at[i - 1]))
    i--;
  if (i == c->room)
    return;
  c->l->count += c->l->count < c->room;
  memmove(&at[i + 1], &at[i], (c->l->count - 1 - i) * sizeof *at);
  at[i] = *t;
}

/* Every restart's, from the first space in which it fits. */
static void put_each(collector *c, const theory *t) {
  theory *at = &c->l->theories[t->info.restart];
  c->solved += t->info.solved && !at->info.solved;
  if (at->rules == NULL || (t->info.solved && !at->info.solved))
    *at = *t;
  if (c->l->count <= t->info.restart)
    c->l->count = t->info.restart + 1;
}

static bool has_enough(const collector *c) {
  return c->opt->each ? c->solved == c->room
                      : c->l->count > 0 && c->l->theories[0].info.solved &&
                            !c->opt->go_on;
}

static pith_status collect(void *ctx, const pith_i_looked *at) {
  collector *c = ctx;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < at->shelf->n; i++) {
    theory t = {.rules = NULL};
    const pith_i_found *f = &at->shelf->at[i];
    if (c->opt->each && c->l->theories[f->restart].info.solved)
      continue;
    rc = pith_i_learned_finish(c->trials, c->n, at->net, f, c->l, &t);
    t.info.restart += at->first_restart;
    if (t.info.stage == PITH_GRADIENT && at->first_restart > 0)
      t.info.stage = PITH_RESTART;
    t.info.space = at->space;
    if (rc >= 0 && c->opt->each)
      put_each(c, &t);
    else if (rc >= 0)
      insert(c, &t);
  }
  return rc < 0 ? rc : has_enough(c) ? PITH_STOPPED : PITH_OK;
}

/* A theory without rules, for every restart if need be. */
static pith_status add_nothing(collector *c) {
  theory t = {.rules = pith_i_arena_alloc(&c->l->arena, sizeof *t.rules)};
  pith_i_errors errors = {0, 0};
  pith_status rc = t.rules == NULL
                       ? PITH_ENOMEM
                       : pith_i_judge(c->trials, c->n, t.rules, 0, &errors);
  t.info.fp = errors.fp;
  t.info.fn = errors.fn;
  t.info.solved = errors.fp + errors.fn == 0;
  t.info.loss = t.info.error = NAN;
  for (size_t i = 0; rc >= 0 && i < (c->opt->each ? c->room : 1); i++) {
    t.info.restart = (uint32_t)i;
    c->l->theories[c->l->count++] = t;
  }
  return rc;
}

static pith_i_limits limits_of(const pith *p, const pith_learn_options *opt) {
  pith_i_limits l = pith_i_limits_of(&p->theory);
  l.max_rules = opt->max_rules != 0 ? opt->max_rules : l.max_rules;
  l.max_body = opt->max_body != 0 ? opt->max_body : l.max_body;
  l.max_vars = opt->max_vars != 0 ? opt->max_vars : l.max_vars;
  if (opt->max_invented != PITH_NONE) {
    l.invention = opt->max_invented > 0;
    l.max_invented = opt->max_invented;
  }
  return l;
}

/* Nothing to make a rule of, or too much. */
static pith_status found_none(collector *c, const pith_i_spaces_info *info) {
  if (info->passed_over == 0)
    return add_nothing(c);
  return pith_i_fail(c->l->arena.env, PITH_ELIMIT,
                     "even the smallest space of rules is too large to train "
                     "in; give templates, or fewer facts and examples");
}

pith_status pith_i_learn_spaces(pith *const *worlds, size_t n,
                                const pith_learn_options *opt, bool invented,
                                pith_i_run *run, pith_learned *l) {
  pith_i_env *env = l->arena.env;
  pith_i_world *trials = pith_i_alloc(env, n * sizeof *trials);
  collector c = {.trials = trials,
                 .n = n,
                 .opt = opt,
                 .l = l,
                 .room = opt->each ? opt->restarts : opt->keep};
  pith_i_spaces_info info;
  pith_i_recipe recipe = pith_i_recipe_of(opt);
  pith_i_limits limits = limits_of(worlds[0], opt);
  limits.only_invented = invented;
  if (invented) /* little where nobody says that it is needed */
    limits.work = worlds[0]->theory.bias.enable_pi ? 3e8 : 5e7;
  l->theories =
      pith_i_arena_alloc(&l->arena, (c.room + 1) * sizeof *l->theories);
  pith_status rc =
      trials == NULL || l->theories == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0) {
    memset(l->theories, 0, (c.room + 1) * sizeof *l->theories);
    for (size_t i = 0; i < n; i++)
      trials[i] = (pith_i_world){&worlds[i]->theory, &worlds[i]->store};
    rc = pith_i_spaces_learn(env, trials, n, &limits, &recipe, opt, run,
                             collect, &c, &info);
    l->info = info.learn;
  }
  if (rc >= 0 && info.looked == 0 && !info.learn.stopped && !invented)
    rc = found_none(&c, &info);
  pith_i_release(env, trials);
  return rc;
}
