/* A table in a file: a header line with the names of the columns, then a row a
** line; see text/csv.h for the cells and text/records.h for what becomes of
** them. */
#include <stdio.h>
#include <string.h>

#include "text/formats.h"
#include "text/records.h"
#include "text/sniff.h"

typedef struct {
  pith_i_parser p;
  pith_i_arena arena; /* cells with doubled quotes */
  pith_i_csv csv;
  pith_i_cells cells;
  size_t columns;
  size_t first;    /* where the first row starts */
  size_t reported; /* no error is reported twice: rows up to here were seen */
} reader;

static pith_status rewind_rows(void *ctx) {
  reader *r = ctx;
  r->csv.at = r->first;
  return PITH_OK;
}

/* Reports each damaged row once, though rows are read twice. */
static void report_row(reader *r, size_t at) {
  if (at < r->reported)
    return;
  r->reported = at + 1;
  if (r->csv.open_quote != SIZE_MAX)
    pith_i_lexer_report(&r->p.lex, r->csv.open_quote,
                        "a quote that does not end; expected another \" "
                        "behind the cell; close it, or write \"\" for a quote "
                        "inside");
  else
    pith_i_lexer_report(&r->p.lex, at,
                        "%zu cell%s; expected %zu as in the header; correct "
                        "the row, or put a cell with the separator in it in "
                        "quotes",
                        r->cells.n, r->cells.n == 1 ? "" : "s", r->columns);
}

static int next_row(void *ctx, pith_i_cell *cells) {
  reader *r = ctx;
  for (;;) {
    int more = pith_i_csv_next(&r->csv, &r->cells);
    if (more <= 0)
      return more;
    if (r->cells.n == r->columns && r->csv.open_quote == SIZE_MAX) {
      memcpy(cells, r->cells.at, r->columns * sizeof *cells);
      return 1;
    }
    report_row(r, r->cells.at[0].at);
    if (r->p.lex.status < 0)
      return r->p.lex.status;
  }
}

/* Without a header the columns are c1, c2 and so on. */
static bool make_names(reader *r, pith_i_cells *names) {
  for (size_t i = 0; i < names->n; i++) {
    char text[32];
    int n = snprintf(text, sizeof text, "c%zu", i + 1);
    names->at[i].text = pith_i_arena_text(&r->arena, text, (size_t)n);
    names->at[i].n = (size_t)n;
    if (names->at[i].text == NULL)
      return pith_i_parser_no_memory(&r->p);
  }
  return true;
}

static bool read_table(reader *r, pith_i_cells *names, const char *table) {
  int more = pith_i_csv_next(&r->csv, names);
  if (more < 0)
    return pith_i_parser_no_memory(&r->p);
  if (more == 0) {
    pith_i_parser_empty(&r->p, "a header line and rows");
    return true;
  }
  r->columns = names->n;
  r->first = r->csv.at;
  if (r->p.in->opt->header == PITH_HEADER_NO) {
    r->first = 0;
    if (!make_names(r, names))
      return false;
  }
  pith_i_rows rows = {.table = table,
                      .columns = names->at,
                      .column_count = names->n,
                      .rewind = rewind_rows,
                      .next = next_row,
                      .ctx = r};
  return pith_i_records_add(&r->p, &rows);
}

pith_status pith_i_read_csv(const pith_i_input *in) {
  reader r = {0};
  pith_i_cells names = {0};
  size_t errors = in->remarks->errors;
  pith_i_stem_name stem = pith_i_relation_of_path(in->path, "row");
  r.arena.env = in->theory->env;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  char separator = pith_i_sniff_separator(in->lines->text, in->lines->n);
  r.csv = (pith_i_csv){.text = in->lines->text,
                       .n = in->lines->n,
                       .separator = separator == 0 ? ',' : separator,
                       .arena = &r.arena};
  read_table(&r, &names, stem.text);
  pith_i_vec_free(r.arena.env, &r.cells);
  pith_i_vec_free(r.arena.env, &names);
  pith_i_arena_free(&r.arena);
  return pith_i_parser_end(&r.p, errors);
}
