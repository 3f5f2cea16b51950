/* What an epoch does to the parameters: noise is added, and Adam moves them. */
#ifndef PITH_NET_UPDATE_H
#define PITH_NET_UPDATE_H

#include "base/lanes.h"

typedef enum { PITH_I_GUMBEL, PITH_I_NORMAL, PITH_I_UNIFORM } pith_i_noise;

/* n numbers for each lane; they follow from the lane's seed and the epoch.
** seed: (2); out: (n). Uniform ones are in (0,1). */
void pith_i_noise_make(pith_i_noise kind, const pith_i_word *seed,
                       uint32_t epoch, float scale, size_t n, pith_i_real *out);

typedef struct {
  float rate;      /* divided by the first moment's correction      */
  float second;    /* 1 / the second moment's correction            */
  float low, high; /* what parameters are held in                   */
} pith_i_adam_step;

/* Kingma and Ba's Adam, then the bounds. d: the gradient; all (n). */
void pith_i_adam(const pith_i_adam_step *s, size_t n, const pith_i_real *d,
                 pith_i_real *first, pith_i_real *second, pith_i_real *theta);

/* The valuation before the first step, from the core's parameters: each is
** its fact's value, or from first_logit on a logit, whose value is
** sigmoid((theta + noise) / tau). One of the first `observed` facts is left
** out, which makes it 0, when its noise, uniform in (0,1), is below drop. The
** backward adds the slope of what was not left out, and the penalty, into
** dtheta. value, dvalue: (A), all others (n). */
typedef struct {
  const uint32_t *place; /* of each fact in a valuation */
  size_t n, observed, first_logit;
  float drop, tau;
  float penalty; /* on the sum of the values */
} pith_i_core_step;

void pith_i_core_forward(const pith_i_core_step *s, const pith_i_real *theta,
                         const pith_i_real *noise, pith_i_real *core,
                         pith_i_real *value);
void pith_i_core_backward(const pith_i_core_step *s, const pith_i_real *noise,
                          const pith_i_real *core, const pith_i_real *dvalue,
                          pith_i_real *dtheta);

#endif
