/* From scores to probabilities.
**
** Isotonic regression finds, of all functions that never fall, the one with
** the least squared error on the predictions held out: pool adjacent
** violators, in one pass. Its steps are made a line through their centres, so
** that two scores of one step keep their order. A true prediction is added at
** the lowest score and a false one at the highest, so that nothing is certain:
** a first step of ten false ones has the probability 1/11.
**
** Platt's is a logistic function of the score, fitted by Newton's method with
** the targets he gives, which are those same shares for the two classes. */
#include <math.h>

#include "score/confidence.h"
#include "score/logistic.h"

enum { FEW = 30 }; /* true or false ones; below, steps are too coarse */

/* ---- isotonic --------------------------------------------------------- */

typedef struct {
  double count, hits, sum; /* predictions, true ones, their scores */
} block;

static double share(const block *b) { return b->hits / b->count; }

static void merge_last(block *blocks, size_t *m) {
  block *into = &blocks[*m - 2], *last = &blocks[*m - 1];
  into->count += last->count;
  into->hits += last->hits;
  into->sum += last->sum;
  *m -= 1;
}

/* Pools v, from the lowest score up, into blocks of rising share; how many.
** blocks: room for n. */
static size_t pool_blocks(const pith_prediction *v, size_t n, block *blocks) {
  size_t m = 0;
  for (size_t i = n; i-- > 0;) {
    block one = {1, v[i].truth, v[i].score};
    bool first = i + 1 == n, last = i == 0;
    if (first || last) {
      one.count += first + last;
      one.hits += first;
      one.sum += v[i].score * (first + last);
    }
    blocks[m++] = one;
    if (!first && v[i].score == v[i + 1].score)
      merge_last(blocks, &m); /* before any other: a tie is one */
    bool whole = last || v[i - 1].score != v[i].score;
    while (whole && m > 1 && share(&blocks[m - 2]) >= share(&blocks[m - 1]))
      merge_last(blocks, &m);
  }
  return m;
}

static void place_knots(const block *blocks, pith_i_calibration *c) {
  for (size_t i = 0; i < c->n; i++) {
    c->at[i] = blocks[i].sum / blocks[i].count;
    c->p[i] = share(&blocks[i]);
  }
}

/* Those whose score is not finite say nothing; they are at both ends. */
static const pith_prediction *finite_part(const pith_prediction *v, size_t *n) {
  while (*n > 0 && !isfinite(v[*n - 1].score))
    *n -= 1;
  while (*n > 0 && !isfinite(v->score))
    v++, *n -= 1;
  return v;
}

pith_status pith_i_isotonic(pith_i_env *env, pith_prediction *v, size_t n,
                            pith_i_calibration *out) {
  *out = (pith_i_calibration){.kind = PITH_I_ISOTONIC};
  pith_i_predictions_sort(v, n);
  const pith_prediction *finite = finite_part(v, &n);
  block *blocks = pith_i_zalloc(env, n, sizeof *blocks);
  if (blocks == NULL)
    return PITH_ENOMEM;
  out->n = pool_blocks(finite, n, blocks);
  out->at = pith_i_zalloc(env, 2 * out->n, sizeof *out->at);
  out->p = out->at == NULL ? NULL : out->at + out->n;
  if (out->at != NULL)
    place_knots(blocks, out);
  pith_i_release(env, blocks);
  return out->at == NULL ? PITH_ENOMEM : PITH_OK;
}

static double isotonic_value(const pith_i_calibration *c, double x) {
  if (c->n == 0)
    return 0.5;
  if (!(x > c->at[0]))
    return c->p[0];
  if (x >= c->at[c->n - 1])
    return c->p[c->n - 1];
  size_t low = 0, high = c->n - 1; /* at[low] < x < at[high] */
  while (high - low > 1) {
    size_t mid = (low + high) / 2;
    *(c->at[mid] < x ? &low : &high) = mid;
  }
  double part = (x - c->at[low]) / (c->at[high] - c->at[low]);
  return c->p[low] + part * (c->p[high] - c->p[low]);
}

/* ---- Platt ------------------------------------------------------------ */

/* Scores of any size: the fit is on what has mean 0 and deviation 1. */
static void find_unit(const pith_prediction *v, size_t n, double *centre,
                      double *scale) {
  double sum = 0, square = 0;
  for (size_t i = 0; i < n; i++)
    sum += v[i].score;
  *centre = n == 0 ? 0 : sum / (double)n;
  for (size_t i = 0; i < n; i++)
    square += pow(v[i].score - *centre, 2);
  *scale = n == 0 ? 0 : sqrt(square / (double)n);
  if (!(*scale > 0))
    *scale = 1;
}

/* The bias that suits no score at all, where the fit begins. */
static double level_of(const double *target, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += target[i];
  double mean = n == 0 ? 0.5 : sum / (double)n;
  return log(mean / (1 - mean));
}

pith_status pith_i_platt(pith_i_env *env, pith_prediction *v, size_t n,
                         pith_i_calibration *out) {
  *out = (pith_i_calibration){.kind = PITH_I_PLATT};
  pith_i_predictions_sort(v, n);
  const pith_prediction *finite = finite_part(v, &n);
  double *x = pith_i_zalloc(env, n, 2 * sizeof *x);
  if (x == NULL)
    return PITH_ENOMEM;
  double *target = x + n;
  double centre, scale, hits = 0;
  find_unit(finite, n, &centre, &scale);
  for (size_t i = 0; i < n; i++)
    hits += finite[i].truth;
  for (size_t i = 0; i < n; i++) {
    x[i] = (finite[i].score - centre) / scale;
    target[i] =
        finite[i].truth ? (hits + 1) / (hits + 2) : 1 / ((double)n - hits + 2);
  }
  pith_i_logistic f = {.n = n, .k = 1, .x = x, .target = target};
  double w[2] = {0, level_of(target, n)};
  pith_i_logistic_fit(&f, 100, w);
  out->a = w[0] / scale;
  out->b = w[1] - w[0] * centre / scale;
  pith_i_release(env, x);
  return PITH_OK;
}

/* ---- either ----------------------------------------------------------- */

pith_status pith_i_calibrate(pith_i_env *env, pith_prediction *v, size_t n,
                             pith_i_calibration *out) {
  size_t hits = 0;
  for (size_t i = 0; i < n; i++)
    hits += v[i].truth;
  if (hits >= FEW && n - hits >= FEW)
    return pith_i_isotonic(env, v, n, out);
  return pith_i_platt(env, v, n, out);
}

double pith_i_calibrated(const pith_i_calibration *c, double score) {
  if (c->kind == PITH_I_ISOTONIC)
    return isotonic_value(c, score);
  double p = pith_i_logistic_value(c->a * score + c->b);
  return isnan(p) ? 0 : p;
}

void pith_i_calibration_free(pith_i_env *env, pith_i_calibration *c) {
  pith_i_release(env, c->at);
  c->at = c->p = NULL;
  c->n = 0;
}
