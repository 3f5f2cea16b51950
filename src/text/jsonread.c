/* JSON and JSON lines, through jansson. Objects with "event" are pith's own:
** facts, rules and examples are read back, other events skipped. All other
** objects are rows of a table: one an object a line or in an array, or, in an
** object of arrays, a table for each.
**
** jansson parses one value at a time, so that a long file is never a tree. Its
** own memory is small and does not come from our allocator: the call that would
** allow it is for the whole process. */
#include "text/formats.h"

#ifdef PITH_HAVE_JANSSON
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/run.h"
#include "base/tuples.h"
#include "text/bulk.h"
#include "text/decimal.h"
#include "text/jsonprint.h"
#include "text/records.h"

typedef struct {
  pith_i_parser p;
  pith_i_bulk bulk;
  size_t at, end;  /* the values still to be read */
  bool array;      /* they stand in an array, with commas between */
  json_t *value;   /* the last read */
  size_t start;    /* where it starts */
  size_t given;    /* to the parser, of a document in pieces: up to here */
  size_t reported; /* values up to here were reported: rows are read again */
  /* of a table */
  pith_i_cells columns;
  pith_i_tuples hashes; /* (columns.n) of their names, one after the other */
  size_t *filled;       /* (columns.n), of the row */
  pith_i_rows rows;
  bool blank;         /* no cell was filled since the start */
  pith_i_arena names; /* of columns and of the table */
  pith_i_arena row;   /* texts of the row */
  size_t first;       /* where the values start, to read them again */
  size_t turn;        /* of an array in a cell: the element that comes next */
  bool turns_left;
} reader;

/* ---- values ----------------------------------------------------------- */

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_space(reader *r) {
  while (r->at < r->end && is_space(r->p.lex.text[r->at]))
    r->at++;
}

/* Whether an error at r->start is new. */
static bool is_new_error(reader *r) {
  bool fresh = r->start >= r->reported;
  if (fresh)
    r->reported = r->start + 1;
  return fresh;
}

static bool damaged_value(reader *r, const json_error_t *error) {
  if (!is_new_error(r))
    return false;
  size_t at = r->start + (size_t)(error->position > 0 ? error->position : 0);
  return pith_i_lexer_error(&r->p.lex, at < r->end ? at : r->end,
                            "this is not JSON: %.100s; expected a value; "
                            "correct it",
                            error->text);
}

/* Behind a damaged value: the next line, or the end. */
static void skip_line(reader *r) {
  const char *text = r->p.lex.text;
  const char *stop =
      r->array ? NULL : memchr(text + r->at, '\n', r->end - r->at);
  r->at = stop == NULL ? r->end : (size_t)(stop - text);
}

static void forget_value(reader *r) {
  json_decref(r->value);
  r->value = NULL;
}

static bool is_stopped(reader *r) {
  pith_status rc = pith_i_call_poll_rarely(r->p.in->theory->env);
  if (rc < 0)
    r->p.lex.status = rc;
  return rc < 0;
}

/* NULL: there is no such text. */
static const char *text_of(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

/* The text from r->start on, in pieces: so the parsing of a large document can
** be stopped between two of them. */
static size_t give_piece(void *room, size_t size, void *ctx) {
  reader *r = ctx;
  size_t left = r->end - r->given;
  size = size < left ? size : left;
  if (is_stopped(r))
    return (size_t)-1;
  memcpy(room, r->p.lex.text + r->given, size);
  r->given += size;
  return size;
}

/* Lines and elements are short; what comes first may be the whole document. */
static json_t *parse_as(reader *r, size_t flags, json_error_t *error) {
  flags |= JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY;
  r->given = r->start;
  return r->start == r->first ? json_load_callback(give_piece, r, flags, error)
                              : json_loadb(r->p.lex.text + r->start,
                                           r->end - r->start, flags, error);
}

/* An integer of any size stands exactly in the text of an event; elsewhere one
** beyond 64 bits is refused. */
static json_t *parse_value(reader *r, json_error_t *error) {
  json_t *value = parse_as(r, 0, error);
  if (value != NULL || json_error_code(error) != json_error_numeric_overflow)
    return value;
  json_error_t second;
  value = parse_as(r, JSON_DECODE_INT_AS_REAL, &second);
  if (text_of(value, "event") != NULL && text_of(value, "text") != NULL) {
    *error = second;
    return value;
  }
  json_decref(value);
  return NULL;
}

/* The next value into r->value; false at the end, and after an error. */
static bool next_value(reader *r) {
  json_error_t error;
  forget_value(r);
  if (is_stopped(r))
    return false;
  skip_space(r);
  if (r->array && r->at < r->end && r->p.lex.text[r->at] == ',')
    r->at++;
  skip_space(r);
  if (r->at >= r->end || (r->array && r->p.lex.text[r->at] == ']'))
    return false;
  r->start = r->at;
  r->value = parse_value(r, &error);
  if (r->value == NULL) {
    skip_line(r);
    return r->p.lex.status >= 0 && damaged_value(r, &error);
  }
  r->at += (size_t)error.position;
  return true;
}

/* ---- events ----------------------------------------------------------- */

static bool bad_event(reader *r, const char *what) {
  return pith_i_lexer_error(&r->p.lex, r->start,
                            "this event %s; expected what pith writes, see "
                            "docs/json.md; correct it",
                            what);
}

/* A number as it is kept, into room; 2.0 is no integer. */
static size_t number_text(const json_t *v, char *room, size_t size) {
  if (json_is_integer(v))
    return (size_t)snprintf(room, size, "%lld",
                            (long long)json_integer_value(v));
  char spelled[64];
  double value = json_real_value(v);
  int n = snprintf(spelled, sizeof spelled, "%s%s", value < 0 ? "-" : "",
                   pith_i_decimal_write(fabs(value)).text);
  if (strpbrk(spelled, ".e") == NULL)
    n += snprintf(spelled + n, sizeof spelled - (size_t)n, ".0");
  size_t m = pith_i_cell_number(spelled, (size_t)n, room);
  assert(m > 0 && m < size);
  room[m] = '\0';
  return m;
}

/* Strings stay where they are until r->value is forgotten. */
static bool constant_span(reader *r, const json_t *v, pith_i_span *out) {
  char room[64];
  *out = (pith_i_span){.kind = PITH_NAME};
  if (json_is_string(v)) {
    out->text = json_string_value(v);
    out->n = json_string_length(v);
    return true;
  }
  if (!json_is_number(v))
    return bad_event(r, "has an argument that is neither a name nor a number");
  out->n = number_text(v, room, sizeof room);
  out->kind = PITH_NUMBER;
  out->text = pith_i_arena_text(&r->row, room, out->n);
  return out->text != NULL || pith_i_parser_no_memory(&r->p);
}

/* A clause of ours as Prolog text, which the reader of Prolog takes. */
static bool read_clause(reader *r, const char *before, const char *text,
                        const char *after) {
  const pith_i_input *in = r->p.in;
  pith_i_remarks remarks;
  size_t n = strlen(before) + strlen(text) + strlen(after);
  char *clause = pith_i_arena_alloc(&r->row, n + 1);
  if (clause == NULL)
    return pith_i_parser_no_memory(&r->p);
  snprintf(clause, n + 1, "%s%s%s", before, text, after);
  pith_i_lines lines = {.text = clause, .n = n};
  pith_i_input own = *in;
  own.lines = &lines;
  own.remarks = &remarks;
  pith_i_remarks_init(&remarks, in->theory->env);
  pith_status rc = pith_i_remarks_file(&remarks, in->remarks->file);
  if (rc >= 0)
    rc = pith_i_read_prolog(&own);
  if (rc == PITH_EINPUT)
    pith_i_lexer_report(&r->p.lex, r->start, "%s",
                        remarks.kept.n > 0 ? remarks.kept.at[0].text
                                           : "this event cannot be read");
  else if (rc < 0)
    r->p.lex.status = rc;
  pith_i_remarks_free(&remarks);
  return rc >= 0;
}

static bool read_fact(reader *r) {
  const json_t *args = json_object_get(r->value, "args");
  const char *name = text_of(r->value, "predicate");
  size_t n = json_array_size(args);
  pith_i_span spans[PITH_I_BULK_ARITY];
  pith_sym sym;
  pith_pred pred;
  bool plain = name != NULL && json_is_array(args) && n <= PITH_I_BULK_ARITY;
  for (size_t i = 0; plain && i < n; i++) { /* its text has all of it */
    const json_t *arg = json_array_get(args, i);
    plain = (!json_is_real(arg) && !json_is_object(arg)) ||
            text_of(r->value, "text") == NULL;
  }
  if (!plain) {
    const char *text = text_of(r->value, "text");
    return text != NULL ? read_clause(r, "", text, ".")
                        : bad_event(r, "has no predicate and args");
  }
  for (size_t i = 0; i < n; i++)
    if (!constant_span(r, json_array_get(args, i), &spans[i]))
      return false;
  if (pith_i_sym_add(&r->p.in->theory->names, name, strlen(name), PITH_NAME,
                     &sym) < 0)
    return pith_i_parser_no_memory(&r->p);
  if (!pith_i_predicate_define(&r->p, sym, n, r->start, &pred))
    return false;
  pith_status rc = pith_i_bulk_add(&r->bulk, pred, spans, (uint32_t)n);
  if (rc >= 0)
    rc = pith_i_bulk_flush(&r->bulk); /* the texts do not live longer */
  if (rc < 0)
    r->p.lex.status = rc;
  return rc >= 0;
}

static bool read_example(reader *r) {
  const char *text = text_of(r->value, "text");
  const json_t *positive = json_object_get(r->value, "positive");
  const json_t *weight = json_object_get(r->value, "weight");
  char after[64] = ").", number[48];
  if (text == NULL || !json_is_boolean(positive))
    return bad_event(r, "has no text and positive");
  if (json_is_number(weight) && json_number_value(weight) != 1) {
    number_text(weight, number, sizeof number);
    snprintf(after, sizeof after, ", %s).", number);
  }
  return read_clause(r, json_is_true(positive) ? "pos(" : "neg(", text, after);
}

/* What a run prints, and what it says about that. */
static bool read_event(reader *r) {
  const char *event = text_of(r->value, "event");
  const char *text = text_of(r->value, "text");
  if (event == NULL)
    return bad_event(r, "has no name");
  if (strcmp(event, "fact") == 0 || strcmp(event, "core") == 0)
    return read_fact(r);
  if (strcmp(event, "example") == 0)
    return read_example(r);
  if (strcmp(event, "rule") != 0)
    return true;
  return text != NULL ? read_clause(r, "", text, "")
                      : bad_event(r, "has no text");
}

static void read_events(reader *r) {
  r->at = r->first;
  size_t events = 0;
  while (r->p.lex.status >= 0 && r->at < r->end) {
    if (!next_value(r)) {
      if (r->array)
        break;
      continue;
    }
    events++;
    if (!json_is_object(r->value))
      bad_event(r, "is not an object");
    else
      read_event(r);
    pith_i_arena_free(&r->row);
  }
  if (r->p.in->summary != NULL)
    snprintf(r->p.in->summary, PITH_I_SUMMARY, "%zu events of pith", events);
}

/* ---- tables ----------------------------------------------------------- */

/* The column of this name, a new one if there is none; SIZE_MAX: no memory.
** Names whose hashes agree go to the next one that is free. */
static size_t take_column(reader *r, const char *name) {
  pith_i_env *env = r->p.in->theory->env;
  size_t n = strlen(name);
  uint64_t hash = pith_i_hash_keyed(&env->key, name, n);
  for (;; hash++) {
    uint32_t halves[2] = {(uint32_t)hash, (uint32_t)(hash >> 32)}, row;
    bool added;
    if (pith_i_tuples_add(env, &r->hashes, halves, &row, &added) < 0)
      return SIZE_MAX;
    if (added)
      break;
    if (r->columns.at[row].n == n &&
        memcmp(r->columns.at[row].text, name, n) == 0)
      return row;
  }
  pith_i_cell cell = {
      .text = pith_i_arena_text(&r->names, name, n), .n = n, .at = r->start};
  return cell.text != NULL && pith_i_push(env, &r->columns, cell)
             ? r->columns.n - 1
             : SIZE_MAX;
}

static bool report_row(reader *r) {
  return is_new_error(r) &&
         pith_i_lexer_error(
             &r->p.lex, r->start,
             "a row that is not an object; expected {\"column\": "
             "value, ...}; correct it");
}

/* All names that members of objects have, in the order they come. */
static bool collect_columns(reader *r) {
  r->at = r->first;
  while (r->p.lex.status >= 0 && r->at < r->end) {
    const char *key;
    json_t *member;
    if (!next_value(r)) {
      if (r->array || r->at >= r->end)
        break;
      continue;
    }
    if (!json_is_object(r->value)) {
      report_row(r);
      continue;
    }
    json_object_foreach(r->value, key, member) {
      if (take_column(r, key) == SIZE_MAX)
        return pith_i_parser_no_memory(&r->p);
    }
  }
  return r->p.lex.status >= 0 && r->columns.n > 0;
}

static pith_status rewind_rows(void *ctx) {
  reader *r = ctx;
  r->at = r->first;
  r->turns_left = false;
  r->blank = true;
  return PITH_OK;
}

/* JSON text of a value, in the arena; NULL: no memory. */
static char *dump_value(pith_i_arena *arena, const json_t *v) {
  size_t flags = JSON_COMPACT | JSON_ENCODE_ANY;
  size_t n = json_dumpb(v, NULL, 0, flags);
  char *text = pith_i_arena_alloc(arena, n + 1);
  if (text == NULL)
    return NULL;
  text[json_dumpb(v, text, n, flags)] = '\0';
  return text;
}

/* Objects and arrays inside a cell are their JSON text. */
static pith_status scalar_cell(reader *r, const json_t *v, pith_i_cell *out) {
  char room[64];
  *out = (pith_i_cell){.text = "", .at = r->start};
  if (json_is_string(v)) {
    *out = (pith_i_cell){json_string_value(v), json_string_length(v), r->start,
                         true};
    return PITH_OK;
  }
  if (json_is_boolean(v))
    out->text = json_is_true(v) ? "true" : "false";
  else if (json_is_number(v)) {
    size_t n = number_text(v, room, sizeof room);
    out->text = pith_i_arena_text(&r->row, room, n);
  } else if (!json_is_null(v)) {
    out->text = dump_value(&r->row, v);
    out->quoted = true;
  }
  if (out->text == NULL)
    return PITH_ENOMEM;
  out->n = strlen(out->text);
  return PITH_OK;
}

static int compare_columns(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* The columns that the row has, in their order; the cells of the row before
** are emptied. */
static void find_filled(reader *r, pith_i_cell *cells) {
  const char *key;
  json_t *member;
  size_t n = r->blank ? r->columns.n : r->rows.filled_count;
  for (size_t i = 0; i < n; i++)
    cells[r->blank ? i : r->filled[i]] = (pith_i_cell){.text = ""};
  r->blank = false;
  r->rows.filled_count = 0;
  json_object_foreach((json_t *)r->value, key, member) {
    size_t i = take_column(r, key); /* is there, so that it takes no memory */
    assert(i < r->columns.n);
    r->filled[r->rows.filled_count++] = i;
  }
  qsort(r->filled, r->rows.filled_count, sizeof *r->filled, compare_columns);
}

/* An array is several values of the same row: they come in turns, with the
** cells that are no arrays as they were. */
static int fill_cells(reader *r, pith_i_cell *cells) {
  size_t turn = r->turn;
  r->turns_left = false;
  for (size_t k = 0; k < r->rows.filled_count; k++) {
    size_t i = r->filled[k];
    const json_t *v = json_object_get(r->value, r->columns.at[i].text);
    if (json_is_array(v)) {
      r->turns_left = r->turns_left || json_array_size(v) > turn + 1;
      v = json_array_get(v, turn);
    }
    cells[i] = (pith_i_cell){.text = "", .at = r->start};
    if (v != NULL && scalar_cell(r, v, &cells[i]) < 0)
      return PITH_ENOMEM;
    pith_i_cell_trim(&cells[i]);
  }
  r->turn++;
  return turn == 0 ? 1 : PITH_I_ROW_GOES_ON;
}

static int next_row(void *ctx, pith_i_cell *cells) {
  reader *r = ctx;
  if (r->turns_left)
    return fill_cells(r, cells);
  pith_i_arena_free(&r->row);
  bool found = false;
  while (!found && r->p.lex.status >= 0) {
    bool more = next_value(r);
    if (!more && (r->array || r->at >= r->end))
      break;
    found = more && json_is_object(r->value);
  }
  if (!found)
    return r->p.lex.status < 0 ? r->p.lex.status : 0;
  r->turn = 0;
  find_filled(r, cells);
  return fill_cells(r, cells);
}

static bool read_rows(reader *r, const char *table) {
  if (!collect_columns(r))
    return false;
  pith_i_env *env = r->p.in->theory->env;
  r->filled = pith_i_zalloc(env, r->columns.n, sizeof *r->filled);
  r->rows = (pith_i_rows){.table = table,
                          .columns = r->columns.at,
                          .column_count = r->columns.n,
                          .transient = true,
                          .typed = true,
                          .rewind = rewind_rows,
                          .next = next_row,
                          .ctx = r,
                          .filled = r->filled};
  bool ok = r->filled != NULL ? pith_i_records_add(&r->p, &r->rows)
                              : pith_i_parser_no_memory(&r->p);
  pith_i_release(env, r->filled);
  return ok;
}

/* ---- documents -------------------------------------------------------- */

/* Sets the range of an array's elements: text[at] is its bracket. */
static void enter_array(reader *r, size_t at) {
  r->array = true;
  r->first = r->at = at + 1;
}

/* {"people": [...], "cities": [...]}: whether it is such an object. */
static bool is_object_of_tables(const json_t *object) {
  const char *key;
  json_t *member;
  size_t tables = 0;
  json_object_foreach((json_t *)object, key, member) {
    if (!json_is_array(member) || json_array_size(member) == 0 ||
        !json_is_object(json_array_get(member, 0)))
      return false;
    tables++;
  }
  return tables > 0;
}

/* The tables of an object, one after the other. They are in memory as a tree,
** which a file of this kind is small enough for. */
static bool read_tables(reader *r) {
  json_t *object = json_incref(r->value);
  const char *key;
  json_t *member;
  bool ok = true;
  json_object_foreach(object, key, member) {
    char *text = dump_value(&r->names, member);
    if (text == NULL)
      r->p.lex.status = PITH_ENOMEM;
    if (text == NULL || !ok)
      break;
    pith_i_lines lines = {.text = text, .n = strlen(text)};
    pith_i_input in = *r->p.in;
    in.lines = &lines;
    in.path = key;
    ok = pith_i_read_json(&in) >= 0;
  }
  json_decref(object);
  return ok;
}

static bool read_document(reader *r) {
  skip_space(r);
  if (r->at == r->end) {
    pith_i_parser_empty(&r->p, "JSON");
    return true;
  }
  pith_i_stem_name stem = pith_i_relation_of_path(r->p.in->path, "row");
  r->first = r->at;
  if (r->p.lex.text[r->at] == '[')
    enter_array(r, r->at);
  if (!next_value(r))
    return false;
  if (json_object_get(r->value, "event") != NULL) {
    read_events(r);
    return true;
  }
  if (!r->array && is_object_of_tables(r->value))
    return read_tables(r);
  return read_rows(r, stem.text);
}

pith_status pith_i_read_json(const pith_i_input *in) {
  reader r = {.bulk.in = in, .end = in->lines->n, .hashes.width = 2};
  pith_i_env *env = in->theory->env;
  size_t errors = in->remarks->errors;
  r.names.env = r.row.env = env;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  read_document(&r);
  forget_value(&r);
  pith_i_vec_free(env, &r.columns);
  pith_i_tuples_free(env, &r.hashes);
  pith_i_arena_free(&r.names);
  pith_i_arena_free(&r.row);
  return pith_i_parser_end(&r.p, errors);
}
#endif
