/* Description lengths, in bits: what it takes to tell somebody a theory who
** knows only the names that occur in it.
**
** A fact costs the choice of its predicate and of a constant for each argument.
** A rule costs the choice of a predicate for each atom and of a value for each
** constant, and its shape: for each argument the choice of a variable (or that
** it is a constant), and for each atom whether the body goes on, whether it is
** negated, which built-in predicate it has. Rules of one shape pay for it once,
** together.
**
** The searches of src/learn count their own languages instead (what else could
** have stood here?), so they share only the smallest pieces. */
#ifndef PITH_SCORE_LENGTH_H
#define PITH_SCORE_LENGTH_H

#include "term/theory.h"

/* Of an atom, where nobody counted the choices that led to it. */
enum { PITH_I_ATOM_BITS = 4 };

/* To choose one of n. */
double pith_i_choice_bits(double n);

/* To name the wrong ones among all, both by weight. */
double pith_i_error_bits(double wrong, double all);

/* How many names there are to choose from. */
typedef struct {
  size_t preds, constants;
} pith_i_vocabulary_size;

double pith_i_fact_bits(pith_i_vocabulary_size v, uint32_t arity);

/* A rule without its shape; a shape; a set of rules with their shapes. */
double pith_i_rule_bits(pith_i_vocabulary_size v, const pith_rule *rule);
double pith_i_shape_bits(const pith_rule *rule);
double pith_i_rules_bits(pith_i_vocabulary_size v, pith_rule *const *rules,
                         size_t n);

/* Bits by which rules can tell examples one by one: each atom is a choice; of
** several rules so is each constant and each negation. */
double pith_i_choices_bits(pith_rule *const *rules, size_t n);

/* Whether they differ only in predicates and in the values of constants. */
bool pith_i_same_shape(const pith_rule *a, const pith_rule *b);

#endif
