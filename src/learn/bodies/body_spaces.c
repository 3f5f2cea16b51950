#include "learn/bodies/body_spaces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "learn/bodies/cut_worlds.h"
#include "logic/closure.h"
#include "train/group.h"

/* ---- which spaces, in which order -------------------------------------- */

/* By the size of the largest theory that they hold, more or less: few rules
** of few atoms first, then larger bodies, then what has to be invented. */
typedef struct {
  uint8_t rules, atoms;
  uint8_t arity[2]; /* of what is invented; 0: nothing */
  enum { PLAIN, RECURSIVE, MUTUAL } use;
} entry;

static const entry table[] = {
    {1, 2, {0, 0}, PLAIN},     {1, 3, {0, 0}, PLAIN},
    {2, 2, {0, 0}, PLAIN},     {2, 2, {0, 0}, RECURSIVE},
    {2, 3, {0, 0}, PLAIN},     {2, 3, {0, 0}, RECURSIVE},
    {4, 2, {0, 0}, PLAIN},     {4, 2, {0, 0}, RECURSIVE},
    {2, 2, {1, 0}, MUTUAL},    {2, 2, {1, 1}, MUTUAL},
    {1, 2, {2, 0}, RECURSIVE}, {1, 4, {0, 0}, PLAIN},
    {2, 4, {0, 0}, RECURSIVE}, {4, 3, {0, 0}, PLAIN},
    {4, 3, {0, 0}, RECURSIVE}, {2, 2, {2, 0}, RECURSIVE},
    {3, 2, {1, 0}, MUTUAL},    {2, 2, {2, 0}, MUTUAL},
    {8, 2, {0, 0}, PLAIN},     {1, 2, {2, 2}, RECURSIVE},
    {2, 3, {2, 0}, RECURSIVE}, {2, 2, {2, 1}, MUTUAL},
    {2, 2, {2, 2}, RECURSIVE}, {2, 2, {2, 2}, MUTUAL},
    {8, 3, {0, 0}, PLAIN},     {4, 4, {0, 0}, RECURSIVE},
};
enum { SPACES = sizeof table / sizeof *table, VARS = 4 };

static uint32_t count_invented(const entry *e) {
  return (e->arity[0] > 0) + (e->arity[1] > 0);
}

static bool allowed(const pith_i_limits *l, const entry *e) {
  uint32_t invented = count_invented(e);
  if (e->use != PLAIN && invented == 0 && !l->recursion)
    return false;
  if (invented > 0 ? !l->invention : l->only_invented)
    return false;
  if (e->use == MUTUAL && !l->recursion && e->arity[0] == 2)
    return false; /* the one without holds it too */
  /* The same space with recursion holds it too. */
  if (e->use == PLAIN && e->rules > 1 && l->recursion)
    return false;
  return (l->max_rules == 0 || e->rules + 2 * invented <= l->max_rules) &&
         (l->max_body == 0 || e->atoms <= l->max_body || e->atoms == 2) &&
         (l->max_invented == 0 || invented <= l->max_invented);
}

static uint32_t at_most(uint32_t n, uint32_t limit) {
  return limit != 0 && limit < n ? limit : n;
}

static pith_i_theory_space space_of(const pith_i_limits *l, const entry *e) {
  return (pith_i_theory_space){.rules = e->rules,
                               .atoms = at_most(e->atoms, l->max_body),
                               .vars = l->max_vars != 0 ? l->max_vars : VARS,
                               .invented = count_invented(e),
                               .arity = {e->arity[0], e->arity[1]},
                               .invented_rules = 2,
                               .invented_atoms = at_most(2, l->max_body),
                               .recursive = e->use != PLAIN && l->recursion,
                               .mutual = e->use == MUTUAL && l->recursion};
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
                         .invention = !given || b->enable_pi,
                         .work = 6e8};
}

/* ---- names for what is invented ----------------------------------------- */

/* Whether no predicate of the task has the name, but for what an earlier run
** invented and no rule defines. */
static bool is_free(const pith_i_theory *t, pith_sym name) {
  for (pith_pred p = 0; p < t->names.preds.n; p++)
    if (t->names.preds.at[p].name == name &&
        !(t->names.preds.at[p].roles & PITH_INVENTED))
      return false;
  for (size_t i = 0; i < t->rules.n; i++)
    if (pith_i_pred(&t->names, t->rules.at[i]->head.pred)->name == name)
      return false;
  return true;
}

/* inv1 and inv2, or the next that no predicate of the task has. One name may
** stand for a predicate of one argument in one space and of two in another. */
static pith_status find_names(pith_i_theory *t, pith_sym *names, size_t n) {
  char text[16];
  unsigned number = 0;
  for (size_t i = 0; i < n;) {
    int len = snprintf(text, sizeof text, "inv%u", ++number);
    pith_status rc =
        pith_i_sym_add(&t->names, text, (size_t)len, PITH_NAME, &names[i]);
    if (rc < 0)
      return rc;
    i += is_free(t, names[i]);
  }
  return PITH_OK;
}

/* ---- one space ----------------------------------------------------------- */

enum { PASS = PITH_I_LANES };
static const float bound = 3; /* of the logits */

typedef struct {
  pith_i_env *env;
  const pith_i_world *worlds;
  size_t world_count;
  const pith_i_limits *limits;
  pith_i_recipe recipe;
  const pith_learn_options *opt;
  pith_i_look look;
  void *ctx;
  pith_i_spaces_info *info;
  pith_sym names[PITH_I_MAX_INVENTED]; /* for what is invented */
  pith_pred invented[PITH_I_MAX_INVENTED];
  uint32_t spaces;
  double work; /* done */
  pith_i_run *run;
} tour;

/* What the background's own rules derive counts as background. The judge
** forgets it, so it is derived again for each space. */
static pith_status derive(const pith_i_world *t) {
  pith_i_closure_options opt = {.bits = PITH_I_BITS_NEVER};
  pith_i_store_forget(t->store);
  return t->theory->rules.n == 0
             ? PITH_OK
             : pith_i_closure(t->theory, t->store, &opt, NULL);
}

static pith_status prepare(tour *t, const pith_i_theory_space *space) {
  pith_status rc = PITH_OK;
  pith_i_names *names = &t->worlds[0].theory->names;
  for (uint32_t i = 0; rc >= 0 && i < space->invented; i++) {
    rc = pith_i_pred_add(names, t->names[i], space->arity[i], &t->invented[i]);
    if (rc >= 0)
      pith_i_pred(names, t->invented[i])->roles |= PITH_INVENTED;
  }
  for (size_t i = 0; rc >= 0 && i < t->world_count; i++) {
    rc = derive(&t->worlds[i]);
    if (rc < 0 && i > 0) /* the first world speaks for all */
      pith_i_fail(t->env, rc, "%s", t->worlds[i].theory->env->error);
  }
  return rc;
}

/* Rows of lanes that an epoch visits. */
static double work_of(const pith_i_net *net) {
  double facts = 0;
  for (size_t c = 0; c < net->candidates.n; c++)
    facts += net->bodies.at[net->candidates.at[c].body].fact_count;
  return ((double)net->joined + net->tensors) * net->steps + facts +
         4.0 * (double)net->candidates.n + 1;
}

/* Few in the first pass, for what is there to be found is mostly found soon,
** and more in each further one; what is invented takes longer, so there it is
** more at once if an epoch is little work. 0: it is too much, perhaps not in a
** later pass. */
static uint32_t epochs_for(const tour *t, const pith_i_net *net, bool invented,
                           uint32_t pass) {
  double all = t->recipe.epochs, work = work_of(net);
  double few = 100 * pow(4, pass);
  double cheap = invented ? 4e6 * pow(4, pass) / work : 0;
  double wanted = fmin(all, fmax(few, cheap));
  double budget = (t->limits->only_invented ? 1e7 : 4e7) * pow(4, pass);
  if (t->opt->each) {
    wanted = all;
    budget = 1e9;
  }
  double most = budget / work;
  return most < fmin(wanted, 50) ? 0 : (uint32_t)fmin(most, wanted);
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

/* ---- in a cut ------------------------------------------------------------ */

enum {
  LARGE = 24,     /* constants from which on worlds are cut     */
  LARGEST = 3000, /* and above which nothing is judged often    */
  BALLS = 2,      /* to begin with                              */
  BALL = 14,      /* constants of each, more in later passes    */
  ROUNDS = 5,     /* each with a ball about what went wrong     */
  IN_CUT = 8,     /* programs of a cut that are judged          */
  CUT_SEEDS = 77
};

/* What was learned in a cut, and how it did on the whole. */
typedef struct {
  pith_i_cut cut;
  uint32_t round;
  bool more; /* it fits here and not elsewhere: */
  pith_i_pick wrong;
} probe;

static pith_status examine(tour *t, const pith_i_net *net,
                           const pith_i_shelf *shelf, probe *p) {
  pith_i_arena arena = {.env = t->env};
  pith_i_errors errors = {0, 0};
  p->more = false;
  if (shelf->n == 0)
    return PITH_OK;
  const pith_i_found *f = &shelf->at[0];
  pith_rule **rules =
      pith_i_arena_alloc(&arena, (net->rules.n + 1) * sizeof *rules);
  pith_status rc = rules == NULL ? PITH_ENOMEM : PITH_OK;
  size_t n = 0;
  for (size_t r = 0; rc >= 0 && r < net->rules.n; r++)
    if (f->choice[net->rules.at[r].head] != PITH_NONE &&
        (rules[n++] = pith_i_program_rule(net, f->choice, r, &arena)) == NULL)
      rc = PITH_ENOMEM;
  p->wrong.seed = pith_i_random(t->opt->run.seed, CUT_SEEDS, p->round);
  if (rc >= 0)
    rc = pith_i_judge_pick(t->worlds, t->world_count, rules, n, &errors,
                           &p->wrong);
  p->more = rc >= 0 && errors.fp + errors.fn > 0 &&
            10 * ((size_t)f->errors.fp + f->errors.fn) <= net->examples.n;
  pith_i_arena_free(&arena);
  return rc < 0 ? rc : PITH_OK;
}

static pith_status train(tour *t, const pith_i_net *net, uint32_t epochs,
                         uint32_t number, uint32_t pass,
                         const pith_i_theory_space *space, probe *p) {
  pith_learn_options opt = *t->opt;
  if (p != NULL && opt.keep < IN_CUT)
    opt.keep = IN_CUT;
  pith_i_recipe recipe = t->recipe;
  pith_i_shelf shelf = {0};
  pith_i_learn_info info = {0};
  recipe.epochs = epochs;
  if (recipe.weighing == PITH_I_SOFTMAX)
    recipe.bound = bound; /* of hundreds of bodies one must be able to win */
  if (!opt.each) {
    bool little =
        space->invented > 0 && work_of(net) * epochs < 4e6 * pow(4, pass);
    uint32_t left = opt.restarts - pass * PASS, most = little ? 4 * PASS : PASS;
    opt.run.seed = pith_i_random(opt.run.seed, 1 + number, pass);
    if (p != NULL)
      opt.run.seed = pith_i_random(opt.run.seed, CUT_SEEDS, p->round);
    opt.restarts = left < most ? left : most;
  }
  t->run->now.space = describe(t, number, space);
  pith_status rc =
      pith_i_shelf_new(t->env, net, opt.each ? opt.restarts : opt.keep, &shelf);
  if (rc >= 0)
    rc = pith_i_learn(t->env, net, &recipe, &opt, t->run, &shelf, &info);
  pith_i_looked at = {.space = t->run->now.space,
                      .net = net,
                      .shelf = &shelf,
                      .first_restart = pass * PASS};
  if (rc >= 0) {
    add_info(t, &info);
    t->work += work_of(net) * epochs;
    if (opt.search)
      t->work += 0.2 * pith_i_search_pairs(net, epochs);
    t->info->looked++;
    rc = t->look(t->ctx, &at);
  }
  if (rc == PITH_OK && p != NULL)
    rc = examine(t, net, &shelf, p);
  pith_i_shelf_free(t->env, &shelf);
  return rc;
}

/* The next ball, about the example that went wrong if there is one. */
static pith_status cut_out(tour *t, probe *p, uint32_t number, uint32_t pass) {
  uint64_t seed =
      pith_i_random(pith_i_random(t->opt->run.seed, 1 + number, pass),
                    CUT_SEEDS + 1, p->round);
  uint32_t size = BALL + 2 * (pass < 4 ? pass : 4);
  pith_status rc = PITH_OK;
  for (uint32_t b = 0; rc >= 0 && p->round == 0 && b < BALLS; b++)
    rc = pith_i_cut_add(&p->cut, b % (uint32_t)t->world_count, PITH_NONE, size,
                        pith_i_random(seed, 0, b));
  if (p->round > 0)
    rc = pith_i_cut_add(&p->cut, p->wrong.world, p->wrong.example, size, seed);
  return rc < 0 ? rc : pith_i_cut_make(&p->cut);
}

/* p: of the cut alone; NULL: of the whole. */
static pith_status make_net(tour *t, const pith_i_theory_space *space,
                            uint32_t number, uint32_t pass, probe *p,
                            pith_i_net **net) {
  double work = 0;
  pith_status rc = prepare(t, space);
  if (rc >= 0 && p != NULL)
    rc = cut_out(t, p, number, pass);
  if (rc >= 0)
    rc = pith_i_theory_space_net(t->env, p != NULL ? p->cut.cut : t->worlds,
                                 p != NULL ? p->cut.balls : t->world_count,
                                 space, t->invented, t->run, &work, net);
  t->work += work;
  for (size_t i = 0; i < t->world_count; i++)
    pith_i_store_forget(t->worlds[i].store);
  if (rc >= 0 && t->opt->steps != 0)
    (*net)->steps = t->opt->steps;
  return rc;
}

/* In small worlds cut out of the large ones: a theory that fits there and not
** elsewhere shows what the next ball must be about. */
static pith_status visit_cut(tour *t, uint32_t number, uint32_t pass) {
  pith_i_theory_space space;
  probe p = {.more = true};
  pith_status rc = PITH_OK;
  if (!pith_i_theory_space_at(t->limits, number, &space))
    return PITH_EINTERNAL;
  pith_i_cut_init(&p.cut, t->env, t->worlds, t->world_count);
  for (; rc == PITH_OK && p.more && p.round < ROUNDS &&
         !pith_i_stop_requested(t->run);
       p.round++) {
    pith_i_net *net = NULL;
    p.more = false;
    rc = make_net(t, &space, number, pass, &p, &net);
    uint32_t epochs =
        rc >= 0 ? epochs_for(t, net, space.invented > 0, pass) : 0;
    if (epochs > 0)
      rc = train(t, net, epochs, number, pass, &space, &p);
    pith_i_net_free(net);
    if (rc == PITH_ELIMIT || rc == PITH_EINPUT)
      rc = PITH_OK, p.more = false;
  }
  pith_i_cut_free(&p.cut);
  return rc;
}

/* A space that cannot be had, for its size or for want of any rule, is passed
** over. Where recursion makes it too large, it may do without. */
static pith_status visit(tour *t, uint32_t number, uint32_t pass) {
  pith_i_theory_space space;
  if (!pith_i_theory_space_at(t->limits, number, &space))
    return PITH_EINTERNAL;
  for (bool more = true; more;) {
    pith_i_net *net = NULL;
    pith_status rc = make_net(t, &space, number, pass, NULL, &net);
    uint32_t epochs =
        rc >= 0 ? epochs_for(t, net, space.invented > 0, pass) : 0;
    if (epochs > 0)
      rc = train(t, net, epochs, number, pass, &space, NULL);
    pith_i_net_free(net);
    if (epochs > 0 || (rc < 0 && rc != PITH_ELIMIT && rc != PITH_EINPUT))
      return rc;
    t->info->passed_over += rc != PITH_EINPUT;
    more = rc >= 0 && space.recursive && space.invented == 0;
    space.recursive = space.mutual = false;
  }
  return PITH_OK;
}

/* Whether all that is defined there has one argument, so that the whole is no
** more than the constants. */
static bool is_light(const tour *t, uint32_t number) {
  pith_i_theory_space s;
  if (!pith_i_theory_space_at(t->limits, number, &s) || s.invented == 0)
    return true;
  bool light = true;
  for (uint32_t i = 0; i < s.invented; i++)
    light = light && s.arity[i] == 1;
  for (size_t i = 0; i < t->worlds[0].theory->examples.n; i++)
    light = light && t->worlds[0].theory->examples.at[i]->atom.arity == 1;
  return light;
}

/* Enough time, in work: what cannot be solved ends too. */
static bool is_spent(const tour *t) {
  return !t->opt->each && t->work > t->limits->work;
}

pith_status pith_i_spaces_learn(pith_i_env *env, const pith_i_world *worlds,
                                size_t world_count, const pith_i_limits *limits,
                                const pith_i_recipe *recipe,
                                const pith_learn_options *opt, pith_i_run *run,
                                pith_i_look look, void *ctx,
                                pith_i_spaces_info *info) {
  tour t = {.env = env,
            .worlds = worlds,
            .world_count = world_count,
            .limits = limits,
            .recipe = *recipe,
            .opt = opt,
            .look = look,
            .ctx = ctx,
            .info = info,
            .run = run};
  pith_i_theory_space space;
  memset(info, 0, sizeof *info);
  while (pith_i_theory_space_at(limits, t.spaces, &space))
    t.spaces++;
  pith_status rc = find_names(worlds[0].theory, t.names, PITH_I_MAX_INVENTED);
  size_t constants = pith_i_constant_count(worlds, world_count);
  bool cuts = !opt->each && constants > LARGE && constants <= LARGEST;
  uint32_t passes = opt->each ? 1 : (opt->restarts + PASS - 1) / PASS;
  for (uint32_t pass = 0; rc == PITH_OK && pass < passes; pass++)
    for (uint32_t i = 0; rc == PITH_OK && i < t.spaces && !is_spent(&t); i++) {
      rc = cuts ? visit_cut(&t, i, pass) : PITH_OK;
      if (rc == PITH_OK && !info->learn.stopped && (!cuts || is_light(&t, i)))
        rc = visit(&t, i, pass);
      if (rc == PITH_OK && (info->learn.stopped || pith_i_stop_requested(run)))
        info->learn.stopped = true, rc = PITH_STOPPED;
    }
  return rc < 0 ? rc : PITH_OK;
}
