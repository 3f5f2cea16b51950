/* Other programs than the best one: with parts that cover the same, and what
** is chosen when some of its clauses are not to be had. */
#ifndef PITH_LEARN_CLAUSES_FURTHER_SETS_H
#define PITH_LEARN_CLAUSES_FURTHER_SETS_H

#include "learn/clauses/clause_sizes.h"

/* Takes a set, which is gone afterwards. */
typedef pith_status (*pith_i_visit)(void *ctx, const pith_i_set *set);

/* Visits up to most of each kind. What is visited need not fit where a clause
** is recursive or the sample is not all examples. */
pith_status pith_i_exact_others(pith_i_exact *x,
                                const pith_i_exact_limits *limits,
                                uint32_t most, pith_i_visit visit, void *ctx);

/* Visits rules with one body atom's predicate exchanged for another of the
** background, up to most times; the rules are as before afterwards. Of parts
** that give the same table only one is known to the search. */
pith_status pith_i_rules_exchange(
    const pith_i_space *s, const pith_i_rules *rules, uint32_t most,
    pith_status (*visit)(void *ctx, const pith_i_rules *r), void *ctx);

#endif
