/* Which values of a place are worth naming in a rule, where there are too many
** to try all of them: those that tell positive from negative examples. */
#ifndef PITH_LEARN_CLAUSES_PROPOSED_VALUES_H
#define PITH_LEARN_CLAUSES_PROPOSED_VALUES_H

#include "learn/clauses/match_table.h"

enum { PITH_I_PROPOSED = 6 }; /* values of a place, for one part */

typedef struct {
  pith_sym value[PITH_I_PROPOSED]; /* as the first world names them */
  uint32_t n;
} pith_i_value_proposal;

/* The best values in one column of a table of matches, from the variables
** beyond the head's on; the most telling first. A value that only one positive
** example has is not proposed: to name it is to name the example. */
pith_status pith_i_propose_values(pith_i_sample *m, const pith_i_table *t,
                                  uint32_t column, pith_i_value_proposal *out);

#endif
