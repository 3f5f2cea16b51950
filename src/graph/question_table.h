/* Questions whose answers are known, as a table to fit to: a row for each
** candidate of each question, and for each chain the rows it speaks for.
** Candidates that nothing speaks for are one row together, with their number
** as its weight. */
#ifndef PITH_GRAPH_QUESTION_TABLE_H
#define PITH_GRAPH_QUESTION_TABLE_H

#include "graph/chain_walk.h"

typedef struct {
  uint32_t chain, row;
  uint32_t count, total; /* as in pith_i_chain_end */
} pith_i_table_cell;

typedef struct {
  pith_i_env *env;
  PITH_I_VEC(double) target; /* (rows) 1: true                              */
  PITH_I_VEC(double) weight; /* (rows)                                      */
  PITH_I_VEC(pith_i_table_cell) cells;
  uint32_t questions;
  uint32_t chains; /* when sealed */
  size_t *first;   /* (chains + 2) sealed: where a chain's cells begin       */
  uint32_t *place; /* (entities) scratch: row + 2; 1: not asked about        */
} pith_i_question_table;

/* What is known of a candidate. */
typedef enum { PITH_I_FALSE, PITH_I_TRUE, PITH_I_UNASKED } pith_i_known;
typedef struct {
  uint32_t entity;
  pith_i_known known;
} pith_i_known_answer;

pith_status pith_i_question_table_init(pith_i_question_table *s,
                                       const pith_i_graph *g);
void pith_i_question_table_free(pith_i_question_table *s);

/* Adds the question whose walk was just walked. answers: each entity once.
** candidates: how many there are, those not in answers being false; 0: the
** answers are all that is asked. A question that nothing speaks to is left
** out. PITH_ENOMEM */
pith_status pith_i_question_table_add(pith_i_question_table *s,
                                      const pith_i_chain_walk *e,
                                      const pith_i_known_answer *answers,
                                      size_t n, uint32_t candidates);

/* Puts the cells in order of their chains. PITH_ENOMEM */
pith_status pith_i_question_table_seal(pith_i_question_table *s,
                                       uint32_t chains);

#endif
