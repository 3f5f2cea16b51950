#ifndef PITH_TEXT_TRIPLES_H
#define PITH_TEXT_TRIPLES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a field of a triple is a number: 0, 12 or -3, but not 007. */
bool pith_i_is_integer(const char *text, size_t n);

#endif
