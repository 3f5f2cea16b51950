/* Numbers as constants: one number, one spelling. A number is kept as decimal
** digits, so integers of any size and decimals are exact; nothing is rounded
** on the way in. */
#ifndef PITH_TERM_NUMBER_H
#define PITH_TERM_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* How much longer the normal spelling of a number can be than its text. */
enum { PITH_I_NUMBER_ROOM = 24 };

/* What pith_i_number_normal returns for a decimal that a double cannot hold,
** or an integer of more than 64 bits in another base. */
#define PITH_I_NUMBER_RANGE ((size_t)-1)

/* The normal spelling of the number text[0..n) into out, which has room for
** n + PITH_I_NUMBER_ROOM bytes; its length, 0 when the text is not a number,
** or PITH_I_NUMBER_RANGE. Takes what SWI-Prolog takes: 12, -3, 1_000, 0x1F,
** 0o17, 0b101, 1.5, 1.0e9, 1e9. 007 is 7, -0 is 0, 1.50 and 15.0e-1 are 1.5.
** 1.0 and 1e0 are the same and not 1: an integer and a decimal are different
** constants, though equal in value. */
size_t pith_i_number_normal(const char *text, size_t n, char *out);

/* The value of a number in its normal spelling as a double: rounded, infinite
** for integers beyond its range, and in the order of the numbers. */
double pith_i_number_value(const char *text, size_t n);

/* Below, at or above zero: how two numbers in normal spelling compare,
** exactly. */
int pith_i_number_compare(const char *a, size_t a_len, const char *b,
                          size_t b_len);

#endif
