/* Values in the heads of rules: class(A,good) :- red(A), big(A).
**
** Where positive examples have values in a place of the target that no fact
** knows, nothing in a body could bind that place. There a rule may name the
** value. To the search it is an atom B = good about a
** variable of the head; it is written into the head. Where negative examples
** have no other value than the one of the positive ones, every rule names it,
** and the search need not know. */
#ifndef PITH_LEARN_CLAUSES_HEAD_VALUES_H
#define PITH_LEARN_CLAUSES_HEAD_VALUES_H

#include "learn/clauses/clause_language.h"

/* Adds them to the choices. most: values, at most, for each to be named; a
** single one always is. The examples and relations are there. */
pith_status pith_i_space_add_head_values(pith_i_space *s, uint32_t most);

static inline bool pith_i_is_head_value(const pith_i_kind_of_atom *c) {
  return c->kind == PITH_I_GIVEN_ATOM && c->pred == PITH_EQUAL;
}

#endif
