#include "text/rdf.h"

#include <ctype.h>
#include <string.h>

#include "text/csv.h"

bool pith_i_is_iri(const char *text, size_t n) {
  size_t i = 0;
  if (n == 0 || !isalpha((unsigned char)text[0]))
    return false;
  while (i < n && (isalnum((unsigned char)text[i]) || text[i] == '+' ||
                   text[i] == '-' || text[i] == '.'))
    i++;
  if (i + 1 >= n || text[i] != ':')
    return false;
  for (; i < n; i++)
    if ((unsigned char)text[i] <= ' ' || strchr("<>\"{}|^`\\", text[i]))
      return false;
  return true;
}

static bool is_word(const char *text, size_t n, const char *word) {
  return n == strlen(word) && memcmp(text, word, n) == 0;
}

bool pith_i_string_needs_quotes(const char *text, size_t n) {
  return n == 0 || text[0] == '"' || pith_i_is_iri(text, n) ||
         pith_i_is_date(text, n) || is_word(text, n, "true") ||
         is_word(text, n, "false") || (n > 1 && memcmp(text, "_:", 2) == 0);
}
