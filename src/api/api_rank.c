/* Missing links, as the public header has it: held-out facts are translated
** by name into the graph of the handle, and stages run one after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"
#include "base/random.h"
#include "graph/graph_cost.h"
#include "graph/rule_model.h"
#include "score/confidence.h"

enum { LEAST_LESSONS = 10, STAGES = 4 };

struct pith_ranker {
  pith *owner;
  pith_i_ranker r;
  pith_i_applier *applier;
  pith_i_path_rule shown;
  PITH_I_VEC(pith_answer) answers;
};

void pith_rank_defaults(pith_rank_options *opt) {
  pith_i_mining m;
  pith_i_mining_defaults(&m);
  *opt = (pith_rank_options){.run = {.seed = m.seed},
                             .target = PITH_NONE,
                             .length = m.length,
                             .support = m.support,
                             .confidence = m.confidence};
}

static pith_status check_options(pith *p, const pith_rank_options *o) {
  if (o->length < 1 || o->length > PITH_I_REACH || o->support < 1 ||
      !(o->confidence >= 0 && o->confidence <= 1) || !(o->run.seconds >= 0))
    return pith_i_fail(&p->env, PITH_EARG,
                       "length is 1 to %d, support at least 1, confidence 0 "
                       "to 1, seconds at least 0",
                       PITH_I_REACH);
  if (o->target != PITH_NONE && o->target >= p->theory.names.preds.n)
    return pith_i_fail(&p->env, PITH_EARG, "no such predicate");
  return PITH_OK;
}

/* ---- a run ----------------------------------------------------------- */

typedef struct {
  pith *p;
  const pith_rank_options *opt;
  pith_i_crew *crew;
  pith_i_run limits;
} run;

static void stage(run *u, const char *phase) {
  u->limits.now.phase = phase;
  u->limits.now.stage++;
}

static pith_status run_begin(run *u, pith *p, const pith_rank_options *opt,
                             uint32_t stages) {
  u->p = p;
  u->opt = opt;
  pith_i_run_begin(&u->limits, &opt->run);
  u->limits.now.stages = stages;
  pith_status rc = pith_i_crew_new(&p->env, opt->run.jobs, &u->crew);
  if (rc >= 0)
    u->crew->run = &u->limits;
  return rc;
}

static void run_end(run *u) { pith_i_crew_free(u->crew); }

/* ---- facts of other handles ------------------------------------------ */

/* The symbol of another handle, in ours; added if need be. */
static pith_status move_sym(pith *to, const pith *from, pith_sym s,
                            pith_sym *out) {
  const pith_i_symbol *q = pith_i_sym(&from->theory.names, s);
  return pith_i_sym_add(&to->theory.names, q->text, q->len,
                        (pith_sym_kind)q->kind, out);
}

typedef struct {
  pith *to;
  const pith *from;
  const pith_i_graph *g; /* or NULL: only the symbols are wanted */
  PITH_I_VEC(pith_sym) symbols;
  pith_i_held_out *exam;
  bool asked;
  uint64_t facts, unknown;
  pith_status rc;
} mover;

static int move_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  mover *m = ctx;
  pith_sym s[2];
  if (n != 2)
    return 0;
  for (int i = 0; m->rc >= 0 && i < 2; i++) {
    m->rc = move_sym(m->to, m->from, args[i], &s[i]);
    if (m->rc >= 0 && m->g == NULL &&
        !pith_i_push(&m->to->env, &m->symbols, s[i]))
      m->rc = PITH_ENOMEM;
  }
  if (m->rc < 0 || m->g == NULL)
    return m->rc < 0;
  pith_pred mine =
      pith_pred_find(m->to, pith_i_pred_text(&m->from->theory.names, pred), 2);
  uint32_t relation = mine == PITH_NONE || mine >= m->g->preds
                          ? PITH_NONE
                          : m->g->relation[mine];
  m->facts++;
  m->unknown += relation == PITH_NONE;
  m->rc = pith_i_held_out_add(&m->to->env, m->exam, m->g->entity[s[0]],
                              relation, m->g->entity[s[1]], m->asked);
  return m->rc < 0;
}

static pith_status move_facts(mover *m, const pith *from) {
  m->from = from;
  if (from != NULL)
    pith_i_fact_each(&from->store, PITH_NONE, PITH_GIVEN, move_fact, m);
  return m->rc;
}

static pith_status make_graph(pith *p, const pith_i_store *store,
                              const pith *const *others, size_t n,
                              pith_i_graph **out) {
  mover m = {.to = p};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = move_facts(&m, others[i]);
  if (rc >= 0)
    rc = pith_i_graph_new(store, p->theory.names.symbols.n,
                          p->theory.names.preds.n, m.symbols.at, m.symbols.n,
                          out);
  pith_i_vec_free(&p->env, &m.symbols);
  return rc;
}

/* ---- learning -------------------------------------------------------- */

static pith_status set_mining(const pith_rank_options *opt,
                              const pith_i_graph *g, pith_i_mining *m) {
  pith_i_mining_defaults(m);
  m->seed = opt->run.seed;
  m->length = opt->length;
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

static pith_status mine(run *u, pith_i_ranker *r) {
  pith_i_mining m;
  pith_status rc = set_mining(u->opt, r->g, &m);
  if (rc < 0)
    return rc;
  stage(u, "chains of one and two");
  rc = pith_i_mine_short(u->crew, r->g, &m, &r->rules);
  stage(u, "chains of three");
  if (rc == PITH_OK)
    rc = pith_i_mine_long(u->crew, r->g, &m, &r->rules);
  stage(u, "rules with constants");
  if (rc == PITH_OK)
    rc = pith_i_mine_items(u->crew, r->g, &m, &r->rules);
  if (rc >= 0)
    pith_i_paths_keep(&r->rules, 0, UINT32_MAX);
  return rc;
}

/* Where nothing was held out: noisy-or is the probability itself. */
static void score_plainly(pith_i_ranker *r) {
  r->scoring.a = 1;
  r->scoring.c = 0;
  memset(r->scoring.method, PITH_I_NOISY_OR, r->g->ways);
  memset(r->scoring.bias, 0, r->g->ways * sizeof *r->scoring.bias);
}

static pith_status tune(run *u, pith_i_ranker *r, const pith_i_held_out *e) {
  stage(u, "weights");
  pith_i_tuned tuned = {0};
  pith_status rc =
      pith_i_tune(u->crew, r->index, e, u->opt->run.seed, &r->scoring, &tuned);
  r->tuned = tuned;
  if (rc == PITH_STOPPED || tuned.samples < LEAST_LESSONS)
    score_plainly(r);
  return rc;
}

/* Rules from a store, weighed on held-out facts if there are any. */
static pith_status learn_from(run *u, const pith_i_store *store,
                              const pith *held_out, pith_i_ranker *r) {
  pith *p = u->p;
  pith_i_held_out exam = {0};
  pith_status rc = make_graph(p, store, &held_out, held_out != NULL, &r->g);
  if (rc >= 0)
    rc = mine(u, r);
  bool stopped = rc == PITH_STOPPED;
  if (rc >= 0)
    rc =
        pith_i_rule_index_new(r->env, r->g, r->rules.at, r->rules.n, &r->index);
  if (rc >= 0)
    rc = pith_i_scoring_new(r->env, r->g->ways, &r->scoring);
  if (rc < 0)
    return rc;
  score_plainly(r);
  mover m = {.to = p, .g = r->g, .exam = &exam, .asked = true};
  rc = move_facts(&m, held_out);
  pith_i_held_out_sort(&exam);
  if (rc >= 0 && !stopped && exam.questions.n > 0)
    rc = tune(u, r, &exam);
  pith_i_held_out_free(&p->env, &exam);
  return rc >= 0 && stopped ? PITH_STOPPED : rc;
}

/* ---- setting facts aside --------------------------------------------- */

typedef struct {
  run *u;
  pith_i_store kept;
  pith *aside;
  pith_pred last;
  uint64_t of_pred;
  pith_status rc;
} parting;

/* One in ten, by chance; the first of a relation always stays, so that both
** graphs number the relations alike. */
static int part_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  parting *t = ctx;
  if (n != 2)
    return 0;
  t->of_pred = pred == t->last ? t->of_pred + 1 : 0;
  t->last = pred;
  uint64_t dice = pith_i_random(t->u->opt->run.seed, ((uint64_t)pred << 1) | 1,
                                ((uint64_t)args[0] << 32) | args[1]);
  bool wanted = t->u->opt->target == PITH_NONE || t->u->opt->target == pred;
  if (t->of_pred == 0 || !wanted || dice % 10 != 0) {
    t->rc = pith_i_fact_give(&t->kept, pred, 2, args);
    return t->rc < 0;
  }
  pith_sym moved[2];
  pith_pred there;
  for (int i = 0; t->rc >= 0 && i < 2; i++)
    t->rc = move_sym(t->aside, t->u->p, args[i], &moved[i]);
  if (t->rc >= 0)
    t->rc = pith_pred_add(
        t->aside, pith_i_pred_text(&t->u->p->theory.names, pred), 2, &there);
  if (t->rc >= 0)
    t->rc = pith_fact_add(t->aside, there, moved, 2);
  return t->rc < 0;
}

/* Learns from nine in ten how to weigh, and then the rules from all. */
static pith_status learn_aside(run *u, pith_i_ranker *r) {
  pith *p = u->p;
  parting t = {.u = u, .last = PITH_NONE};
  pith_i_ranker first = {.env = &p->env, .theory = &p->theory};
  pith_i_store_init(&t.kept, &p->env);
  t.rc = pith_new_with(&p->env.memory, &t.aside);
  if (t.rc >= 0)
    pith_i_fact_each(&p->store, PITH_NONE, PITH_GIVEN, part_fact, &t);
  pith_status rc = t.rc;
  if (rc >= 0)
    rc = learn_from(u, &t.kept, t.aside, &first);
  if (rc >= 0 && rc != PITH_STOPPED) {
    pith_i_ranker_free(r);
    rc = learn_from(u, &p->store, NULL, r);
    if (rc >= 0) {
      pith_i_scoring scoring = r->scoring; /* the same ways in both graphs */
      r->scoring = first.scoring;
      first.scoring = scoring;
      r->tuned = first.tuned;
    }
  } else if (rc == PITH_STOPPED) {
    *r = first;
    first = (pith_i_ranker){.env = &p->env};
  }
  pith_i_ranker_free(&first);
  pith_i_store_free(&t.kept);
  pith_free(t.aside);
  return rc;
}

static pith_status ranker_new(pith *p, pith_ranker **out) {
  pith_ranker *k = pith_i_zalloc(&p->env, 1, sizeof *k);
  *out = k;
  if (k == NULL)
    return PITH_ENOMEM;
  k->owner = p;
  k->r.env = &p->env;
  k->r.theory = &p->theory;
  k->r.tuned.mrr[PITH_I_AGGREGATORS] = NAN;
  return PITH_OK;
}

pith_status pith_rank_learn(pith *p, const pith *held_out,
                            const pith_rank_options *options,
                            pith_ranker **out) {
  pith_rank_options opt;
  run u;
  *out = NULL;
  pith_rank_defaults(&opt);
  if (options != NULL)
    opt = *options;
  pith_status rc = check_options(p, &opt);
  if (rc >= 0)
    rc = run_begin(&u, p, &opt, held_out != NULL ? STAGES : 2 * STAGES - 1);
  if (rc < 0)
    return rc;
  pith_i_forget(p);
  pith_ranker *k;
  rc = ranker_new(p, &k);
  if (rc >= 0)
    rc = held_out != NULL ? learn_from(&u, &p->store, held_out, &k->r)
                          : learn_aside(&u, &k->r);
  run_end(&u);
  if (rc >= 0 && pith_i_applier_new(&p->env, k->r.index, &k->applier) < 0)
    rc = PITH_ENOMEM;
  if (rc < 0) {
    pith_rank_free(k);
    return rc;
  }
  *out = k;
  return rc;
}

/* ---- what it will take ----------------------------------------------- */

/* Of each relation, the facts that are held out or will be. */
static void count_held(const pith *p, const pith *held_out,
                       const pith_i_graph *g, uint32_t target, uint64_t *held) {
  for (uint32_t r = 0; r < g->relations; r++) {
    const char *name = pith_pred_name(p, g->pred[r]);
    pith_pred there =
        held_out == NULL ? PITH_NONE : pith_pred_find(held_out, name, 2);
    if (held_out == NULL && (target == PITH_NONE || target == r))
      held[r] = pith_fact_count(p, g->pred[r], PITH_GIVEN) / 10;
    else if (there != PITH_NONE)
      held[r] = pith_fact_count(held_out, there, PITH_GIVEN);
  }
}

static pith_status estimate(const pith *p, const pith *held_out,
                            const pith_rank_options *opt, uint32_t jobs,
                            const pith_i_graph *g, pith_estimate *out) {
  pith_i_mining m;
  pith_i_cost cost;
  uint64_t *held = pith_i_zalloc(g->env, g->relations + 1, sizeof *held);
  if (held == NULL)
    return PITH_ENOMEM;
  pith_status rc = set_mining(opt, g, &m);
  if (rc >= 0) {
    count_held(p, held_out, g, m.target, held);
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
      out->bytes += (double)pith_bytes(held_out);
    }
  }
  pith_i_release(g->env, held);
  return rc;
}

pith_status pith_estimate_rank(const pith *p, const pith *held_out,
                               const pith_rank_options *options,
                               pith_estimate *out) {
  pith_rank_options opt;
  pith_i_graph *g = NULL;
  pith_i_crew *crew = NULL;
  *out = (pith_estimate){0};
  pith_rank_defaults(&opt);
  if (options != NULL)
    opt = *options;
  pith_status rc = pith_i_graph_new(&p->store, p->theory.names.symbols.n,
                                    p->theory.names.preds.n, NULL, 0, &g);
  if (rc >= 0)
    rc = pith_i_crew_new(g->env, opt.run.jobs, &crew);
  if (rc >= 0)
    rc = estimate(p, held_out, &opt, crew->jobs, g, out);
  pith_i_crew_free(crew);
  pith_i_graph_free(g);
  return rc;
}

/* ---- a model that was read ------------------------------------------- */

static pith_status take_rules(pith *p, pith_i_ranker *r) {
  for (size_t i = 0; i < p->theory.rules.n; i++) {
    const pith_rule *rule = p->theory.rules.at[i];
    pith_i_path path;
    if (rule->probability == 0)
      continue;
    if (!pith_i_path_of(r->g, rule, &path))
      r->unused++;
    else if (!pith_i_push(r->env, &r->rules, path))
      return PITH_ENOMEM;
  }
  if (r->rules.n + r->unused == 0)
    return pith_i_fail(r->env, PITH_EINPUT,
                       "no rule has a probability; a model, as pith learn "
                       "makes it from a graph, has rules such as "
                       "0.8::likes(X,Y) :- knows(X,Y)");
  pith_i_paths_keep(&r->rules, 0, UINT32_MAX);
  return PITH_OK;
}

static pith_status read_model(pith *p, const pith *const *others, size_t n,
                              pith_ranker *k) {
  pith_i_ranker *r = &k->r;
  pith_status rc = make_graph(p, &p->store, others, n, &r->g);
  if (rc >= 0)
    rc = take_rules(p, r);
  if (rc >= 0)
    rc =
        pith_i_rule_index_new(r->env, r->g, r->rules.at, r->rules.n, &r->index);
  if (rc >= 0)
    rc = pith_i_scoring_new(r->env, r->g->ways, &r->scoring);
  if (rc < 0)
    return rc;
  score_plainly(r);
  rc = pith_i_scoring_read(r, &p->store);
  return rc < 0 ? rc : pith_i_applier_new(&p->env, r->index, &k->applier);
}

pith_status pith_rank_read(pith *p, const pith *const *others,
                           size_t other_count, const pith_rank_options *opt,
                           pith_ranker **out) {
  pith_ranker *k;
  (void)opt;
  *out = NULL;
  pith_i_forget(p);
  pith_status rc = ranker_new(p, &k);
  if (rc >= 0)
    rc = read_model(p, others, other_count, k);
  if (rc < 0) {
    pith_rank_free(k);
    return rc;
  }
  *out = k;
  return PITH_OK;
}

void pith_rank_free(pith_ranker *k) {
  if (k == NULL)
    return;
  pith_i_env *env = &k->owner->env;
  pith_i_applier_free(env, k->applier);
  pith_i_vec_free(env, &k->answers);
  pith_i_ranker_free(&k->r);
  pith_i_release(env, k);
}

/* ---- what it is ------------------------------------------------------ */

void pith_rank_info_of(const pith_ranker *k, pith_rank_info *out) {
  const pith_i_ranker *r = &k->r;
  *out = (pith_rank_info){.entities = r->g->entities,
                          .relations = r->g->relations,
                          .facts = r->g->edges / 2,
                          .rules = r->rules.n,
                          .unused = r->unused,
                          .lessons = r->tuned.samples,
                          .mrr = r->tuned.mrr[PITH_I_AGGREGATORS]};
  for (size_t i = 0; i < r->rules.n; i++)
    out->chains += r->rules.at[i].constant == PITH_NONE;
}

pith_status pith_rank_rule(pith_ranker *k, size_t i, pith_ranked_rule *out) {
  if (i >= k->r.rules.n)
    return pith_i_fail(&k->owner->env, PITH_EARG, "no such rule");
  const pith_i_path *p = &k->r.rules.at[i];
  pith_i_path_show(k->r.g, p, &k->shown);
  *out = (pith_ranked_rule){.rule = &k->shown.rule,
                            .support = p->support,
                            .predictions = p->predictions};
  pith_i_interval(p->support, p->predictions, 0.95, &out->low, &out->high);
  return PITH_OK;
}

pith_status pith_rank_write_weights(pith_ranker *k, pith_out *o) {
  return pith_i_scoring_write(&k->r, o);
}

/* ---- queries --------------------------------------------------------- */

static pith_status read_query(pith_ranker *k, const pith_atom *q, uint32_t *x,
                              pith_i_way *way) {
  const pith_i_graph *g = k->r.g;
  pith_i_env *env = &k->owner->env;
  if (q->arity != 2 || PITH_IS_VAR(q->args[0]) == PITH_IS_VAR(q->args[1]))
    return pith_i_fail(env, PITH_EINPUT,
                       "a query has one variable and one constant, such as "
                       "likes(ann,X)");
  uint32_t relation = q->pred < g->preds ? g->relation[q->pred] : PITH_NONE;
  if (relation == PITH_NONE)
    return pith_i_fail(env, PITH_EINPUT, "the graph has no facts of %s/2",
                       pith_i_pred_text(&k->owner->theory.names, q->pred));
  uint32_t inverse = PITH_IS_VAR(q->args[0]);
  pith_sym known = q->args[inverse];
  *way = PITH_I_WAY(relation, inverse);
  *x = known < g->symbols ? g->entity[known] : PITH_NONE;
  if (*x == PITH_NONE)
    return pith_i_fail(env, PITH_EINPUT, "the graph does not have %s",
                       pith_i_sym(&k->owner->theory.names, known)->text);
  return PITH_OK;
}

static int compare_answers(const void *left, const void *right) {
  const pith_answer *a = left, *b = right;
  if (a->score != b->score)
    return a->score < b->score ? 1 : -1;
  return (a->answer > b->answer) - (a->answer < b->answer);
}

/* The log of the sum of exp, kept from overflow. */
static double log_sum(double sum, double next) {
  double most = fmax(sum, next);
  return isinf(most) ? most : most + log1p(exp(-fabs(sum - next)));
}

pith_status pith_rank_ask(pith_ranker *k, const pith_atom *query, size_t most,
                          const pith_answer **out, size_t *count) {
  uint32_t x;
  pith_i_way way;
  *out = NULL;
  *count = 0;
  pith_status rc = read_query(k, query, &x, &way);
  if (rc >= 0)
    rc = pith_i_apply_rules(k->applier, x, way);
  if (rc < 0)
    return rc;
  const pith_i_scoring *s = &k->r.scoring;
  pith_i_aggregator m = (pith_i_aggregator)s->method[way];
  double all = -INFINITY;
  k->answers.n = 0;
  for (size_t i = 0; i < k->applier->candidates.n; i++) {
    const pith_i_link_candidate *c = &k->applier->candidates.at[i];
    if (pith_i_graph_has(k->r.g, x, way, c->entity))
      continue;
    double score = pith_i_aggregate(m, pith_i_weights(s, way), c);
    pith_answer a = {
        .answer = k->r.g->symbol[c->entity], .score = score, .rules = c->rules};
    all = log_sum(all, pith_i_aggregate_odds(m, score));
    if (!pith_i_push(&k->owner->env, &k->answers, a))
      return PITH_ENOMEM;
  }
  if (k->answers.n > 0)
    qsort(k->answers.at, k->answers.n, sizeof *k->answers.at, compare_answers);
  *count = k->answers.n < most ? k->answers.n : most;
  for (size_t i = 0; i < *count; i++)
    k->answers.at[i].probability = pith_i_probability(
        s, way, pith_i_aggregate_odds(m, k->answers.at[i].score), all);
  *out = k->answers.at;
  return PITH_OK;
}

/* ---- reasons --------------------------------------------------------- */

typedef struct {
  pith_i_env *env;
  uint32_t entity;
  PITH_I_VEC(uint32_t) rules;      /* that predict it */
  PITH_I_VEC(uint32_t) groundings; /* of each */
  bool refused;
} hearing;

static void on_vote(void *ctx, uint32_t rule, uint32_t entity,
                    uint32_t groundings) {
  hearing *h = ctx;
  if (entity == h->entity && (!pith_i_push(h->env, &h->rules, rule) ||
                              !pith_i_push(h->env, &h->groundings, groundings)))
    h->refused = true;
}

/* The first path from trail[0] along the steps to an end: `to`, or anywhere. */
static bool find_path(const pith_i_graph *g, const pith_i_way *steps,
                      uint32_t length, uint32_t to, uint32_t *trail,
                      uint32_t depth) {
  if (depth >= PITH_I_REACH)
    return false;
  uint32_t run = pith_i_graph_run(g, trail[depth], steps[depth]);
  for (uint32_t i = run == PITH_NONE ? 0 : g->run_edge[run];
       run != PITH_NONE && i < g->run_edge[run + 1]; i++) {
    uint32_t y = g->target[i];
    bool good = depth + 1 < length ? y != to : to == PITH_NONE || y == to;
    for (uint32_t d = 0; good && to != PITH_NONE && length > 1 && d <= depth;
         d++)
      good = trail[d] != y;
    trail[depth + 1] = y;
    if (good && (depth + 1 == length ||
                 find_path(g, steps, length, to, trail, depth + 1)))
      return true;
  }
  return false;
}

static int tell_reason(const pith_ranker *k, uint32_t rule, uint32_t x,
                       uint32_t y, pith_i_way way, uint64_t groundings,
                       pith_reason_visit visit, void *ctx) {
  const pith_i_graph *g = k->r.g;
  const pith_i_path *p = &k->r.rules.at[rule];
  pith_i_path_rule shown;
  pith_atom atoms[PITH_I_REACH];
  pith_term args[PITH_I_REACH][2];
  uint32_t trail[PITH_I_REACH + 1];
  bool chain = p->constant == PITH_NONE;
  /* where the rule's X is: a chain's head goes from subject to object */
  trail[0] = (chain ? way % 2 == 0 : way == p->head) ? x : y;
  uint32_t to = chain ? (way % 2 == 0 ? y : x) : p->end;
  pith_i_path_show(g, p, &shown);
  if (!find_path(g, p->step, p->length, to, trail, 0))
    return 0;
  for (uint32_t i = 0; i < p->length; i++) {
    args[i][p->step[i] % 2] = g->symbol[trail[i]];
    args[i][1 - p->step[i] % 2] = g->symbol[trail[i + 1]];
    atoms[i] = (pith_atom){
        .pred = g->pred[p->step[i] / 2], .arity = 2, .args = args[i]};
  }
  return visit(ctx, &shown.rule, atoms, p->length, groundings);
}

static int compare_rules(const void *a, const void *b) {
  const double *x = a, *y = b;
  return x[0] != y[0] ? (x[0] < y[0] ? 1 : -1) : (x[1] > y[1]) - (x[1] < y[1]);
}

pith_status pith_rank_reasons(pith_ranker *k, const pith_atom *query,
                              pith_sym answer, size_t most,
                              pith_reason_visit visit, void *ctx) {
  uint32_t x;
  pith_i_way way;
  pith_i_env *env = &k->owner->env;
  pith_status rc = read_query(k, query, &x, &way);
  if (rc < 0 || answer >= k->r.g->symbols ||
      k->r.g->entity[answer] == PITH_NONE)
    return rc;
  hearing h = {.env = env, .entity = k->r.g->entity[answer]};
  k->applier->on_vote = on_vote;
  k->applier->on_vote_ctx = &h;
  rc = pith_i_apply_rules(k->applier, x, way);
  k->applier->on_vote = NULL;
  double(*order)[2] = pith_i_alloc(env, (h.rules.n + 1) * sizeof *order);
  if (rc >= 0 && (h.refused || order == NULL))
    rc = PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < h.rules.n; i++) {
    order[i][0] = k->r.rules.at[h.rules.at[i]].confidence;
    order[i][1] = (double)i;
  }
  if (rc >= 0)
    qsort(order, h.rules.n, sizeof *order, compare_rules);
  for (size_t i = 0; rc >= 0 && i < h.rules.n && i < most; i++) {
    size_t at = (size_t)order[i][1];
    if (tell_reason(k, h.rules.at[at], x, h.entity, way, h.groundings.at[at],
                    visit, ctx) != 0)
      break;
  }
  pith_i_release(env, order);
  pith_i_vec_free(env, &h.rules);
  pith_i_vec_free(env, &h.groundings);
  return rc;
}

/* ---- held-out facts -------------------------------------------------- */

static void add_rank(pith_ranks *s, double rank) {
  s->questions++;
  s->mrr += 1 / rank;
  s->hits1 += rank <= 1;
  s->hits3 += rank <= 3;
  s->hits10 += rank <= 10;
  s->mean_rank += rank;
}

static void end_ranks(pith_ranks *s) {
  double n = s->questions == 0 ? NAN : (double)s->questions;
  s->mrr /= n;
  s->hits1 /= n;
  s->hits3 /= n;
  s->hits10 /= n;
  s->mean_rank /= n;
}

static void sum_up(const pith_i_held_out *e, const pith_i_rank_record *marks,
                   pith_rank_scores *out) {
  for (size_t i = 0; i < e->questions.n; i++) {
    double rank = marks[i].rank[PITH_I_AGGREGATORS];
    add_rank(&out->all, rank);
    add_rank(e->questions.at[i].inverse ? &out->subject : &out->object, rank);
    out->unreached += marks[i].unreached;
  }
  end_ranks(&out->all);
  end_ranks(&out->object);
  end_ranks(&out->subject);
}

/* Probabilities of the truth and of the best others, question by question. */
static pith_status check_probabilities(pith *p, const pith_i_held_out *e,
                                       const pith_i_rank_record *marks,
                                       pith_rank_scores *out) {
  PITH_I_VEC(pith_prediction) v = {0};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < e->questions.n; i++)
    for (uint32_t j = 0; rc >= 0 && j < marks[i].predicted; j++)
      if (!pith_i_push(&p->env, &v,
                       (pith_prediction){(double)marks[i].probability[j],
                                         j == 0 && !marks[i].unreached}))
        rc = PITH_ENOMEM;
  if (rc >= 0)
    pith_i_ranking(v.at, v.n, &out->calibration);
  pith_i_vec_free(&p->env, &v);
  return rc;
}

static pith_status examine(run *u, pith_ranker *k, const pith *test,
                           const pith *known, pith_rank_scores *out) {
  pith *p = k->owner;
  pith_i_held_out exam = {0};
  mover m = {.to = p, .g = k->r.g, .exam = &exam, .asked = true};
  pith_status rc = move_facts(&m, test);
  out->facts = m.facts;
  out->unknown = m.unknown;
  m.asked = false;
  if (rc >= 0)
    rc = move_facts(&m, known);
  pith_i_held_out_sort(&exam);
  pith_i_rank_record *marks =
      rc < 0 ? NULL
             : pith_i_zalloc(&p->env, exam.questions.n + 1, sizeof *marks);
  if (rc >= 0)
    rc = marks == NULL ? PITH_ENOMEM : PITH_OK;
  stage(u, "ranking");
  if (rc >= 0)
    rc = pith_i_held_out_rank(u->crew, k->r.index, &exam, &k->r.scoring, marks);
  if (rc == PITH_OK) {
    sum_up(&exam, marks, out);
    rc = check_probabilities(p, &exam, marks, out);
  } else if (rc == PITH_STOPPED) {
    rc = pith_i_fail(&p->env, PITH_ELIMIT,
                     "it ended before all held-out facts were ranked");
  }
  pith_i_release(&p->env, marks);
  pith_i_held_out_free(&p->env, &exam);
  return rc;
}

pith_status pith_rank_score(pith_ranker *k, const pith *test, const pith *known,
                            const pith_rank_options *options,
                            pith_rank_scores *out) {
  pith_rank_options opt;
  run u;
  memset(out, 0, sizeof *out);
  pith_rank_defaults(&opt);
  if (options != NULL)
    opt = *options;
  pith_status rc = check_options(k->owner, &opt);
  if (rc >= 0)
    rc = run_begin(&u, k->owner, &opt, 1);
  if (rc < 0)
    return rc;
  rc = examine(&u, k, test, known, out);
  run_end(&u);
  return rc;
}
