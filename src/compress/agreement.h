/* How far restarts agree with the theory that was chosen: which share of them
** has a rule, or a core fact, in a theory of its own. Concepts that restarts
** invent have no names in common; those that hold of the same things are the
** same. */
#ifndef PITH_COMPRESS_AGREEMENT_H
#define PITH_COMPRESS_AGREEMENT_H

#include "compress/soft_theory.h"

/* Fills the shares of f. PITH_ENOMEM */
pith_status pith_i_count_agreement(pith_i_soft *s, pith_i_priced_theory *f);

#endif
