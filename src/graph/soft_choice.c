#include "graph/soft_choice.h"

#include <assert.h>
#include <math.h>

#include "score/confidence.h"

/* ---- which hiding ----------------------------------------------------- */

/* Better in order, or as good and nearer to the truth. */
static bool is_better_ranking(const pith_ranking *a, double precision,
                              double brier) {
  return a->average_precision > precision ||
         (a->average_precision == precision && a->brier < brier);
}

/* How each restart of one model orders the pairs. */
static pith_status rank_restarts(pith_i_soft_model *x, pith_i_env *env,
                                 const pith_i_pair *pairs, size_t n,
                                 pith_ranking out[PITH_I_LANES]) {
  double *scores = pith_i_zalloc(env, n * PITH_I_LANES + 1, sizeof *scores);
  pith_prediction *v = pith_i_alloc(env, (n + 1) * sizeof *v);
  pith_status rc = scores == NULL || v == NULL
                       ? PITH_ENOMEM
                       : pith_i_soft_model_score(x, pairs, n, scores);
  for (size_t l = 0; rc >= 0 && l < PITH_I_LANES; l++) {
    for (size_t i = 0; i < n; i++)
      v[i] = (pith_prediction){fmin(scores[l * n + i], 1), pairs[i].truth};
    pith_i_ranking(v, n, &out[l]);
  }
  pith_i_release(env, scores);
  pith_i_release(env, v);
  return rc;
}

static pith_status train_each_hiding(pith_i_soft_choice *c,
                                     const pith_i_graph *g,
                                     const pith_i_theory *theory,
                                     uint32_t relation,
                                     const pith_i_pair *pairs, size_t n,
                                     const pith_i_soft_options *opt) {
  double brier[PITH_I_LANES];
  pith_status rc = PITH_OK;
  for (uint32_t h = 0; rc == PITH_OK && h < PITH_I_HIDINGS; h++) {
    pith_ranking f[PITH_I_LANES];
    pith_i_soft_options one = *opt;
    one.hiding = (pith_i_hiding)h;
    rc = pith_i_soft_model_learn(g, theory, relation, pairs, n, &one,
                                 &c->model[h]);
    if (rc == PITH_OK)
      rc = rank_restarts(c->model[h], c->env, pairs, n, f);
    for (uint32_t l = 0; rc == PITH_OK && l < PITH_I_LANES; l++)
      if (h == 0 || is_better_ranking(&f[l], c->precision[l], brier[l])) {
        c->precision[l] = f[l].average_precision;
        brier[l] = f[l].brier;
        c->best[l] = h;
      }
  }
  return rc;
}

/* ---- rules ------------------------------------------------------------ */

static pith_status decode_restarts(pith_i_soft_choice *c) {
  size_t n = c->rules = pith_i_soft_model_rules(c->model[0]);
  double *similarity = pith_i_alloc(c->env, (n + 1) * sizeof *similarity);
  c->rule =
      pith_i_arena_alloc(&c->arena, (n * PITH_I_LANES + 1) * sizeof *c->rule);
  pith_status rc =
      similarity == NULL || c->rule == NULL ? PITH_ENOMEM : PITH_OK;
  for (uint32_t l = 0; rc >= 0 && l < PITH_I_LANES; l++) {
    pith_rule **own = c->rule + l * n;
    rc = pith_i_soft_model_decode(c->model[c->best[l]], l, &c->arena, own,
                                  similarity);
    for (size_t i = 0; rc >= 0 && i < n; i++)
      own[i]->probability =
          fmin(fmax(round(similarity[i] * 1e5) / 1e5, 1e-5), 1);
  }
  pith_i_release(c->env, similarity);
  return rc;
}

static pith_status mark_candidates_of(pith_i_soft_choice *c, uint32_t entities,
                                      const pith_i_pair *pairs, size_t n) {
  c->among = pith_i_zalloc(c->env, (size_t)entities + 1, 1);
  for (size_t i = 0; c->among != NULL && i < n; i++)
    c->among[pairs[i].y] = 1;
  return c->among == NULL ? PITH_ENOMEM : PITH_OK;
}

pith_status pith_i_soft_choice_learn(const pith_i_graph *g,
                                     const pith_i_theory *theory,
                                     uint32_t relation,
                                     const pith_i_pair *pairs, size_t n,
                                     const pith_i_soft_options *opt,
                                     pith_i_soft_choice **out) {
  pith_i_soft_choice *c = pith_i_zalloc(g->env, 1, sizeof *c);
  *out = NULL;
  if (c == NULL)
    return PITH_ENOMEM;
  c->env = c->arena.env = g->env;
  pith_status rc = mark_candidates_of(c, g->entities, pairs, n);
  if (rc >= 0)
    rc = train_each_hiding(c, g, theory, relation, pairs, n, opt);
  if (rc == PITH_OK)
    rc = decode_restarts(c);
  for (uint32_t l = 1; rc == PITH_OK && l < PITH_I_LANES; l++)
    if (c->precision[l] > c->precision[c->restart])
      c->restart = l;
  if (rc == PITH_OK)
    *out = c;
  else
    pith_i_soft_choice_free(c);
  return rc;
}

void pith_i_soft_choice_free(pith_i_soft_choice *c) {
  if (c == NULL)
    return;
  for (int h = 0; h < PITH_I_HIDINGS; h++)
    pith_i_soft_model_free(c->model[h]);
  pith_i_arena_free(&c->arena);
  pith_i_release(c->env, c->among);
  pith_i_release(c->env, c);
}

pith_status pith_i_soft_choice_score(pith_i_soft_choice *c,
                                     const pith_i_pair *pairs, size_t n,
                                     double *out) {
  assert(c->restart < PITH_I_LANES);
  double *scores = pith_i_zalloc(c->env, n * PITH_I_LANES + 1, sizeof *scores);
  if (scores == NULL)
    return PITH_ENOMEM;
  pith_i_soft_model *x = c->model[c->best[c->restart]];
  pith_status rc = pith_i_soft_model_score(x, pairs, n, scores);
  for (size_t i = 0; rc >= 0 && i < n; i++)
    out[i] = fmin(scores[c->restart * n + i], 1);
  pith_i_release(c->env, scores);
  return rc;
}
