/* What an epoch does to the parameters: noise is added, and Adam moves them. */
#ifndef PITH_NET_UPDATE_H
#define PITH_NET_UPDATE_H

#include "base/lanes.h"

typedef enum { PITH_I_NORMAL, PITH_I_UNIFORM } pith_i_noise;

/* n numbers for each lane; they follow from the lane's seed and the epoch.
** seed: (2); out: (n). Uniform ones are in (0,1). */
void pith_i_noise_make(pith_i_noise kind, const pith_i_word *seed,
                       uint32_t epoch, pith_i_scalar scale, size_t n,
                       pith_i_real *out);

typedef struct {
  pith_i_scalar rate;      /* divided by the first moment's correction      */
  pith_i_scalar second;    /* 1 / the second moment's correction            */
  pith_i_scalar low, high; /* what parameters are held in                   */
} pith_i_adam_step;

/* Kingma and Ba's Adam, then the bounds. d: the gradient; all (n). */
void pith_i_adam(const pith_i_adam_step *s, size_t n, const pith_i_real *d,
                 pith_i_real *first, pith_i_real *second, pith_i_real *theta);

#endif
