/* Triples: subject TAB predicate TAB object, one a line. Nothing is quoted,
** so every text stands for itself; only what is written exactly as an integer
** would be is a number, and 007 or 1.50 stay the names that they are. */
#include <string.h>

#include "text/parser.h"
#include "text/triples.h"

bool pith_i_is_integer(const char *text, size_t n) {
  size_t sign = n > 0 && text[0] == '-' ? 1 : 0;
  if (n == sign || (text[sign] == '0' && (n > 1)))
    return false;
  for (size_t i = sign; i < n; i++)
    if (text[i] < '0' || text[i] > '9')
      return false;
  return true;
}

typedef struct {
  const char *at[3]; /* subject, predicate, object */
  size_t n[3];
} fields;

/* Splits line[0..n) at its tabs; how many columns there are. */
static size_t split(const char *line, size_t n, fields *f) {
  size_t columns = 0;
  const char *end = line + n;
  for (;;) {
    const char *tab = memchr(line, '\t', (size_t)(end - line));
    const char *stop = tab == NULL ? end : tab;
    if (columns < 3) {
      f->at[columns] = line;
      f->n[columns] = (size_t)(stop - line);
    }
    columns++;
    if (tab == NULL)
      return columns;
    line = tab + 1;
  }
}

static bool check(pith_i_parser *p, size_t at, size_t columns,
                  const fields *f) {
  static const char *const what[] = {"subject", "predicate", "object"};
  if (columns != 3)
    return pith_i_lexer_error(&p->lex, at,
                              "%zu column%s; expected subject, predicate and "
                              "object with a tab between each; correct the "
                              "line",
                              columns, columns == 1 ? "" : "s");
  for (size_t i = 0; i < 3; i++)
    if (f->n[i] == 0)
      return pith_i_lexer_error(&p->lex, (size_t)(f->at[i] - p->lex.text),
                                "the %s is empty; expected a name; fill it "
                                "in, or remove the line",
                                what[i]);
  return true;
}

static bool constant(pith_i_parser *p, const char *text, size_t n,
                     pith_sym *out) {
  pith_sym_kind kind = pith_i_is_integer(text, n) ? PITH_NUMBER : PITH_NAME;
  return pith_i_sym_add(&p->in->theory->names, text, n, kind, out) >= 0 ||
         pith_i_parser_no_memory(p);
}

static bool predicate(pith_i_parser *p, const char *text, size_t n,
                      pith_pred *out) {
  pith_sym name;
  if (pith_i_sym_add(&p->in->theory->names, text, n, PITH_NAME, &name) < 0)
    return pith_i_parser_no_memory(p);
  size_t at = (size_t)(text - p->lex.text);
  if (!pith_i_predicate_use(p, name, 2, at, out))
    return false;
  return (*out != PITH_EQUAL && *out != PITH_DIFFERENT) ||
         pith_i_lexer_error(&p->lex, at,
                            "= and \\= cannot be defined; expected another "
                            "predicate; rename it");
}

static bool triple(pith_i_parser *p, const char *line, size_t n) {
  fields f;
  size_t columns = split(line, n, &f);
  pith_pred pred;
  pith_sym args[2];
  if (!check(p, (size_t)(line - p->lex.text), columns, &f) ||
      !predicate(p, f.at[1], f.n[1], &pred) ||
      !constant(p, f.at[0], f.n[0], &args[0]) ||
      !constant(p, f.at[2], f.n[2], &args[1]))
    return false;
  pith_status rc = p->in->fact(p->in->fact_ctx, pred, 2, args);
  if (rc < 0)
    p->lex.status = rc;
  return rc >= 0;
}

pith_status pith_i_read_triples(const pith_i_input *in) {
  pith_i_parser p;
  size_t errors = in->remarks->errors;
  bool any = false;
  if (pith_i_parser_init(&p, in) < 0)
    return PITH_ENOMEM;
  const char *line = in->lines->text, *end = line + in->lines->n;
  while (line < end && p.lex.status >= 0) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL)
      stop = end;
    size_t n = (size_t)(stop - line);
    n -= n > 0 && line[n - 1] == '\r';
    if (n > 0) {
      any = true;
      triple(&p, line, n);
    }
    line = stop + 1;
  }
  if (!any)
    pith_i_parser_empty(&p, "lines of subject, predicate and object");
  return pith_i_parser_end(&p, errors);
}
