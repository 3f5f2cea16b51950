/* Cells of a text with columns, as RFC 4180 has them: a cell in double quotes
** may hold the separator, line ends, and a quote written twice. Blanks around
** a cell are cut off. Cells point into the text but for those with a doubled
** quote, which are copied into the arena. */
#ifndef PITH_TEXT_CSV_H
#define PITH_TEXT_CSV_H

#include "base/vec.h"

typedef struct {
  const char *text;
  size_t n;
  size_t at; /* where it starts in the source */
  bool quoted;
} pith_i_cell;

typedef PITH_I_VEC(pith_i_cell) pith_i_cells;

typedef struct {
  const char *text; /* the whole source */
  size_t n, at;     /* at: where the next record starts */
  char separator;
  pith_i_arena *arena;
  size_t open_quote; /* of the last record: a quote without an end, or
                        SIZE_MAX */
} pith_i_csv;

/* Reads the next record that is not an empty line or a comment behind #.
** 1: cells hold it; 0: the text has ended; PITH_ENOMEM. */
int pith_i_csv_next(pith_i_csv *c, pith_i_cells *cells);

/* Cuts off blanks at the ends. */
void pith_i_cell_trim(pith_i_cell *cell);

/* Takes the quotes off a cell that is wholly quoted, "a ""b""": copied into the
** arena where quotes are doubled inside. Leaves any other as it is.
** PITH_ENOMEM. */
pith_status pith_i_cell_unquote(pith_i_arena *arena, pith_i_cell *cell);

/* The number that a cell holds, as it is kept, into out (72 bytes); its
** length, or 0 when it holds none. 12, -3, +4, 1.50, .5, 1e5 are numbers; 007
** is a name, as codes and telephone numbers are. */
size_t pith_i_cell_number(const char *text, size_t n, char *out);

/* The same, where integers are decimals, too: 7 is 7.0. */
size_t pith_i_cell_decimal(const char *text, size_t n, char *out);

/* Whether text is a date, or a date and time, as ISO 8601 has them. */
bool pith_i_is_date(const char *text, size_t n);

#endif
