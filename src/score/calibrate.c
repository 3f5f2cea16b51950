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
static size_t pool(const pith_prediction *v, size_t n, block *blocks) {
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
  out->n = pool(finite, n, blocks);
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

static double logistic(double x) {
  return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}

/* log(1 + exp(x)) without overflow. */
static double softplus(double x) {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

typedef struct {
  const pith_prediction *v;
  size_t n;
  double yes, no; /* targets of the true and of the false */
  double centre, scale;
} platt;

static double unit_of(const platt *f, double score) {
  return (score - f->centre) / f->scale;
}

static double platt_loss(const platt *f, double a, double b) {
  double sum = 0;
  for (size_t i = 0; i < f->n; i++) {
    double z = a * unit_of(f, f->v[i].score) + b;
    sum += softplus(z) - (f->v[i].truth ? f->yes : f->no) * z;
  }
  return sum;
}

/* One step of Newton's method, halved until the loss falls; whether it did. */
static bool platt_step(const platt *f, double *a, double *b) {
  double ga = 0, gb = 0, haa = 1e-9, hab = 0, hbb = 1e-9;
  for (size_t i = 0; i < f->n; i++) {
    double x = unit_of(f, f->v[i].score), p = logistic(*a * x + *b);
    double d = p - (f->v[i].truth ? f->yes : f->no), w = p * (1 - p);
    ga += d * x;
    gb += d;
    haa += w * x * x;
    hab += w * x;
    hbb += w;
  }
  double det = haa * hbb - hab * hab;
  double da = -(hbb * ga - hab * gb) / det, db = -(haa * gb - hab * ga) / det;
  double before = platt_loss(f, *a, *b);
  for (double step = 1; step > 1e-10; step /= 2)
    if (platt_loss(f, *a + step * da, *b + step * db) < before - 1e-12) {
      *a += step * da;
      *b += step * db;
      return true;
    }
  return false;
}

/* Scores of any size: the fit is on what has mean 0 and deviation 1. */
static void platt_unit(platt *f) {
  double sum = 0, square = 0;
  for (size_t i = 0; i < f->n; i++)
    sum += f->v[i].score;
  f->centre = f->n == 0 ? 0 : sum / (double)f->n;
  for (size_t i = 0; i < f->n; i++)
    square += pow(f->v[i].score - f->centre, 2);
  f->scale = f->n == 0 ? 0 : sqrt(square / (double)f->n);
  if (!(f->scale > 0))
    f->scale = 1;
}

void pith_i_platt(const pith_prediction *v, size_t n, pith_i_calibration *out) {
  platt f = {.n = n};
  f.v = finite_part(v, &f.n);
  double hits = 0;
  for (size_t i = 0; i < f.n; i++)
    hits += f.v[i].truth;
  f.yes = (hits + 1) / (hits + 2);
  f.no = 1 / ((double)f.n - hits + 2);
  platt_unit(&f);
  double mean =
      f.n == 0 ? 0.5
               : (hits * f.yes + ((double)f.n - hits) * f.no) / (double)f.n;
  double level = log(mean / (1 - mean)), a = 0, b = level;
  for (int i = 0; i < 100 && platt_step(&f, &a, &b); i++)
    continue;
  if (a < 0) { /* worse than chance: the score says nothing */
    a = 0;
    b = level;
  }
  *out = (pith_i_calibration){
      .kind = PITH_I_PLATT, .a = a / f.scale, .b = b - a * f.centre / f.scale};
}

/* ---- either ----------------------------------------------------------- */

pith_status pith_i_calibrate(pith_i_env *env, pith_prediction *v, size_t n,
                             pith_i_calibration *out) {
  size_t hits = 0;
  for (size_t i = 0; i < n; i++)
    hits += v[i].truth;
  if (hits >= FEW && n - hits >= FEW)
    return pith_i_isotonic(env, v, n, out);
  pith_i_predictions_sort(v, n);
  pith_i_platt(v, n, out);
  return PITH_OK;
}

double pith_i_calibrated(const pith_i_calibration *c, double score) {
  if (c->kind == PITH_I_ISOTONIC)
    return isotonic_value(c, score);
  double p = logistic(c->a * score + c->b);
  return isnan(p) ? 0 : p;
}

void pith_i_calibration_free(pith_i_env *env, pith_i_calibration *c) {
  pith_i_release(env, c->at);
  c->at = c->p = NULL;
  c->n = 0;
}
