/* Decimal numbers as text, with a point whatever the locale says. */
#ifndef PITH_TEXT_DECIMAL_H
#define PITH_TEXT_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* The value of digits[.digits[e[-]digits]]; false when it is too long or not
** finite. */
bool pith_i_decimal_read(const char *text, size_t n, double *out);

/* The shortest text that reads back to value, which is finite and not
** negative; NUL-ended. */
typedef struct {
  char text[40];
} pith_i_decimal;
pith_i_decimal pith_i_decimal_write(double value);

#endif
