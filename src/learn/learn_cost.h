/* What learning without templates will take, before it starts. */
#ifndef PITH_LEARN_LEARN_COST_H
#define PITH_LEARN_LEARN_COST_H

#include "fact/world.h"

void pith_i_learn_cost(const pith_i_world *worlds, size_t world_count,
                       pith_estimate *out);

#endif
