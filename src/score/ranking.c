#include <math.h>
#include <stdlib.h>

#include "score/confidence.h"

static double sort_key(const pith_prediction *v) {
  return isnan(v->score) ? -INFINITY : v->score;
}

static int by_score(const void *a, const void *b) {
  double x = sort_key(a), y = sort_key(b);
  return (x < y) - (x > y);
}

void pith_i_predictions_sort(pith_prediction *v, size_t n) {
  if (n > 0)
    qsort(v, n, sizeof *v, by_score);
}

/* Where the predictions end that have the score of number i. */
static size_t tie_end(const pith_prediction *v, size_t n, size_t i) {
  size_t end = i + 1;
  while (end < n && sort_key(&v[end]) == sort_key(&v[i]))
    end++;
  return end;
}

static uint64_t true_among(const pith_prediction *v, size_t from, size_t end) {
  uint64_t n = 0;
  for (size_t i = from; i < end; i++)
    n += v[i].truth;
  return n;
}

double pith_i_average_precision(const pith_prediction *v, size_t n) {
  double sum = 0;
  uint64_t found = 0;
  for (size_t i = 0, end; i < n; i = end) {
    end = tie_end(v, n, i);
    uint64_t gained = true_among(v, i, end);
    found += gained;
    sum += (double)gained * (double)found / (double)end;
  }
  return found == 0 ? NAN : sum / (double)found;
}

/* ---- as probabilities ------------------------------------------------- */

static size_t bin_of(double p) {
  size_t i = (size_t)(p * PITH_BINS);
  return i < PITH_BINS ? i : PITH_BINS - 1;
}

static void fill_bins(const pith_prediction *v, size_t n, pith_ranking *out) {
  double brier = 0, gap = 0;
  for (size_t i = 0; i < n; i++) {
    pith_bin *b = &out->bins[bin_of(v[i].score)];
    b->count++;
    b->predicted += v[i].score;
    b->observed += v[i].truth;
    brier += (v[i].score - v[i].truth) * (v[i].score - v[i].truth);
  }
  for (size_t i = 0; i < PITH_BINS; i++) {
    pith_bin *b = &out->bins[i];
    gap += fabs(b->predicted - b->observed);
    b->predicted /= (double)b->count; /* NaN when there are none */
    b->observed /= (double)b->count;
  }
  out->brier = brier / (double)n;
  out->calibration_error = gap / (double)n;
}

static bool are_probabilities(const pith_prediction *v, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!(v[i].score >= 0 && v[i].score <= 1))
      return false;
  return n > 0;
}

void pith_i_ranking(pith_prediction *v, size_t n, pith_ranking *out) {
  *out = (pith_ranking){.count = n, .brier = NAN, .calibration_error = NAN};
  pith_i_predictions_sort(v, n);
  out->positive = true_among(v, 0, n);
  for (size_t i = 0; i < n; i = tie_end(v, n, i))
    out->scores++;
  out->average_precision = pith_i_average_precision(v, n);
  if (are_probabilities(v, n))
    fill_bins(v, n, out);
}
