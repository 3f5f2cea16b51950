#include "text/column_kind.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

/* ---- words ------------------------------------------------------------ */

static bool cell_is(const pith_i_cell *cell, const char *word) {
  return cell->n == strlen(word) && strncasecmp(cell->text, word, cell->n) == 0;
}

static bool cell_is_any(const pith_i_cell *cell, const char *const *words) {
  for (; *words != NULL; words++)
    if (cell_is(cell, *words))
      return true;
  return false;
}

bool pith_i_cell_is_true(const pith_i_cell *cell) {
  static const char *const words[] = {"true", "yes", "t", "y", "1", NULL};
  return cell_is_any(cell, words);
}

static bool is_truth(const pith_i_cell *cell) {
  static const char *const words[] = {"true", "false", "yes", "no", NULL};
  return cell_is_any(cell, words);
}

static bool is_bit(const pith_i_cell *cell) {
  static const char *const words[] = {"t", "f", "y", "n", "0", "1", NULL};
  return is_truth(cell) || cell_is_any(cell, words);
}

/* What programs and people write for nothing. Only among numbers, or among yes
** and no: NA is Namibia too. */
static bool is_missing(const pith_i_cell *cell) {
  static const char *const words[] = {"NA",   "N/A", "n.a.", "#N/A", "NaN",
                                      "null", "?",   "-",    "--",   NULL};
  return cell->n <= 4 && cell_is_any(cell, words);
}

/* ---- numbers and dates in other spellings ----------------------------- */

static size_t skip_digits(const char *text, size_t n, size_t at) {
  while (at < n && text[at] >= '0' && text[at] <= '9')
    at++;
  return at;
}

/* The length of a sign of currency, percent or a blank at text[at]. */
static size_t unit_length(const char *text, size_t n, size_t at) {
  static const char *const units[] = {"$",      "%",      " ",
                                      "\u20ac", "\u00a3", "\u00a5"};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    size_t m = strlen(units[i]);
    if (n - at >= m && memcmp(text + at, units[i], m) == 0)
      return m;
  }
  return 0;
}

static size_t skip_units(const char *text, size_t n, size_t at) {
  for (size_t m; at < n && (m = unit_length(text, n, at)) > 0;)
    at += m;
  return at;
}

/* 1,200 and 1200,50 and $ 3 and 12%: digits in groups, with a unit or not. */
static bool is_odd_number(const pith_i_cell *cell) {
  const char *text = cell->text;
  size_t n = cell->n, at = text[0] == '-' ? 1 : 0;
  size_t start = skip_units(text, n, at);
  size_t digits = skip_digits(text, n, start);
  if (digits == start || (text[start] == '0' && digits - start > 1))
    return false;
  bool grouped = false;
  while (digits + 1 < n && strchr(",.'", text[digits]) != NULL) {
    size_t next = skip_digits(text, n, digits + 1);
    if (next == digits + 1)
      return false;
    grouped = true;
    digits = next;
  }
  size_t end = skip_units(text, n, digits);
  return end == n && (grouped || start > at || end > digits);
}

/* 14/06/2024, 6/14/24 and 14.6.2024. */
static bool is_odd_date(const pith_i_cell *cell) {
  size_t at = 0, n = cell->n;
  for (int part = 0; part < 3; part++) {
    size_t end = skip_digits(cell->text, n, at), length = end - at;
    if (length == 0 || length > 4 || length == 3 || (part == 1 && length > 2))
      return false;
    if (part == 2)
      return end == n;
    if (end == n || (cell->text[end] != '/' && cell->text[end] != '.'))
      return false;
    at = end + 1;
  }
  return false;
}

/* 9:15 and 09:15:30; brief: with one digit for the hour. */
static bool is_time_of_day(const pith_i_cell *cell, bool *brief) {
  size_t hour = skip_digits(cell->text, cell->n, 0), at = hour;
  int parts = 0;
  while (at < cell->n && cell->text[at] == ':' && parts < 2) {
    size_t end = skip_digits(cell->text, cell->n, at + 1);
    if (end - at != 3)
      return false;
    at = end;
    parts++;
  }
  *brief = hour == 1;
  return at == cell->n && parts > 0 && (hour == 1 || hour == 2);
}

/* ---- columns ---------------------------------------------------------- */

static unsigned cell_kinds(const pith_i_cell *cell, bool typed) {
  char number[PITH_I_CELL_NUMBER_ROOM];
  if (!(typed && cell->quoted) && is_missing(cell))
    return PITH_I_CELL_ANY;
  unsigned kinds = (is_truth(cell) ? PITH_I_CELL_TRUTH : 0u) |
                   (is_bit(cell) ? PITH_I_CELL_BIT : 0u);
  if (typed && cell->quoted)
    return kinds;
  size_t n = pith_i_cell_number(cell->text, cell->n, number);
  if (n > 0)
    kinds |= PITH_I_CELL_DECIMAL |
             (memchr(number, '.', n) == NULL ? PITH_I_CELL_INTEGER : 0u);
  return kinds;
}

enum { LOOKED_AT = 30 }; /* cells of any column */

static void note_odd_cell(pith_i_column_kind *k, const pith_i_cell *cell) {
  if (k->odd.text[0] == '\0') {
    k->odd = pith_i_shorten(cell->text, cell->n);
    k->odd_at = cell->at;
  }
  bool brief = false;
  if (is_time_of_day(cell, &brief)) {
    k->times++;
    if (brief && k->odd_times++ == 0) {
      k->odd = pith_i_shorten(cell->text, cell->n);
      k->odd_at = cell->at;
    }
  } else if (is_odd_date(cell)) {
    k->odd_dates++;
  } else {
    k->odd_numbers += is_odd_number(cell);
  }
}

void pith_i_column_look(pith_i_column_kind *k, const pith_i_cell *cell,
                        bool typed) {
  assert(cell->n > 0);
  k->filled++;
  if (k->may_be == 0 && k->filled > LOOKED_AT &&
      k->numbers + k->odd_numbers + k->odd_dates + k->times == 0)
    return; /* names, as in most columns: there is nothing to count */
  unsigned kinds = cell_kinds(cell, typed);
  k->may_be &= kinds;
  if ((kinds & PITH_I_CELL_DECIMAL) != 0)
    k->numbers++;
  else
    note_odd_cell(k, cell);
}

bool pith_i_column_is_number(const pith_i_column_kind *k) {
  return k->filled > 0 && (k->may_be & PITH_I_CELL_DECIMAL) != 0;
}

bool pith_i_column_is_truth(const pith_i_column_kind *k) {
  return k->filled > 0 && (k->may_be & PITH_I_CELL_TRUTH) != 0;
}

bool pith_i_column_is_empty(const pith_i_column_kind *k,
                            const pith_i_cell *cell) {
  return cell->n == 0 || (k->may_be != 0 && is_missing(cell));
}

/* ---- doubts ----------------------------------------------------------- */

enum { FEWEST_NUMBERS = 4, NUMBERS_PER_NAME = 4 };

const char *pith_i_column_doubt(const pith_i_column_kind *k) {
  if (k->may_be != 0 || k->filled == 0)
    return NULL;
  if (k->odd_dates == k->filled)
    return "is read as a name, not as a date; expected a date such as "
           "2024-06-14; write it so to have dates compared";
  if (k->odd_times > 0 && k->times == k->filled)
    return "is read as a name, not as a time; expected a time such as 09:15, "
           "with two digits for the hour; write it so to have times compared";
  if (k->odd_numbers > 0 && k->odd_numbers + k->numbers == k->filled)
    return "is read as a name, not as a number; expected a number such as "
           "1200.5; leave out separators and units to have numbers compared";
  size_t names = k->filled - k->numbers;
  if (k->numbers >= FEWEST_NUMBERS && k->numbers / NUMBERS_PER_NAME >= names)
    return "is not a number, so the whole column is read as names; "
           "expected a number, as in the other cells; correct it, or leave it "
           "empty";
  return NULL;
}
