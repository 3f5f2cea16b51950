/* The order of constants: numbers by value, dates by time, times of day by the
** clock. Everything else, and a number against a date, has no order, and every
** comparison of it is false.
**
** A date is a name written as ISO 8601 has it: 2024-03-01, 2024-03-01T14:30,
** 2024-03-01 14:30:15.25Z, 2024-03-01T14:30:15+02:00. Without a zone the time
** is taken as UTC; a date alone is its midnight. A time of day is 08:30 or
** 08:30:15, with two digits each. */
#ifndef PITH_TERM_COMPARE_H
#define PITH_TERM_COMPARE_H

#include "term/names.h"

/* Which order the text has, and its place in it: the value of a number, the
** seconds of a date since 1970, or of a time of day since midnight. */
pith_order pith_i_order_of(const char *text, size_t n, pith_sym_kind kind,
                           double *value);

/* Whether a OP b holds, for a builtin predicate. */
bool pith_i_builtin_holds(const pith_i_names *names, pith_pred op, pith_sym a,
                          pith_sym b);

#endif
