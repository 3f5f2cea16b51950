/* What the cells of a column are: numbers, yes and no, or names.
**
** One cell that is not a number makes the whole column one of names, so that
** codes such as 007 stay as they are. That is often not what the writer of the
** table meant: a column is then never compared, and rules name its values one
** by one. So we also count what looks like numbers and dates, for a warning. */
#ifndef PITH_TEXT_COLUMN_KIND_H
#define PITH_TEXT_COLUMN_KIND_H

#include "text/csv.h"
#include "text/remark.h"

/* What all cells of a column may still be; flags. */
enum {
  PITH_I_CELL_INTEGER = 1,
  PITH_I_CELL_DECIMAL = 2, /* or an integer */
  PITH_I_CELL_TRUTH = 4,   /* yes, no, true, false */
  PITH_I_CELL_BIT = 8,     /* or t, f, y, n, 1, 0  */
  PITH_I_CELL_ANY = 15
};

enum { PITH_I_CELL_NUMBER_ROOM = 80 };

typedef struct {
  unsigned may_be; /* PITH_I_CELL_ANY at first */
  size_t filled;
  size_t numbers; /* cells that are, or stand for a missing one */
  size_t odd_numbers, odd_dates; /* 1,200 or 12%; 14/06/2024                  */
  size_t times, odd_times;       /* 09:15; 9:15 of these                      */
  size_t odd_at;    /* the first cell that is not a number        */
  pith_i_short odd; /* empty: every one is                        */
} pith_i_column_kind;

/* Takes account of one more cell that is not empty. typed: a cell in quotes is
** text, whatever it looks like. */
void pith_i_column_look(pith_i_column_kind *k, const pith_i_cell *cell,
                        bool typed);

bool pith_i_column_is_number(const pith_i_column_kind *k);
bool pith_i_column_is_truth(const pith_i_column_kind *k);

/* Whether a cell says nothing: it is empty, or one of the words that programs
** write for a missing value, in a column that holds something else. */
bool pith_i_column_is_empty(const pith_i_column_kind *k,
                            const pith_i_cell *cell);

/* yes, true, t, y or 1. */
bool pith_i_cell_is_true(const pith_i_cell *cell);

/* Why the cell odd, at odd_at, is likely not meant as a name; or NULL. */
const char *pith_i_column_doubt(const pith_i_column_kind *k);

#endif
