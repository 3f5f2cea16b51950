/* Facts by the column: what a data frame holds becomes rows of a relation.
**
** Rows are done by the block, as in text/bulk: the texts of a block are
** collected and hashed, the places of their names and then of the facts asked
** for ahead of use, so that the waits for memory overlap. Constants are added
** row by row, as if the facts had been read one after the other.
**
** Whole numbers of a narrow range, and the codes of a dictionary, are looked up
** in a table of what they became, so that most need no text at all; other
** values among those lately seen (fact/recent_values.h). */
#ifndef PITH_FACT_COLUMNS_H
#define PITH_FACT_COLUMNS_H

#include "fact/store.h"
#include "term/names.h"

typedef struct {
  pith_i_names *names;
  pith_i_relation *relation;
  const pith_column *columns; /* (relation's arity) */
  size_t rows;
  bool skip_missing;
} pith_i_columns_job;

/* As pith_fact_add_columns, whose arguments were checked. */
pith_status pith_i_columns_add(const pith_i_columns_job *job, pith_place *bad);

#endif
