#include "text/records.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "text/bulk.h"
#include "text/column_kind.h"

enum { MOST_CLASSES = 20 };

typedef enum { COLUMN_FACT, COLUMN_KEY, COLUMN_LABEL, COLUMN_UNUSED } use;

typedef struct {
  pith_i_cell name;
  pith_i_column_kind kind;
  use use;
  pith_i_tuples hashes; /* of the values of a possible key */
  bool watched;         /* as it may be the key */
  size_t rows;          /* that fill it */
  bool distinct;        /* all cells are filled and different, so far */
  bool ascending;       /* and each is a larger integer than the last */
  long long last;       /* that one */
  pith_pred pred;       /* PITH_NONE until the first fact */
} column;

typedef struct {
  pith_i_parser *p;
  const pith_i_rows *rows;
  column *columns; /* (rows->column_count) */
  pith_i_cell *cells;
  size_t key;   /* or SIZE_MAX: rows are numbered, or are facts themselves */
  size_t label; /* or SIZE_MAX */
  const char *class_name; /* of --label risk=high, or NULL */
  bool class_seen;        /* and it is there */
  pith_i_cells classes;   /* values of the label, not all if they are many */
  bool whole;             /* a row is one fact */
  size_t row, kept, without_key;
  pith_pred pred; /* of a table whose rows are facts */
  pith_i_bulk bulk;
  pith_i_arena arena;
} converter;

static bool no_memory(const converter *c) {
  return pith_i_parser_no_memory(c->p);
}

static pith_i_env *env_of(const converter *c) { return c->arena.env; }

static pith_i_names *names_of(const converter *c) {
  return &c->p->in->theory->names;
}

/* ---- values ----------------------------------------------------------- */

/* A column with one decimal has no integers: 1 and 1.0 are the same there. */
static pith_status make_span(converter *c, const column *col,
                             const pith_i_cell *cell, pith_i_span *out) {
  *out = (pith_i_span){.text = cell->text, .n = cell->n, .kind = PITH_NAME};
  if (!pith_i_column_is_number(&col->kind))
    return PITH_OK;
  char number[PITH_I_CELL_NUMBER_ROOM];
  bool integers = (col->kind.may_be & PITH_I_CELL_INTEGER) != 0;
  size_t n = integers ? pith_i_cell_number(cell->text, cell->n, number)
                      : pith_i_cell_decimal(cell->text, cell->n, number);
  if (n == 0) /* `na` and the like, where it names a row */
    return PITH_OK;
  out->kind = PITH_NUMBER;
  if (n == cell->n && memcmp(number, cell->text, n) == 0)
    return PITH_OK;
  out->text = pith_i_arena_text(&c->arena, number, n);
  out->n = n;
  return out->text == NULL ? PITH_ENOMEM : PITH_OK;
}

static bool intern_span(converter *c, const pith_i_span *s, pith_sym *out) {
  return pith_i_sym_add(names_of(c), s->text, s->n, s->kind, out) >= 0 ||
         no_memory(c);
}

/* ---- columns ---------------------------------------------------------- */

static bool column_is(const column *col, const char *word, size_t n) {
  return col->name.n == n && strncasecmp(col->name.text, word, n) == 0;
}

static size_t find_column(const converter *c, const char *name, size_t n) {
  for (size_t exact = 1;; exact = 0) {
    for (size_t i = 0; i < c->rows->column_count; i++) {
      const column *col = &c->columns[i];
      if (exact ? col->name.n == n && memcmp(col->name.text, name, n) == 0
                : column_is(col, name, n))
        return i;
    }
    if (exact == 0)
      return SIZE_MAX;
  }
}

static bool no_such_column(converter *c, const char *option, const char *name,
                           size_t n) {
  char list[200] = "";
  size_t used = 0;
  for (size_t i = 0; i < c->rows->column_count && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s",
                             i == 0 ? "" : ", ", (int)c->columns[i].name.n,
                             c->columns[i].name.text);
  return pith_i_lexer_error(&c->p->lex, c->columns[0].name.at,
                            "there is no column %.*s for --%s; expected one of "
                            "%s; correct the option",
                            (int)n, name, option, list);
}

static bool mark_column(converter *c, const char *option, const char *name,
                        size_t n, use use, size_t *out) {
  size_t i = find_column(c, name, n);
  if (i == SIZE_MAX)
    return c->p->in->opt->several || no_such_column(c, option, name, n);
  c->columns[i].use = use;
  if (out != NULL)
    *out = i;
  return true;
}

/* A table that has none of them keeps all of its own. */
static bool mark_wanted(converter *c, const char *columns) {
  size_t marked = 0;
  for (size_t i = 0; i < c->rows->column_count; i++)
    c->columns[i].use = COLUMN_UNUSED;
  for (const char *at = columns; *at != '\0';) {
    size_t n = strcspn(at, ","), found = SIZE_MAX;
    if (!mark_column(c, "columns", at, n, COLUMN_FACT, &found))
      return false;
    marked += found != SIZE_MAX;
    at += n + (at[n] == ',');
  }
  for (size_t i = 0; marked == 0 && i < c->rows->column_count; i++)
    c->columns[i].use = COLUMN_FACT;
  return true;
}

static bool mark_label(converter *c, const char *label) {
  size_t n = strcspn(label, "=");
  c->class_name = label[n] == '=' ? label + n + 1 : NULL;
  size_t whole = strlen(label);
  if (find_column(c, label, n) == SIZE_MAX &&
      find_column(c, label, whole) != SIZE_MAX) {
    n = whole; /* a column whose name has an = in it */
    c->class_name = NULL;
  }
  return mark_column(c, "label", label, n, COLUMN_LABEL, &c->label);
}

/* Names that columns of keys have: those of the table go first. */
static bool sounds_like_key(const converter *c, const column *col) {
  static const char *const words[] = {"id", "key", "uuid", "uri", "name"};
  const char *table = c->rows->table;
  size_t n = strlen(table);
  if (column_is(col, table, n) ||
      (n > 1 && column_is(col, table, n - 1)) || /* person of persons */
      (col->name.n == n + 3 && strncasecmp(col->name.text, table, n) == 0 &&
       strncasecmp(col->name.text + n, "_id", 3) == 0))
    return true;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (column_is(col, words[i], strlen(words[i])))
      return true;
  return false;
}

static bool is_builtin_name(const converter *c, const pith_i_cell *name) {
  for (pith_pred pred = 0; pred < PITH_BUILTINS; pred++) {
    const char *text = pith_i_pred_text(names_of(c), pred);
    if (strlen(text) == name->n && memcmp(text, name->text, name->n) == 0)
      return true;
  }
  return false;
}

static bool is_name_before(const converter *c, size_t column) {
  const pith_i_cell *name = &c->columns[column].name;
  for (size_t k = 0; k < column; k++)
    if (c->columns[k].name.n == name->n &&
        memcmp(c->columns[k].name.text, name->text, name->n) == 0)
      return true;
  return false;
}

/* The names are compared one by one only where hashes agree: a table may have
** many columns. */
static bool check_repeated_names(converter *c) {
  pith_i_tuples hashes = {.width = 2};
  bool fine = true, added;
  for (size_t i = 0; fine && i < c->rows->column_count; i++) {
    const pith_i_cell *name = &c->columns[i].name;
    uint64_t hash = pith_i_hash_keyed(&env_of(c)->key, name->text, name->n);
    uint32_t halves[2] = {(uint32_t)hash, (uint32_t)(hash >> 32)};
    if (pith_i_tuples_add(env_of(c), &hashes, halves, NULL, &added) < 0)
      fine = no_memory(c);
    else if (!added && is_name_before(c, i))
      fine = pith_i_lexer_error(&c->p->lex, name->at,
                                "the column %.*s is there twice; expected "
                                "different names; rename one of them",
                                (int)name->n, name->text);
  }
  pith_i_tuples_free(env_of(c), &hashes);
  return fine;
}

static bool check_names(converter *c) {
  for (size_t i = 0; i < c->rows->column_count; i++) {
    const pith_i_cell *name = &c->columns[i].name;
    char number[PITH_I_CELL_NUMBER_ROOM];
    if (name->n == 0 || pith_i_cell_number(name->text, name->n, number) > 0)
      return pith_i_lexer_error(
          &c->p->lex, name->at,
          "the header has %s; expected the name of a column; write a header "
          "line, or use --no-header",
          name->n == 0 ? "an empty cell" : "a number");
    if (is_builtin_name(c, name))
      return pith_i_lexer_error(&c->p->lex, name->at,
                                "the column %.*s would be a predicate that "
                                "cannot be defined; expected another name; "
                                "rename it",
                                (int)name->n, name->text);
  }
  return check_repeated_names(c);
}

/* What the options say of the columns. */
static bool mark_columns(converter *c) {
  const pith_read_options *o = c->p->in->opt;
  if (!check_names(c) || (o->columns != NULL && !mark_wanted(c, o->columns)) ||
      (o->label != NULL && !mark_label(c, o->label)))
    return false;
  if (o->key != NULL && strcmp(o->key, "none") != 0 &&
      !mark_column(c, "key", o->key, strlen(o->key), COLUMN_KEY, &c->key))
    return false;
  c->whole = o->key != NULL && strcmp(o->key, "none") == 0;
  if (c->key == SIZE_MAX && !c->whole && c->rows->key != NULL &&
      !mark_column(c, "key", c->rows->key, strlen(c->rows->key), COLUMN_KEY,
                   &c->key))
    return false;
  if (c->whole)
    return true;
  for (size_t i = 0; i < c->rows->column_count; i++)
    if (c->key == SIZE_MAX ? i == 0 || sounds_like_key(c, &c->columns[i])
                           : i == c->key)
      c->columns[i].watched = true;
  return true;
}

/* ---- first pass ------------------------------------------------------- */

/* Ids ascend; ages and prices do not. */
static void watch_ascent(column *col, const pith_i_cell *cell) {
  enum { LONGEST = 18 };
  char text[LONGEST + 1];
  size_t n = cell->n <= LONGEST ? cell->n : LONGEST;
  memcpy(text, cell->text, n);
  text[n] = '\0';
  long long value = strtoll(text, NULL, 10);
  col->ascending &= n == cell->n && value > col->last;
  col->last = value;
}

/* Texts are told apart by 64 bits of their hash: among 10 million rows the odds
** that a key is taken for none are a millionth, and the user can name it. */
static bool watch_key(converter *c, column *col, const pith_i_cell *cell) {
  uint64_t hash = pith_i_hash_keyed(&env_of(c)->key, cell->text, cell->n);
  uint32_t halves[2] = {(uint32_t)hash, (uint32_t)(hash >> 32)};
  bool added;
  if (pith_i_tuples_add(env_of(c), &col->hashes, halves, NULL, &added) < 0)
    return no_memory(c);
  if (!added)
    col->distinct = false;
  watch_ascent(col, cell);
  return true;
}

static bool cells_equal(const pith_i_cell *a, const pith_i_cell *b) {
  return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static bool watch_label(converter *c, const pith_i_cell *cell) {
  if (c->class_name != NULL && cell->n == strlen(c->class_name) &&
      memcmp(cell->text, c->class_name, cell->n) == 0)
    c->class_seen = true;
  for (size_t i = 0; i < c->classes.n; i++)
    if (cells_equal(&c->classes.at[i], cell))
      return true;
  if (c->classes.n > MOST_CLASSES)
    return true;
  pith_i_cell copy = *cell;
  copy.text = pith_i_arena_text(&c->arena, cell->text, cell->n);
  return (copy.text != NULL && pith_i_push(env_of(c), &c->classes, copy)) ||
         no_memory(c);
}

/* How many cells of a row are to be looked at, and the column of each. */
static size_t count_cells(const converter *c) {
  return c->rows->filled != NULL ? c->rows->filled_count
                                 : c->rows->column_count;
}

static size_t column_of(const converter *c, size_t cell) {
  return c->rows->filled != NULL ? c->rows->filled[cell] : cell;
}

static bool look_at_cell(converter *c, size_t i, bool first) {
  column *col = &c->columns[i];
  const pith_i_cell *cell = &c->cells[i];
  if (cell->n == 0)
    return true;
  col->rows += first;
  col->distinct &= col->rows == c->row;
  pith_i_column_look(&col->kind, cell, c->rows->typed);
  if (i == c->label)
    return watch_label(c, cell);
  return !first || !col->watched || !col->distinct || watch_key(c, col, cell);
}

static bool look_at_rows(converter *c) {
  if (c->rows->rewind(c->rows->ctx) < 0)
    return no_memory(c);
  for (;;) {
    int more = c->rows->next(c->rows->ctx, c->cells);
    if (more < 0)
      c->p->lex.status = c->p->lex.status < 0 ? c->p->lex.status : more;
    if (more <= 0)
      return more == 0;
    c->row += more == 1;
    for (size_t i = 0; i < count_cells(c); i++)
      if (!look_at_cell(c, column_of(c, i), more == 1))
        return false;
  }
}

/* Those that sound like keys go before the first column, whose numbers may be
** what is to be learned from. */
static void choose_key(converter *c) {
  for (int sounding = 1; sounding >= 0 && c->key == SIZE_MAX; sounding--)
    for (size_t i = 0; i < c->rows->column_count && c->key == SIZE_MAX; i++) {
      const column *col = &c->columns[i];
      bool fits = sounding ? sounds_like_key(c, col) : i == 0;
      bool decimal = pith_i_column_is_number(&col->kind) &&
                     (col->kind.may_be & PITH_I_CELL_INTEGER) == 0;
      bool measured = pith_i_column_is_number(&col->kind) &&
                      (decimal || (!sounding && !col->ascending));
      if (fits && i != c->label && col->distinct && col->rows == c->row &&
          (col->kind.may_be & PITH_I_CELL_TRUTH) == 0 && !measured)
        c->key = i;
    }
  if (c->key != SIZE_MAX)
    c->columns[c->key].use = COLUMN_KEY;
  c->whole = c->key == SIZE_MAX && c->label == SIZE_MAX;
}

/* ---- second pass ------------------------------------------------------ */

static bool use_predicate(converter *c, const pith_i_cell *name, size_t arity,
                          pith_pred *out) {
  pith_sym sym;
  if (*out != PITH_NONE)
    return true;
  if (pith_i_sym_add(names_of(c), name->text, name->n, PITH_NAME, &sym) < 0)
    return no_memory(c);
  return pith_i_predicate_define(c->p, sym, arity, name->at, out);
}

static bool add_bulk(converter *c, pith_pred pred, const pith_i_span *args,
                     size_t n) {
  pith_status rc = pith_i_bulk_add(&c->bulk, pred, args, (uint32_t)n);
  if (rc < 0)
    c->p->lex.status = rc;
  return rc >= 0;
}

/* Rows without a name of their own are people_1, people_2. */
static bool key_span(converter *c, pith_i_span *out) {
  if (c->key != SIZE_MAX)
    return make_span(c, &c->columns[c->key], &c->cells[c->key], out) >= 0 ||
           no_memory(c);
  char text[300];
  const char *table = c->rows->table;
  int n = snprintf(text, sizeof text, "%.*s_%zu", pith_i_utf8_cut(table, 200),
                   table, c->row);
  *out = (pith_i_span){.n = (size_t)n, .kind = PITH_NAME};
  out->text = pith_i_arena_text(&c->arena, text, (size_t)n);
  return out->text != NULL || no_memory(c);
}

static bool add_cell(converter *c, size_t i, const pith_i_span *key) {
  column *col = &c->columns[i];
  const pith_i_cell *cell = &c->cells[i];
  bool truth = pith_i_column_is_truth(&col->kind);
  if (col->use != COLUMN_FACT || pith_i_column_is_empty(&col->kind, cell) ||
      (truth && !pith_i_cell_is_true(cell)))
    return true;
  pith_i_span args[2] = {*key};
  if (!use_predicate(c, &col->name, truth ? 1 : 2, &col->pred) ||
      (!truth && make_span(c, col, cell, &args[1]) < 0 && !no_memory(c)))
    return false;
  return add_bulk(c, col->pred, args, truth ? 1 : 2);
}

static bool add_example(converter *c, pith_pred pred, const pith_sym *args,
                        uint32_t arity, bool positive) {
  pith_atom atom = {.pred = pred, .arity = arity, .args = args};
  pith_status rc = pith_i_example_add(c->p->in->theory, &atom, positive, 1);
  if (rc == PITH_ENOMEM)
    return no_memory(c);
  return rc >= 0 ||
         pith_i_lexer_error(&c->p->lex, c->cells[c->label].at,
                            "this row's label contradicts that of another row "
                            "with the same key; expected one; correct it, or "
                            "name another key");
}

/* One class against all others: high(ann) of --label risk=high. */
static bool label_class(converter *c, pith_sym key) {
  column *col = &c->columns[c->label];
  const pith_i_cell *cell = &c->cells[c->label];
  pith_i_cell name = {c->class_name, strlen(c->class_name), col->name.at,
                      false};
  return use_predicate(c, &name, 1, &col->pred) &&
         add_example(c, col->pred, &key, 1,
                     cell->n == name.n &&
                         memcmp(cell->text, name.text, name.n) == 0);
}

/* risk(ann,high) is true, risk(ann,V) false for all other V of the column. */
static bool label_classes(converter *c, pith_sym key) {
  column *col = &c->columns[c->label];
  const pith_i_cell *cell = &c->cells[c->label];
  if (!use_predicate(c, &col->name, 2, &col->pred))
    return false;
  for (size_t i = 0; i < c->classes.n; i++) {
    const pith_i_cell *class = &c->classes.at[i];
    pith_i_span span = {.text = class->text, .n = class->n, .kind = PITH_NAME};
    pith_sym args[2] = {key, PITH_NONE};
    if (!intern_span(c, &span, &args[1]) ||
        !add_example(c, col->pred, args, 2, cells_equal(class, cell)))
      return false;
  }
  return true;
}

static bool add_label(converter *c, const pith_i_span *key_text) {
  if (c->label == SIZE_MAX)
    return true;
  column *col = &c->columns[c->label];
  if (pith_i_column_is_empty(&col->kind, &c->cells[c->label]))
    return true;
  pith_sym key;
  if (!intern_span(c, key_text, &key))
    return false;
  if (c->class_name != NULL)
    return label_class(c, key);
  if ((col->kind.may_be & PITH_I_CELL_BIT) == 0)
    return label_classes(c, key);
  return use_predicate(c, &col->name, 1, &col->pred) &&
         add_example(c, col->pred, &key, 1,
                     pith_i_cell_is_true(&c->cells[c->label]));
}

static bool add_whole_row(converter *c) {
  pith_i_span args[PITH_I_BULK_ARITY];
  size_t n = 0;
  pith_i_cell name = {c->rows->table, strlen(c->rows->table),
                      c->columns[0].name.at, false};
  for (size_t i = 0; i < c->rows->column_count; i++) {
    if (c->columns[i].use != COLUMN_FACT)
      continue;
    if (pith_i_column_is_empty(&c->columns[i].kind, &c->cells[i])) {
      c->without_key++;
      return true;
    }
    if (make_span(c, &c->columns[i], &c->cells[i], &args[n++]) < 0)
      return no_memory(c);
  }
  c->kept++;
  return use_predicate(c, &name, n, &c->pred) && add_bulk(c, c->pred, args, n);
}

static bool add_row(converter *c) {
  if (c->whole)
    return add_whole_row(c);
  if (c->key != SIZE_MAX && c->cells[c->key].n == 0) {
    c->without_key++;
    return true;
  }
  pith_i_span key;
  if (!key_span(c, &key))
    return false;
  c->kept++;
  bool ok = true;
  for (size_t i = 0; ok && i < count_cells(c); i++)
    ok = add_cell(c, column_of(c, i), &key);
  if (ok && c->rows->column_count == 1) {
    pith_i_cell name = {c->rows->table, strlen(c->rows->table),
                        c->columns[0].name.at, false};
    ok = use_predicate(c, &name, 1, &c->pred) && add_bulk(c, c->pred, &key, 1);
  }
  return ok && add_label(c, &key);
}

/* A row in error is left out, the others are read. */
static bool add_rows(converter *c) {
  c->row = 0;
  if (c->rows->rewind(c->rows->ctx) < 0)
    return no_memory(c);
  while (c->p->lex.status >= 0) {
    int more = c->rows->next(c->rows->ctx, c->cells);
    if (more < 0)
      c->p->lex.status = more;
    if (more <= 0)
      return more == 0;
    c->row += more == 1;
    add_row(c);
    c->kept -= more != 1 && c->kept > 0;
    if (c->rows->transient && c->p->lex.status >= 0)
      c->p->lex.status = pith_i_bulk_flush(&c->bulk);
  }
  return false;
}

/* ---- all of it -------------------------------------------------------- */

static bool check_label(converter *c) {
  if (c->label == SIZE_MAX)
    return true;
  const column *col = &c->columns[c->label];
  if (c->class_name != NULL)
    return c->class_seen ||
           pith_i_lexer_error(&c->p->lex, col->name.at,
                              "no row has %s in this column; expected a value "
                              "that is there behind the = of --label; correct "
                              "it",
                              c->class_name);
  return (col->kind.may_be & PITH_I_CELL_BIT) != 0 ||
         c->classes.n <= MOST_CLASSES ||
         pith_i_lexer_error(
             &c->p->lex, col->name.at,
             "this column has more than %d different values; expected yes and "
             "no, or a few classes for --label; name one: --label %.*s=VALUE",
             MOST_CLASSES, (int)col->name.n, col->name.text);
}

static bool check_key(converter *c) {
  if (c->key != SIZE_MAX || !c->whole || c->label == SIZE_MAX)
    return c->rows->column_count <= PITH_I_BULK_ARITY || !c->whole ||
           pith_i_lexer_error(
               &c->p->lex, c->columns[0].name.at,
               "no column names the rows, and a fact of %zu places is of "
               "little use; expected a key; name it with --key, or choose "
               "columns with --columns",
               c->rows->column_count);
  return pith_i_lexer_error(&c->p->lex, c->columns[0].name.at,
                            "--label needs rows that have names; expected a "
                            "key; leave --key none out");
}

static void summarise_table(const converter *c) {
  char *to = c->p->in->summary;
  if (to == NULL)
    return;
  if (c->whole)
    snprintf(to, PITH_I_SUMMARY, "%zu row%s, each a fact of %.80s", c->kept,
             c->kept == 1 ? "" : "s", c->rows->table);
  else if (c->key == SIZE_MAX)
    snprintf(to, PITH_I_SUMMARY, "%zu row%s, named %.80s_1 and so on", c->kept,
             c->kept == 1 ? "" : "s", c->rows->table);
  else
    snprintf(
        to, PITH_I_SUMMARY, "%zu row%s, named by the column %.*s", c->kept,
        c->kept == 1 ? "" : "s",
        (int)(c->columns[c->key].name.n < 80 ? c->columns[c->key].name.n : 80),
        c->columns[c->key].name.text);
}

static bool warn_left_out(converter *c) {
  if (c->without_key == 0)
    return true;
  return pith_i_remark_add(c->p->in->remarks, PITH_I_WARNING, NULL, 0,
                           "%zu rows of %.80s are left out: %s", c->without_key,
                           c->rows->table,
                           c->whole ? "a cell of theirs is empty"
                                    : "their key is empty") >= 0 ||
         no_memory(c);
}

/* A database has no lines to show. */
static bool warn_of_column(converter *c, const column *col, const char *doubt) {
  pith_i_lines *lines = c->rows->transient ? NULL : c->p->lex.lines;
  return pith_i_remark_add(
             c->p->in->remarks, PITH_I_WARNING, lines, col->kind.odd_at,
             "'%s' in the column %s %s", col->kind.odd.text,
             pith_i_shorten(col->name.text, col->name.n).text, doubt) >= 0 ||
         no_memory(c);
}

static bool warn_of_columns(converter *c) {
  for (size_t i = 0; i < c->rows->column_count; i++) {
    const column *col = &c->columns[i];
    const char *doubt = pith_i_column_doubt(&col->kind);
    if (doubt != NULL && col->use == COLUMN_FACT &&
        !warn_of_column(c, col, doubt))
      return false;
  }
  return true;
}

static bool convert_rows(converter *c) {
  for (size_t i = 0; i < c->rows->column_count; i++)
    c->columns[i] = (column){.name = c->rows->columns[i],
                             .kind.may_be = PITH_I_CELL_ANY,
                             .distinct = true,
                             .ascending = true,
                             .last = LLONG_MIN,
                             .hashes.width = 2,
                             .pred = PITH_NONE};
  if (!mark_columns(c) || !look_at_rows(c))
    return false;
  if (c->key == SIZE_MAX && !c->whole)
    choose_key(c);
  if (!check_label(c) || !check_key(c) || !warn_of_columns(c) || !add_rows(c))
    return false;
  c->p->lex.status = pith_i_bulk_flush(&c->bulk);
  summarise_table(c);
  return c->p->lex.status >= 0 && warn_left_out(c);
}

bool pith_i_records_add(pith_i_parser *p, const pith_i_rows *rows) {
  converter c = {.p = p,
                 .rows = rows,
                 .key = SIZE_MAX,
                 .label = SIZE_MAX,
                 .pred = PITH_NONE,
                 .bulk.in = p->in};
  pith_i_env *env = p->in->theory->env;
  assert(rows->column_count > 0);
  c.arena.env = env;
  c.columns = pith_i_zalloc(env, rows->column_count, sizeof *c.columns);
  c.cells = pith_i_zalloc(env, rows->column_count, sizeof *c.cells);
  bool ok =
      c.columns != NULL && c.cells != NULL ? convert_rows(&c) : no_memory(&c);
  for (size_t i = 0; c.columns != NULL && i < rows->column_count; i++)
    pith_i_tuples_free(env, &c.columns[i].hashes);
  pith_i_release(env, c.columns);
  pith_i_release(env, c.cells);
  pith_i_vec_free(env, &c.classes);
  pith_i_arena_free(&c.arena);
  return ok;
}
