/* Strongly connected components of a directed graph in rows: the edges of
** node x go to targets[starts[x]] .. targets[starts[x + 1] - 1]. */
#ifndef PITH_BASE_SCC_H
#define PITH_BASE_SCC_H

#include "base/env.h"

/* Numbers the components so that edges lead from a component to itself or to
** one with a smaller number; component (n) gets each node's, count how many.
** PITH_ENOMEM only. */
pith_status pith_i_components(pith_i_env *env, size_t n, const size_t *starts,
                              const uint32_t *targets, uint32_t *component,
                              uint32_t *count);

/* Numbers the nodes in the order in which a depth-first search leaves them:
** where there is no cycle, a node comes after those that its edges lead to.
** order (n) gets each node's number. */
pith_status pith_i_postorder(pith_i_env *env, size_t n, const size_t *starts,
                             const uint32_t *targets, uint32_t *order);

#endif
