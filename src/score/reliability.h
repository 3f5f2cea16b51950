/* Whether probabilities hold, where predictions have weights: each stands for
** so many. */
#ifndef PITH_SCORE_RELIABILITY_H
#define PITH_SCORE_RELIABILITY_H

#include "score/confidence.h"

typedef struct {
  double p, weight;
  bool truth;
  bool first; /* the best answer of its question */
  bool asked; /* the question misses an answer   */
} pith_i_weighed;

/* All of pith_reliability but the questions. Sorts v. */
void pith_i_reliability(pith_i_weighed *v, size_t n, pith_reliability *out);

#endif
