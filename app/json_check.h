/* Whether a text is JSON, to the letter of the standard: what is put into a
** page must be data and nothing else. */
#ifndef APP_JSON_CHECK_H
#define APP_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* One value with blanks around it, in valid UTF-8, not nested too deeply. If it
** is not, *at is the first byte that cannot be. */
bool json_check(const char *text, size_t n, size_t *at);

#endif
