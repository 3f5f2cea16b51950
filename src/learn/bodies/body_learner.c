#include "learn/bodies/body_learner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"
#include "learn/bodies/cut_worlds.h"
#include "learn/bodies/space_table.h"
#include "train/group.h"
#include "train/offer_program.h"

/* ---- names for what is invented ----------------------------------------- */

/* Whether no predicate of the task has the name, but for what an earlier run
** invented and no rule defines. */
static bool is_free_name(const pith_i_theory *t, pith_sym name) {
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
static pith_status name_inventions(pith_i_theory *t, pith_sym *names,
                                   size_t n) {
  char text[16];
  unsigned number = 0;
  for (size_t i = 0; i < n;) {
    int len = snprintf(text, sizeof text, "inv%u", ++number);
    pith_status rc =
        pith_i_sym_add(&t->names, text, (size_t)len, PITH_NAME, &names[i]);
    if (rc < 0)
      return rc;
    i += is_free_name(t, names[i]);
  }
  return PITH_OK;
}

/* ---- one space ----------------------------------------------------------- */

enum { PASS = PITH_I_LANES };
static const float bound = 3; /* of the logits */

typedef struct {
  const pith_i_task *task;
  pith_i_run *run;
  pith_i_best *best;
  pith_i_training training; /* as the caller asks for it */
  uint32_t steps;           /* 0: as each space needs    */
  bool only_invented;
  double most_work;                    /* about ten nanoseconds each */
  double work;                         /* done                       */
  pith_sym names[PITH_I_MAX_INVENTED]; /* for what is invented       */
  pith_pred invented[PITH_I_MAX_INVENTED];
  uint32_t spaces, visited, passed_over;
  uint32_t solved; /* restarts, where each counts */
} body_search;

/* The judge forgets what the background gives, so it is derived again for each
** space. */
static pith_status prepare_worlds(body_search *t,
                                  const pith_i_theory_space *space) {
  pith_status rc = PITH_OK;
  pith_i_names *names = &t->task->worlds[0].theory->names;
  for (uint32_t i = 0; rc >= 0 && i < space->invented; i++) {
    rc = pith_i_pred_add(names, t->names[i], space->arity[i], &t->invented[i]);
    if (rc >= 0)
      pith_i_pred(names, t->invented[i])->roles |= PITH_INVENTED;
  }
  return rc < 0
             ? rc
             : pith_i_derive_background(t->task->worlds, t->task->world_count);
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
static uint32_t epochs_for(const body_search *t, const pith_i_net *net,
                           bool invented, uint32_t pass) {
  assert(net->pooled);
  assert(pass < 32);
  double all = t->training.recipe.epochs, work = work_of(net);
  double few = PITH_TUNE_BODY_FIRST_EPOCHS * pow(4, pass);
  double cheap =
      invented ? pith_i_reals.BODY_CHEAP_WORK * pow(4, pass) / work : 0;
  double wanted = fmin(all, fmax(few, cheap));
  double budget = (t->only_invented ? pith_i_reals.BODY_SPACE_WORK_INVENTED
                                    : pith_i_reals.BODY_SPACE_WORK) *
                  pow(4, pass);
  if (t->training.each) {
    wanted = all;
    budget = pith_i_reals.BODY_SPACE_WORK_EACH;
  }
  double most = budget / work;
  return most < fmin(wanted, PITH_TUNE_BODY_LEAST_EPOCHS)
             ? 0
             : (uint32_t)fmin(most, wanted);
}

static pith_space describe_space(const body_search *t, uint32_t number,
                                 const pith_i_theory_space *s) {
  return (pith_space){.number = number + 1,
                      .count = t->spaces,
                      .rules = s->rules,
                      .body = s->atoms,
                      .invented = s->invented,
                      .recursive = s->recursive};
}

/* ---- in a cut ------------------------------------------------------------ */

enum { CUT_SEEDS = 77 };

/* What was learned in a cut, and how it did on the whole. */
typedef struct {
  pith_i_cut_worlds cut;
  uint32_t round;
  bool more; /* it fits here and not elsewhere: */
  pith_i_pick wrong;
} cut_trial;

static pith_status examine_cut(body_search *t, const pith_i_net *net,
                               const pith_i_programs *found, cut_trial *p) {
  pith_i_arena arena = {.env = t->task->env};
  pith_i_errors errors = {0, 0};
  p->more = false;
  if (found->n == 0)
    return PITH_OK;
  const pith_i_found_program *f = &found->at[0];
  pith_rule **rules =
      pith_i_arena_alloc(&arena, (net->rules.n + 1) * sizeof *rules);
  pith_status rc = rules == NULL ? PITH_ENOMEM : PITH_OK;
  size_t n = 0;
  for (size_t r = 0; rc >= 0 && r < net->rules.n; r++)
    if (f->choice[net->rules.at[r].head] != PITH_NONE &&
        (rules[n++] = pith_i_program_rule(net, f->choice, r, &arena)) == NULL)
      rc = PITH_ENOMEM;
  p->wrong.seed = pith_i_random(t->training.seed, CUT_SEEDS, p->round);
  if (rc >= 0)
    rc = pith_i_judge_pick(t->task->worlds, t->task->world_count, rules, n,
                           &errors, &p->wrong);
  p->more = rc >= 0 && errors.fp + errors.fn > 0 &&
            10 * ((size_t)f->errors.fp + f->errors.fn) <= net->examples.n;
  pith_i_arena_free(&arena);
  return rc < 0 ? rc : PITH_OK;
}

/* ---- training in one space ---------------------------------------------- */

static bool has_enough(const body_search *t) {
  return t->training.each
             ? t->solved == t->training.restarts
             : pith_i_best_is_solved(t->best) && !t->training.go_on;
}

/* first_restart: what the list calls restart 0. PITH_STOPPED: that is
** enough. */
static pith_status offer_programs(body_search *t, const pith_i_net *net,
                                  const pith_i_programs *found,
                                  uint32_t first_restart) {
  assert(!t->training.each || first_restart == 0);
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < found->n; i++) {
    const pith_i_found_program *f = &found->at[i];
    bool solved = false;
    if (t->training.each && f->restart < t->best->at.n &&
        t->best->at.at[f->restart].info.solved)
      continue;
    rc = pith_i_offer_program(net, f, first_restart, &t->run->now.space,
                              t->best, &solved);
    t->solved += solved;
  }
  return rc < 0 ? rc : has_enough(t) ? PITH_STOPPED : PITH_OK;
}

/* Restarts and seeds of one visit to a space. */
static pith_i_training plan_training(const body_search *t,
                                     const pith_i_net *net, uint32_t epochs,
                                     uint32_t number, uint32_t pass,
                                     const pith_i_theory_space *space,
                                     const cut_trial *p) {
  pith_i_training plan = t->training;
  plan.recipe.epochs = epochs;
  if (plan.recipe.weighing == PITH_I_SOFTMAX)
    plan.recipe.bound = bound; /* of hundreds of bodies one must win */
  if (p != NULL && plan.keep < PITH_TUNE_CUT_PROGRAMS)
    plan.keep = PITH_TUNE_CUT_PROGRAMS;
  if (plan.each)
    return plan;
  bool little =
      space->invented > 0 &&
      work_of(net) * epochs < pith_i_reals.BODY_CHEAP_WORK * pow(4, pass);
  uint32_t left = plan.restarts - pass * PASS, most = little ? 4 * PASS : PASS;
  plan.seed = pith_i_random(plan.seed, 1 + number, pass);
  if (p != NULL)
    plan.seed = pith_i_random(plan.seed, CUT_SEEDS, p->round);
  plan.restarts = left < most ? left : most;
  return plan;
}

static pith_status train_in_space(body_search *t, const pith_i_net *net,
                                  uint32_t epochs, uint32_t number,
                                  uint32_t pass,
                                  const pith_i_theory_space *space,
                                  cut_trial *p) {
  assert(epochs > 0);
  assert(number < t->spaces);
  pith_i_training plan = plan_training(t, net, epochs, number, pass, space, p);
  pith_i_programs found = {0};
  pith_i_trained done = {0};
  t->run->now.space = describe_space(t, number, space);
  pith_i_run_report(t->run);
  pith_status rc = pith_i_programs_new(
      t->task->env, net, plan.each ? plan.restarts : plan.keep, &found);
  if (rc >= 0)
    rc = pith_i_train(t->task->env, net, &plan, t->run, &found, &done);
  if (rc >= 0) {
    t->best->restarts_done += done.restarts;
    t->best->epochs_done += done.epochs;
    t->work += work_of(net) * epochs;
    if (plan.search)
      t->work += 0.2 * pith_i_search_pairs(net, epochs);
    t->visited++;
    rc = offer_programs(t, net, &found, pass * PASS);
  }
  if (rc == PITH_OK && p != NULL)
    rc = examine_cut(t, net, &found, p);
  pith_i_programs_free(t->task->env, &found);
  return rc;
}

/* The next ball, about the example that went wrong if there is one. */
static pith_status cut_next_ball(body_search *t, cut_trial *p, uint32_t number,
                                 uint32_t pass) {
  assert(p->round <= PITH_TUNE_CUT_ROUNDS);
  uint64_t seed =
      pith_i_random(pith_i_random(t->training.seed, 1 + number, pass),
                    CUT_SEEDS + 1, p->round);
  uint32_t size = PITH_TUNE_CUT_BALL + 2 * (pass < 4 ? pass : 4);
  pith_status rc = PITH_OK;
  for (uint32_t b = 0;
       rc >= 0 && p->round == 0 && b < PITH_TUNE_CUT_FIRST_BALLS; b++)
    rc = pith_i_cut_add(&p->cut, b % (uint32_t)t->task->world_count, PITH_NONE,
                        size, pith_i_random(seed, 0, b));
  if (p->round > 0)
    rc = pith_i_cut_add(&p->cut, p->wrong.world, p->wrong.example, size, seed);
  return rc < 0 ? rc : pith_i_cut_make(&p->cut);
}

/* p: of the cut alone; NULL: of the whole. */
static pith_status make_space_net(body_search *t,
                                  const pith_i_theory_space *space,
                                  uint32_t number, uint32_t pass, cut_trial *p,
                                  pith_i_net **net) {
  double work = 0;
  pith_status rc = prepare_worlds(t, space);
  if (rc >= 0 && p != NULL)
    rc = cut_next_ball(t, p, number, pass);
  if (rc >= 0)
    rc = pith_i_theory_space_net(
        t->task->env, p != NULL ? p->cut.cut : t->task->worlds,
        p != NULL ? p->cut.balls : t->task->world_count, space, t->invented,
        t->run, &work, net);
  t->work += work;
  pith_i_forget_background(t->task->worlds, t->task->world_count);
  if (rc >= 0 && t->steps != 0)
    (*net)->steps = t->steps;
  return rc;
}

/* In small worlds cut out of the large ones: a theory that fits there and not
** elsewhere shows what the next ball must be about. */
static pith_status visit_cut(body_search *t, uint32_t number, uint32_t pass) {
  pith_i_theory_space space;
  cut_trial p = {.more = true};
  pith_status rc = PITH_OK;
  bool exists = pith_i_theory_space_at(&t->task->bounds, t->only_invented,
                                       number, &space);
  assert(exists);
  (void)exists;
  pith_i_cut_init(&p.cut, t->task->env, t->task->worlds, t->task->world_count);
  for (; rc == PITH_OK && p.more && p.round < PITH_TUNE_CUT_ROUNDS &&
         !pith_i_stop_requested(t->run);
       p.round++) {
    pith_i_net *net = NULL;
    p.more = false;
    rc = make_space_net(t, &space, number, pass, &p, &net);
    uint32_t epochs =
        rc >= 0 ? epochs_for(t, net, space.invented > 0, pass) : 0;
    if (epochs > 0)
      rc = train_in_space(t, net, epochs, number, pass, &space, &p);
    pith_i_net_free(net);
    if (rc == PITH_ELIMIT || rc == PITH_EINPUT)
      rc = PITH_OK, p.more = false;
  }
  pith_i_cut_free(&p.cut);
  return rc;
}

/* A space that cannot be had, for its size or for want of any rule, is passed
** over. Where recursion makes it too large, it may do without. */
static pith_status visit_whole(body_search *t, uint32_t number, uint32_t pass) {
  pith_i_theory_space space;
  bool exists = pith_i_theory_space_at(&t->task->bounds, t->only_invented,
                                       number, &space);
  assert(exists);
  (void)exists;
  for (bool more = true; more;) {
    pith_i_net *net = NULL;
    pith_status rc = make_space_net(t, &space, number, pass, NULL, &net);
    uint32_t epochs =
        rc >= 0 ? epochs_for(t, net, space.invented > 0, pass) : 0;
    if (epochs > 0)
      rc = train_in_space(t, net, epochs, number, pass, &space, NULL);
    pith_i_net_free(net);
    if (epochs > 0 || (rc < 0 && rc != PITH_ELIMIT && rc != PITH_EINPUT))
      return rc;
    t->passed_over += rc != PITH_EINPUT;
    more = rc >= 0 && space.recursive && space.invented == 0;
    space.recursive = space.mutual = false;
  }
  return PITH_OK;
}

/* Whether all that is defined there has one argument, so that the whole is no
** more than the constants. */
static bool is_light(const body_search *t, uint32_t number) {
  pith_i_theory_space s;
  if (!pith_i_theory_space_at(&t->task->bounds, t->only_invented, number, &s) ||
      s.invented == 0)
    return true;
  bool light = true;
  for (uint32_t i = 0; i < s.invented; i++)
    light = light && s.arity[i] == 1;
  for (size_t i = 0; i < t->task->worlds[0].theory->examples.n; i++)
    light = light && t->task->worlds[0].theory->examples.at[i]->atom.arity == 1;
  return light;
}

/* Enough time, in work: what cannot be solved ends too. */
static bool is_spent(const body_search *t) {
  return !t->training.each && t->work > t->most_work;
}

static pith_status visit_space(body_search *t, uint32_t number, uint32_t pass,
                               bool cuts) {
  pith_status rc = cuts ? visit_cut(t, number, pass) : PITH_OK;
  if (rc == PITH_OK && !pith_i_run_is_over(t->run) &&
      (!cuts || is_light(t, number)))
    rc = visit_whole(t, number, pass);
  if (rc == PITH_OK && pith_i_stop_requested(t->run))
    rc = PITH_STOPPED;
  return rc;
}

static pith_status visit_spaces(body_search *t) {
  size_t constants =
      pith_i_constant_count(t->task->worlds, t->task->world_count);
  bool each = t->training.each;
  bool cuts = !each && constants > PITH_TUNE_CUT_FROM_CONSTANTS &&
              constants <= PITH_TUNE_CUT_TO_CONSTANTS;
  uint32_t passes = each ? 1 : (t->training.restarts + PASS - 1) / PASS;
  pith_status rc = PITH_OK;
  for (uint32_t pass = 0; rc == PITH_OK && pass < passes; pass++)
    for (uint32_t i = 0; rc == PITH_OK && i < t->spaces && !is_spent(t); i++)
      rc = visit_space(t, i, pass, cuts);
  return rc < 0 ? rc : PITH_OK;
}

/* A theory without rules, for every restart if need be. */
static pith_status offer_empty_theory(body_search *t) {
  uint32_t n = t->training.each ? t->training.restarts : 1;
  pith_i_offer o = {
      .info = {.loss = NAN, .error = NAN}, .bits = 0, .trained = true};
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < n; i++) {
    o.info.restart = i;
    rc = pith_i_best_offer(t->best, &o, NULL);
  }
  return rc;
}

static pith_status search_bodies(body_search *t) {
  pith_i_theory_space space;
  t->training = pith_i_training_of(t->task->opt);
  t->steps = t->task->opt->steps;
  t->run->now.phase = "training on bodies";
  while (pith_i_theory_space_at(&t->task->bounds, t->only_invented, t->spaces,
                                &space))
    t->spaces++;
  pith_status rc =
      name_inventions(t->task->worlds[0].theory, t->names, PITH_I_MAX_INVENTED);
  return rc < 0 ? rc : visit_spaces(t);
}

pith_status pith_i_learn_bodies(const pith_i_task *task, pith_i_run *run,
                                pith_i_best *best) {
  body_search t = {.task = task,
                   .run = run,
                   .best = best,
                   .most_work = pith_i_reals.BODY_WORK};
  pith_status rc = search_bodies(&t);
  if (rc < 0 || t.visited > 0 || pith_i_run_is_over(run))
    return rc;
  if (t.passed_over == 0) /* there is nothing to make a rule of */
    return offer_empty_theory(&t);
  return pith_i_fail(task->env, PITH_ELIMIT,
                     "even the smallest space of rules is too large to train "
                     "in; give templates, or fewer facts and examples");
}

/* Where nobody asks for invention and the labels are told in a few bits, what
** it finds would be learned by heart. */
static double work_of_invention(const pith_i_task *task) {
  if (task->bounds.wants_invention)
    return pith_i_reals.BODY_WORK_INVENTED;
  bool few = pith_i_label_bits(task) < PITH_TUNE_SEARCH_FEW_BITS;
  return pith_i_reals.BODY_WORK_UNASKED / (few ? 10 : 1);
}

pith_status pith_i_learn_invented(const pith_i_task *task, pith_i_run *run,
                                  pith_i_best *best) {
  body_search t = {.task = task,
                   .run = run,
                   .best = best,
                   .only_invented = true,
                   .most_work = work_of_invention(task)};
  return search_bodies(&t);
}
