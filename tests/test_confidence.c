/* Average precision, calibration and credible intervals against what their
** definitions give straight away. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "score/confidence.h"
#include "score/logistic.h"

enum { MOST = 40, DRAWS = 300 };

static double uniform(uint64_t stream, uint64_t i) {
  return (double)(pith_i_random(5, stream, i) >> 11) * 0x1p-53;
}

/* Few different scores, so that there are ties. */
static size_t draw(uint64_t stream, pith_prediction *v) {
  size_t n = 1 + pith_i_random(1, stream, 0) % MOST;
  uint64_t grades = 1 + pith_i_random(1, stream, 1) % 50;
  for (size_t i = 0; i < n; i++) {
    uint64_t grade = pith_i_random(2, stream, i) % grades;
    v[i].score = (double)grade / (double)grades;
    v[i].truth = uniform(stream, i) < 0.2 + 0.6 * v[i].score;
  }
  return n;
}

/* ---- average precision ------------------------------------------------ */

/* Each true one gives the precision of what is scored as high as it. */
static double plain_precision(const pith_prediction *v, size_t n) {
  double sum = 0, truths = 0;
  for (size_t i = 0; i < n; i++) {
    double above = 0, hits = 0;
    for (size_t j = 0; v[i].truth && j < n; j++) {
      above += v[j].score >= v[i].score;
      hits += v[j].score >= v[i].score && v[j].truth;
    }
    if (v[i].truth) {
      sum += hits / above;
      truths++;
    }
  }
  return sum / truths;
}

static void test_average_precision(void **state) {
  (void)state;
  for (uint64_t d = 0; d < DRAWS; d++) {
    pith_prediction v[MOST];
    pith_ranking r;
    size_t n = draw(d, v);
    double plain = plain_precision(v, n);
    pith_i_ranking(v, n, &r);
    assert_true(isnan(plain) ? isnan(r.average_precision)
                             : fabs(r.average_precision - plain) < 1e-12);
  }
}

/* By hand: a tie of one true and one false below a true one. */
static void test_ties(void **state) {
  (void)state;
  pith_prediction v[] = {{0.5, false}, {NAN, true}, {0.9, true}, {0.5, true}};
  pith_ranking r;
  pith_i_ranking(v, 4, &r);
  assert_true(fabs(r.average_precision - (1 + 2.0 / 3 + 3.0 / 4) / 3) < 1e-15);
  assert_int_equal(r.scores, 3);
  assert_int_equal(r.positive, 3);
  assert_true(isnan(r.brier) && isnan(r.calibration_error));
  pith_i_ranking(v, 0, &r);
  assert_true(isnan(r.average_precision) && isnan(r.brier));
}

/* ---- as probabilities ------------------------------------------------- */

static void test_reliability(void **state) {
  (void)state;
  pith_prediction v[] = {{1, true},    {0.95, true},  {0.91, false},
                         {0.2, false}, {0.25, false}, {0, false}};
  pith_ranking r;
  pith_i_ranking(v, 6, &r);
  assert_int_equal(r.bins[9].count, 3);
  assert_int_equal(r.bins[2].count, 2);
  assert_int_equal(r.bins[0].count, 1);
  assert_true(isnan(r.bins[5].observed));
  assert_true(fabs(r.bins[9].predicted - 2.86 / 3) < 1e-12);
  assert_true(fabs(r.bins[9].observed - 2.0 / 3) < 1e-12);
  assert_true(fabs(r.calibration_error - (0.86 + 0.45) / 6) < 1e-12);
  double brier = 0.05 * 0.05 + 0.91 * 0.91 + 0.2 * 0.2 + 0.25 * 0.25;
  assert_true(fabs(r.brier - brier / 6) < 1e-12);
}

/* ---- several scores ---------------------------------------------------- */

enum { ROWS = 60, SCORES = 4 };

typedef struct {
  double x[ROWS * SCORES], target[ROWS], weight[ROWS];
} table;

static pith_i_logistic draw_table(table *t, uint64_t stream) {
  for (size_t r = 0; r < ROWS; r++) {
    double z = -1;
    for (size_t i = 0; i < SCORES; i++) {
      double v = uniform(stream, 10 * r + i);
      t->x[r * SCORES + i] = v < 0.5 ? 0 : v; /* many are 0 */
      z += (i == 0 ? 3 : i == 1 ? -2 : 0.5) * t->x[r * SCORES + i];
    }
    t->target[r] = uniform(stream, 10 * r + 8) < 1 / (1 + exp(-z));
    t->weight[r] = 0.5 + uniform(stream, 10 * r + 9);
  }
  return (pith_i_logistic){ROWS, SCORES, t->x, t->target, t->weight, 0.01};
}

static void test_gradient(void **state) {
  (void)state;
  static const double h = 1e-5;
  table t;
  for (uint64_t d = 0; d < 20; d++) {
    pith_i_logistic f = draw_table(&t, 1000 + d);
    double w[SCORES + 1], dw[SCORES + 1];
    for (size_t i = 0; i <= SCORES; i++)
      w[i] = 4 * uniform(2000 + d, i) - 1;
    pith_i_logistic_loss(&f, w, dw);
    for (size_t i = 0; i <= SCORES; i++) {
      double at = w[i];
      w[i] = at + h;
      double up = pith_i_logistic_loss(&f, w, NULL);
      w[i] = at - h;
      double down = pith_i_logistic_loss(&f, w, NULL);
      w[i] = at;
      assert_true(fabs((up - down) / (2 * h) - dw[i]) < 1e-5);
    }
  }
}

/* At the end no weight is negative, the slope is 0 along those above 0, and
** not downhill along those at 0. */
static void test_fit(void **state) {
  (void)state;
  table t;
  size_t at_zero = 0;
  for (uint64_t d = 0; d < 50; d++) {
    pith_i_logistic f = draw_table(&t, 3000 + d);
    double w[SCORES + 1] = {0}, dw[SCORES + 1];
    double loss = pith_i_logistic_fit(&f, 100, w);
    assert_true(fabs(loss - pith_i_logistic_loss(&f, w, dw)) < 1e-12);
    for (size_t i = 0; i <= SCORES; i++) {
      bool edge = i < SCORES && w[i] == 0;
      assert_true(i == SCORES || w[i] >= 0);
      assert_true(edge ? dw[i] > -1e-4 : fabs(dw[i]) < 1e-4);
      at_zero += edge;
    }
  }
  assert_true(at_zero > 10 && at_zero < 100);
}

/* For whole a and b: a or more hits of a + b - 1 tries, each with chance x. */
static double plain_below(size_t a, size_t b, double x) {
  size_t n = a + b - 1;
  double sum = 0;
  for (size_t k = a; k <= n; k++) {
    double term = 1;
    for (size_t i = 0; i < k; i++)
      term *= x * (double)(n - i) / (double)(k - i);
    sum += term * pow(1 - x, (double)(n - k));
  }
  return sum;
}

static void test_beta(void **state) {
  (void)state;
  for (size_t a = 1; a <= 12; a++)
    for (size_t b = 1; b <= 12; b++)
      for (double x = 0; x <= 1; x += 0.0625)
        assert_true(fabs(pith_i_beta_below((double)a, (double)b, x) -
                         plain_below(a, b, x)) < 1e-12);
  assert_true(fabs(pith_i_beta_below(5e8, 5e8, 0.5) - 0.5) < 1e-4);
}

/* Beta(1,n+1) and Beta(n+1,1) have quantiles in closed form. */
static void test_interval(void **state) {
  (void)state;
  double low, high;
  for (uint64_t n = 1; n <= 1000000; n = 10 * n + 1) {
    double power = 1 / (double)(n + 1);
    pith_i_interval(n, n, 0.95, &low, &high);
    assert_true(fabs(low - pow(0.05, power)) < 1e-9 && high == 1);
    pith_i_interval(0, n, 0.9, &low, &high);
    assert_true(low == 0 && fabs(high - (1 - pow(0.1, power))) < 1e-9);
  }
  pith_i_interval(0, 0, 0.95, &low, &high);
  assert_true(fabs(low - 0.025) < 1e-12 && fabs(high - 0.975) < 1e-12);
  for (uint64_t hits = 1; hits < 20; hits++) {
    double a = (double)hits + 1, b = 21 - (double)hits;
    pith_i_interval(hits, 20, 0.8, &low, &high);
    assert_true(fabs(pith_i_beta_below(a, b, low) - 0.1) < 1e-12);
    assert_true(fabs(pith_i_beta_below(a, b, high) - 0.9) < 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_average_precision),
      cmocka_unit_test(test_ties),
      cmocka_unit_test(test_reliability),
      cmocka_unit_test(test_gradient),
      cmocka_unit_test(test_fit),
      cmocka_unit_test(test_beta),
      cmocka_unit_test(test_interval),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
