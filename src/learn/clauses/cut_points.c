#include "learn/clauses/cut_points.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- where to cut ------------------------------------------------------ */

/* The value of an example: its largest, or, for cuts from above, its
** smallest. */
typedef struct {
  double value;
  uint32_t constant, example;
  bool positive;
} extreme;

static uint32_t constant_of(const pith_i_sample *m, const uint32_t *row,
                            uint32_t var) {
  const pith_i_space *s = m->space;
  return var < s->head ? s->args[(size_t)m->pick[row[0]] * s->head + var]
                       : row[1 + var - s->head];
}

/* One for each example that has a value; the rows of an example are together.
** Returns how many. */
static uint32_t find_extremes(const pith_i_sample *m, const pith_i_table *t,
                              uint32_t var, bool below, extreme *out) {
  uint32_t n = 0, last = PITH_NONE;
  for (size_t i = 0; i < t->rows; i++) {
    const uint32_t *row = t->at.at + i * t->width;
    uint32_t constant = constant_of(m, row, var);
    double value = m->space->value[constant];
    if (isnan(value))
      continue;
    n += row[0] != last;
    extreme *e = &out[n - 1];
    if (row[0] != last || (below ? value < e->value : value > e->value))
      *e = (extreme){value, constant, row[0], row[0] < m->positives};
    last = row[0];
  }
  return n;
}

static int by_value(const void *x, const void *y) {
  const extreme *a = x, *b = y;
  return (a->value > b->value) - (a->value < b->value);
}

/* Bits saved in telling the positive examples that are kept. */
static double worth_of_cut(const pith_i_sample *m, uint32_t pos, uint32_t neg) {
  double share = (pos + 1.0) / (pos + neg + 1.0);
  double all = (m->positives + 1.0) / (m->n + 1.0);
  return pos * (log2(share) - log2(all));
}

static void keep_cut(pith_i_cuts *out, double *worth, double w,
                     pith_i_cut cut) {
  uint32_t at = out->n < PITH_I_CUTS ? out->n++ : PITH_I_CUTS;
  for (; at > 0 && worth[at - 1] < w; at--)
    if (at < PITH_I_CUTS) {
      worth[at] = worth[at - 1];
      out->at[at] = out->at[at - 1];
    }
  if (at < PITH_I_CUTS) {
    worth[at] = w;
    out->at[at] = cut;
  }
}

static void keep_whole_cut(pith_i_cuts *out, pith_i_cut cut) {
  for (uint32_t i = 0; i < out->n; i++)
    if (out->at[i].low == cut.low && out->at[i].high == cut.high)
      return;
  out->at[out->n++] = cut;
}

static uint32_t count_positive(const extreme *e, uint32_t n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++)
    count += e[i].positive;
  return count;
}

/* Walks from the values that are kept to those that are cut off, and looks at
** each place where a positive example is the last that is kept and a negative
** one the first that is not. */
static void choose_cuts(const pith_i_sample *m, const extreme *e, uint32_t n,
                        bool below, pith_i_cuts *out) {
  double worth[PITH_I_CUTS];
  uint32_t pos = 0, neg = 0, all = count_positive(e, n);
  pith_i_cut whole = {PITH_NONE, PITH_NONE};
  out->n = out->values = 0;
  for (uint32_t i = 0; i < n;) {
    uint32_t first = i, p = 0, q = 0;
    double value = e[below ? i : n - 1 - i].value;
    for (; i < n && e[below ? i : n - 1 - i].value == value; i++) {
      p += e[below ? i : n - 1 - i].positive;
      q += !e[below ? i : n - 1 - i].positive;
    }
    out->values++;
    if (first > 0 && q > 0 && pos > 0) {
      uint32_t kept = e[below ? first - 1 : n - first].constant;
      uint32_t gone = e[below ? first : n - 1 - first].constant;
      pith_i_cut cut =
          below ? (pith_i_cut){kept, gone} : (pith_i_cut){gone, kept};
      keep_cut(out, worth, worth_of_cut(m, pos, neg), cut);
      if (pos == all && whole.low == PITH_NONE)
        whole = cut;
    }
    pos += p;
    neg += q;
  }
  if (whole.low != PITH_NONE)
    keep_whole_cut(out, whole);
}

/* The same cuts over some examples more on both sides. */
static void widen_cuts(const pith_i_sample *m, const extreme *e, uint32_t n,
                       pith_i_cuts *out) {
  uint32_t told = out->n < 3 ? out->n : 3;
  for (uint32_t i = 0; i < told; i++) {
    double high = m->space->value[out->at[i].high];
    uint32_t at = 0;
    while (at < n && e[at].value < high)
      at++;
    for (uint32_t more = 1; more <= 8; more *= 2) {
      uint32_t first = at > more ? at - 1 - more : 0;
      uint32_t last = at + more < n ? at + more : n - 1;
      out->at[out->n++] = (pith_i_cut){e[first].constant, e[last].constant};
    }
  }
}

pith_status pith_i_find_cuts(pith_i_sample *m, const pith_i_table *t,
                             uint32_t var, bool below, bool noisy,
                             pith_i_cuts *out) {
  assert(m->space->value != NULL);
  *out = (pith_i_cuts){.n = 0};
  extreme *all = pith_i_alloc(m->space->env, (m->n + 1) * sizeof *all);
  if (all == NULL)
    return PITH_ENOMEM;
  uint32_t n = find_extremes(m, t, var, below, all);
  assert(n <= m->n);
  if (n > 1)
    qsort(all, n, sizeof *all, by_value);
  choose_cuts(m, all, n, below, out);
  out->from = n > 0 ? all[0].value : 0;
  out->to = n > 0 ? all[n - 1].value : 0;
  if (noisy && n > 1)
    widen_cuts(m, all, n, out);
  m->work += t->rows + 4 * (uint64_t)n;
  pith_i_release(m->space->env, all);
  return PITH_OK;
}

/* Walks from the values that are kept to the first example of the set. */
static void add_open_cut(const pith_i_sample *m, const extreme *e, uint32_t n,
                         bool below, const uint64_t *set, pith_i_cuts *out) {
  uint32_t i = 0;
  while (i < n && !pith_i_bit(set, pith_i_sample_bit(
                                       m, e[below ? i : n - 1 - i].example)))
    i++;
  if (i == 0 || i == n || out->n >= PITH_I_CUTS)
    return;
  const extreme *gone = &e[below ? i : n - 1 - i], *kept = gone;
  while (i > 0 && kept->value == gone->value)
    kept = &e[below ? --i : n - 1 - --i];
  if (kept->value != gone->value)
    keep_whole_cut(out, below ? (pith_i_cut){kept->constant, gone->constant}
                              : (pith_i_cut){gone->constant, kept->constant});
}

pith_status pith_i_find_open_cuts(pith_i_sample *m, const pith_i_table *t,
                                  uint32_t var, bool below,
                                  const uint64_t *const *sets, uint32_t n,
                                  pith_i_cuts *out) {
  assert(m->space->value != NULL);
  *out = (pith_i_cuts){.n = 0};
  extreme *all = pith_i_alloc(m->space->env, (m->n + 1) * sizeof *all);
  if (all == NULL)
    return PITH_ENOMEM;
  uint32_t count = find_extremes(m, t, var, below, all);
  if (count > 1)
    qsort(all, count, sizeof *all, by_value);
  for (uint32_t i = 0; i < n; i++)
    add_open_cut(m, all, count, below, sets[i], out);
  for (uint32_t i = 0; i < count; i++)
    out->values += i == 0 || all[i].value != all[i - 1].value;
  out->from = count > 0 ? all[0].value : 0;
  out->to = count > 0 ? all[count - 1].value : 0;
  m->work += t->rows + 4 * (uint64_t)count;
  pith_i_release(m->space->env, all);
  return PITH_OK;
}

/* ---- numbers ----------------------------------------------------------- */

static bool is_in_gap(double x, double low, double high, bool below) {
  return below ? low <= x && x < high : low < x && x <= high;
}

/* units x 10^-decimals. */
static double scale_units(double units, int decimals) {
  return decimals >= 0 ? units / pow(10, decimals) : units * pow(10, -decimals);
}

/* The multiple of step x 10^-decimals nearest the middle that lies in the
** gap. */
static bool find_multiple(double low, double high, bool below, double step,
                          int decimals, double *units) {
  double middle = low / 2 + high / 2, unit = scale_units(step, decimals);
  double near = floor(middle / unit);
  bool found = false;
  for (double k = near - 1; k <= near + 2; k++) {
    double x = scale_units(k * step, decimals);
    if (is_in_gap(x, low, high, below) &&
        (!found ||
         fabs(x - middle) <= fabs(scale_units(*units, decimals) - middle))) {
      *units = k * step;
      found = true;
    }
  }
  return found;
}

/* Digits without exponent, and the point whatever the locale. */
static size_t write_scaled(double units, int decimals, char *text) {
  char digits[32];
  size_t n = 0, out = 0;
  if (units < 0)
    text[out++] = '-';
  n = (size_t)snprintf(digits, sizeof digits, "%.0f", fabs(units));
  if (decimals <= 0) {
    memcpy(text + out, digits, n);
    out += n;
    for (int i = 0; i < -decimals && units != 0; i++)
      text[out++] = '0';
    return out;
  }
  for (int place = (int)n > decimals ? (int)n : decimals + 1; place > 0;
       place--) {
    if (place == decimals)
      text[out++] = '.';
    text[out++] = place > (int)n ? '0' : digits[(int)n - place];
  }
  return out;
}

static size_t number_text(double low, double high, bool below, char *text) {
  const double steps[] = {1, 5}; /* of tens, then of fives below them */
  double largest = fmax(fabs(low), fabs(high)), units;
  int top = largest > 0 ? (int)ceil(log10(largest)) : 0;
  if (!(largest < 1e12))
    return 0;
  for (int decimals = -top; decimals <= 9; decimals++)
    for (int i = 0; i < 2; i++) {
      int at = decimals + i;
      if (!find_multiple(low, high, below, steps[i], at, &units))
        continue;
      if (fabs(units) >= 1e15)
        return 0;
      return write_scaled(units, at, text);
    }
  return 0;
}

/* In seconds. */
static const double clock_steps[] = {3600, 1800, 900, 300, 60, 1};

/* ---- dates ------------------------------------------------------------- */

typedef struct {
  int year, month, day;
} calendar_day;

/* Days since 1970-01-01 in the Gregorian calendar, and back; years start in
** March, so that the leap day is the last of its year. */
static double day_number(calendar_day d) {
  int y = d.month <= 2 ? d.year - 1 : d.year;
  int of_year = (153 * (d.month + (d.month > 2 ? -3 : 9)) + 2) / 5 + d.day - 1;
  double era = floor(y / 400.0);
  int of_era = y - (int)era * 400;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
         719468;
}

static calendar_day day_of_number(double number) {
  double days = number + 719468, era = floor(days / 146097);
  int of_era = (int)(days - era * 146097);
  int year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int of_year = of_era - (365 * year + year / 4 - year / 100);
  int month = (5 * of_year + 2) / 153;
  calendar_day d = {year + (int)era * 400, month < 10 ? month + 3 : month - 9,
                    of_year - (153 * month + 2) / 5 + 1};
  d.year += d.month <= 2;
  return d;
}

/* The day in the gap, nearest its middle, of those that a test takes: level 0
** the first of a year, 1 of a month, 2 any. */
static bool find_day(double low, double high, bool below, int level,
                     calendar_day *out) {
  double middle = floor(low / 2 + high / 2), best = INFINITY;
  calendar_day centre = day_of_number(middle);
  for (int k = -1; k <= 1; k++) {
    calendar_day d = centre;
    int month = level == 1 ? centre.month + k : 1;
    if (level == 2)
      d = day_of_number(middle + k);
    else
      d = (calendar_day){centre.year + (level == 0 ? k : 0) + (month > 12) -
                             (month < 1),
                         (month + 11) % 12 + 1, 1};
    double x = day_number(d);
    if (is_in_gap(x, low, high, below) && fabs(x - middle) < best) {
      best = fabs(x - middle);
      *out = d;
    }
  }
  return best < INFINITY;
}

static size_t date_text(double low, double high, bool below, char *text) {
  const double day = 86400, first = -25567 * day, last = 2932896 * day;
  calendar_day d;
  if (low < first || high > last)
    return 0;
  for (int level = 0; level < 3; level++)
    if (find_day(low / day, high / day, below, level, &d))
      return (size_t)snprintf(text, PITH_I_CUT_TEXT, "%04d-%02d-%02d", d.year,
                              d.month, d.day);
  return 0;
}

/* ---- times of day -------------------------------------------------------- */

/* The widest of an hour, half of it, a quarter, five minutes and so on that has
** a multiple in the gap. */
static size_t time_text(double low, double high, bool below, char *text) {
  for (size_t i = 0; i < sizeof clock_steps / sizeof *clock_steps; i++) {
    double units = 0;
    if (!find_multiple(low, high, below, clock_steps[i], 0, &units) ||
        units < 0 || units >= 86400)
      continue;
    unsigned s = (unsigned)units;
    size_t n = (size_t)snprintf(text, PITH_I_CUT_TEXT, "%02u:%02u", s / 3600,
                                s / 60 % 60);
    return s % 60 == 0 ? n
                       : n + (size_t)snprintf(text + n, PITH_I_CUT_TEXT - n,
                                              ":%02u", s % 60);
  }
  return 0;
}

/* ---- how round ----------------------------------------------------------- */

/* The widest of 10^k and 5 x 10^k of which a number is a multiple. */
static double round_step(double x) {
  double size = fabs(x);
  int top = size > 0 ? (int)ceil(log10(size)) : 0;
  for (int decimals = -top; size < 1e12 && decimals <= 9; decimals++)
    for (int i = 0; i < 2; i++) {
      double unit = scale_units(i == 0 ? 1 : 5, decimals + i);
      double times = size / unit;
      if (fabs(times - round(times)) < 1e-6)
        return unit;
    }
  return 0;
}

static double round_days(double x) {
  const double day = 86400;
  calendar_day d = day_of_number(floor(x / day));
  return d.day != 1 ? day : d.month != 1 ? 30.4 * day : 365.25 * day;
}

static double round_clock(double x) {
  for (size_t i = 0; i < sizeof clock_steps / sizeof *clock_steps; i++)
    if (fmod(x, clock_steps[i]) == 0)
      return clock_steps[i];
  return 0;
}

double pith_i_roundness(pith_order order, double x) {
  return order == PITH_ORDER_NUMBER ? round_step(x)
         : order == PITH_ORDER_DATE ? round_days(x)
         : order == PITH_ORDER_TIME ? round_clock(x)
                                    : 0;
}

uint32_t pith_i_cut_choices(const pith_i_cuts *cuts, pith_order order,
                            double threshold) {
  double step = pith_i_roundness(order, threshold);
  double round = step > 0 ? (cuts->to - cuts->from) / step + 1 : INFINITY;
  return round < cuts->values ? 1 + (uint32_t)(2 * round) : 4 * cuts->values;
}

size_t pith_i_cut_text(pith_order order, double low, double high, bool below,
                       char *text) {
  assert(low < high);
  return order == PITH_ORDER_NUMBER ? number_text(low, high, below, text)
         : order == PITH_ORDER_DATE ? date_text(low, high, below, text)
         : order == PITH_ORDER_TIME ? time_text(low, high, below, text)
                                    : 0;
}
