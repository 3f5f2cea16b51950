#include "text/decimal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 400 };

/* Replaces the first `from` by `to`, one byte or more each. */
static void replace_first(char *text, const char *from, const char *to) {
  char *at = strstr(text, from);
  if (at == NULL || strcmp(from, to) == 0)
    return;
  size_t old = strlen(from), new = strlen(to);
  memmove(at + new, at + old, strlen(at + old) + 1);
  for (size_t i = 0; i < new; i++)
    at[i] = to[i];
}

/* The locale's decimal point; localeconv would share what it returns with other
** threads. */
typedef struct {
  char text[16];
} decimal_point;

static decimal_point find_decimal_point(void) {
  decimal_point p;
  snprintf(p.text, sizeof p.text, "%.1f", 0.5); /* 0.5 */
  size_t n = strlen(p.text);
  memmove(p.text, p.text + 1, n);
  p.text[n - 2] = '\0';
  return p;
}

bool pith_i_decimal_read(const char *text, size_t n, double *out) {
  char copy[LONG + 16];
  if (n > LONG)
    return false;
  memcpy(copy, text, n);
  copy[n] = '\0';
  char *end;
  *out = strtod(copy, &end);
  if (*end == '.') { /* another locale's */
    replace_first(copy, ".", find_decimal_point().text);
    *out = strtod(copy, &end);
  }
  return *end == '\0' && isfinite(*out);
}

/* 1e+20 is no number of ours: 1.0e20 is. */
static void as_prolog(char *text) {
  char *e = strchr(text, 'e');
  if (e == NULL)
    return;
  if (memchr(text, '.', (size_t)(e - text)) == NULL) {
    memmove(e + 2, e, strlen(e) + 1);
    e[0] = '.';
    e[1] = '0';
    e += 2;
  }
  if (e[1] == '+')
    memmove(e + 1, e + 2, strlen(e + 2) + 1);
}

enum { EXACT = 15, ENOUGH = 17, ROOM = 64 }; /* digits, and characters */

/* How many digits a value needs to be read back. Of those that need at most 15,
** the 15th and those before it are zeros from some place on. */
static int digits_needed(double value) {
  char text[ROOM];
  for (int digits = EXACT; digits < ENOUGH; digits++) {
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    if (strtod(text, NULL) != value)
      continue;
    const char *last = strchr(text, 'e') - 1;
    for (; *last == '0' && digits > 1; last--)
      digits--;
    return digits;
  }
  return ENOUGH;
}

pith_i_decimal pith_i_decimal_write(double value) {
  assert(isfinite(value) && value >= 0);
  pith_i_decimal d;
  int digits = digits_needed(value);
  if (digits > ENOUGH) /* never; it tells the compiler how long the text is */
    digits = ENOUGH;
  snprintf(d.text, sizeof d.text - 8, "%.*g", digits, value);
  if (d.text[strspn(d.text, "0123456789.e+-")] != '\0')
    replace_first(d.text, find_decimal_point().text, ".");
  as_prolog(d.text);
  return d;
}
