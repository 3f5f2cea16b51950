#include "text/single_type.h"

#include <assert.h>
#include <string.h>

#include "text/lexer.h"

/* A name or a variable of the constraint. */
typedef struct {
  const char *text;
  size_t n;
} word;

typedef struct {
  const char *at;
  word clause, variable, type;
} matcher;

static void skip_space(matcher *m) {
  while (pith_i_is(*m->at, PITH_I_SPACE) || *m->at == '%')
    if (*m->at == '%')
      m->at += strcspn(m->at, "\n");
    else
      m->at++;
}

static bool match_text(matcher *m, const char *text) {
  skip_space(m);
  size_t n = strlen(text);
  if (strncmp(m->at, text, n) != 0)
    return false;
  m->at += n;
  return true;
}

/* The next word; if one is expected, that one. */
static bool match_word(matcher *m, int first, word *out) {
  skip_space(m);
  size_t n = 0;
  while (pith_i_is(m->at[n], PITH_I_ALNUM))
    n++;
  bool known = out->text != NULL;
  if (n == 0 || !pith_i_is(*m->at, first) ||
      (known && (n != out->n || memcmp(out->text, m->at, n) != 0)))
    return false;
  *out = (word){m->at, n};
  m->at += n;
  return true;
}

static bool match_variable(matcher *m, word *out) {
  return match_word(m, PITH_I_UPPER, out);
}

static bool match_clause(matcher *m) {
  return match_text(m, "clause(") && match_variable(m, &m->clause) &&
         match_text(m, ")");
}

/* clause_var(C,V) says nothing new. */
static bool match_clause_var(matcher *m) {
  return match_text(m, "clause_var(") && match_variable(m, &m->clause) &&
         match_text(m, ",") && match_variable(m, &m->variable) &&
         match_text(m, ")") && match_text(m, ",");
}

static bool match_var_type(matcher *m) {
  return match_text(m, "var_type(") && match_variable(m, &m->clause) &&
         match_text(m, ",") && match_variable(m, &m->variable) &&
         match_text(m, ",") && match_word(m, PITH_I_LOWER, &m->type) &&
         match_text(m, ")");
}

static bool match_count(matcher *m) {
  if (!match_text(m, "#count") || !match_text(m, "{") ||
      !match_variable(m, &m->variable) || !match_text(m, ":"))
    return false;
  matcher before = *m;
  if (!match_clause_var(m))
    *m = before;
  return match_var_type(m) && match_text(m, "}") &&
         (match_text(m, "!=") || match_text(m, ">")) && match_text(m, "1");
}

static bool match_in_order(matcher *m, bool count_first) {
  bool (*first)(matcher *) = count_first ? match_count : match_clause;
  bool (*second)(matcher *) = count_first ? match_clause : match_count;
  return match_text(m, ":-") && first(m) && match_text(m, ",") && second(m) &&
         match_text(m, ".");
}

bool pith_i_match_single_type(const char *text, pith_i_single_type *out) {
  assert(text != NULL);
  for (int count_first = 0; count_first < 2; count_first++) {
    matcher m = {.at = text};
    if (!match_in_order(&m, count_first))
      continue;
    *out = (pith_i_single_type){m.type.text, m.type.n, (size_t)(m.at - text)};
    return true;
  }
  return false;
}
