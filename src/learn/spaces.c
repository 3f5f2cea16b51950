#include "learn/spaces.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "logic/closure.h"

/* ---- which spaces, in which order -------------------------------------- */

/* By the size of the largest theory that they hold, more or less: few rules
** of few atoms first, then larger bodies, then what has to be invented. */
typedef struct {
  uint8_t rules, atoms, invented;
  bool recursive;
} entry;

static const entry table[] = {
    {1, 2, 0, false}, {1, 3, 0, false}, {2, 2, 0, false}, {2, 2, 0, true},
    {2, 3, 0, false}, {2, 3, 0, true},  {4, 2, 0, false}, {4, 2, 0, true},
    {1, 2, 1, true},  {1, 4, 0, false}, {2, 4, 0, true},  {4, 3, 0, false},
    {4, 3, 0, true},  {2, 2, 1, true},  {8, 2, 0, false}, {2, 3, 1, true},
    {3, 2, 2, true},  {8, 3, 0, false}, {4, 4, 0, true},  {4, 3, 2, true},
};
enum { SPACES = sizeof table / sizeof *table, VARS = 4 };

static bool allowed(const pith_i_limits *l, const entry *e) {
  if ((e->recursive && e->invented == 0 && !l->recursion) ||
      (e->invented > 0 && !l->invention) ||
      (e->invented == 0 && l->only_invented))
    return false;
  /* Without recursion after all, one that enables it says more. */
  if (!e->recursive && e->rules > 1 && l->recursion)
    return false;
  return (l->max_rules == 0 || e->rules + 2u * e->invented <= l->max_rules) &&
         (l->max_body == 0 || e->atoms <= l->max_body || e->atoms == 2) &&
         (l->max_invented == 0 || e->invented <= l->max_invented);
}

static pith_i_theory_space space_of(const pith_i_limits *l, const entry *e) {
  return (pith_i_theory_space){.rules = e->rules,
                               .atoms = e->atoms,
                               .vars = l->max_vars != 0 ? l->max_vars : VARS,
                               .invented = e->invented,
                               .invented_rules = 2,
                               .invented_atoms = l->max_body == 1 ? 1 : 2,
                               .recursive = e->recursive && l->recursion};
}

bool pith_i_theory_space_at(const pith_i_limits *limits, uint32_t i,
                            pith_i_theory_space *out) {
  for (size_t e = 0; e < SPACES; e++)
    if (allowed(limits, &table[e]) && i-- == 0) {
      *out = space_of(limits, &table[e]);
      return true;
    }
  return false;
}

pith_i_limits pith_i_limits_of(const pith_i_theory *theory) {
  const pith_bias *b = &theory->bias;
  bool given = b->max_vars + b->max_body + b->max_clauses > 0 || b->enable_pi ||
               b->enable_recursion;
  for (size_t p = 0; !given && p < theory->names.preds.n; p++)
    given = (theory->names.preds.at[p].roles & PITH_BODY) != 0;
  return (pith_i_limits){.max_rules = b->max_clauses,
                         .max_body = b->max_body,
                         .max_vars = b->max_vars,
                         .recursion = !given || b->enable_recursion,
                         .invention = !given || b->enable_pi};
}

/* ---- names for what is invented ----------------------------------------- */

/* inv1, inv2 and so on, but for names that are taken. */
static pith_status invent(pith_i_theory *t, uint32_t arity, uint32_t *number,
                          pith_pred *out) {
  char text[16];
  pith_sym sym;
  do {
    int n = snprintf(text, sizeof text, "inv%u", ++*number);
    pith_status rc =
        pith_i_sym_add(&t->names, text, (size_t)n, PITH_NAME, &sym);
    if (rc < 0)
      return rc;
  } while (pith_i_pred_named(&t->names, sym) != PITH_NONE);
  pith_status rc = pith_i_pred_add(&t->names, sym, arity, out);
  if (rc >= 0)
    pith_i_pred(&t->names, *out)->roles |= PITH_INVENTED;
  return rc;
}

/* ---- one space ----------------------------------------------------------- */

enum { MAX_INVENTED = 2, PASS = PITH_I_LANES };

typedef struct {
  pith_i_env *env;
  const pith_i_trial *trials;
  size_t trial_count;
  pith_i_world *worlds;
  const pith_i_limits *limits;
  pith_i_recipe recipe;
  const pith_learn_options *opt;
  pith_i_look look;
  void *ctx;
  pith_i_spaces_info *info;
  pith_pred invented[MAX_INVENTED]; /* binary, then unary */
  uint32_t invented_count, names;
  uint32_t spaces;
  double began;
} tour;

static bool told(void *ctx) {
  const tour *t = ctx;
  return (t->opt->seconds > 0 && pith_i_now() - t->began > t->opt->seconds) ||
         (t->opt->stop != NULL && t->opt->stop(t->opt->stop_ctx));
}

/* What the background's own rules derive counts as background. The judge
** forgets it, so it is derived again for each space. */
static pith_status derive(const pith_i_trial *t) {
  pith_i_closure_options opt = {.bits = PITH_I_BITS_NEVER};
  pith_i_store_forget(t->store);
  return t->theory->rules.n == 0
             ? PITH_OK
             : pith_i_closure(t->theory, t->store, &opt, NULL);
}

static pith_status prepare(tour *t, const pith_i_theory_space *space) {
  pith_status rc = PITH_OK;
  for (; rc >= 0 && t->invented_count < space->invented; t->invented_count++)
    rc = invent(t->trials[0].theory, t->invented_count == 0 ? 2 : 1, &t->names,
                &t->invented[t->invented_count]);
  for (size_t i = 0; rc >= 0 && i < t->trial_count; i++) {
    rc = derive(&t->trials[i]);
    if (rc < 0 && i > 0) /* the first world speaks for all */
      pith_i_fail(t->env, rc, "%s", t->trials[i].theory->env->error);
  }
  return rc;
}

/* Few in the first pass, for what is there to be found is mostly found soon,
** and more in each further one. */
static uint32_t epochs_in(const tour *t, uint32_t pass) {
  uint64_t epochs = 100;
  for (; pass > 0 && epochs < t->recipe.epochs; pass--)
    epochs *= 4;
  return t->opt->each || epochs > t->recipe.epochs ? t->recipe.epochs
                                                   : (uint32_t)epochs;
}

/* As many as the work of an epoch allows; 0: too much. */
static uint32_t epochs_for(const tour *t, const pith_i_net *net,
                           uint32_t pass) {
  const double budget = 4e8; /* rows of lanes visited */
  uint32_t wanted = epochs_in(t, pass);
  const uint32_t least = wanted < 100 ? wanted : 100;
  double facts = 0;
  for (size_t i = 0; i < net->slots.n; i++)
    for (uint32_t c = 0; c < net->slots.at[i].count; c++)
      facts +=
          net->bodies.at[net->candidates.at[net->slots.at[i].first + c].body]
              .fact_count;
  double epoch = ((double)net->joined + net->tensors) * net->steps + facts +
                 4.0 * (double)net->candidates.n;
  double epochs = budget / (epoch + 1);
  return epochs < least ? 0 : epochs < wanted ? (uint32_t)epochs : wanted;
}

/* Says also where it is. */
typedef struct {
  const pith_learn_options *opt;
  pith_space space;
} reporter;

static void report(void *ctx, const pith_learn_progress *now) {
  const reporter *r = ctx;
  pith_learn_progress more = *now;
  more.space = r->space;
  r->opt->progress(r->opt->progress_ctx, &more);
}

static pith_space describe(const tour *t, uint32_t number,
                           const pith_i_theory_space *s) {
  return (pith_space){.number = number + 1,
                      .count = t->spaces,
                      .rules = s->rules,
                      .body = s->atoms,
                      .invented = s->invented,
                      .recursive = s->recursive};
}

static void add_info(tour *t, const pith_i_learn_info *more) {
  pith_i_learn_info *all = &t->info->learn;
  all->restarts_done += more->restarts_done;
  all->epochs_done += more->epochs_done;
  all->stopped = all->stopped || more->stopped;
}

static pith_status train(tour *t, const pith_i_net *net, uint32_t number,
                         uint32_t pass, const pith_i_theory_space *space) {
  pith_learn_options opt = *t->opt;
  pith_i_recipe recipe = t->recipe;
  pith_i_shelf shelf = {0};
  pith_i_learn_info info = {0};
  recipe.epochs = epochs_for(t, net, pass);
  if (recipe.epochs == 0) {
    t->info->passed_over++;
    return PITH_OK;
  }
  if (!opt.each) {
    opt.seed = pith_i_random(opt.seed, 1 + number, pass);
    uint32_t left = opt.restarts - pass * PASS;
    opt.restarts = left < PASS ? left : PASS;
  }
  reporter r = {t->opt, describe(t, number, space)};
  if (opt.progress != NULL) {
    opt.progress = report;
    opt.progress_ctx = &r;
  }
  if (opt.seconds > 0) {
    opt.seconds -= pith_i_now() - t->began;
    opt.seconds = opt.seconds > 1e-3 ? opt.seconds : 1e-3;
  }
  pith_status rc =
      pith_i_shelf_new(t->env, net, opt.each ? opt.restarts : opt.keep, &shelf);
  if (rc >= 0)
    rc = pith_i_learn(t->env, net, &recipe, &opt, &shelf, &info);
  pith_i_looked at = {.space = r.space,
                      .net = net,
                      .shelf = &shelf,
                      .first_restart = pass * PASS};
  if (rc >= 0) {
    add_info(t, &info);
    t->info->looked++;
    rc = t->look(t->ctx, &at);
  }
  pith_i_shelf_free(t->env, &shelf);
  return rc;
}

/* A space that cannot be had, for its size or for want of any rule, is passed
** over. */
static pith_status visit(tour *t, uint32_t number, uint32_t pass) {
  pith_i_theory_space space;
  pith_i_net *net = NULL;
  pith_i_stop stop = {told, t};
  if (!pith_i_theory_space_at(t->limits, number, &space))
    return PITH_EINTERNAL;
  pith_status rc = prepare(t, &space);
  if (rc >= 0)
    rc = pith_i_theory_space_net(t->env, t->worlds, t->trial_count, &space,
                                 t->invented, &stop, &net);
  for (size_t i = 0; i < t->trial_count; i++)
    pith_i_store_forget(t->trials[i].store);
  if (rc == PITH_ELIMIT || rc == PITH_EINPUT) {
    t->info->passed_over += rc == PITH_ELIMIT;
    return PITH_OK;
  }
  if (rc >= 0 && t->opt->steps != 0)
    net->steps = t->opt->steps;
  if (rc >= 0)
    rc = train(t, net, number, pass, &space);
  pith_i_net_free(net);
  return rc;
}

pith_status pith_i_spaces_learn(pith_i_env *env, const pith_i_trial *trials,
                                size_t trial_count, const pith_i_limits *limits,
                                const pith_i_recipe *recipe,
                                const pith_learn_options *opt, pith_i_look look,
                                void *ctx, pith_i_spaces_info *info) {
  tour t = {.env = env,
            .trials = trials,
            .trial_count = trial_count,
            .limits = limits,
            .recipe = *recipe,
            .opt = opt,
            .look = look,
            .ctx = ctx,
            .info = info,
            .began = pith_i_now()};
  pith_i_theory_space space;
  memset(info, 0, sizeof *info);
  while (pith_i_theory_space_at(limits, t.spaces, &space))
    t.spaces++;
  t.worlds = pith_i_alloc(env, trial_count * sizeof *t.worlds);
  pith_status rc = t.worlds == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < trial_count; i++)
    t.worlds[i] =
        (pith_i_world){.theory = trials[i].theory, .store = trials[i].store};
  uint32_t passes = opt->each ? 1 : (opt->restarts + PASS - 1) / PASS;
  for (uint32_t pass = 0; rc == PITH_OK && pass < passes; pass++)
    for (uint32_t i = 0; rc == PITH_OK && i < t.spaces; i++) {
      rc = visit(&t, i, pass);
      if (rc == PITH_OK && (info->learn.stopped || told(&t)))
        info->learn.stopped = true, rc = PITH_STOPPED;
    }
  pith_i_release(env, t.worlds);
  return rc < 0 ? rc : PITH_OK;
}
