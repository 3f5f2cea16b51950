/* Observations to be doubted. Rules that are mostly right predict some things
** that were not observed: either those are missing, or a fact that leads to
** them is wrong. A fact is doubted when leaving it out makes more wrong
** predictions go away than it makes right ones. */
#ifndef PITH_COMPRESS_DOUBTFUL_FACTS_H
#define PITH_COMPRESS_DOUBTFUL_FACTS_H

#include "base/run.h"
#include "compress/rule_instances.h"

typedef PITH_I_VEC(uint32_t) pith_i_fact_numbers;

/* Appends the numbers of facts. */
pith_status pith_i_find_doubtful(const pith_i_observations *w,
                                 pith_rule *const *rules, size_t n,
                                 pith_i_run *run, pith_i_fact_numbers *out);

#endif
