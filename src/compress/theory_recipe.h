/* How theories are trained: what the options ask for, as a recipe. */
#ifndef PITH_COMPRESS_THEORY_RECIPE_H
#define PITH_COMPRESS_THEORY_RECIPE_H

#include "term/theory.h"
#include "train/descent.h"

/* Whether the templates' theory has invented predicates of at least this
** arity. */
bool pith_i_templates_invent(const pith_i_theory *t, uint32_t arity);

/* The settings that the options ask for. In the paper's semantics those of the
** authors' script for theories that invent predicates, or of the one for those
** that do not. */
pith_i_recipe pith_i_theory_recipe(const pith_compress_options *opt,
                                   const pith_i_theory *theory);

#endif
