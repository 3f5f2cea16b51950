#include "graph/aggregate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/float_math.h"
#include "base/tunables.h"

enum { F = PITH_I_FEATURES };
_Static_assert(F % 4 == 0, "features are added up by fours");

/* Confidences in steps of 1/1024, one behind the other: exact in a double. */
static double max_plus(const pith_i_link_candidate *c) {
  double score = 0, place = 1.0 / 1024;
  for (int i = 0; i < PITH_I_TOP; i++, place /= 1024)
    score += floor((double)c->top[i] * 1023) * place;
  return score;
}

static double noisy_or(const pith_i_link_candidate *c) {
  double miss = 1;
  for (int i = 0; i < PITH_I_TOP; i++)
    miss *= 1 - (double)c->top[i];
  return 1 - miss;
}

/* 0 for 0, which is the commonest. */
static float log_of_one_plus(float x) {
  return x == 0 ? 0 : pith_i_float_log1p(x);
}

/* From 0 where x is 0 to 1 where it is 1, by its logarithm: down to `least`,
** ten times less is a step of the same size. */
static float log_scale(float x, float least) {
  return x == 0 ? 0 : 1 - pith_i_float_log(x + least) / pith_i_float_log(least);
}

/* The log-odds of a confidence, from 0 to 1. */
static float top_odds(float f) {
  const float edge = 1e-3f;
  return f == 0 ? 0
                : 0.5f + pith_i_float_log((f + edge) / (1 - f + edge)) / 13.8f;
}

static void rule_features(const pith_i_link_candidate *c, float *out) {
  for (int k = 0; k < PITH_I_KINDS; k++) {
    *out++ = c->best[k];
    *out++ = -log_of_one_plus(-c->best[k]);
    *out++ = log_of_one_plus(c->sum[k]);
    *out++ = log_of_one_plus((float)c->votes[k]);
  }
  for (int k = 0; k < PITH_I_CHAIN_KINDS; k++) {
    *out++ = log_of_one_plus(c->flow[k]);
    *out++ = log_scale(c->flow[k], 1e-5f);
  }
}

void pith_i_features(const pith_i_link_candidate *c, float *out) {
  rule_features(c, out);
  out[PITH_I_F_SHARE] = log_of_one_plus(c->share);
  out[PITH_I_F_MOST_SHARE] = c->most_share;
  out[PITH_I_F_MOST_SHARE_LOG] = log_scale(c->most_share, 1e-4f);
  out[PITH_I_F_MOST_FLOW] = c->most_flow;
  out[PITH_I_F_MOST_FLOW_LOG] = log_scale(c->most_flow, 1e-5f);
  out[PITH_I_F_PRIOR] = pith_i_float_log(c->prior + 1e-4f) * 0.1f + 0.921f;
  out[PITH_I_F_NOISY_OR] = c->rules == 0 ? 0 : -(float)log1p(-noisy_or(c));
  out[PITH_I_F_LIKE_SQUARES] = log_scale(c->like_squares, 1e-3f);
  out[PITH_I_F_LIKE_MOST] = c->like_most;
  out[PITH_I_F_LIKE_SHARE] = log_of_one_plus(10 * c->like_share);
  out[PITH_I_F_LIKE_SHARE_LOG] = log_scale(c->like_share, 1e-4f);
  out[PITH_I_F_LIKE_ANSWERS] = log_of_one_plus(20 * c->like_answers);
  out[PITH_I_F_LIKE_ANSWERS_LOG] = log_scale(c->like_answers, 1e-3f);
  out[PITH_I_F_LINKED] = c->links > 0;
  out[PITH_I_F_LINKS] = log_of_one_plus((float)c->links);
  out[PITH_I_F_EDGES] = 0.2f * log_of_one_plus((float)c->edges);
  out[PITH_I_F_HAS_BACK] = c->edges_back > 0;
  out[PITH_I_F_EDGES_BACK] = 0.3f * log_of_one_plus((float)c->edges_back);
  out[PITH_I_F_BACK] = 0.2f * c->back;
  out[PITH_I_F_MIRRORED] = 0.2f * c->mirrored;
  out[PITH_I_F_ITSELF] = c->itself;
  out[PITH_I_F_TOP_ODDS] = top_odds(c->top[0]);
}

/* Four sums side by side. */
static float weighted_sum(const float *w, const float *f) {
  float sum[4] = {0};
  for (int i = 0; i < F; i += 4)
    for (int k = 0; k < 4; k++)
      sum[k] += w[i + k] * f[i + k];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double pith_i_aggregate(pith_i_aggregator method, const float *weights,
                        const pith_i_link_candidate *c) {
  assert(method <= PITH_I_GRADED);
  assert(method != PITH_I_LEARNED || weights != NULL);
  float f[F];
  if (method == PITH_I_MAX_PLUS)
    return max_plus(c);
  if (method == PITH_I_NOISY_OR)
    return noisy_or(c);
  if (method == PITH_I_GRADED)
    return c->graded;
  pith_i_features(c, f);
  return (double)weighted_sum(weights, f);
}

double pith_i_aggregate_odds(pith_i_aggregator method, double score) {
  const double edge = 1e-4;
  return method == PITH_I_LEARNED ? score
                                  : log((score + edge) / (1 - score + edge));
}

/* ---- scoring --------------------------------------------------------- */

pith_status pith_i_scoring_new(pith_i_env *env, uint32_t ways,
                               pith_i_scoring *s) {
  *s = (pith_i_scoring){0};
  s->method = pith_i_zalloc(env, (size_t)ways + 1, sizeof *s->method);
  s->named = pith_i_zalloc(env, (size_t)ways + 1, sizeof *s->named);
  s->weights = pith_i_zalloc(env, ((size_t)ways + 1) * F, sizeof *s->weights);
  s->bias = pith_i_zalloc(env, 2 * (size_t)ways + 1, sizeof *s->bias);
  s->missing = pith_i_zalloc(env, 2 * (size_t)ways + 1, sizeof *s->missing);
  if (s->method != NULL && s->named != NULL && s->weights != NULL &&
      s->bias != NULL && s->missing != NULL)
    return PITH_OK;
  pith_i_scoring_free(env, s);
  return PITH_ENOMEM;
}

void pith_i_scoring_free(pith_i_env *env, pith_i_scoring *s) {
  pith_i_release(env, s->method);
  pith_i_release(env, s->named);
  pith_i_release(env, s->weights);
  pith_i_release(env, s->bias);
  pith_i_release(env, s->missing);
  *s = (pith_i_scoring){0};
}

void pith_i_samples_free(pith_i_env *env, pith_i_samples *l) {
  pith_i_vec_free(env, &l->samples);
  pith_i_vec_free(env, &l->features);
  l->unreached = 0;
}

/* ---- the loss -------------------------------------------------------- */

/* A rival that stands for many weighs as they would. */
static float extra_of_row(const pith_i_lesson_sample *s, uint32_t i) {
  return i >= s->strong && i < s->n ? s->stands : 0;
}

/* Of one sample, by n of its rows; adds its gradient. */
static double sample_loss(const pith_i_lesson_sample *s, const float *rows,
                          uint32_t n, const float *w, double *dw) {
  float most = -INFINITY, mean[F] = {0}, score[PITH_I_SAMPLE_ROWS];
  assert(n >= 1 && n <= PITH_I_SAMPLE_ROWS); /* the truth is first */
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    score[i] = weighted_sum(w, rows + (size_t)i * F) + extra_of_row(s, i);
    most = score[i] > most ? score[i] : most;
  }
  for (uint32_t i = 0; i < n; i++) {
    const float *f = rows + (size_t)i * F;
    float e = pith_i_float_exp(score[i] - most);
    sum += (double)e;
    for (int k = 0; k < F; k++)
      mean[k] += e * f[k];
  }
  for (int k = 0; dw != NULL && k < F; k++)
    dw[k] += (double)mean[k] / sum - (double)rows[k];
  return log(sum) + (double)(most - score[0]);
}

double pith_i_aggregate_loss(const pith_i_samples *l, size_t first, size_t last,
                             uint32_t skip, const float *w, double *dw) {
  double loss = 0;
  for (size_t i = first; i < last; i++) {
    const pith_i_lesson_sample *s = &l->samples.at[i];
    uint32_t n = s->n + (skip != PITH_NONE ? s->unsure : 0);
    if (s->fold != skip)
      loss += sample_loss(s, l->features.at + (size_t)s->first * F, n, w, dw);
  }
  return loss;
}

/* ---- fitting --------------------------------------------------------- */

/* Adam, as Kingma and Ba have it. */
typedef struct {
  double m[F], v[F];
} adam_moments;

static void adam_step(float *w, const double *dw, adam_moments *a, int epoch) {
  double rate = 0.1 * (1 - 0.9 * epoch / PITH_TUNE_AGGREGATE_EPOCHS);
  for (int k = 0; k < F; k++) {
    a->m[k] = 0.9 * a->m[k] + 0.1 * dw[k];
    a->v[k] = 0.99 * a->v[k] + 0.01 * dw[k] * dw[k];
    double m = a->m[k] / (1 - pow(0.9, epoch + 1));
    double v = a->v[k] / (1 - pow(0.99, epoch + 1));
    w[k] = (float)((double)w[k] - rate * m / (sqrt(v) + 1e-8));
  }
}

typedef struct {
  const pith_i_samples *l;
  uint32_t ways, skip;
  size_t *first;   /* (ways + 1) samples of a way                         */
  float *weights;  /* (ways + 1, F) */
  double *dglobal; /* (ways, F) */
} weight_fitting;

static size_t count_samples(const weight_fitting *f, size_t first,
                            size_t last) {
  size_t n = 0;
  for (size_t i = first; i < last; i++)
    n += f->l->samples.at[i].fold != f->skip;
  return n;
}

static pith_status global_gradient(void *ctx, pith_i_worker *w, size_t way) {
  weight_fitting *f = ctx;
  (void)w;
  double *d = f->dglobal + way * F;
  memset(d, 0, F * sizeof *d);
  pith_i_aggregate_loss(f->l, f->first[way], f->first[way + 1], f->skip,
                        f->weights + (size_t)f->ways * F, d);
  return PITH_OK;
}

/* The weights of all ways together; sums are made in the order of ways, so
** threads change nothing. */
static pith_status fit_global(pith_i_crew *crew, weight_fitting *f) {
  const double ridge = 1.0;
  float *w = f->weights + (size_t)f->ways * F;
  adam_moments a = {{0}, {0}};
  double n = (double)count_samples(f, 0, f->l->samples.n) + 1;
  pith_status rc = PITH_OK;
  for (int epoch = 0; rc == PITH_OK && epoch < PITH_TUNE_AGGREGATE_EPOCHS;
       epoch++) {
    double d[F];
    rc = pith_i_crew_run(crew, f->ways, global_gradient, f);
    for (int k = 0; k < F; k++) {
      d[k] = ridge * (double)w[k];
      for (uint32_t way = 0; way < f->ways; way++)
        d[k] += f->dglobal[(size_t)way * F + (size_t)k];
      d[k] /= n;
    }
    adam_step(w, d, &a, epoch);
  }
  return rc;
}

/* One way's own, starting from and held to those of all. */
static pith_status fit_way(void *ctx, pith_i_worker *worker, size_t way) {
  weight_fitting *f = ctx;
  const double hold = 20.0;
  const float *all = f->weights + (size_t)f->ways * F;
  float *w = f->weights + way * F;
  adam_moments a = {{0}, {0}};
  double n = (double)count_samples(f, f->first[way], f->first[way + 1]);
  memcpy(w, all, F * sizeof *w);
  for (int epoch = 0; n > 0 && epoch < PITH_TUNE_AGGREGATE_EPOCHS; epoch++) {
    double d[F];
    if (pith_i_worker_stopped(worker))
      return PITH_STOPPED;
    for (int k = 0; k < F; k++)
      d[k] = hold * ((double)w[k] - (double)all[k]);
    pith_i_aggregate_loss(f->l, f->first[way], f->first[way + 1], f->skip, w,
                          d);
    for (int k = 0; k < F; k++)
      d[k] /= n;
    adam_step(w, d, &a, epoch);
  }
  return PITH_OK;
}

static pith_status pack_weights(void *ctx, pith_i_crew *c, size_t first,
                                size_t last, pith_i_buffer *out) {
  const weight_fitting *f = ctx;
  return pith_i_buffer_put(c->owner, out, f->weights + first * F,
                           (last - first) * F * sizeof *f->weights)
             ? PITH_OK
             : PITH_ENOMEM;
}

static pith_status unpack_weights(void *ctx, pith_i_crew *c, size_t first,
                                  size_t last, pith_i_cursor *in) {
  const weight_fitting *f = ctx;
  (void)c;
  pith_i_cursor_take(in, f->weights + first * F,
                     (last - first) * F * sizeof *f->weights);
  return PITH_OK;
}

pith_status pith_i_aggregate_fit(pith_i_crew *crew, const pith_i_samples *l,
                                 uint32_t ways, uint32_t skip, float *weights) {
  pith_i_env *env = crew->owner;
  weight_fitting f = {.l = l, .ways = ways, .skip = skip, .weights = weights};
  f.first = pith_i_zalloc(env, (size_t)ways + 1, sizeof *f.first);
  f.dglobal = pith_i_alloc(env, (size_t)ways * F * sizeof *f.dglobal);
  pith_status rc = f.first == NULL || f.dglobal == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < l->samples.n; i++) {
    assert(l->samples.at[i].way < ways);
    assert(i == 0 || l->samples.at[i - 1].way <= l->samples.at[i].way);
  }
  for (size_t i = 0; rc >= 0 && i < l->samples.n; i++)
    f.first[l->samples.at[i].way + 1] = i + 1;
  for (uint32_t w = 0; rc >= 0 && w < ways; w++)
    f.first[w + 1] = f.first[w + 1] > f.first[w] ? f.first[w + 1] : f.first[w];
  for (int k = 0; k < F; k++) /* noisy-or, to start with */
    weights[(size_t)ways * F + (size_t)k] =
        k == PITH_I_F_NOISY_OR ? 1.0f : 0.0f;
  if (rc >= 0)
    rc = fit_global(crew, &f);
  if (rc == PITH_OK) {
    const pith_i_shared_loop each = {ways,           fit_way, pack_weights,
                                     unpack_weights, false,   0};
    rc = pith_i_crew_share(crew, &each, &f);
  }
  pith_i_release(env, f.first);
  pith_i_release(env, f.dglobal);
  return rc;
}
