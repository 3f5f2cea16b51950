/* What a text is, by how it starts. Certain is what no other format starts
** with; the rest is a guess that a file's name overrides. */
#ifndef PITH_TEXT_SNIFF_H
#define PITH_TEXT_SNIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "pith.h"

typedef struct {
  pith_format format; /* PITH_AUTO: none that is known      */
  bool certain;
  const char *title;  /* what it looks like, or NULL        */
  const char *advice; /* for what pith does not read at all */
} pith_i_look;

/* text[0..n) is valid UTF-8 without a byte order mark. */
pith_i_look pith_i_sniff_text(const char *text, size_t n);

/* Whether the first lines are columns and cannot be clauses, JSON or RDF: no
** bracket, no arrow, no full stop. */
bool pith_i_is_bare_columns(const char *text, size_t n);

/* Whether the first line can be a rule of AMIE's, whatever it begins with. */
bool pith_i_starts_with_arrow(const char *text, size_t n);

/* Known kinds of files that are no UTF-8 text, by their first bytes. */
pith_i_look pith_i_sniff_bytes(const char *bytes, size_t n);

/* Of lines with columns: the character between them (tab, comma, semicolon or
** bar), or 0 where there is none. Quotes hide what is inside. */
char pith_i_sniff_separator(const char *text, size_t n);

/* How many columns the line text[0..n) has; quotes as above. */
size_t pith_i_count_columns(const char *text, size_t n, char separator);

#endif
