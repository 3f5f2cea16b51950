#include "fact/columns.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/run.h"
#include "base/utf8.h"
#include "fact/recent_values.h"
#include "term/number.h"
#include "text/decimal.h"

/* ---- values ------------------------------------------------------------ */

static bool bit_at(const uint8_t *bits, size_t i) {
  return (bits[i / 8] >> (i % 8) & 1) != 0;
}

static int64_t whole_at(const void *values, uint32_t width, size_t i) {
  switch (width) {
  case 1:
    return ((const int8_t *)values)[i];
  case 2:
    return ((const int16_t *)values)[i];
  case 4:
    return ((const int32_t *)values)[i];
  default:
    assert(width == 8);
    return ((const int64_t *)values)[i];
  }
}

static uint64_t natural_at(const void *values, uint32_t width, size_t i) {
  switch (width) {
  case 1:
    return ((const uint8_t *)values)[i];
  case 2:
    return ((const uint16_t *)values)[i];
  case 4:
    return ((const uint32_t *)values)[i];
  default:
    assert(width == 8);
    return ((const uint64_t *)values)[i];
  }
}

static double real_at(const pith_column *c, size_t i) {
  assert(c->width == 4 || c->width == 8);
  return c->width == 4 ? (double)((const float *)c->values)[i]
                       : ((const double *)c->values)[i];
}

/* A NaN and a negative code are how data frames without a map of what is there
** say that a value is missing. */
static bool is_missing(const pith_column *c, size_t row) {
  size_t i = c->first + row;
  if (c->valid != NULL && !bit_at(c->valid, i))
    return true;
  return (c->kind == PITH_COLUMN_REAL && isnan(real_at(c, i))) ||
         (c->kind == PITH_COLUMN_CODE && whole_at(c->values, c->width, i) < 0);
}

/* ---- cells ------------------------------------------------------------- */

enum { NUMBER_TEXT = 80 };

/* A value on its way to a constant. sym: PITH_NONE while the text is still to
** be looked up. */
typedef struct {
  pith_sym sym;
  bool missing;
  pith_sym_kind kind;
  uint32_t hash;
  const char *text;
  size_t n;
  pith_sym *keep; /* where to note the constant for the next time, or NULL */
  pith_i_recent_value *recent; /* likewise, under key */
  pith_i_value_key key;
  char *number; /* (NUMBER_TEXT) room for the text of a number */
} cell;

/* What values of a column became: those from low on, count of them. Without a
** table, how often a value was looked for among the recent ones and found. */
typedef struct {
  pith_sym *known; /* NULL: no table */
  uint64_t low, count;
  uint32_t looked, found;
  bool rare; /* values hardly ever come again: they are not looked for */
} known_values;

static void put_whole(cell *out, uint64_t magnitude, bool negative) {
  char *end = out->number + NUMBER_TEXT, *at = end;
  do
    *--at = (char)('0' + magnitude % 10);
  while ((magnitude /= 10) > 0);
  if (negative)
    *--at = '-';
  out->text = at;
  out->n = (size_t)(end - at);
  out->kind = PITH_NUMBER;
}

/* How many decimals say a number, which is whole / 10^decimals; 0: more than
** are tried. Whole numbers below 10^15 and these powers are exact, and a
** division rounds once: the first that gives the value back is its shortest
** text. */
static int few_decimals(double value, uint64_t *whole) {
  static const double powers[] = {1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
  enum { PLACES = sizeof powers / sizeof *powers };
  for (int i = 0; i < PLACES && value < 1e9; i++) {
    *whole = (uint64_t)(value * powers[i] + 0.5);
    if ((double)*whole / powers[i] == value)
      return i + 1;
  }
  return 0;
}

/* Its digits at the end of room; how many characters. */
static size_t write_few_decimals(uint64_t whole, int places, char *end) {
  char *at = end;
  for (int i = 0; i < places; i++, whole /= 10)
    *--at = (char)('0' + whole % 10);
  *--at = '.';
  do
    *--at = (char)('0' + whole % 10);
  while ((whole /= 10) > 0);
  return (size_t)(end - at);
}

static size_t write_magnitude(double value, char *out) {
  uint64_t whole;
  int places = few_decimals(value, &whole);
  if (places == 0)
    return (size_t)snprintf(out, NUMBER_TEXT, "%s",
                            pith_i_decimal_write(value).text);
  char room[NUMBER_TEXT];
  size_t n = write_few_decimals(whole, places, room + sizeof room);
  memcpy(out, room + sizeof room - n, n);
  return n;
}

static const char *put_real(cell *out, double value) {
  if (!isfinite(value))
    return "not a finite number";
  char text[2 * NUMBER_TEXT];
  size_t sign = value < 0 ? 1 : 0;
  text[0] = '-';
  size_t n = sign + write_magnitude(fabs(value), text + sign);
  if (memchr(text, '.', n) == NULL && memchr(text, 'e', n) == NULL) {
    memcpy(text + n, ".0", 2);
    n += 2;
  }
  assert(n + PITH_I_NUMBER_ROOM <= NUMBER_TEXT);
  out->n = pith_i_number_normal(text, n, out->number);
  out->text = out->number;
  out->kind = PITH_NUMBER;
  return out->n == 0 || out->n == PITH_I_NUMBER_RANGE ? "a number out of range"
                                                      : NULL;
}

/* False: its offsets go backwards, as in a damaged file. */
static bool put_text(const pith_column *c, size_t i, cell *out) {
  int64_t from = whole_at(c->offsets, c->width, i);
  int64_t to = whole_at(c->offsets, c->width, i + 1);
  if (from < 0 || from > to)
    return false;
  out->text = (const char *)c->values + from;
  out->n = (size_t)(to - from);
  return true;
}

/* Twelve bytes or fewer stand in the view itself. */
typedef struct {
  int32_t n;
  char text[4];
  int32_t buffer, offset;
} text_view;

enum { INSIDE = 12 };

static const char *view_text(const pith_column *c, const text_view *v) {
  assert(v->n >= 0);
  return v->n <= INSIDE ? v->text
                        : (const char *)c->buffers[v->buffer] + v->offset;
}

static bool is_view(const text_view *v) {
  return v->n >= 0 && (v->n <= INSIDE || (v->buffer >= 0 && v->offset >= 0));
}

static bool put_view(const pith_column *c, size_t i, cell *out) {
  const text_view *v = (const text_view *)c->values + i;
  if (!is_view(v))
    return false;
  out->n = (size_t)v->n;
  out->text = view_text(c, v);
  return true;
}

static const char *name_fault(const cell *c) {
  return pith_i_utf8_valid(c->text, c->n)
             ? NULL
             : "a name that is not valid UTF-8, or has a NUL byte";
}

/* The text of a value; returns what is wrong with it, or NULL. */
static const char *put_value(const pith_column *c, size_t row, cell *out) {
  static const char no_text[] = "a text whose offsets are damaged";
  size_t i = c->first + row;
  out->kind = PITH_NAME;
  switch (c->kind) {
  case PITH_COLUMN_INT: {
    int64_t v = whole_at(c->values, c->width, i);
    put_whole(out, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
    return NULL;
  }
  case PITH_COLUMN_UINT:
    put_whole(out, natural_at(c->values, c->width, i), false);
    return NULL;
  case PITH_COLUMN_REAL:
    return put_real(out, real_at(c, i));
  case PITH_COLUMN_BOOL:
    out->text = bit_at(c->values, i) ? "true" : "false";
    out->n = strlen(out->text);
    return NULL;
  case PITH_COLUMN_TEXT:
    return put_text(c, i, out) ? name_fault(out) : no_text;
  case PITH_COLUMN_VIEW:
    return put_view(c, i, out) ? name_fault(out) : no_text;
  case PITH_COLUMN_CODE:
    break;
  }
  assert(!"a code is not a value");
  return "a value of no kind";
}

/* ---- tables of known values -------------------------------------------- */

/* As a number that rises with the value, for both kinds of integers. */
static uint64_t rank_of(const pith_column *c, size_t row) {
  size_t i = c->first + row;
  if (c->kind == PITH_COLUMN_UINT)
    return natural_at(c->values, c->width, i);
  return (uint64_t)whole_at(c->values, c->width, i) ^ UINT64_C(1) << 63;
}

static void find_range(const pith_column *c, size_t rows, known_values *k) {
  uint64_t low = UINT64_MAX, high = 0;
  for (size_t row = 0; row < rows; row++) {
    uint64_t v = rank_of(c, row);
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  k->low = low;
  k->count = rows == 0 || high - low == UINT64_MAX ? 0 : high - low + 1;
}

static bool make_table(pith_i_env *env, const pith_column *c, size_t rows,
                       known_values *k) {
  enum { SPARE = 2 }; /* entries for each row, at most */
  *k = (known_values){0};
  if (c->kind == PITH_COLUMN_CODE)
    k->count = c->dictionary_rows;
  else if (c->kind == PITH_COLUMN_INT || c->kind == PITH_COLUMN_UINT)
    find_range(c, rows, k);
  if (k->count == 0 ||
      (c->kind != PITH_COLUMN_CODE && k->count / SPARE > rows + 64))
    return true;
  k->known = pith_i_alloc(env, (size_t)k->count * sizeof *k->known);
  if (k->known == NULL)
    return false;
  memset(k->known, 0xff, (size_t)k->count * sizeof *k->known);
  return true;
}

/* ---- recent values ----------------------------------------------------- */

enum { REAL_TAG = 32, INT_TAG, UINT_TAG, VIEW_TAG }; /* above those of texts */

/* A long text is known by where it lies, if it comes in views, which rows that
** have the same text often share; else not at all. */
static bool view_key(const text_view *v, size_t column, pith_i_value_key *key) {
  memcpy(key->words, v, sizeof key->words);
  key->tag = VIEW_TAG + (uint32_t)column;
  return true;
}

static bool text_key(const char *text, size_t n, pith_i_value_key *key) {
  if (n > PITH_I_SHORT_TEXT)
    return false;
  *key = pith_i_text_key(text, n);
  return true;
}

static bool word_key(uint64_t word, uint32_t tag, pith_i_value_key *key) {
  *key = (pith_i_value_key){{word, 0}, tag};
  return true;
}

/* What tells a value that is there from all others; false: it has no key. */
static bool value_key(const pith_column *c, size_t column, size_t row,
                      pith_i_value_key *key) {
  size_t i = c->first + row;
  cell text;
  switch (c->kind) {
  case PITH_COLUMN_TEXT:
    return put_text(c, i, &text) && text_key(text.text, text.n, key);
  case PITH_COLUMN_VIEW: {
    const text_view *v = (const text_view *)c->values + i;
    if (!is_view(v))
      return false;
    return (size_t)v->n <= PITH_I_SHORT_TEXT
               ? text_key(view_text(c, v), (size_t)v->n, key)
               : view_key(v, column, key);
  }
  case PITH_COLUMN_REAL: {
    double value = real_at(c, i);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return word_key(bits, REAL_TAG, key);
  }
  case PITH_COLUMN_INT:
    return word_key((uint64_t)whole_at(c->values, c->width, i), INT_TAG, key);
  case PITH_COLUMN_UINT:
    return word_key(natural_at(c->values, c->width, i), UINT_TAG, key);
  case PITH_COLUMN_BOOL:
  case PITH_COLUMN_CODE:
    break;
  }
  return false;
}

static bool has_keys(const pith_column *c, const known_values *k) {
  return k->known == NULL && !k->rare && c->kind != PITH_COLUMN_BOOL &&
         c->kind != PITH_COLUMN_CODE;
}

static void note_look(known_values *k, bool found) {
  enum { MANY = 1 << 18, SHARE = 16 };
  k->found += found;
  if (++k->looked < MANY)
    return;
  k->rare = k->found < MANY / SHARE;
  k->looked = k->found = 0;
}

/* ---- a block ----------------------------------------------------------- */

enum { BLOCK_CELLS = 256 };

typedef struct {
  const pith_i_columns_job *job;
  pith_i_env *env;
  known_values *tables; /* (width)                  */
  pith_i_recent_values recent;
  cell *cells;    /* (block_rows, width)      */
  char *numbers;  /* (cells, NUMBER_TEXT)     */
  pith_sym *syms; /* (block_rows, width)      */
  size_t width, block_rows;
  pith_place *bad;
} columns_work;

static pith_status refuse_cell(const columns_work *w, size_t row, size_t column,
                               const char *why) {
  *w->bad = (pith_place){.row = row, .column = column};
  return pith_i_fail(w->env, PITH_EINPUT, "row %zu, column %zu: %s", row,
                     column, why);
}

/* The dictionary's row that a code stands for; false: there is none. */
static bool follow_code(const pith_column *c, size_t row, size_t *out) {
  int64_t code = whole_at(c->values, c->width, c->first + row);
  *out = (size_t)code;
  return code >= 0 && (uint64_t)code < c->dictionary_rows;
}

/* Whether the value was seen lately; else out says where to note it. */
static bool find_recent(const columns_work *w, size_t row, size_t column,
                        cell *out) {
  if (!value_key(&w->job->columns[column], column, row, &out->key))
    return false;
  out->recent = pith_i_recent_place(&w->recent, &out->key);
  bool found = pith_i_recent_holds(out->recent, &out->key);
  note_look(&w->tables[column], found);
  if (found)
    out->sym = out->recent->sym;
  return found;
}

static const char *fill_cell(const columns_work *w, size_t row, size_t column,
                             cell *out) {
  const pith_column *c = &w->job->columns[column];
  const known_values *k = &w->tables[column];
  size_t place = row;
  out->sym = PITH_NONE;
  out->keep = NULL;
  out->recent = NULL;
  out->missing = is_missing(c, row);
  if (out->missing)
    return NULL;
  if (c->kind == PITH_COLUMN_CODE && !follow_code(c, row, &place))
    return "a code that its dictionary does not have";
  if (k->known !=
      NULL) { /* the range may have changed since it was looked at */
    uint64_t at =
        c->kind == PITH_COLUMN_CODE ? place : rank_of(c, row) - k->low;
    out->keep = at < k->count ? &k->known[at] : NULL;
    out->sym = at < k->count ? *out->keep : PITH_NONE;
    if (out->sym != PITH_NONE)
      return NULL;
  }
  if (has_keys(c, k) && find_recent(w, row, column, out))
    return NULL;
  if (c->kind == PITH_COLUMN_CODE) {
    c = c->dictionary;
    out->missing = is_missing(c, place);
    if (out->missing)
      return NULL;
  }
  const char *why = put_value(c, place, out);
  if (why == NULL)
    out->hash = pith_i_sym_hash(w->job->names, out->text, out->n, out->kind);
  return why;
}

static void prefetch_slot(const pith_i_names *names, const cell *c) {
  if (c->sym == PITH_NONE && !c->missing && names->slot_count > 0)
    pith_i_prefetch(&names->slots[c->hash & (names->slot_count - 1)]);
}

static void prefetch_symbol(const pith_i_names *names, const cell *c) {
  if (c->sym != PITH_NONE || c->missing || names->slot_count == 0)
    return;
  pith_sym likely = names->slots[c->hash & (names->slot_count - 1)].sym;
  if (likely != PITH_NONE)
    pith_i_prefetch(pith_i_sym(names, likely));
}

static void prefetch_name(const pith_i_names *names, const cell *c) {
  if (c->sym != PITH_NONE || c->missing || names->slot_count == 0)
    return;
  pith_sym likely = names->slots[c->hash & (names->slot_count - 1)].sym;
  if (likely != PITH_NONE)
    pith_i_prefetch(pith_i_sym(names, likely)->text);
}

static pith_status fill_row(const columns_work *w, size_t row, cell *cells) {
  for (size_t column = 0; column < w->width; column++) {
    cell *c = &cells[column];
    const char *why = fill_cell(w, row, column, c);
    if (why == NULL && c->missing && !w->job->skip_missing)
      why = "a missing value";
    if (why != NULL)
      return refuse_cell(w, row, column, why);
    prefetch_slot(w->job->names, c);
  }
  return PITH_OK;
}

/* Of codes the table is as a rule near; of numbers it may be large. */
static void prefetch_known(const columns_work *w, size_t from, size_t n) {
  for (size_t column = 0; column < w->width; column++) {
    const pith_column *c = &w->job->columns[column];
    const known_values *k = &w->tables[column];
    if (k->known == NULL || c->kind == PITH_COLUMN_CODE)
      continue;
    for (size_t row = from; row < from + n; row++) {
      uint64_t at = rank_of(c, row) - k->low;
      if (at < k->count)
        pith_i_prefetch(&k->known[at]);
    }
  }
}

/* And of long texts the bytes themselves. */
static void prefetch_recent(const columns_work *w, size_t from, size_t n) {
  pith_i_value_key key;
  for (size_t column = 0; column < w->width; column++) {
    const pith_column *c = &w->job->columns[column];
    if (!has_keys(c, &w->tables[column]))
      continue;
    for (size_t row = from; row < from + n; row++)
      if (!is_missing(c, row) && value_key(c, column, row, &key))
        pith_i_prefetch(pith_i_recent_place(&w->recent, &key));
  }
}

static pith_status fill_block(const columns_work *w, size_t from, size_t n) {
  pith_status rc = PITH_OK;
  prefetch_known(w, from, n);
  prefetch_recent(w, from, n);
  for (size_t row = 0; rc >= 0 && row < n; row++)
    rc = fill_row(w, from + row, w->cells + row * w->width);
  for (size_t i = 0; rc >= 0 && i < n * w->width; i++)
    prefetch_symbol(w->job->names, &w->cells[i]);
  for (size_t i = 0; rc >= 0 && i < n * w->width; i++)
    prefetch_name(w->job->names, &w->cells[i]);
  return rc;
}

static bool row_is_whole(const columns_work *w, const cell *cells) {
  for (size_t i = 0; i < w->width; i++)
    if (cells[i].missing)
      return false;
  return true;
}

/* Another cell of the block may have made the constant meanwhile. */
static pith_status settle_cell(const columns_work *w, cell *c, pith_sym *out) {
  pith_status rc = PITH_OK;
  if (c->sym == PITH_NONE && c->keep != NULL)
    c->sym = *c->keep;
  if (c->sym == PITH_NONE)
    rc = pith_i_sym_add_hashed(w->job->names, c->text, c->n, c->kind, c->hash,
                               &c->sym);
  if (c->keep != NULL)
    *c->keep = c->sym;
  if (rc >= 0 && c->recent != NULL)
    pith_i_recent_keep(c->recent, &c->key, c->sym);
  *out = c->sym;
  return rc;
}

/* The constants of whole rows; *rows: how many there are. */
static pith_status settle_block(const columns_work *w, size_t n, size_t *rows) {
  pith_sym *out = w->syms;
  pith_status rc = PITH_OK;
  for (size_t row = 0; rc >= 0 && row < n; row++) {
    cell *cells = w->cells + row * w->width;
    if (!row_is_whole(w, cells))
      continue;
    for (size_t i = 0; rc >= 0 && i < w->width; i++)
      rc = settle_cell(w, &cells[i], out++);
  }
  *rows = (size_t)(out - w->syms) / w->width;
  return rc;
}

static pith_status add_block(const columns_work *w, size_t rows) {
  pith_i_relation *r = w->job->relation;
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < rows; i++)
    pith_i_tuples_expect(&r->rows, w->syms + i * w->width);
  for (size_t i = 0; rc >= 0 && i < rows; i++)
    rc =
        pith_i_tuples_add(w->env, &r->rows, w->syms + i * w->width, NULL, NULL);
  r->given = r->rows.n;
  return rc;
}

/* ---- the whole --------------------------------------------------------- */

static pith_status start_work(columns_work *w) {
  const pith_i_columns_job *job = w->job;
  w->width = job->relation->rows.width;
  assert(w->width > 0);
  w->block_rows = BLOCK_CELLS / w->width > 0 ? BLOCK_CELLS / w->width : 1;
  size_t cells = w->block_rows * w->width;
  w->tables = pith_i_zalloc(w->env, w->width, sizeof *w->tables);
  w->cells = pith_i_alloc(w->env, cells * sizeof *w->cells);
  w->syms = pith_i_alloc(w->env, cells * sizeof *w->syms);
  w->numbers = pith_i_alloc(w->env, cells * NUMBER_TEXT);
  if (w->tables == NULL || w->cells == NULL || w->syms == NULL ||
      w->numbers == NULL || !pith_i_recent_new(w->env, job->rows, &w->recent))
    return PITH_ENOMEM;
  for (size_t i = 0; i < cells; i++)
    w->cells[i].number = w->numbers + i * NUMBER_TEXT;
  for (size_t i = 0; i < w->width; i++)
    if (!make_table(w->env, &job->columns[i], job->rows, &w->tables[i]))
      return PITH_ENOMEM;
  return pith_i_tuples_reserve(w->env, &job->relation->rows, job->rows);
}

static void end_work(columns_work *w) {
  for (size_t i = 0; w->tables != NULL && i < w->width; i++)
    pith_i_release(w->env, w->tables[i].known);
  pith_i_release(w->env, w->tables);
  pith_i_release(w->env, w->cells);
  pith_i_release(w->env, w->syms);
  pith_i_release(w->env, w->numbers);
  pith_i_recent_free(w->env, &w->recent);
}

pith_status pith_i_columns_add(const pith_i_columns_job *job, pith_place *bad) {
  columns_work w = {.job = job, .env = job->names->env, .bad = bad};
  pith_status rc = start_work(&w);
  for (size_t from = 0; rc >= 0 && from < job->rows; from += w.block_rows) {
    size_t left = job->rows - from, whole = 0;
    size_t n = left < w.block_rows ? left : w.block_rows;
    rc = pith_i_call_poll_rarely(w.env);
    if (rc >= 0)
      rc = fill_block(&w, from, n);
    if (rc >= 0)
      rc = settle_block(&w, n, &whole);
    if (rc >= 0)
      rc = add_block(&w, whole);
  }
  end_work(&w);
  return rc;
}
