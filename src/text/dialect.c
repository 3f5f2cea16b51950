#include "text/dialect.h"

#include <string.h>

static const char *skip_comment(const char *s) {
  if (*s == '%')
    return s + strcspn(s, "\n");
  const char *end = strstr(s + 2, "*/");
  return end == NULL ? s + strlen(s) : end + 2;
}

static bool starts_comment(const char *s) {
  return *s == '%' || (s[0] == '/' && s[1] == '*');
}

size_t pith_i_skip_layout(const char *text, size_t at) {
  const char *s = text + at;
  while (pith_i_is(*s, PITH_I_SPACE) || starts_comment(s))
    s = starts_comment(s) ? skip_comment(s) : s + 1;
  return (size_t)(s - text);
}

/* Behind the closing quote, or where the line ends without one. */
static const char *skip_quotes(const char *s) {
  char quote = *s++;
  while (*s != quote && *s != '\n' && *s != '\0')
    s += *s == '\\' && s[1] != '\0' ? 2 : 1;
  return *s == quote ? s + 1 : s;
}

size_t pith_i_clause_end(const char *text, size_t at) {
  const char *s = text + at;
  while (*s != '\0') {
    if (starts_comment(s))
      s = skip_comment(s);
    else if (*s == '\'' || *s == '"')
      s = skip_quotes(s);
    else if (*s == '.' &&
             (s[1] == '\0' || pith_i_is(s[1], PITH_I_SPACE) || s[1] == '%'))
      return (size_t)(s - text) + 1;
    else
      s++;
  }
  return (size_t)(s - text);
}

bool pith_i_starts_word(const char *s, const char *word) {
  size_t n = strlen(word);
  return strncmp(s, word, n) == 0 && !pith_i_is(s[n], PITH_I_ALNUM);
}
