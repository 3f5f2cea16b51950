/* Whether the atoms of a part, or of a rule, can be called as bias.pl's
** directions say (task/call_order.h). */
#ifndef PITH_LEARN_CLAUSES_PART_CALLS_H
#define PITH_LEARN_CLAUSES_PART_CALLS_H

#include "learn/clauses/match_table.h"

/* Whether the target has directions, which its rules keep to. */
bool pith_i_space_has_directions(const pith_i_space *s);

/* Whether bias.pl calls all places of the predicate inputs. */
bool pith_i_is_test(const pith_i_space *s, const pith_i_kind_of_atom *c);

/* The variables, as bits, that the atom binds for others: of A = B, B; of what
** is denied or compared, none. */
uint64_t pith_i_variables_bound(const pith_i_space *s, const pith_i_lit *atom);

/* The head's variables, as bits, that these atoms can give a body to which they
** belong: not those that they need themselves, beside the head's inputs.
** *stuck: they cannot be called whatever of the head is known. */
uint32_t pith_i_variables_given(const pith_i_space *s, const pith_i_lit *atoms,
                                uint32_t n, bool *stuck);

/* Whether a rule of these atoms and of the target with these arguments can be
** called: always, where the target has no directions. */
bool pith_i_rule_can_be_called(const pith_i_space *s, const pith_i_lit *atoms,
                               uint32_t n, const uint8_t *goal);

#endif
