/* Learning a model: which learner, on which facts, in which stages.
**
** Rules are mined from the graph and weighed on held-out facts. Where nobody
** holds facts out, one in ten is set aside: from the others we learn how to
** weigh, and then the rules from all. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/team.h"
#include "base/tunables.h"
#include "graph/graph_cost.h"
#include "graph/mine_thresholds.h"
#include "graph/model.h"
#include "train/restarts.h"

enum {
  STAGES = 5 /* three of mining, one of choosing and one of weighing */
};

/* One call of the learner. */
typedef struct {
  pith_i_theory *theory;
  const pith_model_options *opt;
  pith_i_run *run;
  pith_i_crew *crew;
  uint32_t each; /* reasons of a fact that are kept */
  bool hurried;  /* something was left out for lack of time */
  bool full;     /* memory ran out, and what was found before is kept */
  bool told; /* the caller holds facts out, which says how many are missing */
} model_learner;

pith_model_method pith_i_model_method(const pith_i_theory *theory,
                                      const pith_model_options *opt) {
  if (opt->method != PITH_MODEL_AUTO)
    return opt->method;
  if (opt->semantics != PITH_BEST)
    return PITH_MODEL_SOFT;
  for (size_t i = 0; opt->target != PITH_NONE && i < theory->examples.n; i++)
    if (theory->examples.at[i]->atom.pred == opt->target)
      return PITH_MODEL_CHAINS;
  return PITH_MODEL_RULES;
}

/* ---- rules ------------------------------------------------------------ */

static pith_status set_mining(const pith_model_options *opt,
                              const pith_i_graph *g, pith_i_mining *m) {
  pith_i_mining_defaults(m);
  m->seed = opt->run.seed;
  m->length = opt->max_body > 0 ? opt->max_body : m->length;
  m->support = opt->support;
  m->confidence = opt->confidence;
  if (opt->target != PITH_NONE)
    m->target = g->relation[opt->target];
  if (opt->target != PITH_NONE && m->target == PITH_NONE)
    return pith_i_fail(g->env, PITH_EINPUT,
                       "the target has no binary facts to learn from");
  pith_i_mining_fill(m, g);
  return PITH_OK;
}

static void begin_stage(pith_i_run *run, const char *phase) {
  run->now.phase = phase;
  run->now.stage++;
}

/* The rules that there would be to write, were the run stopped now. Of two
** passes, the one with more of them counts. */
static void note_rules(pith_i_run *run, size_t n, size_t most) {
  n = n < most ? n : most;
  if (n > run->now.rules)
    run->now.rules = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void note_mined(pith_i_run *run, size_t n) {
  note_rules(run, n, PITH_TUNE_GRAPH_STOPPED_RULES);
}

/* Whether the time may decide what is done. In a team one member alone has a
** clock, and with a checkpoint the next run may have more time: both need the
** same loops in the same order. */
static bool may_hurry(const model_learner *l) {
  return l->run->end < INFINITY && l->theory->env->team == NULL;
}

/* What follows may use this share of the time that is left, so that some is
** left for what comes after it. */
static void begin_part(model_learner *l, pith_i_run *part, double share) {
  double all = l->run->end - l->run->began, spent = pith_i_run_seconds(l->run);
  double done = may_hurry(l) ? fmin(spent / all, 1) : 1;
  pith_i_run_part(part, l->run, done + share * (1 - done));
  part->now = l->run->now;
  l->crew->run = part;
}

/* PITH_OK if only the part's time is over. */
static pith_status end_part(model_learner *l, const pith_i_run *part,
                            pith_status rc) {
  l->run->now = part->now;
  l->crew->run = l->run;
  bool goes_on = may_hurry(l) && !pith_i_stop_requested(l->run);
  l->hurried = l->hurried || rc == PITH_STOPPED;
  return rc == PITH_STOPPED && goes_on ? PITH_OK : rc;
}

/* Puts mined rules in their order. Of a run that is over, first leaves those
** that it will not keep: there may be many, and the caller waits. */
static pith_status order_rules(model_learner *l, pith_i_model *m,
                               pith_status mined) {
  pith_status rc =
      mined != PITH_OK ? mined : pith_i_paths_sort(m->env, l->run, &m->rules);
  if (rc == PITH_STOPPED) {
    pith_status limited = pith_i_rules_limit(m->env, m->g, &m->rules,
                                             PITH_TUNE_GRAPH_STOPPED_RULES);
    rc = limited < 0 ? limited : rc;
  }
  if (rc != PITH_OK)
    pith_i_paths_sort(m->env, NULL, &m->rules);
  return rc;
}

static pith_status mine_rules(model_learner *l, pith_i_model *m) {
  pith_i_mining mining;
  pith_status rc = set_mining(l->opt, m->g, &mining);
  if (rc < 0)
    return rc;
  m->target = mining.target;
  begin_stage(l->run, "chains of one and two");
  rc = pith_i_mine_short(l->crew, m->g, &mining, &m->rules);
  note_mined(l->run, m->rules.n);
  begin_stage(l->run, "rules with constants");
  if (rc == PITH_OK)
    rc = pith_i_mine_items(l->crew, m->g, &mining, &m->rules);
  note_mined(l->run, m->rules.n);
  begin_stage(l->run, "longer chains");
  if (rc == PITH_OK) {
    pith_i_run part;
    begin_part(l, &part, pith_i_reals.GRAPH_CHAINS_SHARE);
    rc = pith_i_mine_long(l->crew, m->g, &mining, &m->rules);
    rc = end_part(l, &part, rc);
  }
  pith_status rounded = pith_i_thresholds_round(&l->theory->names, &m->rules);
  rc = rounded < 0 ? rounded : rc;
  note_mined(l->run, m->rules.n);
  return order_rules(l, m, rc);
}

/* ratio: facts that are missing, by fact that is held out. */
static double missing_share(const pith_i_model *m, const pith_i_held_out *e,
                            double ratio) {
  double held = 0, known = 0;
  for (uint32_t r = 0; r < m->g->relations; r++)
    known += m->target == PITH_NONE || m->target == r
                 ? (double)m->g->way_edges[PITH_I_WAY(r, 0)]
                 : 0;
  for (size_t i = 0; i < e->questions.n; i++)
    held += e->questions.at[i].way % 2 == 0;
  double missing = ratio * held;
  return floor(missing / (known + held + missing) * 1e4 + 0.5) / 1e4;
}

static pith_i_tuner make_tuner(const model_learner *l, const pith_i_model *m,
                               const pith_i_held_out *held_out) {
  return (pith_i_tuner){.crew = l->crew,
                        .index = m->index,
                        .e = held_out,
                        .seed = l->opt->run.seed,
                        .whole = l->told};
}

/* Which rules the facts of the graph need. PITH_STOPPED: nobody knows. */
static pith_status find_needs(model_learner *l, pith_i_model *m,
                              pith_i_rule_needs *out) {
  pith_i_rule_index *index = NULL;
  pith_status rc =
      pith_i_rule_index_new(m->env, m->g, m->rules.at, m->rules.n, &index);
  if (rc >= 0)
    rc = pith_i_rule_needs_find(l->crew, index, l->opt->run.seed, out);
  pith_i_rule_index_free(index);
  return rc;
}

/* Keeps as many rules as held-out facts ask for; where these are few, as many
** as before. */
static pith_status cut_rules(model_learner *l, pith_i_model *m,
                             const pith_i_held_out *held_out) {
  pith_i_tuner tuner = make_tuner(l, m, held_out);
  pith_i_rule_needs needs = {0};
  m->found = m->rules.n;
  if (l->opt->all_rules)
    return PITH_OK;
  begin_stage(l->run, "fewer rules");
  pith_i_run part;
  begin_part(l, &part, pith_i_reals.GRAPH_NEEDS_SHARE);
  pith_status found = find_needs(l, m, &needs);
  pith_status rc = end_part(l, &part, found);
  if (found == PITH_OK && held_out->questions.n >= PITH_TUNE_FEW_QUESTIONS) {
    begin_part(l, &part, pith_i_reals.GRAPH_CUTS_SHARE);
    pith_status chosen =
        pith_i_rules_choose(&tuner, m->g, &m->rules, needs.place, &m->cuts);
    rc = end_part(l, &part, chosen);
    if (chosen == PITH_OK || m->cuts.n > 1)
      l->each = m->cuts.each;
  }
  if (rc == PITH_OK && found == PITH_OK)
    pith_i_rules_cut(&m->rules, needs.place, l->each);
  else if (rc == PITH_OK)
    rc = pith_i_rules_limit(m->env, m->g, &m->rules,
                            PITH_TUNE_GRAPH_STOPPED_RULES);
  m->repeated = needs.repeated;
  pith_i_rule_needs_free(m->env, &needs);
  return rc;
}

static pith_status weigh_rules(model_learner *l, pith_i_model *m,
                               const pith_i_held_out *held_out) {
  pith_i_tuned tuned = {0};
  pith_i_tuner tuner = make_tuner(l, m, held_out);
  tuner.hurries = may_hurry(l);
  begin_stage(l->run, "weights");
  pith_status rc = pith_i_tune(&tuner, &m->scoring, &tuned);
  m->tuned = tuned;
  l->hurried = l->hurried || tuned.hurried;
  m->missing = missing_share(m, held_out, tuned.missing);
  m->missing_told = l->told;
  if (tuned.samples < PITH_TUNE_GRAPH_LEAST_SAMPLES)
    pith_i_model_score_plainly(m);
  return rc;
}

/* Where memory ran out but there are rules, these are the result. */
static pith_status keep_found(model_learner *l, const pith_i_model *m,
                              pith_status rc) {
  if (rc != PITH_ENOMEM || m == NULL || m->rules.n == 0)
    return rc;
  l->full = true;
  pith_i_forget_failure(l->theory->env);
  return PITH_STOPPED;
}

/* No more rules than can be written in the time that is left; if the run was
** stopped before they could be chosen, in a moment. */
static pith_status limit_rules(model_learner *l, pith_i_model *m,
                               bool stopped) {
  size_t most = stopped ? PITH_TUNE_GRAPH_STOPPED_RULES : SIZE_MAX;
  if (!stopped && may_hurry(l)) {
    double left = l->run->end - l->run->began - pith_i_run_seconds(l->run);
    most = (size_t)(fmax(left, 0) / 2 / pith_i_reals.GRAPH_RULE_SECONDS);
  }
  l->hurried = l->hurried || m->rules.n > most;
  pith_status rc = pith_i_rules_limit(m->env, m->g, &m->rules, most);
  note_rules(l->run, m->rules.n, SIZE_MAX);
  return rc;
}

/* With fewer rules, if memory does not suffice for all. */
static pith_status prepare_model(model_learner *l, pith_i_model *m) {
  pith_status rc = pith_i_model_prepare(m);
  while (rc == PITH_ENOMEM && pith_i_model_halve(m)) {
    l->full = true;
    pith_i_forget_failure(l->theory->env);
    rc = pith_i_model_prepare(m);
  }
  return rc;
}

/* Rules from a store, weighed on held-out facts if there are any. */
static pith_status learn_from(model_learner *l, const pith_i_store *store,
                              const pith_i_fact_source *held_out,
                              pith_i_model **out) {
  pith_i_held_out questions = {0};
  pith_i_model *m;
  pith_status rc = pith_i_model_new(l->theory, &m);
  *out = m;
  if (rc >= 0)
    rc = pith_i_model_graph(m, store, held_out, held_out != NULL, NULL, NULL,
                            l->run);
  if (rc == PITH_STOPPED) { /* with nothing to show */
    pith_i_model_free(m);
    *out = NULL;
    return rc;
  }
  if (rc >= 0)
    rc = keep_found(l, m, mine_rules(l, m));
  bool stopped = rc == PITH_STOPPED;
  if (rc >= 0 && !stopped && held_out != NULL)
    rc = keep_found(l, m,
                    pith_i_source_held_out(held_out, l->theory, m->g, true,
                                           &questions, NULL));
  pith_i_held_out_sort(&questions);
  if (rc == PITH_OK && !stopped)
    rc = keep_found(l, m, cut_rules(l, m, &questions));
  stopped = stopped || rc == PITH_STOPPED;
  if (rc >= 0)
    rc = keep_found(l, m, limit_rules(l, m, stopped));
  if (rc >= 0)
    rc = prepare_model(l, m);
  stopped = stopped || l->full;
  if (rc >= 0 && !stopped && questions.questions.n > 0)
    rc = keep_found(l, m, weigh_rules(l, m, &questions));
  pith_i_held_out_free(l->theory->env, &questions);
  return rc >= 0 && stopped ? PITH_STOPPED : rc;
}

/* ---- setting facts aside ---------------------------------------------- */

typedef struct {
  const pith_model_options *opt;
  pith_i_run *run;
  pith_i_store kept, aside;
  pith_pred last;
  uint64_t of_pred;
  uint64_t facts;
  pith_status rc;
} parting;

/* One in ten, by chance; the first of a relation always stays, so that both
** graphs number the relations alike. */
static int part_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  enum { PART = 1 << 16 }; /* facts between two looks at the clock */
  parting *t = ctx;
  if (n != 2)
    return 0;
  if (++t->facts % PART == 0 && pith_i_stop_requested(t->run)) {
    t->rc = PITH_STOPPED;
    return 1;
  }
  t->of_pred = pred == t->last ? t->of_pred + 1 : 0;
  t->last = pred;
  uint64_t dice = pith_i_random(t->opt->run.seed, ((uint64_t)pred << 1) | 1,
                                ((uint64_t)args[0] << 32) | args[1]);
  bool wanted = t->opt->target == PITH_NONE || t->opt->target == pred;
  bool stays = t->of_pred == 0 || !wanted || dice % PITH_TUNE_GRAPH_ASIDE != 0;
  t->rc = pith_i_fact_give(stays ? &t->kept : &t->aside, pred, 2, args);
  return t->rc < 0;
}

/* The weights of `from`, which has the same ways. */
static void take_weights(pith_i_model *to, pith_i_model *from) {
  assert(to->g->ways == from->g->ways);
  pith_i_scoring scoring = to->scoring;
  to->scoring = from->scoring;
  from->scoring = scoring;
  to->tuned = from->tuned;
  to->missing = from->missing;
  to->cuts = from->cuts;
  to->missing_told = from->missing_told;
}

static pith_status learn_aside(model_learner *l, const pith_i_store *store,
                               pith_i_model **out) {
  parting t = {.opt = l->opt, .run = l->run, .last = PITH_NONE};
  pith_i_env *env = l->theory->env;
  pith_i_model *first = NULL;
  pith_i_store_init(&t.kept, env);
  pith_i_store_init(&t.aside, env);
  pith_i_fact_each(store, PITH_NONE, PITH_GIVEN, part_fact, &t);
  pith_i_fact_source aside = {l->theory, &t.aside};
  pith_status rc = t.rc;
  if (rc == PITH_OK)
    rc = learn_from(l, &t.kept, &aside, &first);
  pith_i_store_free(&t.kept);
  pith_i_store_free(&t.aside);
  if (rc != PITH_OK) {
    *out = first;
    return rc;
  }
  rc = learn_from(l, store, NULL, out);
  if (rc == PITH_ENOMEM || l->full) { /* the first has weights, too */
    pith_i_model_free(*out);
    *out = first;
    return keep_found(l, first, PITH_ENOMEM);
  }
  if (rc == PITH_STOPPED) { /* the first has more of the rules, and weights */
    pith_i_model_free(*out);
    *out = first;
    return rc;
  }
  if (rc >= 0)
    take_weights(*out, first);
  pith_i_model_free(first);
  return rc;
}

/* ---- a file to go on from ---------------------------------------------- */

typedef struct {
  uint64_t sum;
} fact_print;

static int print_fact(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  fact_print *print = ctx;
  print->sum = pith_i_mix(print->sum, pred);
  print->sum =
      pith_i_mix(print->sum, pith_i_hash_bytes(args, n * sizeof *args));
  return 0;
}

/* What is being learned: facts by number, and what changes results. */
static uint64_t print_task(const model_learner *l, const pith_i_store *store,
                           const pith_i_fact_source *held_out) {
  const pith_model_options *o = l->opt;
  uint64_t words[] = {o->run.seed, o->target,    o->max_body,
                      o->support,  o->all_rules, held_out != NULL};
  fact_print print = {pith_i_hash_bytes(PITH_VERSION, sizeof PITH_VERSION)};
  print.sum = pith_i_mix(print.sum, pith_i_hash_bytes(words, sizeof words));
  print.sum = pith_i_mix(
      print.sum, pith_i_hash_bytes(&o->confidence, sizeof o->confidence));
  pith_i_fact_each(store, PITH_NONE, PITH_GIVEN, print_fact, &print);
  if (held_out != NULL)
    pith_i_fact_each(held_out->store, PITH_NONE, PITH_GIVEN, print_fact,
                     &print);
  return print.sum;
}

/* A process that is alone is a team of one as long as it keeps a journal. */
static pith_status begin_journal(model_learner *l, const pith_i_store *store,
                                 const pith_i_fact_source *held_out) {
  pith_i_env *env = l->theory->env;
  if (l->opt->checkpoint == NULL)
    return PITH_OK;
  pith_status rc =
      env->team != NULL ? PITH_OK : pith_i_team_new(NULL, &env->team);
  return rc < 0 ? rc
                : pith_i_team_journal(env->team, l->opt->checkpoint,
                                      print_task(l, store, held_out), env);
}

static void end_journal(model_learner *l) {
  pith_i_env *env = l->theory->env;
  if (l->opt->checkpoint == NULL || env->team == NULL)
    return;
  pith_i_team_journal(env->team, NULL, 0, env);
  if (pith_i_team_size(env->team) == 1) {
    pith_i_team_free(env->team);
    env->team = NULL;
  }
}

static pith_status learn_rules(model_learner *l, const pith_i_store *store,
                               const pith_i_fact_source *held_out,
                               pith_i_model **out) {
  l->run->now.stages = held_out != NULL ? STAGES : 2 * STAGES - 2;
  pith_status rc = pith_i_crew_new(l->theory->env, l->opt->run.jobs, &l->crew);
  if (rc >= 0) {
    l->crew->run = l->run;
    rc = begin_journal(l, store, held_out);
  }
  if (rc >= 0)
    rc = held_out != NULL ? learn_from(l, store, held_out, out)
                          : learn_aside(l, store, out);
  end_journal(l);
  pith_i_crew_free(l->crew);
  return rc == PITH_OK && l->hurried ? PITH_STOPPED : rc;
}

/* ---- chains ----------------------------------------------------------- */

/* The graph of a model for one relation, and the examples as pairs. */
static pith_status begin_target(model_learner *l, const pith_i_store *store,
                                pith_i_model *m, pith_i_pairs *pairs) {
  pith_pred target = l->opt->target;
  pith_status rc = pith_i_model_graph(m, store, NULL, 0, NULL, NULL, l->run);
  if (rc == PITH_OK && m->g->relation[target] == PITH_NONE)
    rc = pith_i_fail(m->env, PITH_EINPUT, "%s/2 has no facts to learn from",
                     pith_i_pred_text(&l->theory->names, target));
  if (rc != PITH_OK)
    return rc;
  m->target = m->g->relation[target];
  rc = pith_i_pairs_list(l->theory, m->g, target, pairs);
  return rc < 0 ? rc : pith_i_model_prepare(m);
}

static pith_status learn_chains(model_learner *l, const pith_i_store *store,
                                pith_i_model **out) {
  pith_i_pairs pairs = {0};
  pith_i_chain_model *gr = NULL;
  pith_i_model *m;
  pith_i_chain_options opt = {l->opt->run.seed, l->opt->max_rules,
                              l->opt->max_body, l->run};
  pith_status rc = pith_i_model_new(l->theory, &m);
  *out = m;
  if (rc < 0)
    return rc;
  m->method = PITH_MODEL_CHAINS;
  begin_stage(l->run, "chains");
  rc = begin_target(l, store, m, &pairs);
  if (rc == PITH_OK)
    rc =
        pith_i_chain_model_learn(m->g, m->target, pairs.at, pairs.n, &opt, &gr);
  pith_i_vec_free(m->env, &pairs);
  if (gr != NULL)
    pith_i_model_take_chains(m, gr);
  if (rc >= 0 && gr == NULL) { /* stopped with nothing to show */
    pith_i_model_free(m);
    *out = NULL;
  }
  return rc;
}

/* ---- soft ------------------------------------------------------------- */

static pith_i_recipe soft_recipe(const pith_model_options *opt) {
  pith_learn_options all;
  pith_learn_defaults(&all);
  all.semantics = opt->semantics == PITH_PAPER ? PITH_PAPER : PITH_TEXT;
  all.epochs = opt->epochs;
  all.variant = opt->variant;
  all.rate = opt->rate;
  return pith_i_recipe_of(&all);
}

static pith_status check_soft(const model_learner *l) {
  size_t examples = 0;
  for (size_t i = 0; i < l->theory->examples.n; i++)
    examples += l->theory->examples.at[i]->atom.pred == l->opt->target;
  if (examples == 0)
    return pith_i_fail(l->theory->env, PITH_EINPUT,
                       "no examples of %s/2, which say what the candidates "
                       "are; give pos(..) and neg(..)",
                       pith_i_pred_text(&l->theory->names, l->opt->target));
  if (l->theory->templates.n == 0)
    return pith_i_fail(l->theory->env, PITH_EINPUT,
                       "no templates; a soft model needs them");
  return PITH_OK;
}

static pith_status learn_soft(model_learner *l, const pith_i_store *store,
                              pith_i_model **out) {
  pith_i_pairs pairs = {0};
  pith_i_model *m;
  pith_i_soft_options opt = {
      .seed = l->opt->run.seed, .recipe = soft_recipe(l->opt), .run = l->run};
  *out = NULL;
  pith_status rc = check_soft(l);
  if (rc >= 0)
    rc = pith_i_model_new(l->theory, &m);
  if (rc < 0)
    return rc;
  *out = m;
  m->method = PITH_MODEL_SOFT;
  begin_stage(l->run, "templates");
  rc = begin_target(l, store, m, &pairs);
  if (rc == PITH_OK)
    rc = pith_i_soft_choice_learn(m->g, l->theory, m->target, pairs.at, pairs.n,
                                  &opt, &m->soft);
  pith_i_vec_free(m->env, &pairs);
  if (rc >= 0 && m->soft == NULL) { /* stopped with nothing to show */
    pith_i_model_free(m);
    *out = NULL;
  }
  return rc;
}

pith_status pith_i_model_learn(pith_i_theory *theory, const pith_i_store *store,
                               const pith_i_fact_source *held_out,
                               const pith_model_options *opt, pith_i_run *run,
                               pith_i_model **out) {
  model_learner l = {.theory = theory,
                     .opt = opt,
                     .run = run,
                     .each = PITH_TUNE_FEW_REASONS,
                     .told = held_out != NULL};
  pith_model_method method = pith_i_model_method(theory, opt);
  *out = NULL;
  run->now.stages = 1;
  if (method != PITH_MODEL_RULES && opt->target == PITH_NONE)
    return pith_i_fail(theory->env, PITH_EINPUT,
                       "chains and soft models are learned for one relation; "
                       "name it as the target");
  pith_status rc = method == PITH_MODEL_RULES
                       ? learn_rules(&l, store, held_out, out)
                   : method == PITH_MODEL_CHAINS ? learn_chains(&l, store, out)
                                                 : learn_soft(&l, store, out);
  if (rc < 0) {
    pith_i_model_free(*out);
    *out = NULL;
  }
  return rc >= 0 && l.full ? PITH_FULL : rc;
}

/* ---- what it will take ------------------------------------------------ */

/* Of each relation, the facts that are held out or will be. */
static void count_held(const pith_i_theory *theory, const pith_i_store *store,
                       const pith_i_fact_source *held_out,
                       const pith_i_graph *g, uint32_t target, uint64_t *held) {
  for (uint32_t r = 0; r < g->relations; r++) {
    pith_pred there =
        held_out == NULL
            ? PITH_NONE
            : pith_i_pred_counterpart(theory, held_out->theory, g->pred[r]);
    if (held_out == NULL && (target == PITH_NONE || target == r))
      held[r] = pith_i_fact_count(store, g->pred[r], PITH_GIVEN) /
                PITH_TUNE_GRAPH_ASIDE;
    else if (there != PITH_NONE)
      held[r] = pith_i_fact_count(held_out->store, there, PITH_GIVEN);
  }
}

static pith_status estimate_rules(const pith_i_theory *theory,
                                  const pith_i_store *store,
                                  const pith_i_fact_source *held_out,
                                  const pith_model_options *opt, uint32_t jobs,
                                  const pith_i_graph *g, pith_estimate *out) {
  pith_i_mining m;
  pith_i_cost cost;
  uint64_t *held = pith_i_zalloc(g->env, g->relations + 1, sizeof *held);
  if (held == NULL)
    return PITH_ENOMEM;
  pith_status rc = set_mining(opt, g, &m);
  if (rc >= 0) {
    count_held(theory, store, held_out, g, m.target, held);
    pith_i_mining_cost(g, &m, held, jobs, &cost);
    out->constants = g->entities;
    out->facts = g->edges / 2;
    out->facts_bound = (double)out->facts;
    double held_already = (double)g->env->used;
    out->bytes = cost.bytes + held_already;
    out->seconds = cost.seconds;
    if (held_out == NULL) { /* facts are copied, and rules learned twice */
      out->bytes += held_already;
      out->seconds *= 2;
    } else {
      out->bytes += (double)held_out->theory->env->used;
    }
  }
  pith_i_release(g->env, held);
  return rc;
}

pith_status pith_i_model_cost(const pith_i_theory *theory,
                              const pith_i_store *store,
                              const pith_i_fact_source *held_out,
                              const pith_model_options *opt,
                              pith_estimate *out) {
  pith_i_graph *g = NULL;
  pith_i_crew *crew = NULL;
  *out = (pith_estimate){0};
  pith_status rc = pith_i_graph_new(store, theory->names.symbols.n,
                                    theory->names.preds.n, NULL, &g);
  if (rc >= 0)
    rc = pith_i_crew_new(g->env, opt->run.jobs, &crew);
  if (rc >= 0)
    rc = estimate_rules(theory, store, held_out, opt, crew->jobs, g, out);
  pith_i_crew_free(crew);
  pith_i_graph_free(g);
  return rc;
}
