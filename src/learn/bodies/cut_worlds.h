/* Small worlds cut out of large ones: a few constants that hang together, the
** facts about them alone, and the examples about them. What follows in a cut
** follows in the whole, so no right theory derives a negative example there;
** a positive one may have its proof outside. A theory found in a cut is judged
** on the whole, and where it is wrong the next ball is cut out. */
#ifndef PITH_LEARN_BODIES_CUT_WORLDS_H
#define PITH_LEARN_BODIES_CUT_WORLDS_H

#include "net/net.h"
#include "task/judge.h"

enum { PITH_I_MAX_BALLS = 10 };

typedef struct {
  pith_i_env *env;
  const pith_i_world *worlds;
  size_t world_count;
  uint32_t balls;
  uint32_t world_of[PITH_I_MAX_BALLS]; /* the first is of the first world */
  bool *in[PITH_I_MAX_BALLS];          /* (symbols of the world) */
  pith_i_theory theory[PITH_I_MAX_BALLS];
  pith_i_store store[PITH_I_MAX_BALLS];
  pith_i_world cut[PITH_I_MAX_BALLS];
} pith_i_cut_worlds;

void pith_i_cut_init(pith_i_cut_worlds *c, pith_i_env *env,
                     const pith_i_world *worlds, size_t world_count);
void pith_i_cut_free(pith_i_cut_worlds *c);

/* Adds a ball of `size` constants about an example of a world, or about a
** positive one that the seed chooses (example PITH_NONE; of several drawn, the
** one with the most examples about it). */
pith_status pith_i_cut_add(pith_i_cut_worlds *c, uint32_t world,
                           uint32_t example, uint32_t size, uint64_t seed);

/* Makes c->cut: (c->balls), with what the stores hold now. They borrow the
** names of the worlds: no predicate may be added while they are in use. */
pith_status pith_i_cut_make(pith_i_cut_worlds *c);

/* Names of all worlds that are no predicates': constants, if not exactly. */
size_t pith_i_constant_count(const pith_i_world *worlds, size_t n);

#endif
