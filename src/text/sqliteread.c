/* A database of SQLite, read-only: every table is rows of text/records.h, named
** by its primary key; a column that refers to another table holds the name of
** the row there. With a query, its result is the one table.
**
** Rows of integer keys are named TABLE_1, as row 1 of people and row 1 of
** cities are two things; a foreign key to such a table is named the same way.
** SQLite's own memory does not come from our allocator: the call that would
** allow it is for the whole process. */
#include "text/formats.h"

#ifdef PITH_HAVE_SQLITE
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/run.h"
#include "base/utf8.h"
#include "text/decimal.h"
#include "text/records.h"
#include "text/sqlite_calls.h"

typedef struct {
  const char *prefix; /* of the names of rows: "people", or NULL */
  bool truth;         /* declared as a truth value */
} column_use;

typedef struct {
  pith_i_parser p;
  pith_i_sqlite_calls sql;
  sqlite3 *db;
  sqlite3_stmt *rows;
  pith_i_arena arena; /* names of tables and columns */
  pith_i_arena row;   /* texts of the row */
  PITH_I_VEC(const char *) tables;
  pith_i_cells columns;
  PITH_I_VEC(column_use) uses;
  const char *key; /* the column of the primary key, or NULL */
  size_t row_count;
} reader;

static bool no_memory(reader *r) { return pith_i_parser_no_memory(&r->p); }

static bool report_sql(reader *r, const char *doing) {
  const pith_i_input *in = r->p.in;
  int code = r->sql.errcode(r->db);
  if (r->p.lex.status < 0) /* we stopped it */
    return false;
  if (code == SQLITE_NOMEM || code == SQLITE_TOOBIG ||
      pith_i_remark_add(in->remarks, PITH_I_ERROR, NULL, 0,
                        "%s: SQLite says: %.200s; expected a database; "
                        "correct it",
                        doing, r->sql.errmsg(r->db)) < 0)
    return no_memory(r);
  return false;
}

/* ---- the schema ------------------------------------------------------- */

/* Runs a query that names things; *value lives until the next step. */
static bool prepare_query(reader *r, const char *sql, const char *argument,
                          sqlite3_stmt **out) {
  *out = NULL;
  if (r->sql.prepare_v2(r->db, sql, -1, out, NULL) != SQLITE_OK ||
      (argument != NULL &&
       r->sql.bind_text(*out, 1, argument, -1, SQLITE_STATIC) != SQLITE_OK)) {
    r->sql.finalize(*out);
    return report_sql(r, "reading the schema");
  }
  return true;
}

/* SQLite takes any bytes for a name. */
static bool check_name(reader *r, const char *what, const char *name) {
  if (pith_i_utf8_valid(name, strlen(name)))
    return true;
  if (pith_i_remark_add(r->p.in->remarks, PITH_I_ERROR, NULL, 0,
                        "the name of a %s is not UTF-8; expected UTF-8 text; "
                        "rename it",
                        what) < 0)
    return no_memory(r);
  return false;
}

static const char *text_at(const reader *r, sqlite3_stmt *s, int i) {
  const char *text = (const char *)r->sql.column_text(s, i);
  return text == NULL ? "" : text;
}

static bool list_tables(reader *r) {
  sqlite3_stmt *s;
  bool ok =
      prepare_query(r,
                    "select name from sqlite_schema where type in "
                    "('table','view') and name not like 'sqlite\\_%' escape "
                    "'\\' order by rowid",
                    NULL, &s);
  while (ok && r->sql.step(s) == SQLITE_ROW) {
    const char *name = text_at(r, s, 0);
    name = pith_i_arena_text(&r->arena, name, strlen(name));
    ok = ((name != NULL && pith_i_push(r->arena.env, &r->tables, name)) ||
          no_memory(r)) &&
         check_name(r, "table", name);
  }
  r->sql.finalize(s);
  return ok;
}

/* The one column of a table's primary key, or "" where it has none or it has
** several; and whether it is an integer, which no other table should share. */
static bool find_key(reader *r, const char *table, char *key, size_t room,
                     bool *integer) {
  sqlite3_stmt *s;
  size_t parts = 0;
  key[0] = '\0';
  *integer = false;
  if (!prepare_query(
          r, "select name, type from pragma_table_info(?1) where pk > 0", table,
          &s))
    return false;
  while (r->sql.step(s) == SQLITE_ROW) {
    snprintf(key, room, "%s", text_at(r, s, 0));
    *integer = r->sql.strlike("%int%", text_at(r, s, 1), 0) == 0;
    parts++;
  }
  r->sql.finalize(s);
  if (parts != 1)
    key[0] = '\0';
  return true;
}

/* The table whose rows the column names, or "". */
static bool find_reference(reader *r, const char *table, const char *column,
                           char *out, size_t room) {
  sqlite3_stmt *s;
  out[0] = '\0';
  if (!prepare_query(
          r, "select \"from\", \"table\" from pragma_foreign_key_list(?1)",
          table, &s))
    return false;
  while (r->sql.step(s) == SQLITE_ROW)
    if (r->sql.stricmp(text_at(r, s, 0), column) == 0)
      snprintf(out, room, "%s", text_at(r, s, 1));
  r->sql.finalize(s);
  return true;
}

/* What goes in front of the cells of a column: the table that they name rows
** of, if that has integer keys. */
static bool find_prefix(reader *r, const char *table, const char *column,
                        const char *own_key, bool own_integer,
                        column_use *out) {
  char other[256], key[256];
  bool integer = false;
  if (!find_reference(r, table, column, other, sizeof other))
    return false;
  if (other[0] == '\0' && own_integer && strcmp(column, own_key) == 0)
    snprintf(other, sizeof other, "%s", table);
  if (other[0] == '\0')
    return true;
  if (!find_key(r, other, key, sizeof key, &integer))
    return false;
  if (integer) {
    out->prefix = pith_i_arena_text(&r->arena, other, strlen(other));
    return out->prefix != NULL || no_memory(r);
  }
  return true;
}

/* ---- rows ------------------------------------------------------------- */

static pith_status rewind_rows(void *ctx) {
  reader *r = ctx;
  r->sql.reset(r->rows);
  return PITH_OK;
}

/* TABLE_KEY; *n is the length of the key, then that of the name. */
static const char *name_of_row(reader *r, const char *table, const char *key,
                               size_t *n) {
  size_t before = strlen(table) + 1;
  char *name = pith_i_arena_alloc(&r->row, before + *n + 1);
  if (name == NULL)
    return NULL;
  memcpy(name, table, before - 1);
  name[before - 1] = '_';
  memcpy(name + before, key, *n);
  *n += before;
  name[*n] = '\0';
  return name;
}

static const char *cell_text(reader *r, int i, const column_use *use,
                             size_t *n) {
  const char *text = text_at(r, r->rows, i);
  char room[64];
  int m = 0;
  double v = r->sql.column_double(r->rows, i);
  if (r->sql.column_type(r->rows, i) == SQLITE_FLOAT && isfinite(v)) {
    m = snprintf(room, sizeof room, "%s%s", v < 0 ? "-" : "",
                 pith_i_decimal_write(v < 0 ? -v : v).text);
    if (strpbrk(room, ".e") == NULL)
      m += snprintf(room + m, sizeof room - (size_t)m, ".0");
  } else if (use->truth && r->sql.column_type(r->rows, i) == SQLITE_INTEGER) {
    m = snprintf(room, sizeof room, "%s",
                 r->sql.column_int(r->rows, i) != 0 ? "true" : "false");
  } else {
    *n = (size_t)r->sql.column_bytes(r->rows, i);
    return use->prefix == NULL ? text : name_of_row(r, use->prefix, text, n);
  }
  *n = (size_t)m;
  return pith_i_arena_text(&r->row, room, *n);
}

static int fill_cells(reader *r, pith_i_cell *cells) {
  pith_i_arena_free(&r->row);
  for (size_t i = 0; i < r->columns.n; i++) {
    int type = r->sql.column_type(r->rows, (int)i);
    const column_use *use = &r->uses.at[i];
    cells[i] = (pith_i_cell){
        .text = "", .quoted = type == SQLITE_TEXT || use->prefix != NULL};
    if (type == SQLITE_NULL || type == SQLITE_BLOB)
      continue;
    cells[i].text = cell_text(r, (int)i, use, &cells[i].n);
    if (cells[i].text == NULL)
      return PITH_ENOMEM;
    if (memchr(cells[i].text, '\0', cells[i].n) != NULL ||
        !pith_i_utf8_valid(cells[i].text, cells[i].n))
      cells[i].n = 0;
    pith_i_cell_trim(&cells[i]);
  }
  return 1;
}

static int next_row(void *ctx, pith_i_cell *cells) {
  reader *r = ctx;
  int step = r->sql.step(r->rows);
  if (step == SQLITE_ROW)
    return fill_cells(r, cells);
  if (step == SQLITE_DONE)
    return 0;
  report_sql(r, "reading rows");
  return r->p.lex.status < 0 ? r->p.lex.status : 0;
}

/* ---- tables ----------------------------------------------------------- */

static bool collect_columns(reader *r, const char *table) {
  char key[256] = "";
  bool integer = false;
  r->columns.n = r->uses.n = 0;
  r->key = NULL;
  if (table != NULL && !find_key(r, table, key, sizeof key, &integer))
    return false;
  if (key[0] != '\0') {
    r->key = pith_i_arena_text(&r->arena, key, strlen(key));
    if (r->key == NULL)
      return no_memory(r);
  }
  for (int i = 0; i < r->sql.column_count(r->rows); i++) {
    const char *name = r->sql.column_name(r->rows, i);
    if (name == NULL)
      return no_memory(r);
    if (!check_name(r, "column", name))
      return false;
    pith_i_cell cell = {.text =
                            pith_i_arena_text(&r->arena, name, strlen(name)),
                        .n = strlen(name)};
    const char *type = r->sql.column_decltype(r->rows, i);
    column_use use = {.truth = type != NULL &&
                               r->sql.strlike("%bool%", type, 0) == 0};
    if (table != NULL && !find_prefix(r, table, name, key, integer, &use))
      return false;
    if (cell.text == NULL || !pith_i_push(r->arena.env, &r->columns, cell) ||
        !pith_i_push(r->arena.env, &r->uses, use))
      return no_memory(r);
  }
  return r->columns.n > 0;
}

static bool report_no_rows(reader *r) {
  if (pith_i_remark_add(
          r->p.in->remarks, PITH_I_ERROR, NULL, 0,
          "--sql: this gives no rows; expected a SELECT; databases "
          "are only read here") < 0)
    return no_memory(r);
  return false;
}

static bool read_result(reader *r, const char *sql, const char *table) {
  bool query = r->p.in->opt->query != NULL;
  if (r->sql.prepare_v2(r->db, sql, -1, &r->rows, NULL) != SQLITE_OK ||
      r->rows == NULL)
    return report_sql(r, query ? "--sql" : "reading a table");
  bool ok = r->sql.column_count(r->rows) > 0
                ? collect_columns(r, query ? NULL : table)
                : report_no_rows(r);
  pith_i_rows rows = {.table = table,
                      .key = r->key,
                      .columns = r->columns.at,
                      .column_count = r->columns.n,
                      .transient = true,
                      .typed = true,
                      .rewind = rewind_rows,
                      .next = next_row,
                      .ctx = r};
  if (ok)
    ok = pith_i_records_add(&r->p, &rows);
  r->sql.finalize(r->rows);
  r->rows = NULL;
  return ok;
}

static bool read_table(reader *r, const char *table) {
  char *sql = r->sql.mprintf("select * from \"%w\"", table);
  bool ok = sql == NULL ? no_memory(r) : read_result(r, sql, table);
  r->sql.free(sql);
  return ok;
}

static void read_database(reader *r) {
  const pith_read_options *opt = r->p.in->opt;
  pith_i_stem_name stem = pith_i_relation_of_path(r->p.in->path, "row");
  if (opt->query != NULL) {
    read_result(r, opt->query,
                opt->relation != NULL ? opt->relation : stem.text);
    return;
  }
  if (!list_tables(r))
    return;
  for (size_t i = 0; r->p.lex.status >= 0 && i < r->tables.n; i++)
    read_table(r, r->tables.at[i]);
  if (r->p.in->summary != NULL)
    snprintf(r->p.in->summary, PITH_I_SUMMARY, "%zu tables", r->tables.n);
  if (r->tables.n == 0)
    pith_i_parser_empty(&r->p, "tables");
}

static bool report_missing(reader *r, const char *why) {
  if (pith_i_remark_add(
          r->p.in->remarks, PITH_I_ERROR, NULL, 0,
          "SQLite cannot be loaded (%.200s); expected its library "
          "on this machine; install libsqlite3-0",
          why) < 0)
    return no_memory(r);
  return false;
}

/* A view or a query may compute for ever without giving a row. */
static int stop_query(void *ctx) {
  reader *r = ctx;
  pith_status rc = pith_i_call_poll(r->p.in->theory->env);
  if (rc < 0)
    r->p.lex.status = rc;
  return rc < 0;
}

/* SQLite's memory is its own, so a value may take a part of ours at most. */
static void limit_queries(reader *r) {
  enum { OPERATIONS = 10000, LEAST = 1 << 16, MOST = 1000000000 };
  const pith_i_env *env = r->p.in->theory->env;
  size_t left =
      env->memory.limit > env->used ? env->memory.limit - env->used : 0;
  size_t longest = left / 4 < LEAST ? LEAST : left / 4 < MOST ? left / 4 : MOST;
  if (env->memory.limit > 0)
    r->sql.limit(r->db, SQLITE_LIMIT_LENGTH, (int)longest);
  r->sql.progress_handler(r->db, OPERATIONS, stop_query, r);
}

/* As SQLite's authors advise for files that others made. What an old library
** does not know it passes over. */
static void distrust_file(const reader *r) {
  static const char *const pragmas[] = {"pragma trusted_schema=off",
                                        "pragma cell_size_check=on",
                                        "pragma mmap_size=0"};
  for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
    sqlite3_stmt *s = NULL;
    if (r->sql.prepare_v2(r->db, pragmas[i], -1, &s, NULL) == SQLITE_OK)
      r->sql.step(s);
    r->sql.finalize(s);
  }
}

static void open_database(reader *r) {
  const char *why;
  if (!pith_i_sqlite_load(&r->sql, &why)) {
    report_missing(r, why);
    return;
  }
  if (r->sql.open_v2(r->p.in->path, &r->db, SQLITE_OPEN_READONLY, NULL) !=
      SQLITE_OK)
    report_sql(r, "opening it");
  else {
    limit_queries(r);
    distrust_file(r);
    read_database(r);
  }
  r->sql.close(r->db);
}

pith_status pith_i_read_sqlite(const pith_i_input *in) {
  reader r = {0};
  pith_i_env *env = in->theory->env;
  size_t errors = in->remarks->errors;
  r.arena.env = r.row.env = env;
  /* A column that an option names is that of some table. */
  pith_read_options opt = *in->opt;
  pith_i_input own = *in;
  opt.several = opt.several || opt.query == NULL;
  own.opt = &opt;
  if (pith_i_parser_init(&r.p, &own) < 0)
    return PITH_ENOMEM;
  open_database(&r);
  pith_i_vec_free(env, &r.tables);
  pith_i_vec_free(env, &r.columns);
  pith_i_vec_free(env, &r.uses);
  pith_i_arena_free(&r.arena);
  pith_i_arena_free(&r.row);
  return pith_i_parser_end(&r.p, errors);
}
#endif
