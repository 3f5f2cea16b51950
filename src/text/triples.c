/* Triples: subject, predicate and object, one triple a line, with a tab between
** each; with a comma, semicolon or bar where there is no tab, or else with
** blanks. Lines of two columns are facts of one relation. A fourth column, a
** weight or a time, is no part of the fact and is kept as one of its own.
**
** Between tabs every text stands for itself, but for blanks at its ends and
** quotes around all of it: names of graphs are full of stray quotes. Only what
** is written exactly as pith writes a number is one, and 007 or 1.50 stay the
** names that they are. */
#include "text/triples.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "term/number.h"
#include "text/bulk.h"
#include "text/csv.h"
#include "text/formats.h"
#include "text/sniff.h"

bool pith_i_is_integer(const char *text, size_t n) {
  size_t sign = n > 0 && text[0] == '-' ? 1 : 0;
  if (n == sign || (text[sign] == '0' && (n > 1)))
    return false;
  for (size_t i = sign; i < n; i++)
    if (text[i] < '0' || text[i] > '9')
      return false;
  return true;
}

bool pith_i_is_kept_number(const char *text, size_t n) {
  enum { LONGEST = 80 };
  char normal[LONGEST + PITH_I_NUMBER_ROOM];
  if (n == 0 || text[0] > '9' || n > LONGEST)
    return pith_i_is_integer(text, n);
  return pith_i_is_integer(text, n) ||
         (pith_i_number_normal(text, n, normal) == n &&
          memcmp(normal, text, n) == 0);
}

enum { SUBJECT, PREDICATE, OBJECT, EXTRA, MOST_COLUMNS };

typedef struct {
  pith_i_parser p;
  pith_i_bulk bulk;
  pith_i_arena arena; /* cells whose quotes were taken off */
  char separator;     /* ' ': blanks */
  size_t columns;     /* of every line; 0 until the first */
  pith_pred relation; /* of lines with two columns */
  const char *extra;  /* what the fourth column is called; NULL: not yet */
  PITH_I_VEC(pith_pred) extras; /* by predicate: that of its fourth column */
  size_t lines;
} reader;

/* ---- header ----------------------------------------------------------- */

static bool is_one_of(const pith_i_cell *cell, const char *words) {
  for (const char *w = words; *w != '\0';) {
    size_t n = strcspn(w, " ");
    if (cell->n == n && strncasecmp(w, cell->text, n) == 0)
      return true;
    w += n + strspn(w + n, " ");
  }
  return false;
}

static const char subjects[] =
    "subject subj head source from s h src start node1 entity1";
static const char predicates[] =
    "predicate pred relation rel label p r property edge type";
static const char objects[] =
    "object obj tail target to o t dst end node2 entity2";

bool pith_i_is_triple_header(const pith_i_cell *cells, size_t n) {
  if (n == 2)
    return is_one_of(&cells[0], subjects) && is_one_of(&cells[1], objects);
  return (n == 3 || n == 4) && is_one_of(&cells[SUBJECT], subjects) &&
         is_one_of(&cells[PREDICATE], predicates) &&
         is_one_of(&cells[OBJECT], objects);
}

/* Whether the first line is a header, and is to be skipped. */
static bool take_header(reader *r, const pith_i_cell *cells, size_t n) {
  const pith_i_input *in = r->p.in;
  pith_header wanted = in->opt->header;
  bool known = pith_i_is_triple_header(cells, n);
  if (wanted == PITH_HEADER_NO || (wanted == PITH_HEADER_AUTO && !known))
    return false;
  if (n == MOST_COLUMNS)
    r->extra = pith_i_arena_text(&r->arena, cells[EXTRA].text, cells[EXTRA].n);
  bool own = n == 3 && is_one_of(&cells[SUBJECT], "subject") &&
             is_one_of(&cells[PREDICATE], "predicate") &&
             is_one_of(&cells[OBJECT], "object"); /* as we write it */
  if (wanted == PITH_HEADER_AUTO && !own &&
      pith_i_remark_add(in->remarks, PITH_I_WARNING, in->lines, cells[0].at,
                        "a header line; expected a fact; it is skipped: "
                        "--no-header reads it as a fact") < 0)
    pith_i_parser_no_memory(&r->p);
  return true;
}

/* ---- columns ---------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Splits line[0..n) at its tabs, or at its blanks; how many cells there are,
** of which the first four are kept. */
static size_t split_line(const reader *r, const char *line, size_t n,
                         pith_i_cell *cells) {
  const char *end = line + n;
  size_t count = 0;
  for (;;) {
    const char *stop;
    if (r->separator == '\t') {
      stop = memchr(line, '\t', (size_t)(end - line));
      stop = stop == NULL ? end : stop;
    } else {
      while (line < end && is_blank(*line))
        line++;
      for (stop = line; stop < end && !is_blank(*stop);)
        stop++;
      if (line == end && count > 0)
        return count;
    }
    if (count < MOST_COLUMNS)
      cells[count] = (pith_i_cell){line, (size_t)(stop - line),
                                   (size_t)(line - r->p.lex.text), false};
    count++;
    if (stop == end)
      return count;
    line = stop + 1;
  }
}

/* Blanks and quotes off. Most cells have neither. */
static bool clean_cells(reader *r, pith_i_cell *cells, size_t n) {
  for (size_t i = 0; i < n && i < MOST_COLUMNS; i++) {
    pith_i_cell *c = &cells[i];
    if (c->n > 0 && ((unsigned char)c->text[0] <= ' ' ||
                     (unsigned char)c->text[c->n - 1] <= ' '))
      pith_i_cell_trim(c);
    if (c->n > 1 && c->text[0] == '"' && pith_i_cell_unquote(&r->arena, c) < 0)
      return pith_i_parser_no_memory(&r->p);
  }
  return true;
}

static bool check_columns(reader *r, size_t at, size_t columns,
                          const pith_i_cell *cells) {
  static const char *const what[] = {"subject", "predicate", "object",
                                     "fourth column"};
  pith_i_lexer *x = &r->p.lex;
  if (r->columns == 0 && columns >= 2 && columns <= MOST_COLUMNS)
    r->columns = columns;
  if (r->columns == 0)
    return pith_i_lexer_error(x, at,
                              "%zu column%s; expected subject, predicate and "
                              "object with a tab between each; correct the "
                              "line, or use --from csv for a table",
                              columns, columns == 1 ? "" : "s");
  if (columns != r->columns)
    return pith_i_lexer_error(x, at,
                              "%zu column%s; expected %zu as in the first "
                              "line; correct the line",
                              columns, columns == 1 ? "" : "s", r->columns);
  for (size_t i = 0; i < columns; i++)
    if (cells[i].n == 0)
      return pith_i_lexer_error(x, cells[i].at,
                                "the %s is empty; expected a name; fill it "
                                "in, or remove the line",
                                what[columns == 2 && i == 1 ? OBJECT : i]);
  return true;
}

/* ---- predicates ------------------------------------------------------- */

static bool use_predicate(reader *r, const char *text, size_t n, size_t arity,
                          size_t at, pith_pred *out) {
  pith_i_parser *p = &r->p;
  pith_sym name;
  if (pith_i_sym_add(&p->in->theory->names, text, n, PITH_NAME, &name) < 0)
    return pith_i_parser_no_memory(p);
  return pith_i_predicate_define(p, name, arity, at, out);
}

/* Of an edge list: what was asked for, or the file's name. */
static bool use_relation(reader *r, size_t at, pith_pred *out) {
  const pith_i_input *in = r->p.in;
  if (r->relation == PITH_NONE) {
    pith_i_stem_name stem = pith_i_relation_of_path(in->path, "edge");
    const char *asked = in->opt->relation;
    const char *name = asked != NULL && *asked != '\0' ? asked : stem.text;
    if (!use_predicate(r, name, strlen(name), 2, at, &r->relation))
      return false;
  }
  *out = r->relation;
  return true;
}

/* The fourth column of likes is likes_weight(subject,object,0.8), or
** likes_time(..) for dates, or what the header calls it. */
static bool use_extra(reader *r, pith_pred pred, const pith_i_cell *cell,
                      pith_pred *out) {
  pith_i_env *env = r->arena.env;
  while (r->extras.n <= pred)
    if (!pith_i_push(env, &r->extras, PITH_NONE))
      return pith_i_parser_no_memory(&r->p);
  if (r->extras.at[pred] == PITH_NONE) {
    const pith_i_names *names = &r->p.in->theory->names;
    const pith_i_symbol *s = pith_i_sym(names, pith_i_pred(names, pred)->name);
    char number[80];
    if (r->extra == NULL)
      r->extra =
          pith_i_is_date(cell->text, cell->n) ? "time"
          : cell->n < 64 && pith_i_cell_number(cell->text, cell->n, number) > 0
              ? "weight"
              : "note";
    size_t n = s->len + strlen(r->extra) + 1;
    char *name = pith_i_arena_alloc(&r->arena, n + 1);
    if (name == NULL)
      return pith_i_parser_no_memory(&r->p);
    snprintf(name, n + 1, "%s_%s", s->text, r->extra);
    if (!use_predicate(r, name, n, 3, cell->at, &r->extras.at[pred]))
      return false;
  }
  *out = r->extras.at[pred];
  return true;
}

/* ---- facts ------------------------------------------------------------ */

static pith_i_span span_of(const pith_i_cell *cell) {
  bool number = pith_i_is_kept_number(cell->text, cell->n);
  return (pith_i_span){.text = cell->text,
                       .n = cell->n,
                       .kind = number ? PITH_NUMBER : PITH_NAME};
}

static bool add_fact(reader *r, pith_pred pred, const pith_i_span *args,
                     uint32_t arity) {
  pith_status rc = pith_i_bulk_add(&r->bulk, pred, args, arity);
  if (rc < 0)
    r->p.lex.status = rc;
  return rc >= 0;
}

static bool add_extra(reader *r, pith_pred pred, pith_i_span *args,
                      const pith_i_cell *cell) {
  pith_pred extra;
  if (!use_extra(r, pred, cell, &extra))
    return false;
  args[2] = span_of(cell);
  char number[80];
  size_t n = cell->n < 64 ? pith_i_cell_number(cell->text, cell->n, number) : 0;
  if (n > 0) {
    args[2].text = pith_i_arena_text(&r->arena, number, n);
    args[2].n = n;
    args[2].kind = PITH_NUMBER;
    if (args[2].text == NULL)
      return pith_i_parser_no_memory(&r->p);
  }
  return add_fact(r, extra, args, 3);
}

static bool add_line(reader *r, size_t at, pith_i_cell *cells, size_t columns) {
  pith_pred pred;
  if (!clean_cells(r, cells, columns) ||
      (r->lines++ == 0 && take_header(r, cells, columns)) ||
      !check_columns(r, at, columns, cells))
    return false;
  bool edge = columns == 2;
  const pith_i_cell *p = &cells[PREDICATE];
  if (edge ? !use_relation(r, at, &pred)
           : !use_predicate(r, p->text, p->n, 2, p->at, &pred))
    return false;
  pith_i_span args[3] = {span_of(&cells[SUBJECT]),
                         span_of(&cells[edge ? 1 : OBJECT])};
  return add_fact(r, pred, args, 2) &&
         (columns < MOST_COLUMNS || add_extra(r, pred, args, &cells[EXTRA]));
}

/* ---- lines ------------------------------------------------------------ */

static void read_triple_lines(reader *r) {
  const pith_i_lines *lines = r->p.in->lines;
  const char *line = lines->text, *end = line + lines->n;
  while (line < end && r->p.lex.status >= 0) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL)
      stop = end;
    size_t n = (size_t)(stop - line);
    n -= n > 0 && line[n - 1] == '\r';
    if (n > 0 && line[0] != '#') {
      pith_i_cell cells[MOST_COLUMNS];
      size_t columns = split_line(r, line, n, cells);
      add_line(r, (size_t)(line - lines->text), cells, columns);
    }
    line = stop + 1;
  }
}

static void read_lines(reader *r) {
  do {
    read_triple_lines(r);
    if (r->p.lex.status >= 0)
      r->p.lex.status = pith_i_bulk_flush(&r->bulk);
  } while (pith_i_parser_more(&r->p));
}

/* Commas and the like need quotes that hide them. */
static void read_cells(reader *r) {
  const pith_i_lines *lines = r->p.in->lines;
  pith_i_csv csv = {lines->text, lines->n, 0, r->separator, &r->arena, 0};
  pith_i_cells cells = {0};
  while (r->p.lex.status >= 0) {
    int more = pith_i_csv_next(&csv, &cells);
    if (more < 0)
      r->p.lex.status = PITH_ENOMEM;
    if (more <= 0)
      break;
    add_line(r, cells.at[0].at, cells.at, cells.n);
  }
  pith_i_vec_free(r->arena.env, &cells);
}

pith_status pith_i_read_triples(const pith_i_input *in) {
  reader r = {.bulk.in = in, .relation = PITH_NONE};
  size_t errors = in->remarks->errors;
  r.arena.env = in->theory->env;
  r.separator = pith_i_sniff_separator(in->lines->text, in->lines->n);
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  if (r.separator == 0)
    r.separator = ' ';
  if (r.separator == '\t' || r.separator == ' ')
    read_lines(&r);
  else
    read_cells(&r);
  if (r.lines == 0)
    pith_i_parser_empty(&r.p, "lines of subject, predicate and object");
  if (r.p.lex.status >= 0)
    r.p.lex.status = pith_i_bulk_flush(&r.bulk);
  pith_i_vec_free(r.arena.env, &r.extras);
  pith_i_arena_free(&r.arena);
  if (in->summary != NULL && r.columns > 0)
    snprintf(in->summary, PITH_I_SUMMARY, "lines of %zu columns", r.columns);
  return pith_i_parser_end(&r.p, errors);
}
