/* UTF-8, one character at a time. */
#ifndef PITH_BASE_UTF8_H
#define PITH_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length in bytes of the character at text[0..n), and its code point;
** 0 when it is not valid (overlong, a surrogate, cut short). */
size_t pith_i_utf8_next(const char *text, size_t n, uint32_t *code);

/* Writes at most 4 bytes, returns how many; 0: no such character. */
size_t pith_i_utf8_put(uint32_t code, char *out);

/* Whether all of text[0..n) is valid and free of NUL bytes. */
bool pith_i_utf8_valid(const char *text, size_t n);

/* How many characters; a byte that is not valid counts as one. */
size_t pith_i_utf8_length(const char *text, size_t n);

#endif
