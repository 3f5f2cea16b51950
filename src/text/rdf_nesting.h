/* How deep brackets are nested in Turtle and TriG. serd calls itself for each
** bracket, so that a text that opens a million of them would run it out of its
** stack; it gets none beyond a depth that nobody writes. */
#ifndef PITH_TEXT_RDF_NESTING_H
#define PITH_TEXT_RDF_NESTING_H

#include <stddef.h>

enum { PITH_I_RDF_DEEPEST = 256 };

/* A walk through text[at..n), which starts where serd starts. */
typedef struct {
  const char *text;
  size_t n, at;
  unsigned depth;
} pith_i_rdf_nesting;

/* Walks on until `upto` is behind it. The bracket that is one too many, or
** SIZE_MAX. */
size_t pith_i_rdf_too_deep(pith_i_rdf_nesting *walk, size_t upto);

#endif
