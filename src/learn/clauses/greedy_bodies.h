/* Long bodies, one part at a time: for examples that no clause covers. All
** bodies of eight atoms are too many to try; one that is true of an example,
** and of fewer negative ones with every part, is soon made. */
#ifndef PITH_LEARN_CLAUSES_GREEDY_BODIES_H
#define PITH_LEARN_CLAUSES_GREEDY_BODIES_H

#include "learn/clauses/clause_body.h"

/* Adds clauses of up to `most` atoms to the plain ones of b, where its parts
** tell an uncovered example from all negative ones. */
pith_status pith_i_bodies_greedy(pith_i_bodies *b, uint32_t most);

#endif
