/* What counts say about a share: with every share held equally likely
** beforehand, hits of tries make it Beta(hits + 1, tries - hits + 1). */
#include <math.h>

#include "score/confidence.h"

/* lgamma of the C library writes a global; this is Stirling's series, pushed
** up to where four terms are exact to the last digits. x > 0. */
static double log_gamma(double x) {
  static const double half_log_two_pi = 0.91893853320467274178;
  double shift = 0;
  for (; x < 10; x++)
    shift += log(x);
  double i = 1 / x, s = i * i;
  double series = i * (1. / 12 - s * (1. / 360 - s * (1. / 1260 - s / 1680)));
  return (x - 0.5) * log(x) - x + half_log_two_pi + series - shift;
}

/* The continued fraction of the incomplete beta function by Lentz's method;
** it converges in about sqrt(max(a, b)) turns where x < (a+1)/(a+b+2). */
static double beta_continued_fraction(double a, double b, double x) {
  static const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < tiny ? tiny : d);
  double h = d;
  for (double m = 1; m < 1e6; m++) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d, c = 1 + even / c;
    d = 1 / (fabs(d) < tiny ? tiny : d), c = fabs(c) < tiny ? tiny : c;
    h *= d * c;
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d, c = 1 + odd / c;
    d = 1 / (fabs(d) < tiny ? tiny : d), c = fabs(c) < tiny ? tiny : c;
    h *= d * c;
    if (fabs(d * c - 1) < 1e-15)
      break;
  }
  return h;
}

/* Beta(a, b), with the logarithm of what makes its density add up to 1. */
typedef struct {
  double a, b, log_scale;
} beta_law;

static beta_law make_beta(double a, double b) {
  return (beta_law){a, b, log_gamma(a + b) - log_gamma(a) - log_gamma(b)};
}

/* *density: at x, which lies between 0 and 1. */
static double mass_below(const beta_law *l, double x, double *density) {
  double a = l->a, b = l->b;
  double front = exp(l->log_scale + a * log(x) + b * log1p(-x));
  *density = front / (x * (1 - x));
  if (x < (a + 1) / (a + b + 2))
    return front * beta_continued_fraction(a, b, x) / a;
  return 1 - front * beta_continued_fraction(b, a, 1 - x) / b;
}

double pith_i_beta_below(double a, double b, double x) {
  double density;
  if (!(x > 0))
    return 0;
  if (x >= 1)
    return 1;
  beta_law l = make_beta(a, b);
  return mass_below(&l, x, &density);
}

/* Newton's steps, a handful; where one leaves what is known to hold the
** quantile we halve that instead, which cannot fail. */
static double beta_quantile(const beta_law *l, double share) {
  double low = 0, high = 1, x = l->a / (l->a + l->b);
  for (int i = 0; i < 60; i++) {
    double density, miss = mass_below(l, x, &density) - share;
    *(miss < 0 ? &low : &high) = x;
    double next = x - miss / density;
    if (!(next >= low && next <= high && next > 0 && next < 1))
      next = (low + high) / 2;
    double moved = fabs(next - x);
    x = next;
    if (moved < 1e-9 * x) /* the digits right double with each step */
      break;
  }
  return x;
}

/* Equal tails, but for counts of none or all: there the likeliest share is 0
** or 1, and an interval without it would be absurd. */
void pith_i_interval(uint64_t hits, uint64_t tries, double share, double *low,
                     double *high) {
  double a = (double)hits + 1, b = (double)(tries - hits) + 1;
  bool none = hits == 0 && tries > 0, all = hits == tries && tries > 0;
  double tail = none || all ? 1 - share : (1 - share) / 2;
  beta_law law = make_beta(a, b);
  *low = none ? 0 : beta_quantile(&law, tail);
  *high = all ? 1 : beta_quantile(&law, 1 - tail);
}
