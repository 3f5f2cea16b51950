/* Which spaces of theories are trained in, in which order: from small ones to
** large. */
#ifndef PITH_LEARN_BODIES_SPACE_TABLE_H
#define PITH_LEARN_BODIES_SPACE_TABLE_H

#include "learn/bodies/body_space.h"
#include "task/bounds.h"

/* The i-th space within the bounds; false: there are no more. only_invented:
** spaces in which something is invented. */
bool pith_i_theory_space_at(const pith_i_bounds *bounds, bool only_invented,
                            uint32_t i, pith_i_theory_space *out);

#endif
