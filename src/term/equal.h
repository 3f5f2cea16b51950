/* Equality of atoms, and of rules that say the same: equal but for the names
** of their variables and the order of their bodies. */
#ifndef PITH_TERM_EQUAL_H
#define PITH_TERM_EQUAL_H

#include "term/theory.h"

/* The same predicate, the same terms, both negated or neither. */
bool pith_i_atom_equal(const pith_atom *a, const pith_atom *b);

/* The same terms, whatever the predicates; for templates, whose predicates are
** slots. */
bool pith_i_args_equal(const pith_atom *a, const pith_atom *b);

/* Rules of more than 32 body atoms or 64 variables are never the same. */
bool pith_i_rule_same(const pith_rule *a, const pith_rule *b);

/* The same rules, in any order. */
bool pith_i_rules_same(pith_rule *const *a, size_t n, pith_rule *const *b,
                       size_t m);

#endif
