#include "graph/model.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"
#include "graph/shared_graph.h"
#include "score/confidence.h"

/* ---- making one ------------------------------------------------------- */

pith_status pith_i_model_new(pith_i_theory *theory, pith_i_model **out) {
  pith_i_model *m = pith_i_zalloc(theory->env, 1, sizeof *m);
  *out = m;
  if (m == NULL)
    return PITH_ENOMEM;
  m->env = theory->env;
  m->theory = theory;
  m->method = PITH_MODEL_RULES;
  m->target = PITH_NONE;
  m->tuned.mrr[PITH_I_AGGREGATORS] = NAN;
  m->missing = NAN;
  return PITH_OK;
}

/* What pith_i_model_prepare made. */
static void forget_preparations(pith_i_model *m) {
  pith_i_applier_free(m->env, m->applier);
  pith_i_rule_index_free(m->index);
  pith_i_scoring_free(m->env, &m->scoring);
  m->applier = NULL;
  m->index = NULL;
}

void pith_i_model_free(pith_i_model *m) {
  if (m == NULL)
    return;
  for (uint32_t r = 0; m->chains != NULL && r < m->g->relations; r++)
    pith_i_chain_model_free(m->chains[r]);
  pith_i_release(m->env, m->chains);
  pith_i_soft_choice_free(m->soft);
  forget_preparations(m);
  pith_i_vec_free(m->env, &m->rules);
  pith_i_vec_free(m->env, &m->answers);
  pith_i_vec_free(m->env, &m->ratings);
  pith_i_vec_free(m->env, &m->relation_ranks);
  pith_i_graph_free(m->g);
  pith_i_release(m->env, m);
}

pith_status pith_i_model_graph(pith_i_model *m, const pith_i_store *store,
                               const pith_i_fact_source *others, size_t n,
                               pith_i_symbols *extra,
                               const pith_i_model_preds *stated,
                               pith_i_run *run) {
  pith_i_symbols own = {0};
  pith_i_symbols *all = extra != NULL ? extra : &own;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = pith_i_source_symbols(&others[i], m->theory, all);
  if (rc >= 0)
    rc = pith_i_pairs_symbols(m->theory, PITH_NONE, all);
  pith_i_graph_extra more = {
      .symbols = all->at, .symbol_count = all->n, .run = run};
  if (stated != NULL) {
    more.preds = stated->at;
    more.pred_count = stated->n;
  }
  if (rc >= 0)
    rc = pith_i_graph_obtain(store, m->theory->names.symbols.n,
                             m->theory->names.preds.n, &more, &m->g);
  pith_i_vec_free(m->env, &own);
  if (rc == PITH_OK) {
    m->g->names = &m->theory->names;
    m->chains = pith_i_zalloc(m->env, m->g->relations, sizeof *m->chains);
    rc = m->chains == NULL ? PITH_ENOMEM : PITH_OK;
  }
  return rc;
}

pith_status pith_i_model_prepare(pith_i_model *m) {
  assert(m->g != NULL && m->index == NULL);
  pith_status rc =
      pith_i_rule_index_new(m->env, m->g, m->rules.at, m->rules.n, &m->index);
  if (rc >= 0)
    rc = pith_i_scoring_new(m->env, m->g->ways, &m->scoring);
  if (rc < 0)
    return rc;
  m->index->chains = m->chains;
  pith_i_model_score_plainly(m);
  return pith_i_applier_new(m->env, m->index, &m->applier);
}

bool pith_i_model_halve(pith_i_model *m) {
  uint32_t most = 0, n = 0;
  forget_preparations(m);
  for (size_t i = 0; i < m->rules.n; i++) {
    bool same = i > 0 && m->rules.at[i].head / 2 == m->rules.at[i - 1].head / 2;
    n = same ? n + 1 : 1;
    most = n > most ? n : most;
  }
  if (most < 2)
    return false;
  pith_i_paths_keep(m->env, &m->rules, 0, most / 2);
  pith_i_path *less =
      pith_i_realloc(m->env, m->rules.at, m->rules.n * sizeof *m->rules.at);
  if (less != NULL) {
    m->rules.at = less;
    m->rules.cap = m->rules.n;
  }
  return true;
}

void pith_i_model_score_plainly(pith_i_model *m) {
  m->scoring.fitted = false;
  m->missing = NAN;
  memset(m->scoring.method, PITH_I_NOISY_OR, m->g->ways);
}

void pith_i_model_take_chains(pith_i_model *m, pith_i_chain_model *chains) {
  uint32_t r = chains->relation;
  assert(m->index != NULL && m->chains[r] == NULL);
  m->chains[r] = chains;
  m->scoring.method[PITH_I_WAY(r, 0)] = PITH_I_GRADED;
  m->scoring.method[PITH_I_WAY(r, 1)] = PITH_I_GRADED;
}

/* ---- rules ------------------------------------------------------------ */

size_t pith_i_model_rules(const pith_i_model *m) {
  size_t n = m->rules.n;
  for (uint32_t r = 0; r < m->g->relations; r++)
    n += m->chains[r] == NULL ? 0 : m->chains[r]->rules;
  return m->soft == NULL ? n : m->soft->rules;
}

static void find_interval(pith_i_model *m, uint64_t hits, uint64_t tries,
                          double *low, double *high) {
  pith_i_known_interval *k =
      &m->intervals[pith_i_mix(hits, tries) % PITH_I_KNOWN_INTERVALS];
  if (k->hits != hits || k->tries != tries || tries == 0) {
    *k = (pith_i_known_interval){.hits = hits, .tries = tries};
    pith_i_interval(hits, tries, 0.95, &k->low, &k->high);
  }
  *low = k->low;
  *high = k->high;
}

static void show_path(pith_i_model *m, const pith_i_path *p, double weight,
                      pith_model_rule *out) {
  pith_i_path_show(m->g, p, &m->shown);
  *out = (pith_model_rule){.rule = &m->shown.rule,
                           .support = p->support,
                           .predictions = p->predictions,
                           .weight = weight};
  find_interval(m, p->support, p->predictions, &out->low, &out->high);
}

static void show_soft(const pith_i_model *m, size_t i, pith_model_rule *out) {
  const pith_i_soft_choice *c = m->soft;
  *out = (pith_model_rule){.rule = c->rule[c->restart * c->rules + i],
                           .weight = NAN};
  pith_i_interval(0, 0, 0.95, &out->low, &out->high);
}

pith_status pith_i_model_rule(pith_i_model *m, size_t i, pith_model_rule *out) {
  if (i >= pith_i_model_rules(m))
    return pith_i_fail(m->env, PITH_EARG, "no such rule");
  if (m->soft != NULL) {
    show_soft(m, i, out);
    return PITH_OK;
  }
  if (i < m->rules.n) {
    show_path(m, &m->rules.at[i], NAN, out);
    return PITH_OK;
  }
  i -= m->rules.n;
  uint32_t r = 0;
  while (m->chains[r] == NULL || i >= m->chains[r]->rules) {
    i -= m->chains[r] == NULL ? 0 : m->chains[r]->rules;
    r++;
    assert(r < m->g->relations);
  }
  show_path(m, &m->chains[r]->path[i], m->chains[r]->weight[i], out);
  return PITH_OK;
}

/* ---- questions -------------------------------------------------------- */

pith_status pith_i_model_query(const pith_i_model *m, const pith_atom *q,
                               uint32_t *x, pith_i_way *way) {
  uint32_t relation;
  const pith_i_names *names = &m->theory->names;
  if (q->pred >= names->preds.n || q->args == NULL)
    return pith_i_fail(m->env, PITH_EARG, "no such predicate, or no arguments");
  if (q->arity != 2 || PITH_IS_VAR(q->args[0]) == PITH_IS_VAR(q->args[1]))
    return pith_i_fail(m->env, PITH_EINPUT,
                       "a query has one variable and one constant, such as "
                       "likes(ann,X)");
  if (!pith_i_find_relation(m->g, q->pred, &relation))
    return pith_i_fail(m->env, PITH_EINPUT, "the graph has no facts of %s/2",
                       pith_i_pred_text(&m->theory->names, q->pred));
  if (m->target != PITH_NONE && m->target != relation)
    return pith_i_fail(
        m->env, PITH_EINPUT,
        "the model was learned for %s/2 and says nothing of "
        "%s/2; learn one for that",
        pith_i_pred_text(&m->theory->names, m->g->pred[m->target]),
        pith_i_pred_text(&m->theory->names, q->pred));
  uint32_t inverse = PITH_IS_VAR(q->args[0]);
  if (q->args[inverse] >= names->symbols.n)
    return pith_i_fail(m->env, PITH_EARG, "no such constant");
  *way = PITH_I_WAY(relation, inverse);
  if (!pith_i_find_entity(m->g, q->args[inverse], x))
    *x = PITH_NONE;
  return PITH_OK;
}

static int compare_answers(const void *left, const void *right) {
  const pith_answer *a = left, *b = right;
  if (a->probability != b->probability)
    return a->probability < b->probability ? 1 : -1;
  if (a->score != b->score)
    return a->score < b->score ? 1 : -1;
  return (a->answer > b->answer) - (a->answer < b->answer);
}

static bool is_fact(const pith_i_model *m, uint32_t x, pith_i_way way,
                    uint32_t y) {
  return x != PITH_NONE && pith_i_graph_has(m->g, x, way, y);
}

static bool is_denied(const pith_i_model *m, uint32_t x, pith_i_way way,
                      uint32_t y) {
  return x == y && m->index->shapes.irreflexive[way / 2];
}

static pith_i_rater model_rater(const pith_i_model *m) {
  return (pith_i_rater){&m->scoring, m->applier};
}

/* The answers of the rules that are not facts, with their probabilities. */
static pith_status list_answers(pith_i_model *m, uint32_t x, pith_i_way way) {
  const pith_i_rater rater = model_rater(m);
  pith_i_asked asked;
  pith_status rc = pith_i_apply_rules(m->applier, x, way);
  if (rc >= 0)
    rc = pith_i_rate_candidates(m->env, &rater, x, way, &m->ratings, &asked);
  if (rc >= 0 && !pith_i_room(m->env, &m->answers, m->ratings.n))
    rc = PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < m->ratings.n; i++) {
    const pith_i_rating *r = &m->ratings.at[i];
    if (!r->fact)
      m->answers.at[m->answers.n++] =
          (pith_answer){.answer = m->g->symbol[r->entity],
                        .score = r->score,
                        .rules = m->applier->candidates.at[i].rules};
  }
  if (rc >= 0)
    rc = pith_i_rate_from_both_sides(&rater, &asked, &m->ratings);
  for (size_t i = 0, n = 0; rc >= 0 && i < m->ratings.n; i++)
    if (!m->ratings.at[i].fact)
      m->answers.at[n++].probability = m->ratings.at[i].probability;
  return rc;
}

/* The soft values of all candidates: pairs (x, y) or (y, x). */
static pith_status list_soft_answers(pith_i_model *m, uint32_t x,
                                     pith_i_way way) {
  const pith_i_graph *g = m->g;
  size_t n = 0;
  pith_i_pair *pairs = pith_i_alloc(m->env, (g->entities + 1) * sizeof *pairs);
  double *value = pith_i_zalloc(m->env, g->entities + 1, sizeof *value);
  pith_status rc = pairs == NULL || value == NULL ? PITH_ENOMEM : PITH_OK;
  for (uint32_t y = 0; rc >= 0 && x != PITH_NONE && y < g->entities; y++)
    if (!is_fact(m, x, way, y) && (way % 2 == 1 || m->soft->among[y]))
      pairs[n++] = way % 2 == 0 ? (pith_i_pair){x, y, false}
                                : (pith_i_pair){y, x, false};
  if (rc >= 0 && n > 0)
    rc = pith_i_soft_choice_score(m->soft, pairs, n, value);
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    uint32_t y = way % 2 == 0 ? pairs[i].y : pairs[i].x;
    pith_answer a = {.answer = g->symbol[y],
                     .score = value[i],
                     .probability = is_denied(m, x, way, y) ? 0 : value[i],
                     .rules = (uint32_t)m->soft->rules};
    if (!pith_i_push(m->env, &m->answers, a))
      rc = PITH_ENOMEM;
  }
  pith_i_release(m->env, pairs);
  pith_i_release(m->env, value);
  return rc;
}

pith_status pith_i_model_ask(pith_i_model *m, uint32_t x, pith_i_way way,
                             size_t most, size_t *count) {
  assert(way < m->g->ways);
  bool soft = m->soft != NULL && way / 2 == m->target;
  m->answers.n = 0;
  *count = 0;
  pith_status rc =
      soft ? list_soft_answers(m, x, way) : list_answers(m, x, way);
  if (rc < 0)
    return rc;
  if (m->answers.n > 0)
    qsort(m->answers.at, m->answers.n, sizeof *m->answers.at, compare_answers);
  *count = m->answers.n < most ? m->answers.n : most;
  return PITH_OK;
}

/* Of a candidate that the applier has just found. */
static pith_status visit_clues(pith_i_model *m, const pith_i_asked *asked,
                               uint32_t slot, pith_clue_visit visit,
                               void *ctx) {
  const pith_i_rater rater = model_rater(m);
  const pith_i_scoring *s = &m->scoring;
  const pith_i_rating *own = &m->ratings.at[slot - 1];
  pith_i_both_sides both = {.joint = false};
  pith_status rc;
  if (pith_i_is_looked_at(&rater, asked, &m->ratings, own->entity)) {
    rc = pith_i_find_both_sides(&rater, asked, slot, own->score, &both);
    if (rc >= 0)
      pith_i_visit_joint_clues(s, asked->way, &both.clues,
                               both.unspoken ? NULL : &both.back, visit, ctx);
    return rc;
  }
  pith_i_rater_clues(&rater, asked, &m->applier->candidates.at[slot - 1],
                     own->score, &both.clues);
  rc = pith_i_rate_from_both_sides(&rater, asked, &m->ratings);
  if (rc >= 0)
    pith_i_visit_clues(s, asked->way, &both.clues, own->probability, visit,
                       ctx);
  return rc;
}

pith_status pith_i_model_clues(pith_i_model *m, uint32_t x, pith_i_way way,
                               uint32_t y, pith_clue_visit visit, void *ctx) {
  const pith_i_rater rater = model_rater(m);
  pith_i_asked asked;
  bool soft = m->soft != NULL && way / 2 == m->target;
  if (soft || !m->scoring.fitted || m->scoring.method[way] == PITH_I_GRADED ||
      is_denied(m, x, way, y) || m->g->way_edges[way] == 0)
    return PITH_OK;
  pith_status rc = pith_i_apply_rules(m->applier, x, way);
  if (rc >= 0)
    rc = pith_i_rate_candidates(m->env, &rater, x, way, &m->ratings, &asked);
  uint32_t slot = m->applier->slot[y];
  if (rc < 0 || slot == 0 || m->ratings.at[slot - 1].fact)
    return rc;
  return visit_clues(m, &asked, slot, visit, ctx);
}

/* ---- pairs ------------------------------------------------------------ */

/* The probability of y as an answer to (x, way, ?), whether it is a fact or
** not; 0 where nothing speaks for it. *joint: it is the same asked from y. */
static pith_status grade_answer(pith_i_model *m, uint32_t x, pith_i_way way,
                                uint32_t y, double *out, bool *joint) {
  const pith_i_rater rater = model_rater(m);
  pith_i_asked asked;
  pith_i_aggregator method = (pith_i_aggregator)m->scoring.method[way];
  *out = 0;
  *joint = false;
  pith_status rc = pith_i_apply_rules(m->applier, x, way);
  if (rc >= 0)
    rc = pith_i_rate_candidates(m->env, &rater, x, way, &m->ratings, &asked);
  uint32_t slot = m->applier->slot[y];
  if (rc < 0 || slot == 0)
    return rc;
  const pith_i_rating *r = &m->ratings.at[slot - 1];
  if (r->fact) /* then it is not among the others, and now counts */
    asked.all =
        pith_i_add_logs(asked.all, pith_i_aggregate_odds(method, r->score));
  double score = r->score;
  *out = pith_i_rater_probability(&rater, &asked,
                                  &m->applier->candidates.at[slot - 1], score);
  pith_i_both_sides both;
  rc = pith_i_find_both_sides(&rater, &asked, slot, score, &both);
  if (rc >= 0 && both.joint)
    *out = pith_i_both_sides_probability(&m->scoring, way, &both);
  *joint = both.joint && !both.unspoken;
  return rc;
}

/* Of an entity that the graph does not have, or has no fact of, nothing is said
** but how often the other one occurs, as pith_i_model_ask has it. */
static bool has_edges(const pith_i_model *m, uint32_t entity) {
  return entity != PITH_NONE &&
         m->g->node_run[entity] < m->g->node_run[entity + 1];
}

static pith_status grade_pair(pith_i_model *m, uint32_t relation,
                              const pith_i_pair *p, double *out) {
  double object = 0, subject = 0;
  uint32_t rules;
  pith_i_chain_model *gr;
  *out = 0;
  if (p->x == p->y && m->index->shapes.irreflexive[relation])
    return PITH_OK;
  pith_status rc = pith_i_applier_chains(m->applier, relation, &gr);
  if (rc < 0 || (gr != NULL && p->y == PITH_NONE))
    return rc;
  if (gr != NULL)
    return pith_i_chain_model_score(gr, p->x, p->y, out, &rules);
  bool x = has_edges(m, p->x), y = has_edges(m, p->y), joint = false;
  if (y)
    rc = grade_answer(m, p->x, PITH_I_WAY(relation, 0), p->y, &object, &joint);
  if (rc >= 0 && x && joint)
    subject = object;
  else if (rc >= 0 && x)
    rc = grade_answer(m, p->y, PITH_I_WAY(relation, 1), p->x, &subject, &joint);
  *out = x && y ? (object + subject) / 2 : object + subject;
  return rc;
}

/* Entities that are not there have the value 0. */
static pith_status grade_softly(pith_i_model *m, const pith_i_pair *pairs,
                                size_t n, double *out) {
  pith_i_pair *known = pith_i_alloc(m->env, (n + 1) * sizeof *known);
  double *value = pith_i_zalloc(m->env, n + 1, sizeof *value);
  size_t k = 0;
  pith_status rc = known == NULL || value == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    if (pairs[i].x != PITH_NONE && pairs[i].y != PITH_NONE)
      known[k++] = pairs[i];
  if (rc >= 0 && k > 0)
    rc = pith_i_soft_choice_score(m->soft, known, k, value);
  k = 0;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    out[i] =
        pairs[i].x != PITH_NONE && pairs[i].y != PITH_NONE ? value[k++] : 0;
  pith_i_release(m->env, known);
  pith_i_release(m->env, value);
  return rc;
}

pith_status pith_i_model_grade(pith_i_model *m, uint32_t relation,
                               const pith_i_pair *pairs, size_t n,
                               double *out) {
  assert(relation < m->g->relations);
  if (m->soft != NULL && relation == m->target)
    return grade_softly(m, pairs, n, out);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    rc = pith_i_call_poll(m->env);
    if (rc >= 0)
      rc = grade_pair(m, relation, &pairs[i], &out[i]);
  }
  return rc;
}
