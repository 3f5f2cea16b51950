/* How well what holds fits the examples, and what inference will cost. */
#ifndef PITH_SCORE_SCORE_H
#define PITH_SCORE_SCORE_H

#include "fact/store.h"
#include "term/theory.h"

void pith_i_score(const pith_i_theory *theory, const pith_i_store *store,
                  pith_scores *out);

/* See estimate.c for the formula. PITH_ENOMEM only. */
pith_status pith_i_estimate(const pith_i_theory *theory,
                            const pith_i_store *store, pith_estimate *out);

#endif
