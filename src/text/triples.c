/* Triples: subject TAB predicate TAB object, one a line. Nothing is quoted,
** so every text stands for itself; only what is written exactly as an integer
** would be is a number, and 007 or 1.50 stay the names that they are. */
#include <assert.h>
#include <string.h>

#include "text/bulk.h"
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
  pith_i_parser p;
  pith_i_bulk bulk;
} reader;

enum { SUBJECT, PREDICATE, OBJECT, COLUMNS };

/* Splits line[0..n) at its tabs; how many columns there are. */
static size_t split_columns(const char *line, size_t n, pith_i_span *fields) {
  size_t columns = 0;
  const char *end = line + n;
  for (;;) {
    const char *tab = memchr(line, '\t', (size_t)(end - line));
    const char *stop = tab == NULL ? end : tab;
    if (columns < COLUMNS) {
      fields[columns].text = line;
      fields[columns].n = (size_t)(stop - line);
    }
    columns++;
    if (tab == NULL)
      return columns;
    line = tab + 1;
  }
}

static bool check_columns(pith_i_parser *p, size_t at, size_t columns,
                          const pith_i_span *fields) {
  static const char *const what[] = {"subject", "predicate", "object"};
  if (columns != COLUMNS)
    return pith_i_lexer_error(&p->lex, at,
                              "%zu column%s; expected subject, predicate and "
                              "object with a tab between each; correct the "
                              "line",
                              columns, columns == 1 ? "" : "s");
  for (size_t i = 0; i < COLUMNS; i++)
    if (fields[i].n == 0)
      return pith_i_lexer_error(&p->lex, (size_t)(fields[i].text - p->lex.text),
                                "the %s is empty; expected a name; fill it "
                                "in, or remove the line",
                                what[i]);
  return true;
}

static bool use_triple_predicate(pith_i_parser *p, const pith_i_span *field,
                                 pith_pred *out) {
  pith_sym name;
  if (pith_i_sym_add(&p->in->theory->names, field->text, field->n, PITH_NAME,
                     &name) < 0)
    return pith_i_parser_no_memory(p);
  size_t at = (size_t)(field->text - p->lex.text);
  if (!pith_i_predicate_use(p, name, 2, at, out))
    return false;
  return !pith_i_is_builtin(*out) ||
         pith_i_lexer_error(&p->lex, at,
                            "%s cannot be defined; expected another predicate; "
                            "rename it",
                            pith_i_pred_text(&p->in->theory->names, *out));
}

static void set_kind(pith_i_span *field) {
  assert(field->n > 0);
  bool number = pith_i_is_integer(field->text, field->n);
  field->kind = number ? PITH_NUMBER : PITH_NAME;
}

static bool read_triple(reader *r, const char *line, size_t n) {
  pith_i_parser *p = &r->p;
  pith_i_span f[COLUMNS];
  size_t columns = split_columns(line, n, f);
  pith_pred pred;
  if (!check_columns(p, (size_t)(line - p->lex.text), columns, f) ||
      !use_triple_predicate(p, &f[PREDICATE], &pred))
    return false;
  pith_i_span args[2] = {f[SUBJECT], f[OBJECT]};
  set_kind(&args[0]);
  set_kind(&args[1]);
  pith_status rc = pith_i_bulk_add(&r->bulk, pred, args, 2);
  if (rc < 0)
    p->lex.status = rc;
  return rc >= 0;
}

static bool read_triple_lines(reader *r) {
  const pith_i_lines *lines = r->p.in->lines;
  const char *line = lines->text, *end = line + lines->n;
  bool any = false;
  while (line < end && r->p.lex.status >= 0) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL)
      stop = end;
    size_t n = (size_t)(stop - line);
    n -= n > 0 && line[n - 1] == '\r';
    if (n > 0) {
      any = true;
      read_triple(r, line, n);
    }
    line = stop + 1;
  }
  return any;
}

pith_status pith_i_read_triples(const pith_i_input *in) {
  reader r = {.bulk.in = in};
  size_t errors = in->remarks->errors;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  if (!read_triple_lines(&r))
    pith_i_parser_empty(&r.p, "lines of subject, predicate and object");
  if (r.p.lex.status >= 0)
    r.p.lex.status = pith_i_bulk_flush(&r.bulk);
  return pith_i_parser_end(&r.p, errors);
}
