/* Rows with named columns, from a CSV file, a database or JSON, as facts.
**
** The column that names the rows is the key; every other cell is a fact
** column(key,value), or column(key) where the column holds yes and no. Without
** a key a row is one fact of the table's name. One column may be the label,
** whose cells become examples. Rows are gone over twice: what a column holds
** is known only at the end. */
#ifndef PITH_TEXT_RECORDS_H
#define PITH_TEXT_RECORDS_H

#include "text/csv.h"
#include "text/parser.h"

enum { PITH_I_ROW_GOES_ON = 2 };

/* A source of rows. next fills one cell for each column, those with n = 0 being
** empty, and returns 1; PITH_I_ROW_GOES_ON where a cell of the row before has
** further values; 0 at the end; or a status. */
typedef struct {
  const char *table; /* its name, NUL-ended */
  const char *key;   /* the column known to name the rows, or NULL */
  const pith_i_cell *columns;
  size_t column_count;
  bool transient; /* a row's texts live until the next one only */
  bool typed;     /* a quoted cell is text, whatever it looks like */
  pith_status (*rewind)(void *ctx);
  int (*next)(void *ctx, pith_i_cell *cells);
  void *ctx;
  const size_t *filled; /* NULL, or after next: the columns that may not be */
  size_t filled_count;  /* empty, where most are                           */
} pith_i_rows;

/* p: the parser of the file, for messages; its status tells of a failure.
** False after an error, which has been reported. */
bool pith_i_records_add(pith_i_parser *p, const pith_i_rows *rows);

#endif
