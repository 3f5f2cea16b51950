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

/* How many of the first `most` bytes of valid text are whole characters; for
** "%.*s". */
int pith_i_utf8_cut(const char *text, int most);

/* Characters that a terminal would act on, or that change the order in which
** text is shown: control characters, U+009B (which xterm takes for the start of
** a command) among them, line separators, marks and overrides of direction. */
bool pith_i_utf8_is_control(uint32_t code);

/* The length of the character at text[0..n) if it can be shown as it is; 0 for
** a control character and for what is not valid. */
size_t pith_i_utf8_plain(const char *text, size_t n);

#endif
