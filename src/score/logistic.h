/* A probability from several scores: 1/(1+exp(-z)) where z is their weighted
** sum and a bias. Weights are never negative: more of a score is never less
** of a reason. */
#ifndef PITH_SCORE_LOGISTIC_H
#define PITH_SCORE_LOGISTIC_H

#include <stddef.h>
#include <stdint.h>

enum { PITH_I_LOGISTIC_MOST = 16 }; /* scores */

typedef struct {
  size_t n, k;          /* rows and scores                               */
  const double *x;      /* (n, k)                                        */
  const double *target; /* (n) in [0,1]                                  */
  const double *weight; /* (n) of the rows, or NULL: all 1               */
  double ridge;         /* half of it times the squared weights is added */
} pith_i_logistic;

double pith_i_logistic_value(double z); /* 1/(1+exp(-z)) */

/* The cross-entropy, summed over the rows, and its gradient, which is not
** added but set and may be NULL. w, dw: (k + 1), the bias last. */
double pith_i_logistic_loss(const pith_i_logistic *f, const double *w,
                            double *dw);

/* Newton's method from w on, for so many rounds at most; the loss at what it
** leaves in w. */
double pith_i_logistic_fit(const pith_i_logistic *f, uint32_t rounds,
                           double *w);

#endif
