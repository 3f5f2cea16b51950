/* Description length, in bits: a fact costs the choice of its predicate and
** of a constant for each argument; a rule the choice of a predicate for each
** atom (or of the end of the body), and of a variable for each argument. */
#ifndef PITH_COMPRESS_LENGTH_H
#define PITH_COMPRESS_LENGTH_H

#include "compress/scene.h"

double pith_i_fact_bits(const pith_i_scene *w, pith_pred pred);
double pith_i_rule_bits(const pith_i_scene *w, const pith_rule *rule);

/* All of the observations, one by one. */
double pith_i_observed_bits(const pith_i_scene *w);

#endif
