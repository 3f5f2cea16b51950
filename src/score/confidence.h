/* How good scores are: as an order of candidates, and as probabilities; and
** how to make the one into the other.
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

/* ---- calibration ------------------------------------------------------ */

typedef enum {
  PITH_I_ISOTONIC, /* the best rising function; needs much data          */
  PITH_I_PLATT     /* 1/(1+exp(-(a x + b))); makes do with little        */
} pith_i_calibration_kind;

/* From scores to probabilities, never falling. Isotonic: straight lines
** between the knots, constant beyond them. */
typedef struct {
  pith_i_calibration_kind kind;
  double a, b;    /* Platt */
  size_t n;       /* knots */
  double *at, *p; /* (n) scores, rising, and their probabilities; one block */
} pith_i_calibration;

/* Fits to predictions that were held out; sorts v. With few true or few false
** ones Platt's form is taken, else the isotonic one. PITH_ENOMEM only. */
pith_status pith_i_calibrate(pith_i_env *env, pith_prediction *v, size_t n,
                             pith_i_calibration *out);
/* The same where the form is chosen. */
pith_status pith_i_isotonic(pith_i_env *env, pith_prediction *v, size_t n,
                            pith_i_calibration *out);
pith_status pith_i_platt(pith_i_env *env, pith_prediction *v, size_t n,
                         pith_i_calibration *out);
double pith_i_calibrated(const pith_i_calibration *c, double score);
void pith_i_calibration_free(pith_i_env *env, pith_i_calibration *c);

/* ---- a share, from counts --------------------------------------------- */

/* The share of the Beta(a, b) distribution below x. a, b > 0. */
double pith_i_beta_below(double a, double b, double x);

/* See pith_interval. */
void pith_i_interval(uint64_t hits, uint64_t tries, double share, double *low,
                     double *high);

#endif
