#include "term/number.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

/* ---- reading --------------------------------------------------------- */

/* A number taken apart. Its value is 0.DIGITS times ten to the exponent,
** DIGITS being those of whole and fraction without leading zeros. */
typedef struct {
  bool negative, is_decimal;
  const char *whole, *fraction; /* digits, perhaps with _ between */
  size_t whole_len, fraction_len;
  long power; /* behind the e */
} number_parts;

enum { LARGEST_POWER = 100000 }; /* more is out of range in any case */

/* Digits with single underscores between them; how many characters. */
static size_t count_digits(const char *text, size_t n) {
  size_t i = 0;
  while (i < n && (is_decimal_digit(text[i]) ||
                   (text[i] == '_' && i > 0 && text[i - 1] != '_' &&
                    i + 1 < n && is_decimal_digit(text[i + 1]))))
    i++;
  return i;
}

static bool take_power(const char *text, size_t n, long *power) {
  bool negative = n > 0 && *text == '-';
  size_t i = n > 0 && (*text == '-' || *text == '+') ? 1 : 0;
  *power = 0;
  if (i == n)
    return false;
  for (; i < n; i++) {
    if (!is_decimal_digit(text[i]))
      return false;
    if (*power < LARGEST_POWER)
      *power = *power * 10 + (text[i] - '0');
  }
  *power = negative ? -*power : *power;
  return true;
}

/* [-]digits[.digits][(e|E)[+|-]digits] */
static bool take_apart(const char *text, size_t n, number_parts *out) {
  *out = (number_parts){.negative = n > 0 && *text == '-'};
  text += out->negative;
  n -= out->negative;
  out->whole = out->fraction = text;
  out->whole_len = count_digits(text, n);
  if (out->whole_len == 0)
    return false;
  text += out->whole_len;
  n -= out->whole_len;
  if (n > 0 && *text == '.') {
    out->fraction = text + 1;
    out->fraction_len = count_digits(text + 1, n - 1);
    if (out->fraction_len == 0)
      return false;
    text += 1 + out->fraction_len;
    n -= 1 + out->fraction_len;
    out->is_decimal = true;
  }
  if (n == 0)
    return true;
  out->is_decimal = true;
  return (*text == 'e' || *text == 'E') &&
         take_power(text + 1, n - 1, &out->power);
}

/* Copies digits, those of whole and then those of fraction, without zeros in
** front. *exponent: where the point is, counted from the first of them. */
static size_t put_digits(const number_parts *p, char *out, long *exponent) {
  size_t n = 0;
  long whole = 0, zeros = 0;
  for (size_t i = 0; i < p->whole_len + p->fraction_len; i++) {
    bool in_whole = i < p->whole_len;
    char c = in_whole ? p->whole[i] : p->fraction[i - p->whole_len];
    if (c == '_')
      continue;
    if (n == 0 && c == '0')
      zeros += !in_whole;
    else
      out[n++] = c;
    whole += in_whole && n > 0;
  }
  *exponent = p->power + whole - (whole == 0 ? zeros : 0);
  return n;
}

/* ---- normal spelling ------------------------------------------------- */

static size_t put_integer(const number_parts *p, char *out) {
  long exponent;
  out[0] = '-';
  size_t n = put_digits(p, out + p->negative, &exponent);
  if (n == 0) {
    out[0] = '0';
    return 1;
  }
  return n + p->negative;
}

/* The largest double has 309 digits before the point; the smallest that is
** exact to all its digits has 307 zeros behind it. */
static bool is_in_range(const char *digits, size_t n, long exponent) {
  static const char most[] = "17976931348623157";
  size_t len = sizeof most - 1 < n ? sizeof most - 1 : n;
  return exponent >= -306 &&
         (exponent < 309 ||
          (exponent == 309 && memcmp(digits, most, len) <= 0));
}

/* 0.DIGITS times ten to the exponent, as 123.45 or as 1.2345e20: the latter
** where SWI-Prolog would write it so. */
static size_t put_decimal(char *out, const char *digits, size_t n,
                          long exponent) {
  size_t at = 0;
  if (exponent > 15 || exponent < -3) {
    memcpy(out + 2, digits + 1, n - 1);
    out[0] = digits[0];
    out[1] = '.';
    if (n == 1)
      out[2] = '0';
    at = n == 1 ? 3 : n + 1;
    return at + (size_t)sprintf(out + at, "e%ld", exponent - 1);
  }
  if (exponent <= 0) {
    memcpy(out, "0.", 2);
    memset(out + 2, '0', (size_t)-exponent);
    memcpy(out + 2 - exponent, digits, n);
    return n + 2 + (size_t)-exponent;
  }
  size_t whole = (size_t)exponent;
  for (; at < whole; at++)
    out[at] = at < n ? digits[at] : '0';
  out[at++] = '.';
  for (size_t i = whole; i < n; i++)
    out[at++] = digits[i];
  if (n <= whole)
    out[at++] = '0';
  return at;
}

/* digits: scratch of as many bytes as out has. */
static size_t put_normal_decimal(const number_parts *p, char *out,
                                 char *digits) {
  long exponent;
  size_t n = put_digits(p, digits, &exponent);
  while (n > 0 && digits[n - 1] == '0')
    n--;
  if (n == 0) {
    memcpy(out, "0.0", 3);
    return 3;
  }
  if (!is_in_range(digits, n, exponent))
    return PITH_I_NUMBER_RANGE;
  out[0] = '-';
  return p->negative + put_decimal(out + p->negative, digits, n, exponent);
}

/* ---- other bases ----------------------------------------------------- */

static unsigned digit_in_base(char c) {
  return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                : 99;
}

/* 0x1F, 0o17, 0b101 */
static size_t put_other_base(const char *text, size_t n, char *out) {
  bool negative = n > 0 && *text == '-';
  text += negative;
  n -= negative;
  unsigned base = n < 3 || text[0] != '0' ? 0
                  : text[1] == 'x'        ? 16
                  : text[1] == 'o'        ? 8
                  : text[1] == 'b'        ? 2
                                          : 0;
  uint64_t value = 0;
  for (size_t i = 2; base > 0 && i < n; i++) {
    unsigned digit = digit_in_base(text[i]);
    if (digit >= base)
      return 0;
    if (value > (UINT64_MAX - digit) / base)
      return PITH_I_NUMBER_RANGE;
    value = value * base + digit;
  }
  return base == 0
             ? 0
             : (size_t)sprintf(out, "%s%llu", negative && value > 0 ? "-" : "",
                               (unsigned long long)value);
}

size_t pith_i_number_normal(const char *text, size_t n, char *out) {
  number_parts p;
  if (!take_apart(text, n, &p))
    return put_other_base(text, n, out);
  if (!p.is_decimal)
    return put_integer(&p, out);
  char digits[512];
  if (p.whole_len + p.fraction_len > sizeof digits)
    return PITH_I_NUMBER_RANGE;
  return put_normal_decimal(&p, out, digits);
}

/* ---- value and order ------------------------------------------------- */

/* From digits and a power alone, without a point: whatever the locale. */
double pith_i_number_value(const char *text, size_t n) {
  enum { ENOUGH = 40 }; /* digits; the rest is cut off, which keeps the order */
  number_parts p;
  char all[512 + PITH_I_NUMBER_ROOM], *digits = all;
  bool good = take_apart(text, n, &p);
  assert(good);
  long exponent = 0;
  size_t count = p.whole_len + p.fraction_len;
  if (!good)
    return 0;
  if (count > sizeof all - PITH_I_NUMBER_ROOM) {
    /* A very long integer; it has no zeros in front. */
    exponent = (long)count;
    memcpy(digits, p.whole, ENOUGH);
    count = ENOUGH;
  } else {
    count = put_digits(&p, digits, &exponent);
  }
  if (count == 0)
    return 0;
  if (count > ENOUGH)
    count = ENOUGH;
  exponent -= (long)count;
  sprintf(digits + count, "e%ld", exponent);
  double value = strtod(digits, NULL);
  return p.negative ? -value : value;
}

/* The digits of a number one after the other, zeros behind the last. */
typedef struct {
  const number_parts *p;
  size_t at;
} digit_reader;

static char next_digit(digit_reader *r) {
  const number_parts *p = r->p;
  size_t i = r->at++;
  return i < p->whole_len                     ? p->whole[i]
         : i < p->whole_len + p->fraction_len ? p->fraction[i - p->whole_len]
                                              : '0';
}

/* Moves to the first digit that is not zero; *power: of ten, that it counts
** for. false: the number is zero. */
static bool find_first_digit(digit_reader *r, long *power) {
  const number_parts *p = r->p;
  size_t count = p->whole_len + p->fraction_len;
  while (r->at < count && next_digit(&(digit_reader){p, r->at}) == '0')
    r->at++;
  *power = p->power + (long)p->whole_len - (long)r->at;
  return r->at < count;
}

static int compare_sizes(const number_parts *a, const number_parts *b) {
  digit_reader x = {a, 0}, y = {b, 0};
  long x_power = 0, y_power = 0;
  bool x_any = find_first_digit(&x, &x_power);
  bool y_any = find_first_digit(&y, &y_power);
  if (!x_any || !y_any)
    return x_any - y_any;
  if (x_power != y_power)
    return x_power < y_power ? -1 : 1;
  size_t left = a->whole_len + a->fraction_len;
  size_t right = b->whole_len + b->fraction_len;
  for (size_t i = 0; i < left || i < right; i++) {
    char c = next_digit(&x), d = next_digit(&y);
    if (c != d)
      return c < d ? -1 : 1;
  }
  return 0;
}

int pith_i_number_compare(const char *a, size_t a_len, const char *b,
                          size_t b_len) {
  number_parts x, y;
  bool good = take_apart(a, a_len, &x) && take_apart(b, b_len, &y);
  assert(good);
  if (!good)
    return 0;
  int sizes = compare_sizes(&x, &y);
  if (x.negative != y.negative)
    return x.negative ? -1 : 1;
  return x.negative ? -sizes : sizes;
}
