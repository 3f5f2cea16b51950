/* Description length, in bits: a fact costs the choice of its predicate and
** of a constant for each argument. A rule costs the choice of a predicate for
** each atom, and its shape: of a variable for each argument, and whether the
** body goes on; rules of one shape pay for it together. */
#ifndef PITH_COMPRESS_DESCRIPTION_LENGTH_H
#define PITH_COMPRESS_DESCRIPTION_LENGTH_H

#include "compress/observations.h"

double pith_i_fact_bits(const pith_i_observations *w, pith_pred pred);
double pith_i_rule_bits(const pith_i_observations *w, const pith_rule *rule);
double pith_i_shape_bits(const pith_rule *rule);
bool pith_i_same_shape(const pith_rule *a, const pith_rule *b);

/* A set of rules. */
double pith_i_rules_bits(const pith_i_observations *w, pith_rule *const *rules,
                         size_t n);

/* All of the observations, one by one. */
double pith_i_observed_bits(const pith_i_observations *w);

#endif
