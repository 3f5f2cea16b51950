/* Whether what a short theory gets wrong looks like labels that are wrong by
** chance, so that a longer theory which fits them all is not worth looking for.
**
** Wrong labels fall alike on what follows from the theory and on what does not.
** Where a rule is missing, the errors are among what does not follow; where a
** condition is missing, among what does. */
#ifndef PITH_LEARN_CLAUSES_LABEL_NOISE_H
#define PITH_LEARN_CLAUSES_LABEL_NOISE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t positives, examples;
  uint64_t fp, fn;  /* what the theory gets wrong */
  double rule_bits; /* of the theory              */
  bool listed;      /* what fits takes more bits than the labels */
} pith_i_errors_seen;

/* Bits by which the errors are told shorter when it is said how many are among
** what follows and how many are not. */
double pith_i_error_lean(const pith_i_errors_seen *e);

/* Likely: the theory saves its length, but not twice that and some more, or the
** errors lean a little: in one of fifty cases they do by chance. */
typedef enum {
  PITH_I_NOISE_UNSEEN,
  PITH_I_NOISE_LIKELY,
  PITH_I_NOISE_SEEN
} pith_i_noise_seen;

pith_i_noise_seen pith_i_looks_like_noise(const pith_i_errors_seen *e);

#endif
