#ifndef PITH_TEXT_TRIPLES_H
#define PITH_TEXT_TRIPLES_H

#include "text/csv.h"

/* 0, 12 or -3, but not 007. */
bool pith_i_is_integer(const char *text, size_t n);

/* Whether a field of a triple is a number: spelled as pith writes it, so 12 and
** 1.5, but not 007 or 1.50. */
bool pith_i_is_kept_number(const char *text, size_t n);

/* Whether cells are what people write above triples or edges: subject,
** relation, object; head, tail; and the like. */
bool pith_i_is_triple_header(const pith_i_cell *cells, size_t n);

#endif
