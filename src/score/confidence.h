/* How good scores are: as an order of candidates, and as probabilities.
**
** A prediction is a candidate with its score and whether it turned out true.
** Equal scores are always taken together: nothing depends on the order in
** which the predictions are given. */
#ifndef PITH_SCORE_CONFIDENCE_H
#define PITH_SCORE_CONFIDENCE_H

#include "base/env.h"

/* By descending score; what is not a number comes last. */
void pith_i_predictions_sort(pith_prediction *v, size_t n);

/* ---- measures --------------------------------------------------------- */

/* The sum, over the different scores from the highest down, of the recall
** gained there times the precision so far. v: sorted. NaN: nothing is true. */
double pith_i_average_precision(const pith_prediction *v, size_t n);

/* All of pith_ranking. Sorts v. */
void pith_i_ranking(pith_prediction *v, size_t n, pith_ranking *out);

/* ---- a share, from counts --------------------------------------------- */

/* The share of the Beta(a, b) distribution below x. a, b > 0. */
double pith_i_beta_below(double a, double b, double x);

/* See pith_interval. */
void pith_i_interval(uint64_t hits, uint64_t tries, double share, double *low,
                     double *high);

#endif
