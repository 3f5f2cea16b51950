/* Graph models: the public functions over graph/model. */
#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "graph/model.h"

struct pith_model {
  pith *owner;
  pith_i_model *inner;
  pith_model_info info;
  pith_model_rule rule; /* the last that was asked for */
};

/* ---- learning --------------------------------------------------------- */

void pith_model_defaults(pith_model_options *opt) {
  pith_i_mining m;
  pith_i_mining_defaults(&m);
  *opt = (pith_model_options){.run.seed = m.seed,
                              .target = PITH_NONE,
                              .support = m.support,
                              .confidence = m.confidence};
}

static pith_status check_options(const pith *p, const pith_model_options *o,
                                 pith_i_env *env) {
  bool rules = pith_i_model_method(&p->theory, o) == PITH_MODEL_RULES;
  uint32_t most = rules ? PITH_I_MINED_MOST : PITH_I_CHAIN_MOST;
  if (o->max_body > most || o->support < 1 ||
      !(o->confidence >= 0 && o->confidence <= 1) || !(o->run.seconds >= 0) ||
      o->max_rules > PITH_I_CHAIN_RULES ||
      (unsigned)o->method > PITH_MODEL_SOFT ||
      (unsigned)o->semantics > PITH_TEXT)
    return pith_i_fail(env, PITH_EARG,
                       "max_body is at most %u, max_rules %d, support at least "
                       "1, confidence 0 to 1, seconds at least 0",
                       most, PITH_I_CHAIN_RULES);
  if (o->target != PITH_NONE && !pith_i_is_binary(&p->theory, o->target))
    return pith_i_fail(env, PITH_EARG, "expected a binary predicate");
  return PITH_OK;
}

static pith_model_options options_or_defaults(const pith_model_options *opt) {
  pith_model_options o;
  pith_model_defaults(&o);
  return opt == NULL ? o : *opt;
}

static pith_i_fact_source source_of(const pith *p) {
  return (pith_i_fact_source){&p->theory, &p->store};
}

static void fill_chains(const pith_i_chain_model *gr, pith_model_info *out) {
  out->grade = pith_i_grade_names[gr->kind];
  out->hiding = pith_i_hiding_names[gr->hiding];
  out->bias = gr->weight[gr->rules];
  out->loss = gr->loss;
  out->questions = gr->questions;
  out->answers = gr->pairs;
}

static void fill_model_info(const pith_i_model *n, pith_model_info *out) {
  *out = (pith_model_info){
      .method = n->method,
      .target = n->target == PITH_NONE ? PITH_NONE : n->g->pred[n->target],
      .entities = n->g->entities,
      .relations = n->g->relations,
      .facts = n->g->edges / 2,
      .rules = pith_i_model_rules(n),
      .unused = n->unused,
      .found = n->found,
      .repeated = n->repeated,
      .questions = n->tuned.samples,
      .mrr = n->tuned.mrr[PITH_I_AGGREGATORS],
      .missing = n->missing,
      .missing_told = n->missing_told,
      .loss = NAN,
      .average_precision = NAN};
  out->sizes = n->cuts.n;
  for (uint32_t i = 0; i < n->cuts.n; i++)
    out->size[i] = (pith_model_size){n->cuts.at[i].rules, n->cuts.at[i].mrr};
  for (size_t i = 0; i < n->rules.n; i++)
    out->chains += n->rules.at[i].constant == PITH_NONE;
  out->chains += out->rules - n->rules.n;
  if (n->target != PITH_NONE && n->chains[n->target] != NULL)
    fill_chains(n->chains[n->target], out);
  if (n->soft != NULL) {
    out->restart = n->soft->restart;
    out->restarts = PITH_I_LANES;
    out->average_precision = n->soft->precision[n->soft->restart];
    out->hiding = pith_i_hiding_names[n->soft->best[n->soft->restart]];
  }
}

/* Hands out what was made; frees it where that fails. */
static pith_status wrap_model(pith *p, pith_status rc, pith_i_model *inner,
                              pith_model **out) {
  pith_model *m =
      rc < 0 || inner == NULL ? NULL : pith_i_zalloc(&p->env, 1, sizeof *m);
  if (m != NULL) {
    *m = (pith_model){.owner = p, .inner = inner};
    fill_model_info(inner, &m->info);
  } else {
    pith_i_model_free(inner);
  }
  *out = m;
  return rc >= 0 && inner != NULL && m == NULL ? PITH_ENOMEM : rc;
}

pith_status pith_model_learn(pith *p, const pith *held_out,
                             const pith_model_options *options,
                             pith_model **out) {
  pith_model_options opt = options_or_defaults(options);
  pith_i_model *inner = NULL;
  pith_i_run run;
  *out = NULL;
  pith_status rc = check_options(p, &opt, &p->env);
  if (rc < 0)
    return rc;
  pith_i_forget(p);
  pith_i_run_begin(&run, &opt.run);
  pith_i_fact_source held = {0};
  if (held_out != NULL)
    held = source_of(held_out);
  rc = pith_i_model_learn(&p->theory, &p->store,
                          held_out != NULL ? &held : NULL, &opt, &run, &inner);
  return wrap_model(p, rc, inner, out);
}

pith_status pith_model_cost(const pith *p, const pith *held_out,
                            const pith_model_options *options,
                            pith_estimate *out) {
  pith_model_options opt = options_or_defaults(options);
  pith_i_fact_source held = {0};
  if (held_out != NULL)
    held = source_of(held_out);
  return pith_i_model_cost(&p->theory, &p->store,
                           held_out != NULL ? &held : NULL, &opt, out);
}

/* ---- as text ---------------------------------------------------------- */

pith_status pith_model_write(pith_model *m, bool comments, pith_out *o) {
  pith_i_call_begin(m->owner);
  return pith_i_call_end(m->owner, pith_i_model_write(m->inner, comments, o));
}

pith_status pith_model_read(pith *p, const pith *const *others,
                            size_t other_count, pith_model **out) {
  pith_i_model *inner = NULL;
  *out = NULL;
  pith_i_fact_source *sources =
      pith_i_alloc(&p->env, (other_count + 1) * sizeof *sources);
  if (sources == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < other_count; i++)
    sources[i] = source_of(others[i]);
  pith_i_forget(p);
  pith_i_call_begin(p);
  pith_status rc =
      pith_i_call_end(p, pith_i_model_read(&p->theory, &p->store, sources,
                                           other_count, &inner));
  pith_i_release(&p->env, sources);
  return wrap_model(p, rc, inner, out);
}

void pith_model_free(pith_model *m) {
  if (m == NULL)
    return;
  pith_i_model_free(m->inner);
  pith_i_release(&m->owner->env, m);
}

/* ---- what it is ------------------------------------------------------- */

const pith_model_info *pith_model_info_of(const pith_model *m) {
  return &m->info;
}

pith_status pith_model_use(pith_model *m, uint32_t restart) {
  if (m->inner->soft == NULL || restart >= PITH_I_LANES)
    return pith_i_fail(&m->owner->env, PITH_EARG, "no such restart");
  m->inner->soft->restart = restart;
  fill_model_info(m->inner, &m->info);
  return PITH_OK;
}

const pith_model_rule *pith_model_rule_at(pith_model *m, size_t i) {
  return pith_i_model_rule(m->inner, i, &m->rule) < 0 ? NULL : &m->rule;
}

/* ---- asking ----------------------------------------------------------- */

pith_status pith_model_ask(pith_model *m, const pith_atom *query, size_t k,
                           const pith_answer **out, size_t *count) {
  uint32_t x;
  pith_i_way way;
  *out = NULL;
  *count = 0;
  pith_status rc = pith_i_model_query(m->inner, query, &x, &way);
  pith_i_call_begin(m->owner);
  if (rc >= 0)
    rc = pith_i_model_ask(m->inner, x, way, k, count);
  rc = pith_i_call_end(m->owner, rc);
  *out = m->inner->answers.at;
  return rc;
}

pith_status pith_model_can_ask(pith_model *m, const pith_atom *query) {
  pith_i_model_question q;
  return pith_i_model_query(m->inner, query, &q.x, &q.way);
}

pith_status pith_model_ask_all(pith_model *m, const pith_atom *queries,
                               size_t n, size_t k, const pith_run *run,
                               pith_answers_visit visit, void *ctx) {
  pith_i_env *env = &m->owner->env;
  pith_i_run begun;
  pith_i_model_question *all = pith_i_alloc(env, (n + 1) * sizeof *all);
  pith_status rc = all == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = pith_i_model_query(m->inner, &queries[i], &all[i].x, &all[i].way);
  pith_i_run_begin(&begun, run);
  if (rc >= 0)
    rc = pith_i_model_ask_all(m->inner, all, n, k, &begun, visit, ctx);
  pith_i_release(env, all);
  return rc;
}

pith_status pith_model_reasons(pith_model *m, const pith_atom *query,
                               pith_sym answer, size_t most,
                               pith_reason_visit visit, void *ctx) {
  uint32_t x, y;
  pith_i_way way;
  pith_status rc = pith_i_model_query(m->inner, query, &x, &way);
  if (rc < 0 || !pith_i_find_entity(m->inner->g, answer, &y))
    return rc;
  pith_i_call_begin(m->owner);
  return pith_i_call_end(
      m->owner, pith_i_model_reasons(m->inner, x, way, y, most, visit, ctx));
}

pith_status pith_model_clues(pith_model *m, const pith_atom *query,
                             pith_sym answer, pith_clue_visit visit,
                             void *ctx) {
  uint32_t x, y;
  pith_i_way way;
  pith_status rc = pith_i_model_query(m->inner, query, &x, &way);
  if (rc < 0 || !pith_i_find_entity(m->inner->g, answer, &y))
    return rc;
  return pith_i_model_clues(m->inner, x, way, y, visit, ctx);
}

/* The pairs of one relation among the examples, and where each stands. */
static size_t list_pairs(const pith_model *m, const pith *from,
                         uint32_t relation, pith_i_pair *pairs, size_t *place) {
  const pith_i_model *n = m->inner;
  pith_pred pred =
      pith_i_pred_counterpart(n->theory, &from->theory, n->g->pred[relation]);
  size_t count = 0;
  for (size_t i = 0; i < from->theory.examples.n; i++) {
    const pith_example *e = from->theory.examples.at[i];
    if (e->atom.pred != pred)
      continue;
    place[count] = i;
    pairs[count++] = (pith_i_pair){
        pith_i_source_entity(&from->theory, n->theory, n->g, e->atom.args[0]),
        pith_i_source_entity(&from->theory, n->theory, n->g, e->atom.args[1]),
        e->positive};
  }
  return count;
}

pith_status pith_model_grade(pith_model *m, const pith *examples, double *out) {
  pith_i_env *env = &m->owner->env;
  size_t all = examples->theory.examples.n;
  pith_i_pair *pairs = pith_i_alloc(env, (all + 1) * sizeof *pairs);
  size_t *place = pith_i_alloc(env, (all + 1) * sizeof *place);
  double *value = pith_i_alloc(env, (all + 1) * sizeof *value);
  pith_status rc =
      pairs == NULL || place == NULL || value == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; i < all; i++)
    out[i] = 0;
  pith_i_call_begin(m->owner);
  for (uint32_t r = 0; rc >= 0 && r < m->inner->g->relations; r++) {
    size_t n = list_pairs(m, examples, r, pairs, place);
    rc = pith_i_call_poll(env);
    if (rc >= 0 && n > 0)
      rc = pith_i_model_grade(m->inner, r, pairs, n, value);
    for (size_t i = 0; rc >= 0 && i < n; i++)
      out[place[i]] = value[i];
  }
  pith_i_release(env, pairs);
  pith_i_release(env, place);
  pith_i_release(env, value);
  return pith_i_call_end(m->owner, rc);
}

pith_status pith_model_score(pith_model *m, const pith *test, const pith *known,
                             const pith_run *run, pith_model_scores *out) {
  pith_i_run begun;
  *out = (pith_model_scores){0};
  if (m->inner->soft != NULL)
    return pith_i_fail(&m->owner->env, PITH_EUNSUPPORTED,
                       "a soft model ranks no held-out facts; write it and "
                       "read it back");
  pith_i_run_begin(&begun, run);
  pith_i_fact_source tested = source_of(test), others = {0};
  if (known != NULL)
    others = source_of(known);
  return pith_i_model_score(m->inner, &tested, known != NULL ? &others : NULL,
                            &begun, out);
}
