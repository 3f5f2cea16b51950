/* Facts and examples of a theory in a graph: its examples as pairs of
** entities, and the facts of another theory as held-out facts. */
#ifndef PITH_GRAPH_PAIRS_H
#define PITH_GRAPH_PAIRS_H

#include "graph/chain_model.h"
#include "graph/held_out.h"
#include "term/translate.h"

typedef PITH_I_VEC(pith_i_pair) pith_i_pairs;
typedef PITH_I_VEC(pith_sym) pith_i_symbols;

/* Facts with names of their own. */
typedef struct {
  const pith_i_theory *theory;
  const pith_i_store *store;
} pith_i_fact_source;

bool pith_i_is_binary(const pith_i_theory *theory, pith_pred q);

/* Adds the constants of the theory's binary examples; of one predicate, or
** PITH_NONE: of all. Each once, also of those that are there. PITH_ENOMEM */
pith_status pith_i_pairs_symbols(pith_i_theory *theory, pith_pred pred,
                                 pith_i_symbols *out);
/* The same for the constants of another theory's binary facts, under the names
** that they have or get in this theory; some may be added twice. PITH_ENOMEM */
pith_status pith_i_source_symbols(const pith_i_fact_source *from,
                                  pith_i_theory *theory, pith_i_symbols *out);

/* The examples of the target, those of one subject together; all their
** constants must be entities. PITH_ENOMEM */
pith_status pith_i_pairs_list(const pith_i_theory *theory,
                              const pith_i_graph *g, pith_pred target,
                              pith_i_pairs *out);

/* The entity that another theory's constant is here, or PITH_NONE. */
uint32_t pith_i_source_entity(const pith_i_theory *from,
                              const pith_i_theory *theory,
                              const pith_i_graph *g, pith_sym s);

/* Adds another theory's binary facts to out, as questions or as known only.
** counts may be NULL.
**   PITH_EARG  a constant is no entity of the graph; PITH_ENOMEM */
typedef struct {
  uint64_t facts, unknown; /* unknown: of relations that the graph lacks */
} pith_i_source_counts;
pith_status pith_i_source_held_out(const pith_i_fact_source *from,
                                   const pith_i_theory *theory,
                                   const pith_i_graph *g, bool asked,
                                   pith_i_held_out *out,
                                   pith_i_source_counts *counts);

#endif
