#include "text/csv.h"

#include <assert.h>
#include <string.h>

#include "term/compare.h"
#include "term/number.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* ---- cells ------------------------------------------------------------ */

void pith_i_cell_trim(pith_i_cell *cell) {
  while (cell->n > 0 && is_blank(cell->text[0])) {
    cell->text++;
    cell->n--;
    cell->at++;
  }
  while (cell->n > 0 && is_blank(cell->text[cell->n - 1]))
    cell->n--;
}

static pith_status copy_undoubled(pith_i_arena *arena, pith_i_cell *cell) {
  char *copy = pith_i_arena_alloc(arena, cell->n + 1);
  size_t n = 0;
  if (copy == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < cell->n; i++) {
    copy[n++] = cell->text[i];
    i += cell->text[i] == '"';
  }
  cell->text = copy;
  cell->n = n;
  return PITH_OK;
}

pith_status pith_i_cell_unquote(pith_i_arena *arena, pith_i_cell *cell) {
  const char *s = cell->text;
  bool doubled = false;
  if (cell->n < 2 || s[0] != '"' || s[cell->n - 1] != '"')
    return PITH_OK;
  for (size_t i = 1; i + 1 < cell->n; i++)
    if (s[i] == '"') {
      if (i + 2 >= cell->n || s[i + 1] != '"')
        return PITH_OK;
      doubled = true;
      i++;
    }
  *cell = (pith_i_cell){s + 1, cell->n - 2, cell->at, true};
  pith_status rc = doubled ? copy_undoubled(arena, cell) : PITH_OK;
  pith_i_cell_trim(cell);
  return rc;
}

/* ---- records ---------------------------------------------------------- */

/* Skips what is no record. */
static void skip_empty_lines(pith_i_csv *c) {
  while (c->at < c->n) {
    const char *line = c->text + c->at;
    const char *stop = memchr(line, '\n', c->n - c->at);
    size_t n = stop == NULL ? c->n - c->at : (size_t)(stop - line);
    size_t blank = 0;
    while (blank < n && is_blank(line[blank]) && line[blank] != c->separator)
      blank++;
    if (blank < n && line[blank] != '#')
      return;
    c->at += n + (stop != NULL);
  }
}

/* Behind the closing quote of the cell that starts at c->at, or at the text's
** end. */
static size_t quoted_end(pith_i_csv *c) {
  size_t i = c->at + 1;
  for (;; i++) {
    const char *quote = memchr(c->text + i, '"', c->n - i);
    if (quote == NULL) {
      c->open_quote = c->at;
      return c->n;
    }
    i = (size_t)(quote - c->text) + 1;
    if (i >= c->n || c->text[i] != '"')
      return i;
  }
}

static size_t plain_end(const pith_i_csv *c, size_t i) {
  while (i < c->n && c->text[i] != c->separator && c->text[i] != '\n')
    i++;
  return i;
}

/* One cell from c->at, which is left at the separator or line end behind. */
static pith_status take_cell(pith_i_csv *c, pith_i_cell *cell) {
  while (c->at < c->n && is_blank(c->text[c->at]) &&
         c->text[c->at] != c->separator)
    c->at++;
  size_t from = c->at;
  if (c->at < c->n && c->text[c->at] == '"')
    c->at = quoted_end(c);
  c->at = plain_end(c, c->at);
  *cell = (pith_i_cell){c->text + from, c->at - from, from, false};
  pith_i_cell_trim(cell);
  return pith_i_cell_unquote(c->arena, cell);
}

int pith_i_csv_next(pith_i_csv *c, pith_i_cells *cells) {
  cells->n = 0;
  c->open_quote = SIZE_MAX;
  skip_empty_lines(c);
  if (c->at >= c->n)
    return 0;
  for (;; c->at++) {
    pith_i_cell cell;
    if (take_cell(c, &cell) < 0 || !pith_i_push(c->arena->env, cells, cell))
      return PITH_ENOMEM;
    if (c->at >= c->n)
      return 1;
    if (c->text[c->at] == '\n') {
      c->at++;
      return 1;
    }
    assert(c->text[c->at] == c->separator);
  }
}

/* ---- values ----------------------------------------------------------- */

static size_t count_digits(const char *text, size_t n) {
  size_t i = 0;
  while (i < n && is_digit(text[i]))
    i++;
  return i;
}

/* Spells the number as names.c wants it, with digits on both sides of a point
** and a point in front of an exponent. */
static size_t spell_number(const char *text, size_t n, char *out) {
  char *o = out;
  size_t i = 0;
  if (text[0] == '-' || text[0] == '+') {
    if (text[0] == '-')
      *o++ = '-';
    i++;
  }
  size_t whole = count_digits(text + i, n - i);
  if (whole > 1 && text[i] == '0')
    return 0;
  if (whole == 0)
    *o++ = '0';
  memcpy(o, text + i, whole);
  o += whole;
  i += whole;
  bool point = i < n && text[i] == '.';
  size_t part = point ? count_digits(text + i + 1, n - i - 1) : 0;
  if (whole + part == 0)
    return 0;
  if (point || i < n)
    *o++ = '.';
  if (part > 0)
    memcpy(o, text + i + 1, part);
  else if (point || i < n)
    o[part++] = '0';
  o += part;
  i += point ? 1 + count_digits(text + i + 1, n - i - 1) : 0;
  memcpy(o, text + i, n - i);
  return (size_t)(o - out) + n - i;
}

size_t pith_i_cell_number(const char *text, size_t n, char *out) {
  enum { LONGEST = 40 }; /* so that any normal spelling fits out */
  char spelled[LONGEST + 8];
  if (n == 0 || n > LONGEST || (!is_digit(text[0]) && !strchr("+-.", text[0])))
    return 0;
  size_t m = spell_number(text, n, spelled);
  size_t normal = m == 0 ? 0 : pith_i_number_normal(spelled, m, out);
  return normal == PITH_I_NUMBER_RANGE ? 0 : normal;
}

size_t pith_i_cell_decimal(const char *text, size_t n, char *out) {
  char whole[72];
  size_t m = pith_i_cell_number(text, n, out);
  if (m == 0 || memchr(out, '.', m) != NULL)
    return m;
  assert(m + 2 <= sizeof whole);
  memcpy(whole, out, m);
  memcpy(whole + m, ".0", 2);
  return pith_i_number_normal(whole, m + 2, out);
}

bool pith_i_is_date(const char *text, size_t n) {
  double value;
  return pith_i_order_of(text, n, PITH_NAME, &value) == PITH_ORDER_DATE;
}
