#include "graph/chain_model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "graph/hidden_facts.h"
#include "graph/select_chains.h"
#include "score/logistic.h"

const char *const pith_i_grade_names[3] = {"fraction", "count", "any"};
const char *const pith_i_hiding_names[3] = {"fact", "entity", "around"};

/* ---- a model ---------------------------------------------------------- */

double pith_i_chain_grade(pith_i_grade_kind kind, uint32_t count,
                          uint32_t total) {
  if (count == 0)
    return 0;
  return kind == PITH_I_FRACTION      ? (double)count / total
         : kind == PITH_I_GRADE_COUNT ? log1p(count)
                                      : 1;
}

/* How often a candidate is the answer; each once more than it was. */
static void count_prior(pith_i_chain_model *gr) {
  const pith_i_graph *g = gr->g;
  pith_i_way way = PITH_I_WAY(gr->relation, 1);
  double all = 0;
  for (uint32_t y = 0; y < g->entities; y++)
    if (gr->among[y])
      all += gr->prior[y] = 1 + pith_i_graph_degree(g, y, way);
  for (uint32_t y = 0; y < g->entities; y++)
    gr->prior[y] /= fmax(all, 1);
}

pith_status pith_i_chain_model_new(pith_i_env *env, const pith_i_graph *g,
                                   uint32_t relation, const uint8_t *among,
                                   pith_i_chain_model **out) {
  assert(relation < g->relations);
  pith_i_chain_model *gr = pith_i_zalloc(env, 1, sizeof *gr);
  *out = NULL;
  if (gr == NULL)
    return PITH_ENOMEM;
  gr->env = env;
  gr->g = g;
  gr->relation = relation;
  gr->loss = NAN;
  gr->asked = PITH_NONE;
  gr->among = pith_i_zalloc(env, (size_t)g->entities + 1, 1);
  gr->prior = pith_i_zalloc(env, (size_t)g->entities + 1, sizeof(double));
  pith_status rc = PITH_ENOMEM;
  if (gr->among != NULL && gr->prior != NULL) {
    memcpy(gr->among, among, g->entities);
    count_prior(gr);
    rc = pith_i_chain_walk_init(&gr->walk, env, g, PITH_I_WAY(relation, 0),
                                gr->among);
  }
  if (rc < 0) {
    pith_i_chain_model_free(gr);
    return rc;
  }
  gr->walk.length = 0;
  *out = gr;
  return PITH_OK;
}

void pith_i_chain_model_free(pith_i_chain_model *gr) {
  if (gr == NULL)
    return;
  pith_i_chain_walk_free(&gr->walk);
  pith_i_release(gr->env, gr->among);
  pith_i_release(gr->env, gr->prior);
  pith_i_release(gr->env, gr);
}

pith_status pith_i_chain_model_add(pith_i_chain_model *gr, const pith_i_path *p,
                                   double weight) {
  assert(p->constant == PITH_NONE && p->head == PITH_I_WAY(gr->relation, 0));
  if (gr->rules == PITH_I_CHAIN_RULES)
    return PITH_ELIMIT;
  pith_i_chain_walk *e = &gr->walk;
  e->fixed = false;
  pith_status rc =
      pith_i_chain_add(e, p->step, p->length, &gr->chain[gr->rules]);
  e->fixed = true;
  if (rc < 0)
    return rc;
  if (p->length > e->length)
    e->length = p->length;
  gr->path[gr->rules] = *p;
  gr->weight[gr->rules + 1] = gr->weight[gr->rules];
  gr->weight[gr->rules++] = weight;
  gr->asked = PITH_NONE;
  return PITH_OK;
}

pith_status pith_i_chain_model_copy(pith_i_env *env,
                                    const pith_i_chain_model *gr,
                                    pith_i_chain_model **out) {
  pith_i_chain_model *copy;
  pith_status rc =
      pith_i_chain_model_new(env, gr->g, gr->relation, gr->among, &copy);
  if (rc >= 0) {
    copy->kind = gr->kind;
    copy->hiding = gr->hiding;
    copy->weight[0] = gr->weight[gr->rules];
  }
  for (uint32_t i = 0; rc >= 0 && i < gr->rules; i++)
    rc = pith_i_chain_model_add(copy, &gr->path[i], gr->weight[i]);
  if (rc < 0) {
    pith_i_chain_model_free(copy);
    copy = NULL;
  }
  *out = copy;
  return rc;
}

double pith_i_chain_model_value(const pith_i_chain_model *gr, uint32_t rule,
                                uint32_t y) {
  const pith_i_chain_walk *e = &gr->walk;
  assert(rule < gr->rules);
  for (size_t i = 0; i < e->found.n; i++)
    if (e->found.at[i].chain == gr->chain[rule] && e->found.at[i].end == y)
      return pith_i_chain_grade(gr->kind, e->found.at[i].count,
                                e->found.at[i].total);
  return 0;
}

static bool has_evidence(const pith_i_chain_model *gr) {
  for (size_t i = 0; i < gr->walk.found.n; i++)
    for (uint32_t r = 0; r < gr->rules; r++)
      if (gr->walk.found.at[i].chain == gr->chain[r])
        return true;
  return false;
}

/* What leads from x; from an entity of which nothing is known, nothing. */
static pith_status walk_from(pith_i_chain_model *gr, uint32_t x) {
  pith_status rc = PITH_OK;
  if (x == PITH_NONE)
    gr->walk.found.n = 0;
  else if (x != gr->asked)
    rc = pith_i_chain_walk_from(&gr->walk, x);
  gr->asked = rc < 0 ? PITH_NONE : x;
  return rc;
}

pith_status pith_i_chain_model_score(pith_i_chain_model *gr, uint32_t x,
                                     uint32_t y, double *out, uint32_t *rules) {
  assert(y < gr->g->entities);
  pith_status rc = walk_from(gr, x);
  *rules = 0;
  if (rc < 0)
    return rc;
  if (!has_evidence(gr)) {
    *out = gr->prior[y];
    return PITH_OK;
  }
  double z = gr->weight[gr->rules];
  for (uint32_t r = 0; r < gr->rules; r++) {
    double value = pith_i_chain_model_value(gr, r, y);
    z += gr->weight[r] * value;
    *rules += value > 0;
  }
  *out = pith_i_logistic_value(z);
  return PITH_OK;
}

/* ---- learning --------------------------------------------------------- */

typedef struct {
  const pith_i_graph *g;
  uint32_t relation, most;
  const pith_i_chain_options *opt;
  const pith_i_pair *pairs;
  size_t pair_count;
  PITH_I_VEC(uint32_t) like; /* subjects of the pairs */
  uint8_t *among;
  pith_i_chain_walk walk;
  pith_i_hidden_facts hidden;
  pith_i_question_table fit[3], choice; /* by pith_i_hiding */
  double share[3];
  pith_i_selection best;
  pith_i_grade_kind kind;
  pith_i_hiding hiding;
} chain_learner;

/* The candidates are those of the pairs, or all that the relation has. */
static void mark_candidates(chain_learner *t) {
  const pith_i_graph *g = t->g;
  pith_i_way way = PITH_I_WAY(t->relation, 1);
  for (size_t i = 0; i < t->pair_count; i++)
    t->among[t->pairs[i].y] = 1;
  for (uint32_t i = g->way_first[way];
       t->pair_count == 0 && i < g->way_first[way + 1]; i++)
    t->among[pith_i_run_node(g, g->way_run[i])] = 1;
}

/* The longest chains that a few walks can follow to the end. */
static pith_status find_length(chain_learner *t) {
  pith_i_chain_walk *e = &t->walk;
  size_t n = t->hidden.subjects.n;
  e->most = PITH_TUNE_CHAIN_CHEAP_EDGES;
  e->length = t->opt->length > 0 && t->opt->length < PITH_I_CHAIN_MOST
                  ? t->opt->length
                  : PITH_I_CHAIN_MOST;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && e->length > 1 && i < PITH_TUNE_CHAIN_PROBES;
       i++) {
    rc = pith_i_chain_walk_from(
        e, t->hidden.subjects.at[i * n / PITH_TUNE_CHAIN_PROBES].entity);
    if (e->cut) {
      e->length--;
      i = (size_t)-1; /* all of them again */
    }
  }
  return rc;
}

/* The questions of the pairs; those of one subject are one. */
static pith_status ask_pairs(chain_learner *t) {
  pith_i_chain_walk *e = &t->walk;
  PITH_I_VEC(pith_i_known_answer) answers = {0};
  pith_status rc = PITH_OK;
  e->gone = t->hidden.kept;
  for (size_t i = 0, end; rc >= 0 && i < t->pair_count; i = end) {
    answers.n = 0;
    for (end = i; end < t->pair_count && t->pairs[end].x == t->pairs[i].x;
         end++) {
      pith_i_known_answer a = {
          t->pairs[end].y, t->pairs[end].truth ? PITH_I_TRUE : PITH_I_FALSE};
      if (!pith_i_push(t->g->env, &answers, a))
        rc = PITH_ENOMEM;
    }
    if (rc >= 0)
      rc = pith_i_chain_walk_from(e, t->pairs[i].x);
    if (rc >= 0)
      rc = pith_i_question_table_add(&t->choice, e, answers.at, answers.n, 0);
  }
  pith_i_vec_free(t->g->env, &answers);
  return rc;
}

static pith_status ask_all(chain_learner *t) {
  pith_status rc =
      t->pair_count > 0
          ? ask_pairs(t)
          : pith_i_hidden_facts_split(&t->hidden, &t->walk, &t->choice);
  for (uint32_t n = 0; rc >= 0 && n < PITH_TUNE_CHAIN_SECTIONS; n++)
    for (int h = 0; rc >= 0 && h < 3; h++) {
      double share;
      if (pith_i_stop_requested(t->opt->run))
        return PITH_STOPPED;
      rc = pith_i_hidden_facts_add(&t->hidden, (pith_i_hiding)h, n, &t->walk,
                                   &t->fit[h], &share);
      t->share[h] += share;
    }
  uint32_t chains = (uint32_t)t->walk.tree.n;
  for (int h = 0; rc >= 0 && h < 3; h++)
    rc = pith_i_question_table_seal(&t->fit[h], chains);
  return rc < 0 ? rc : pith_i_question_table_seal(&t->choice, chains);
}

static pith_status select_all(chain_learner *t) {
  pith_status rc = PITH_OK;
  for (int h = 0; rc >= 0 && h < 3; h++)
    for (int k = 0; rc >= 0 && k < 3; k++) {
      bool better;
      if (pith_i_stop_requested(t->opt->run))
        return PITH_STOPPED;
      if (t->fit[h].questions == 0)
        continue;
      rc = pith_i_select(&t->walk, &t->fit[h], 1 / t->share[h], &t->choice,
                         (pith_i_grade_kind)k, t->most, &t->best, &better);
      if (better) {
        t->kind = (pith_i_grade_kind)k;
        t->hiding = (pith_i_hiding)h;
      }
    }
  return rc;
}

static double total_weight(const pith_i_question_table *s) {
  double all = 0;
  for (size_t r = 0; r < s->weight.n; r++)
    all += s->weight.at[r];
  return all;
}

/* As many digits as are worth reading, so that what is written is what is
** used. */
static double five_places(double v) { return round(v * 1e5) / 1e5; }

/* Whether selected chain a is shown before b: short ones first, then the
** heavier. */
static bool comes_before(const chain_learner *t, uint32_t a, uint32_t b) {
  uint32_t m = pith_i_chain_length(&t->walk, t->best.chain[a]);
  uint32_t n = pith_i_chain_length(&t->walk, t->best.chain[b]);
  return m != n ? m < n : t->best.weight[a] > t->best.weight[b];
}

static void sort_selected(const chain_learner *t,
                          uint32_t order[PITH_I_CHAIN_RULES]) {
  for (uint32_t i = 0; i < t->best.rules; i++) {
    uint32_t at = i;
    for (; at > 0 && comes_before(t, i, order[at - 1]); at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

static pith_status add_selected(const chain_learner *t, uint32_t i,
                                pith_i_walk *walk, pith_i_chain_model *gr) {
  pith_i_path p = {.head = PITH_I_WAY(t->relation, 0),
                   .constant = PITH_NONE,
                   .end = PITH_NONE};
  p.length = pith_i_chain_ways(&t->walk, t->best.chain[i], p.step);
  pith_i_path_count(walk, &p);
  return pith_i_chain_model_add(gr, &p, five_places(t->best.weight[i]));
}

static pith_status make_model(const chain_learner *t,
                              pith_i_chain_model **out) {
  pith_i_env *env = t->g->env;
  pith_i_chain_model *gr = NULL;
  pith_i_walk *walk = NULL;
  uint32_t order[PITH_I_CHAIN_RULES];
  pith_status rc =
      pith_i_chain_model_new(env, t->g, t->relation, t->among, &gr);
  if (rc >= 0)
    rc = pith_i_walk_new(env, t->g, &walk);
  if (rc < 0) {
    pith_i_chain_model_free(gr);
    return rc;
  }
  gr->weight[0] = five_places(t->best.weight[t->best.rules]);
  gr->kind = t->kind;
  gr->hiding = t->hiding;
  gr->loss = t->best.loss / fmax(total_weight(&t->choice), 1);
  gr->questions = t->fit[t->hiding].questions;
  gr->pairs = (uint32_t)t->choice.target.n;
  sort_selected(t, order);
  for (uint32_t i = 0; rc >= 0 && i < t->best.rules; i++)
    rc = add_selected(t, order[i], walk, gr);
  pith_i_walk_free(env, walk);
  if (rc < 0)
    pith_i_chain_model_free(gr);
  else
    *out = gr;
  return rc;
}

/* The subjects of the pairs, each once; the pairs' facts are put aside. */
static pith_status list_like(chain_learner *t) {
  for (size_t i = 0; i < t->pair_count; i++) {
    const pith_i_pair *p = &t->pairs[i];
    pith_i_hidden_facts_keep(&t->hidden, p->x, p->y);
    if ((i == 0 || p->x != p[-1].x) && !pith_i_push(t->g->env, &t->like, p->x))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status init_parts(chain_learner *t) {
  const pith_i_graph *g = t->g;
  t->among = pith_i_zalloc(g->env, (size_t)g->entities + 1, 1);
  if (t->among == NULL)
    return PITH_ENOMEM;
  mark_candidates(t);
  pith_status rc = pith_i_chain_walk_init(&t->walk, g->env, g,
                                          PITH_I_WAY(t->relation, 0), t->among);
  t->walk.run = t->opt->run;
  if (rc >= 0)
    rc = pith_i_hidden_facts_init(&t->hidden, g, t->relation, t->among,
                                  t->opt->seed);
  if (rc >= 0)
    rc = pith_i_question_table_init(&t->choice, g);
  for (int h = 0; rc >= 0 && h < 3; h++)
    rc = pith_i_question_table_init(&t->fit[h], g);
  return rc;
}

static void free_parts(chain_learner *t) {
  for (int h = 0; h < 3; h++)
    pith_i_question_table_free(&t->fit[h]);
  pith_i_question_table_free(&t->choice);
  pith_i_hidden_facts_free(&t->hidden);
  pith_i_chain_walk_free(&t->walk);
  pith_i_vec_free(t->g->env, &t->like);
  pith_i_release(t->g->env, t->among);
}

static pith_status prepare_learner(chain_learner *t) {
  pith_i_hidden_facts *s = &t->hidden;
  pith_status rc = init_parts(t);
  if (rc >= 0)
    rc = list_like(t);
  if (rc >= 0 && t->like.n > 0)
    rc = pith_i_hidden_facts_like(s, t->like.at, t->like.n);
  if (rc >= 0 && s->subjects.n < PITH_TUNE_CHAIN_SUBJECTS)
    return pith_i_fail(t->g->env, PITH_EINPUT,
                       "too few facts to learn from; expected facts of at "
                       "least %d subjects with one of the candidates",
                       PITH_TUNE_CHAIN_SUBJECTS);
  if (rc >= 0)
    rc = find_length(t);
  if (rc >= 0 && t->like.n > 0)
    rc = pith_i_hidden_facts_derive(s, &t->walk, t->like.at, t->like.n);
  return rc;
}

pith_status pith_i_chain_model_learn(const pith_i_graph *g, uint32_t relation,
                                     const pith_i_pair *pairs, size_t n,
                                     const pith_i_chain_options *opt,
                                     pith_i_chain_model **out) {
  chain_learner t = {.g = g,
                     .relation = relation,
                     .most = opt->rules > 0 ? opt->rules : PITH_I_CHAIN_RULES,
                     .opt = opt,
                     .pairs = pairs,
                     .pair_count = n,
                     .best = {.loss = INFINITY}};
  *out = NULL;
  pith_status rc = prepare_learner(&t);
  if (rc >= 0)
    rc = ask_all(&t);
  if (rc == PITH_OK)
    rc = select_all(&t);
  if (rc >= 0 && isfinite(t.best.loss)) {
    pith_status made = make_model(&t, out);
    rc = made < 0 ? made : rc;
  }
  free_parts(&t);
  return rc;
}
