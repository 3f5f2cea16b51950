#include "term/compare.h"

#include <string.h>

#include "term/number.h"

/* ---- dates ----------------------------------------------------------- */

typedef struct {
  const char *at, *end;
} date_text;

/* Exactly n digits; false: there are none such. */
static bool take_date_digits(date_text *t, unsigned n, int *out) {
  *out = 0;
  if ((size_t)(t->end - t->at) < n)
    return false;
  for (unsigned i = 0; i < n; i++, t->at++) {
    if (*t->at < '0' || *t->at > '9')
      return false;
    *out = *out * 10 + (*t->at - '0');
  }
  return true;
}

static bool take_date_char(date_text *t, char c) {
  if (t->at == t->end || *t->at != c)
    return false;
  t->at++;
  return true;
}

/* Days since 1970-01-01 in the Gregorian calendar, carried back before its
** time. March is taken as the first month, so that the leap day is the last
** of its year. */
static double days_since_1970(int year, int month, int day) {
  int y = month <= 2 ? year - 1 : year;
  int m = month <= 2 ? month + 9 : month - 3;
  int era = y >= 0 ? y / 400 : -1;
  int of_era = y - era * 400;
  int of_year = (153 * m + 2) / 5 + day - 1;
  return era * 146097.0 + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
         719468;
}

static bool is_leap_year(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static bool take_day(date_text *t, double *seconds) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int year, month, day;
  if (!take_date_digits(t, 4, &year) || !take_date_char(t, '-') ||
      !take_date_digits(t, 2, &month) || !take_date_char(t, '-') ||
      !take_date_digits(t, 2, &day) || month < 1 || month > 12 || day < 1 ||
      day > lengths[month - 1] + (month == 2 && is_leap_year(year)))
    return false;
  *seconds = 86400 * days_since_1970(year, month, day);
  return true;
}

/* .25 behind the seconds. */
static void take_second_part(date_text *t, double *seconds) {
  double unit = 1;
  for (; t->at < t->end && *t->at >= '0' && *t->at <= '9'; t->at++) {
    unit /= 10;
    *seconds += unit * (*t->at - '0');
  }
}

/* 14:30 or 14:30:15.25 */
static bool take_time(date_text *t, double *seconds) {
  int hour, minute, second = 0;
  if (!take_date_digits(t, 2, &hour) || !take_date_char(t, ':') ||
      !take_date_digits(t, 2, &minute) || hour > 23 || minute > 59)
    return false;
  if (take_date_char(t, ':')) {
    if (!take_date_digits(t, 2, &second) || second > 60)
      return false;
    if (take_date_char(t, '.'))
      take_second_part(t, seconds);
  }
  *seconds += 3600.0 * hour + 60.0 * minute + second;
  return true;
}

/* Z, +02:00, -0530, +02 or nothing. */
static bool take_zone(date_text *t, double *seconds) {
  int hours, minutes = 0;
  if (t->at == t->end || take_date_char(t, 'Z'))
    return t->at == t->end;
  bool east = *t->at == '+';
  if (!east && *t->at != '-')
    return false;
  t->at++;
  if (!take_date_digits(t, 2, &hours) || hours > 23)
    return false;
  if (t->at < t->end) {
    take_date_char(t, ':');
    if (!take_date_digits(t, 2, &minutes) || minutes > 59)
      return false;
  }
  double away = 3600.0 * hours + 60.0 * minutes;
  *seconds += east ? -away : away;
  return t->at == t->end;
}

static bool is_date(const char *text, size_t n, double *seconds) {
  date_text t = {text, text + n};
  if (n < 10 || text[4] != '-' || !take_day(&t, seconds))
    return false;
  if (t.at == t.end)
    return true;
  return (take_date_char(&t, 'T') || take_date_char(&t, ' ')) &&
         take_time(&t, seconds) && take_zone(&t, seconds);
}

/* Of a day: 08:30 or 08:30:15, so that the order of the texts is theirs. */
static bool is_time(const char *text, size_t n, double *seconds) {
  date_text t = {text, text + n};
  *seconds = 0;
  return (n == 5 || n == 8) && take_time(&t, seconds) && t.at == t.end &&
         *seconds < 86400;
}

/* ---- the order ------------------------------------------------------- */

pith_order pith_i_order_of(const char *text, size_t n, pith_sym_kind kind,
                           double *value) {
  *value = 0;
  if (kind == PITH_NUMBER) {
    *value = pith_i_number_value(text, n);
    return PITH_ORDER_NUMBER;
  }
  return is_date(text, n, value)   ? PITH_ORDER_DATE
         : is_time(text, n, value) ? PITH_ORDER_TIME
                                   : PITH_ORDER_NONE;
}

/* Rounding keeps the order, so only equal doubles need a closer look. */
static int compare_ordered(const pith_i_symbol *x, const pith_i_symbol *y) {
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return x->order == PITH_ORDER_NUMBER
             ? pith_i_number_compare(x->text, x->len, y->text, y->len)
             : 0;
}

bool pith_i_builtin_holds(const pith_i_names *names, pith_pred op, pith_sym a,
                          pith_sym b) {
  assert(pith_i_is_builtin(op));
  if (op == PITH_EQUAL || op == PITH_DIFFERENT)
    return (a == b) == (op == PITH_EQUAL);
  const pith_i_symbol *x = pith_i_sym(names, a), *y = pith_i_sym(names, b);
  if (x->order == PITH_ORDER_NONE || x->order != y->order)
    return false;
  int c = a == b ? 0 : compare_ordered(x, y);
  switch (op) {
  case PITH_LESS:
    return c < 0;
  case PITH_LESS_EQUAL:
    return c <= 0;
  case PITH_GREATER:
    return c > 0;
  case PITH_GREATER_EQUAL:
    return c >= 0;
  case PITH_SAME_VALUE:
    return c == 0;
  default:
    return c != 0;
  }
}
