/* A proposal made whole: its rules get the smallest core, the exact engine
** derives what follows, and the result is priced. */
#ifndef PITH_COMPRESS_COMPLETE_THEORY_H
#define PITH_COMPRESS_COMPLETE_THEORY_H

#include "compress/compressor.h"

/* The observations and optional facts as the compressor numbers them. The
** caller frees out also after failure. */
pith_status pith_i_compressor_observe(const pith_i_compressor *c,
                                      const pith_i_store *observed,
                                      const pith_i_store *optional,
                                      pith_i_observations *out);

/* What an exception costs in facts: to state it, and that it is one. In an
** open world what is not observed may well hold. */
double pith_i_exception_price(const pith_i_compressor *c);

/* Makes a theory of the proposal's rules that active (NULL: all) names, and
** keeps it if it is the best so far.
**   PITH_STOPPED  nothing was made; PITH_ENOMEM */
pith_status pith_i_complete_theory(pith_i_compressor *c,
                                   const pith_i_observations *w,
                                   const pith_i_proposal *p,
                                   const bool *active);

/* Makes a theory of the proposal's rules and this core as they are, and keeps
** it whatever its price. */
pith_status pith_i_take_as_learned(pith_i_compressor *c,
                                   const pith_i_proposal *p,
                                   const pith_i_store *core);

/* Prices the observations without any rule: the first theory to be beaten. */
pith_status pith_i_take_observations(pith_i_compressor *c);

#endif
