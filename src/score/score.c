#include "score/score.h"

#include <math.h>

static double ratio_or_nan(uint64_t part, uint64_t whole) {
  return whole == 0 ? NAN : (double)part / (double)whole;
}

void pith_i_score(const pith_i_theory *theory, const pith_i_store *store,
                  pith_scores *out) {
  pith_scores s = {0};
  for (size_t i = 0; i < theory->examples.n; i++) {
    const pith_example *e = theory->examples.at[i];
    bool holds = pith_i_fact_holds(store, e->atom.pred, e->atom.args);
    if (e->positive)
      *(holds ? &s.tp : &s.fn) += 1;
    else
      *(holds ? &s.fp : &s.tn) += 1;
  }
  s.accuracy = ratio_or_nan(s.tp + s.tn, theory->examples.n);
  s.precision = ratio_or_nan(s.tp, s.tp + s.fp);
  s.recall = ratio_or_nan(s.tp, s.tp + s.fn);
  s.f1 = ratio_or_nan(2 * s.tp, 2 * s.tp + s.fp + s.fn);
  *out = s;
}
