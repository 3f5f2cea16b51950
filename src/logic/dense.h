/* Evaluates a component whose rules are chains over binary predicates with
** bit matrices: compositions, copies and inverses of relations. The result
** stays in the relations as bits. */
#ifndef PITH_LOGIC_DENSE_H
#define PITH_LOGIC_DENSE_H

#include "logic/strata.h"

typedef struct {
  pith_pred head;
  uint32_t link_count;
  pith_i_link *links; /* (link_count) */
} pith_i_chain;

typedef struct {
  const pith_i_strata *program;
  const pith_i_chain *chains; /* (chain_count) */
  size_t chain_count;
  const pith_pred *heads; /* (head_count) predicates of the component */
  size_t head_count;
  pith_status (*poll)(void *ctx); /* now and then; not zero: stop */
  void *poll_ctx;
} pith_i_dense_spec;

/* How many constants the relations have, or limit + 1 if more than limit.
** Chains bring no others. SIZE_MAX: no memory. */
size_t pith_i_dense_constants(const pith_i_dense_spec *spec, size_t limit);

/* Adds to the relations of heads all that follows; sweeps gets how often the
** rows were gone over. A status of poll's: stopped, and what was found is
** there. PITH_ENOMEM: the relations are as before. */
pith_status pith_i_dense_run(const pith_i_dense_spec *spec, uint32_t *sweeps);

#endif
