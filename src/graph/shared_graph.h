/* One copy of a graph for all processes of a machine.
**
** Whoever comes first builds the graph, moves it into memory that has a name as
** long as its process lives, and tells the others the name. They map it; those
** who cannot, as they run on another machine, build their own. */
#ifndef PITH_GRAPH_SHARED_GRAPH_H
#define PITH_GRAPH_SHARED_GRAPH_H

#include "graph/graph.h"

/* As pith_i_graph_new, which it is for a process that is alone. All members of
** the store's team call it at the same point. */
pith_status pith_i_graph_obtain(const pith_i_store *store, size_t symbols,
                                size_t preds, const pith_i_graph_extra *extra,
                                pith_i_graph **out);

#endif
