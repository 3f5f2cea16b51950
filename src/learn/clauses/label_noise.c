#include "learn/clauses/label_noise.h"

#include <assert.h>

#include "base/tunables.h"
#include "score/length.h"

double pith_i_error_lean(const pith_i_errors_seen *e) {
  assert(e->fn <= e->positives && e->positives + e->fp <= e->examples + e->fn);
  double all = (double)e->examples;
  double follow = (double)(e->positives - e->fn + e->fp);
  double fp = (double)e->fp, fn = (double)e->fn;
  return pith_i_error_bits(fp + fn, all) - pith_i_error_bits(fp, follow) -
         pith_i_error_bits(fn, all - follow);
}

/* The theory says much, in few words, and is wrong now and then. */
pith_i_noise_seen pith_i_looks_like_noise(const pith_i_errors_seen *e) {
  double all = (double)e->examples, wrong = (double)(e->fp + e->fn);
  double saved = pith_i_error_bits((double)e->positives, all) -
                 pith_i_error_bits(wrong, all);
  double lean = pith_i_error_lean(e);
  uint64_t least = e->listed ? PITH_TUNE_NOISE_LISTED_EXAMPLES
                             : PITH_TUNE_NOISE_SEEN_EXAMPLES;
  if (e->examples < least || wrong < pith_i_reals.NOISE_SEEN_LEAST * all ||
      wrong > pith_i_reals.NOISE_SEEN_SHARE * all || saved < e->rule_bits ||
      lean > pith_i_reals.NOISE_LIKELY_LEAN)
    return PITH_I_NOISE_UNSEEN;
  return saved >= 2 * e->rule_bits + PITH_TUNE_NOISE_SEEN_BITS &&
                 lean <= pith_i_reals.NOISE_SEEN_LEAN
             ? PITH_I_NOISE_SEEN
             : PITH_I_NOISE_LIKELY;
}
