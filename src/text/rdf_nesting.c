/* What stands in strings, IRIs and comments is no bracket. Where the walk takes
** something for a string that is none, serd has met an error before, and reads
** no further. */
#include "text/rdf_nesting.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Behind the next `end`, or the end of the text. */
static void skip_until(pith_i_rdf_nesting *w, char end) {
  const char *stop = memchr(w->text + w->at, end, w->n - w->at);
  w->at = stop == NULL ? w->n : (size_t)(stop - w->text) + 1;
}

static size_t count_quotes(const pith_i_rdf_nesting *w, char quote) {
  size_t n = 0;
  while (n < 3 && w->at + n < w->n && w->text[w->at + n] == quote)
    n++;
  return n;
}

/* From its first quote on: one or three of them end it. */
static void skip_string(pith_i_rdf_nesting *w) {
  char quote = w->text[w->at];
  size_t opened = count_quotes(w, quote);
  w->at += opened;
  if (opened == 2) /* an empty string */
    return;
  for (; w->at < w->n; w->at++) {
    if (w->text[w->at] == '\\')
      w->at++;
    else if (count_quotes(w, quote) >= opened) {
      w->at += opened;
      return;
    }
  }
  w->at = w->n;
}

static void skip_token(pith_i_rdf_nesting *w) {
  switch (w->text[w->at]) {
  case '"':
  case '\'':
    skip_string(w);
    return;
  case '<':
    skip_until(w, '>');
    return;
  case '#':
    skip_until(w, '\n');
    return;
  case '\\': /* in a name */
    w->at += 2;
    break;
  default:
    w->at++;
  }
  w->at = w->at < w->n ? w->at : w->n;
}

size_t pith_i_rdf_too_deep(pith_i_rdf_nesting *w, size_t upto) {
  assert(upto <= w->n);
  while (w->at < upto) {
    char c = w->text[w->at];
    if (c == '(' || c == '[') {
      if (w->depth == PITH_I_RDF_DEEPEST)
        return w->at;
      w->depth++;
    } else if ((c == ')' || c == ']') && w->depth > 0) {
      w->depth--;
    }
    skip_token(w);
  }
  return SIZE_MAX;
}
