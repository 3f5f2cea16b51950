/* Proposals by gradient (soft.h), where there are templates and the network
** is small enough to train. */
#ifndef PITH_COMPRESS_SOFT_PROPOSALS_H
#define PITH_COMPRESS_SOFT_PROPOSALS_H

#include "compress/compressor.h"

/* Offers the best that restarts came to. In the paper's semantics what the
** best restart learned becomes the theory, as it is. With alone there is
** nothing else to fall back on:
**   PITH_EINPUT  no templates, one that cannot be used, or too many facts
**   PITH_ENOMEM; else nothing is offered and that is no error */
pith_status pith_i_compress_gradient(pith_i_compressor *c, bool alone);

#endif
