/* Learning without templates: one space of theories after the other, from
** small ones to large, until one holds a theory that fits. */
#ifndef PITH_LEARN_BODIES_BODY_SPACES_H
#define PITH_LEARN_BODIES_BODY_SPACES_H

#include "learn/bodies/body_space.h"
#include "task/judge.h"
#include "train/restarts.h"

/* What the user or bias.pl allow; 0: as the spaces have it. */
typedef struct {
  uint32_t max_rules, max_body, max_vars, max_invented;
  bool recursion, invention;
  bool only_invented; /* spaces in which something is invented */
  double work;        /* about ten nanoseconds each            */
} pith_i_limits;

/* What bias.pl of the first world says. A bias that does not enable recursion
** or invention forbids it; no bias at all forbids nothing. */
pith_i_limits pith_i_limits_of(const pith_i_theory *theory);

/* The i-th space within the limits; false: there are no more. */
bool pith_i_theory_space_at(const pith_i_limits *limits, uint32_t i,
                            pith_i_theory_space *out);

/* A space that was looked through. */
typedef struct {
  pith_space space;
  const pith_i_net *net;
  const pith_i_shelf *shelf;
  uint32_t first_restart; /* what the shelf calls restart 0 */
} pith_i_looked;

/* PITH_STOPPED: that is enough. */
typedef pith_status (*pith_i_look)(void *ctx, const pith_i_looked *at);

/* Trains in each space, a group of restarts at a time, and goes through the
** spaces again with the next group until opt's restarts are done. Spaces that
** are too large for a budget of work are passed over; *info says how many.
** With opt->each every restart is trained in every space, once. */
typedef struct {
  uint32_t looked, passed_over;
  pith_i_learn_info learn;
} pith_i_spaces_info;

pith_status pith_i_spaces_learn(pith_i_env *env, const pith_i_world *worlds,
                                size_t world_count, const pith_i_limits *limits,
                                const pith_i_recipe *recipe,
                                const pith_learn_options *opt, pith_i_run *run,
                                pith_i_look look, void *ctx,
                                pith_i_spaces_info *info);

#endif
