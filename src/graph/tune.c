#include "graph/tune.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"

enum { F = PITH_I_FEATURES, M = PITH_I_AGGREGATORS };

typedef struct {
  pith_i_samples samples;
  pith_i_scoring fold[2]; /* weights fitted without that fold */
  double (*gain)[M];      /* (ways) sum of reciprocal ranks     */
  uint32_t *count;        /* (ways) samples */
} tuning;

static double row_score(const tuning *t, const pith_i_lesson_sample *l,
                        uint32_t row, pith_i_aggregator m) {
  size_t at = (size_t)l->first + row;
  assert(row < l->n && l->fold < 2);
  if (m != PITH_I_LEARNED)
    return (double)t->samples.plain.at[2 * at + (size_t)m];
  const float *w = pith_i_weights(&t->fold[l->fold], l->way);
  const float *f = t->samples.features.at + at * F;
  double sum = 0;
  for (int k = 0; k < F; k++)
    sum += (double)w[k] * (double)f[k];
  return sum;
}

/* ---- which way of scoring -------------------------------------------- */

/* As pith_i_held_out_rank has it, with each of the others standing for many. */
static double reciprocal_rank(const tuning *t, const pith_i_lesson_sample *l,
                              pith_i_aggregator m) {
  double truth = row_score(t, l, 0, m), rank = 1;
  for (uint32_t i = 1; i < l->n; i++) {
    double s = row_score(t, l, i, m);
    double weight = i <= l->strong ? 1 : (double)l->each;
    rank += s > truth ? weight : s == truth ? weight / 2 : 0;
  }
  return 1 / rank;
}

static void try_aggregators(tuning *t, pith_i_tuned *info) {
  for (size_t i = 0; i < t->samples.samples.n; i++) {
    const pith_i_lesson_sample *l = &t->samples.samples.at[i];
    t->count[l->way]++;
    for (int m = 0; m < M; m++) {
      double gain = reciprocal_rank(t, l, (pith_i_aggregator)m);
      t->gain[l->way][m] += gain;
      info->mrr[m] += gain;
    }
  }
  info->samples = t->samples.samples.n;
  for (int m = 0; m < M; m++)
    info->mrr[m] /= (double)(info->samples + (info->samples == 0));
}

/* The mean of the way, held to that of all: few samples prove little. */
static void choose_aggregators(const tuning *t, uint32_t ways,
                               pith_i_scoring *s, pith_i_tuned *info) {
  const double hold = 20;
  double sum = 0;
  for (uint32_t w = 0; w < ways; w++) {
    double best = -1;
    for (int m = M - 1; m >= 0; m--) {
      double value =
          (t->gain[w][m] + hold * info->mrr[m]) / ((double)t->count[w] + hold);
      if (value > best) {
        best = value;
        s->method[w] = (uint8_t)m;
      }
    }
    sum += t->gain[w][s->method[w]];
  }
  info->mrr[M] = sum / (double)(info->samples + (info->samples == 0));
}

/* ---- probabilities --------------------------------------------------- */

typedef struct {
  double o, l;
  pith_i_way way;
  bool truth;
} odds_pair;
typedef PITH_I_VEC(odds_pair) odds_pairs;

/* The truth and its strong rivals, with their log-odds. */
static pith_status list_pairs(pith_i_env *env, const tuning *t,
                              const pith_i_scoring *s, odds_pairs *out) {
  for (size_t i = 0; i < t->samples.samples.n; i++) {
    const pith_i_lesson_sample *l = &t->samples.samples.at[i];
    pith_i_aggregator m = (pith_i_aggregator)s->method[l->way];
    double sum = 0, most = -INFINITY;
    size_t from = out->n;
    for (uint32_t k = 0; k < l->n; k++) {
      double o = pith_i_aggregate_odds(m, row_score(t, l, k, m));
      double weight = k <= l->strong ? 1 : (double)l->each;
      most = fmax(most, o);
      sum += weight * exp(o);
      if (k <= l->strong &&
          !pith_i_push(env, out,
                       (odds_pair){.o = o, .way = l->way, .truth = k == 0}))
        return PITH_ENOMEM;
    }
    for (size_t k = from; k < out->n; k++)
      out->at[k].l = log(sum);
  }
  return PITH_OK;
}

/* Logistic regression by Adam: two slopes for all, a bias for each way, held
** to the one of all. */
static pith_status fit_probabilities(pith_i_env *env, const odds_pairs *p,
                                     uint32_t ways, pith_i_scoring *s) {
  size_t n = (size_t)ways + 3; /* a, c, the bias of all, then of each */
  double *x = pith_i_zalloc(env, 4 * n, sizeof *x);
  if (x == NULL)
    return PITH_ENOMEM;
  double *d = x + n, *m = d + n, *v = m + n;
  x[0] = x[1] = 1;
  for (int epoch = 0; p->n > 0 && epoch < PITH_TUNE_TUNE_EPOCHS; epoch++) {
    memset(d, 0, n * sizeof *d);
    for (size_t i = 0; i < p->n; i++) {
      const odds_pair *q = &p->at[i];
      double z = x[0] * q->o - x[1] * q->l + x[2] + x[3 + q->way];
      double e = 1 / (1 + exp(-z)) - (q->truth ? 1 : 0);
      d[0] += e * q->o;
      d[1] -= e * q->l;
      d[2] += e;
      d[3 + q->way] += e;
    }
    for (size_t k = 0; k < n; k++) {
      double g = (d[k] + (k >= 3 ? 0.5 * x[k] : 0)) / (double)p->n;
      m[k] = 0.9 * m[k] + 0.1 * g;
      v[k] = 0.99 * v[k] + 0.01 * g * g;
      x[k] -= 0.05 * (1 - (double)epoch / PITH_TUNE_TUNE_EPOCHS) * m[k] /
              (1 - pow(0.9, epoch + 1)) /
              (sqrt(v[k] / (1 - pow(0.99, epoch + 1))) + 1e-10);
    }
    x[0] = fmax(x[0], 0.05); /* a better score is never less probable */
  }
  s->a = x[0];
  s->c = x[1];
  for (uint32_t w = 0; w < ways; w++)
    s->bias[w] = (float)(x[2] + x[3 + w]);
  pith_i_release(env, x);
  return PITH_OK;
}

/* ---- all together ---------------------------------------------------- */

static pith_status tune_samples(pith_i_crew *crew, uint32_t ways, tuning *t,
                                pith_i_scoring *s, pith_i_tuned *info) {
  pith_i_env *env = crew->owner;
  odds_pairs p = {0};
  pith_status rc = PITH_OK;
  t->gain = pith_i_zalloc(env, (size_t)ways + 1, sizeof *t->gain);
  t->count = pith_i_zalloc(env, (size_t)ways + 1, sizeof *t->count);
  if (t->gain == NULL || t->count == NULL)
    return PITH_ENOMEM;
  for (uint32_t fold = 0; rc == PITH_OK && fold < 2; fold++) {
    rc = pith_i_scoring_new(env, ways, &t->fold[fold]);
    if (rc == PITH_OK)
      rc = pith_i_aggregate_fit(crew, &t->samples, ways, fold,
                                t->fold[fold].weights);
  }
  if (rc == PITH_OK) {
    try_aggregators(t, info);
    choose_aggregators(t, ways, s, info);
    rc = list_pairs(env, t, s, &p);
  }
  if (rc == PITH_OK)
    rc = fit_probabilities(env, &p, ways, s);
  if (rc == PITH_OK)
    rc = pith_i_aggregate_fit(crew, &t->samples, ways, PITH_NONE, s->weights);
  pith_i_vec_free(env, &p);
  return rc;
}

/* To four places, as a model keeps them. */
static double round_place(double x) { return floor(x * 1e4 + 0.5) / 1e4; }

static void round_scoring(pith_i_scoring *s, uint32_t ways) {
  s->a = round_place(s->a);
  s->c = round_place(s->c);
  for (uint32_t w = 0; w < ways; w++)
    s->bias[w] = (float)round_place((double)s->bias[w]);
  for (size_t i = 0; i < ((size_t)ways + 1) * F; i++)
    s->weights[i] = (float)round_place((double)s->weights[i]);
}

pith_status pith_i_tune(pith_i_crew *crew, const pith_i_rule_index *index,
                        const pith_i_held_out *e, uint64_t seed,
                        pith_i_scoring *s, pith_i_tuned *info) {
  pith_i_env *env = crew->owner;
  tuning t = {0};
  *info = (pith_i_tuned){0};
  pith_status rc = pith_i_held_out_samples(crew, index, e, NULL, seed,
                                           PITH_TUNE_TUNE_FIRST_SAMPLES,
                                           PITH_I_RIVALS, &t.samples);
  if (rc == PITH_OK)
    rc = pith_i_aggregate_fit(crew, &t.samples, index->g->ways, PITH_NONE,
                              s->weights);
  pith_i_samples_free(env, &t.samples);
  if (rc == PITH_OK)
    rc = pith_i_held_out_samples(crew, index, e, s, seed, PITH_I_SAMPLES,
                                 PITH_I_RIVALS, &t.samples);
  if (rc == PITH_OK)
    rc = tune_samples(crew, index->g->ways, &t, s, info);
  round_scoring(s, index->g->ways);
  pith_i_samples_free(env, &t.samples);
  for (int i = 0; i < 2; i++)
    pith_i_scoring_free(env, &t.fold[i]);
  pith_i_release(env, t.gain);
  pith_i_release(env, t.count);
  return rc;
}
