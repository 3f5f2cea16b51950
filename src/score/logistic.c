#include "score/logistic.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST = PITH_I_LOGISTIC_MOST + 1, SWEEPS = 50 };

double pith_i_logistic_value(double z) {
  return z >= 0 ? 1 / (1 + exp(-z)) : exp(z) / (1 + exp(z));
}

/* log(1 + exp(z)) without overflow. */
static double softplus_of(double z) {
  return z > 0 ? z + log1p(exp(-z)) : log1p(exp(z));
}

static double weight_of(const pith_i_logistic *f, size_t row) {
  return f->weight == NULL ? 1 : f->weight[row];
}

static double sum_of(const pith_i_logistic *f, const double *w, size_t row) {
  const double *x = f->x + row * f->k;
  double z = w[f->k];
  for (size_t i = 0; i < f->k; i++)
    z += w[i] * x[i];
  return z;
}

double pith_i_logistic_loss(const pith_i_logistic *f, const double *w,
                            double *dw) {
  double loss = 0;
  if (dw != NULL)
    memset(dw, 0, (f->k + 1) * sizeof *dw);
  for (size_t r = 0; r < f->n; r++) {
    double z = sum_of(f, w, r), m = weight_of(f, r);
    loss += m * (softplus_of(z) - f->target[r] * z);
    if (dw == NULL)
      continue;
    double d = m * (pith_i_logistic_value(z) - f->target[r]);
    for (size_t i = 0; i < f->k; i++)
      dw[i] += d * f->x[r * f->k + i];
    dw[f->k] += d;
  }
  for (size_t i = 0; i < f->k; i++) {
    loss += f->ridge * w[i] * w[i] / 2;
    if (dw != NULL)
      dw[i] += f->ridge * w[i];
  }
  return loss;
}

/* Second derivatives; a little is added so that a score that is always 0, or
** the same as another, does no harm. */
static void add_curvature(const pith_i_logistic *f, const double *w,
                          double h[MOST][MOST]) {
  size_t k = f->k;
  for (size_t i = 0; i <= k; i++)
    for (size_t j = 0; j <= k; j++)
      h[i][j] = i == j ? 1e-9 + (i < k ? f->ridge : 0) : 0;
  for (size_t r = 0; r < f->n; r++) {
    const double *x = f->x + r * k;
    double p = pith_i_logistic_value(sum_of(f, w, r));
    double q = weight_of(f, r) * fmax(p * (1 - p), 1e-9);
    for (size_t i = 0; i <= k; i++) {
      double a = q * (i < k ? x[i] : 1);
      for (size_t j = 0; a != 0 && j <= i; j++)
        h[i][j] += a * (j < k ? x[j] : 1);
    }
  }
  for (size_t i = 0; i <= k; i++)
    for (size_t j = 0; j < i; j++)
      h[j][i] = h[i][j];
}

/* Where the parabola is least with no weight below 0: one place at a time. */
static void lowest_loss(size_t k, const double *w, const double *dw,
                        double h[MOST][MOST], double *step) {
  memset(step, 0, (k + 1) * sizeof *step);
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (size_t i = 0; i <= k; i++) {
      double slope = dw[i];
      for (size_t j = 0; j <= k; j++)
        slope += h[i][j] * step[j];
      step[i] -= slope / h[i][i];
      if (i < k && step[i] < -w[i])
        step[i] = -w[i];
    }
}

double pith_i_logistic_fit(const pith_i_logistic *f, uint32_t rounds,
                           double *w) {
  double dw[MOST], step[MOST], next[MOST], h[MOST][MOST];
  assert(f->k <= PITH_I_LOGISTIC_MOST);
  double loss = pith_i_logistic_loss(f, w, dw);
  while (rounds-- > 0) {
    double size = 1, now = INFINITY;
    add_curvature(f, w, h);
    lowest_loss(f->k, w, dw, h, step);
    for (; size > 1e-6; size /= 2) {
      for (size_t i = 0; i <= f->k; i++)
        next[i] = w[i] + size * step[i];
      now = pith_i_logistic_loss(f, next, NULL);
      if (now < loss)
        break;
    }
    if (!(now < loss))
      break;
    bool done = loss - now < 1e-9 * (1 + fabs(loss));
    memcpy(w, next, (f->k + 1) * sizeof *w);
    loss = pith_i_logistic_loss(f, w, dw);
    if (done)
      break;
  }
  return loss;
}
