/* The facts of a handle as a graph, and its examples as pairs of entities. */
#ifndef PITH_API_PAIRS_H
#define PITH_API_PAIRS_H

#include "api/handle.h"
#include "graph/chain_model.h"

typedef PITH_I_VEC(pith_i_pair) pith_i_pairs;
typedef PITH_I_VEC(pith_sym) pith_i_symbols;

bool pith_i_is_binary(const pith *p, pith_pred q);

/* extra: symbols that are entities too; those of the target's examples are
** added. *out is set also on failure, to be freed.
**   PITH_EINPUT  the target has no facts; PITH_ENOMEM */
pith_status pith_i_pairs_graph(pith *p, pith_pred target, pith_i_symbols *extra,
                               pith_i_graph **out);

/* The examples of the target, those of one subject together. PITH_ENOMEM */
pith_status pith_i_pairs_list(pith *p, const pith_i_graph *g, pith_pred target,
                              pith_i_pairs *out);

#endif
