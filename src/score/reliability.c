#include "score/reliability.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Sums over the predictions of a bin. */
typedef struct {
  double weight, squares, predicted, observed;
} bin_sums;

static void add_to_bin(bin_sums *b, const pith_i_weighed *v) {
  b->weight += v->weight;
  b->squares += v->weight * v->weight;
  b->predicted += v->weight * v->p;
  b->observed += v->truth ? v->weight : 0;
}

/* Unequal weights tell less than as many equal ones: the band goes by the
** number of equal ones that would tell as much. */
static void finish_bin(const bin_sums *b, double all,
                       pith_reliability_bin *out) {
  double n = b->weight > 0 ? b->weight * b->weight / b->squares : 0;
  out->share = b->weight / all;
  out->predicted = b->predicted / b->weight;
  out->observed = b->observed / b->weight;
  out->low = out->high = NAN;
  if (n > 0)
    pith_i_interval((uint64_t)(out->observed * n + 0.5), (uint64_t)(n + 0.5),
                    0.95, &out->low, &out->high);
}

static double mean_gap(const bin_sums *bins, double all) {
  double gap = 0;
  for (int i = 0; i < PITH_BINS; i++)
    gap += fabs(bins[i].predicted - bins[i].observed);
  return gap / all;
}

static size_t width_bin(double p) {
  size_t i = (size_t)(p * PITH_BINS);
  assert(p >= 0 && p <= 1);
  return i < PITH_BINS ? i : PITH_BINS - 1;
}

static int compare_weighed(const void *left, const void *right) {
  const pith_i_weighed *a = left, *b = right;
  if (a->p != b->p)
    return a->p < b->p ? -1 : 1;
  if (a->truth != b->truth)
    return a->truth ? 1 : -1;
  return (a->weight > b->weight) - (a->weight < b->weight);
}

/* Equal probabilities stay in one bin, so bins are only about equal. */
static void fill_counts(pith_i_weighed *v, size_t n, double all,
                        bin_sums *bins) {
  double before = 0;
  size_t bin = 0;
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || v[i].p != v[i - 1].p)
      bin = (size_t)(before / all * PITH_BINS);
    add_to_bin(&bins[bin < PITH_BINS ? bin : PITH_BINS - 1], &v[i]);
    before += v[i].weight;
  }
}

static double log_loss(const pith_i_weighed *v) {
  const double least = 1e-6;
  return -log(fmax(v->truth ? v->p : 1 - v->p, least));
}

void pith_i_reliability(pith_i_weighed *v, size_t n, pith_reliability *out) {
  bin_sums widths[PITH_BINS] = {{0}}, counts[PITH_BINS] = {{0}};
  bin_sums firsts[PITH_BINS] = {{0}}, askeds[PITH_BINS] = {{0}};
  double all = 0, first = 0, asked = 0, brier = 0, loss = 0;
  *out = (pith_reliability){.answers = n};
  if (n > 0)
    qsort(v, n, sizeof *v, compare_weighed);
  for (size_t i = 0; i < n; i++) {
    double miss = v[i].p - v[i].truth;
    out->positive += v[i].truth;
    all += v[i].weight;
    brier += v[i].weight * miss * miss;
    loss += v[i].weight * log_loss(&v[i]);
    add_to_bin(&widths[width_bin(v[i].p)], &v[i]);
    if (v[i].first)
      add_to_bin(&firsts[width_bin(v[i].p)], &v[i]);
    if (v[i].asked)
      add_to_bin(&askeds[width_bin(v[i].p)], &v[i]);
    asked += v[i].asked ? v[i].weight : 0;
    first += v[i].first ? v[i].weight : 0;
  }
  fill_counts(v, n, all, counts);
  for (int i = 0; i < PITH_BINS; i++) {
    finish_bin(&widths[i], all, &out->widths[i]);
    finish_bin(&counts[i], all, &out->counts[i]);
  }
  out->calibration_error = mean_gap(widths, all);
  out->equal_count_error = mean_gap(counts, all);
  out->first_error = mean_gap(firsts, first);
  out->asked_error = mean_gap(askeds, asked);
  out->brier = brier / all;
  out->log_score = loss / all;
}
