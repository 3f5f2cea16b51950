/* That a value is not the last one of a thing, or not the first: the thing has
** another in the same relation that is later, or greater. Denied, it says which
** row of a thing is the newest, the dearest, the first: event(A,B,open),
** \+ event_after(A,B). The rows may have names, as orders do that belong to
** customers: customer(B,A), status(B,open), \+ customer_placed_after(B). */
#ifndef PITH_LEARN_CLAUSES_EXTREMES_H
#define PITH_LEARN_CLAUSES_EXTREMES_H

#include "learn/clauses/clause_language.h"

/* Adds them as invented predicates to be denied, until there are `most`
** choices. */
pith_status pith_i_extremes_deny(pith_i_space *s, size_t most);

/* What its name ends in. */
const char *pith_i_extreme_text(const pith_i_space *s,
                                const pith_i_kind_of_atom *x);

/* Rules and atoms of a definition. */
uint32_t pith_i_extreme_size(const pith_i_kind_of_atom *x);

/* h(A,B) :- p(A,B), p(A,C), B < C, or B > C. Of what has a thing and a value:
** h(A) :- p(A,B), q(A,C), p(D,B), q(D,E), C < E. */
pith_status pith_i_extreme_rule(const pith_i_space *s,
                                const pith_i_kind_of_atom *x, pith_pred h,
                                pith_i_arena *arena, pith_rule **out);

#endif
