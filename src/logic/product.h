/* One round of chain rules (form.h) by products of bit rows, where facts stay
** rows because their steps count: row x of H gets the union of row z of B2
** over all z in row x of B1, and so on along the chain. A join would visit
** every such z for every pair; where facts are dense that is far too often.
**
** The matrices mirror the rows that are in view, and are brought up to date
** at the start of a round. */
#ifndef PITH_LOGIC_PRODUCT_H
#define PITH_LOGIC_PRODUCT_H

#include "logic/dense.h"

typedef struct pith_i_product pith_i_product;

/* The constants of the chains' relations must be all there will be; they are
** looked up anew at each refresh. NULL: no memory. */
pith_i_product *pith_i_product_new(const pith_i_strata *program,
                                   const pith_i_chain *chains, size_t n);
void pith_i_product_free(pith_i_product *m);

/* Takes in the rows in view. PITH_STOPPED: there is a new constant, and the
** product is of no more use. */
pith_status pith_i_product_refresh(pith_i_product *m);

typedef struct {
  pith_status (*found)(void *ctx, pith_pred head, const pith_sym *pair);
  pith_status (*poll)(void *ctx); /* once a row */
  void *ctx;
} pith_i_product_hooks;

/* Calls found for each pair that the chain gives by at least one new fact and
** that is not in view. Ends when either returns other than zero, with that. */
pith_status pith_i_product_run(pith_i_product *m, const pith_i_chain *chain,
                               const pith_i_product_hooks *hooks);

#endif
