/* What clauses cost: their size, then how they lean on the background, then
** their places for arguments. oddness.h has what comes on top. */
#ifndef PITH_LEARN_CLAUSES_CLAUSE_COST_H
#define PITH_LEARN_CLAUSES_CLAUSE_COST_H

#include "learn/clauses/helpers.h"
#include "learn/clauses/match_table.h"

enum { PITH_I_COST = 4096 }; /* of a rule, and of an atom */

/* Of some atoms of a body. The invented predicates that they need go to h. */
uint32_t pith_i_cost_of_atoms(const pith_i_space *s, const pith_i_lit *atoms,
                              uint32_t n, pith_i_helpers *h);

/* What a clause costs at least: a rule and an atom, or a value in the head. */
uint32_t pith_i_least_clause_cost(const pith_i_space *s);

/* Of the definitions of invented predicates. */
uint32_t pith_i_cost_of_helpers(const pith_i_space *s, const pith_i_helpers *h);

#endif
