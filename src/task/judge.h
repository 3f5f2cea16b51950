/* The exact engine as the judge of what was learned: rules are added to each
** world, everything that follows is derived, and the examples are compared.
** Nothing is called solved that was not judged here. */
#ifndef PITH_TASK_JUDGE_H
#define PITH_TASK_JUDGE_H

#include "fact/world.h"
#include "term/translate.h"

typedef struct {
  uint32_t fp, fn; /* wrong examples, by sign */
} pith_i_errors;

/* rules: (n), with the predicates of worlds[0]. */
pith_status pith_i_judge(const pith_i_world *worlds, size_t world_count,
                         pith_rule *const *rules, size_t n,
                         pith_i_errors *errors);

/* One of the examples that do not fit, drawn by the seed; and, where there is
** room for it, which of all examples hold. */
typedef struct {
  uint64_t seed;
  uint32_t world, example; /* unchanged where all fit */
  bool *holds;             /* (examples of all worlds, in order) or NULL */
  size_t seen;             /* of them; fewer where the rules were refused */
} pith_i_pick;

/* pick may be NULL. */
pith_status pith_i_judge_pick(const pith_i_world *worlds, size_t world_count,
                              pith_rule *const *rules, size_t n,
                              pith_i_errors *errors, pith_i_pick *pick);

/* The body without its i-th atom, and with it again. */
pith_atom pith_i_body_take(pith_rule *rule, uint32_t i);
void pith_i_body_put(pith_rule *rule, uint32_t i, pith_atom atom);

/* Leaves out body atoms of rules that fit all examples and makes two of them
** one, while they still do and stay safe. The rules are changed in place. */
pith_status pith_i_judge_simplify(const pith_i_world *worlds,
                                  size_t world_count, pith_rule **rules,
                                  size_t n);

#endif
