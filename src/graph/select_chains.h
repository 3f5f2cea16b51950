/* Which chains to take, and with what weights: the chain that helps most, then
** the one that helps most beside it, and so on. */
#ifndef PITH_GRAPH_SELECT_CHAINS_H
#define PITH_GRAPH_SELECT_CHAINS_H

#include "graph/chain_model.h"
#include "graph/question_table.h"

typedef struct {
  uint32_t rules;
  uint32_t chain[PITH_I_CHAIN_RULES];
  double weight[PITH_I_CHAIN_RULES + 1]; /* then the bias */
  double loss;                           /* on the table chosen by   */
} pith_i_selection;

/* Grows a selection on the sealed table `fit`, whose questions count as
** `scale` each, and leaves in best what has the least loss on `choice`, if that
** is clearly less than what is there. PITH_ENOMEM */
pith_status pith_i_select(const pith_i_chain_walk *e,
                          const pith_i_question_table *fit, double scale,
                          const pith_i_question_table *choice,
                          pith_i_grade_kind kind, uint32_t most,
                          pith_i_selection *best, bool *better);

#endif
