/* The closed world: what is not listed is false. Negative examples for
** predicates that have positive ones only. */
#ifndef PITH_TASK_CLOSED_WORLD_H
#define PITH_TASK_CLOSED_WORLD_H

#include "fact/world.h"

/* Adds atoms over the constants that could stand in the places of each such
** predicate: those of columns that share a constant with its examples. All of
** them, or, where there are more than most, so many: drawn by the seed, every
** other one with all arguments but one of a positive example. *added: how
** many. */
pith_status pith_i_close_world(const pith_i_world *world, size_t most,
                               uint64_t seed, size_t *added);

#endif
