/* Theories that doubt some observations. Rules that are nearly always right
** suggest that the few exceptions are errors of the observations: facts that
** are wrong (doubtful_facts.h) or missing. Without the facts that were doubted,
** rules that they spoilt can be found, and may cast doubt on others. */
#ifndef PITH_COMPRESS_DOUBT_FACTS_H
#define PITH_COMPRESS_DOUBT_FACTS_H

#include "compress/propose_rules.h"

/* Proposes theories with exceptions, round by round while something new is
** doubted. In an open world nothing is doubted, and rules may be wrong more
** often. PITH_STOPPED, PITH_ENOMEM */
pith_status pith_i_propose_doubting(pith_i_compressor *c);

/* The chosen rules once more where hidden atoms, and what follows from them,
** may follow. */
pith_status pith_i_propose_beyond_hidden(pith_i_rule_search *s);

#endif
