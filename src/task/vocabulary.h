/* Which words rules may use, as bias.pl and the worlds decide it: predicates
** in bodies, targets, the types of places, constants. Predicates and constants
** are those of the first world, whose names have every predicate of the
** others. */
#ifndef PITH_TASK_VOCABULARY_H
#define PITH_TASK_VOCABULARY_H

#include "base/tuples.h"
#include "fact/world.h"

typedef PITH_I_VEC(pith_pred) pith_i_preds;

/* Whether bias.pl lists the predicates that bodies may have. */
bool pith_i_bias_names_bodies(const pith_i_names *names);

/* Whether bodies may have the predicate; builtins do not count. listed: what
** pith_i_bias_names_bodies says. */
bool pith_i_may_be_in_bodies(const pith_i_names *names, pith_pred pred,
                             bool listed);

/* The predicate of the first world in world w, or PITH_NONE. */
pith_pred pith_i_pred_in_world(const pith_i_world *worlds, size_t w,
                               pith_pred pred);
/* The constant of the first world in world w, or PITH_NONE. */
pith_sym pith_i_sym_in_world(const pith_i_world *worlds, size_t w,
                             pith_sym sym);

/* The predicates that have examples in some world, in the order in which they
** come. The caller frees the list also after failure. */
pith_status pith_i_list_targets(pith_i_env *env, const pith_i_world *worlds,
                                size_t world_count, pith_i_preds *out);

/* Whether some world has a positive example of the predicate, or any. */
bool pith_i_has_examples(const pith_i_world *worlds, size_t world_count,
                         pith_pred pred, bool positive_only);

/* The type that bias.pl gives a place, or PITH_NONE; pred may be PITH_NONE. */
pith_sym pith_i_place_type(const pith_i_names *names, pith_pred pred,
                           uint32_t place);

/* Whether bias.pl lets a place of this type hold the constant: any, where it
** lists none. */
bool pith_i_may_name_constant(const pith_i_theory *theory, pith_sym constant,
                              pith_sym type);

/* The place of the predicate that alone has this type, or PITH_NONE. */
uint32_t pith_i_single_place(const pith_i_names *names, pith_pred pred,
                             pith_sym type);

/* Whether the rule has no variable of a type besides the head's, where bias.pl
** wants one of it in each rule. */
bool pith_i_keeps_single_types(const pith_i_theory *theory,
                               const pith_rule *rule);

#endif
