/* What looks wrong in what was read, though every line of it is right. */
#ifndef APP_LINT_H
#define APP_LINT_H

#include "pith.h"

/* kind is one word, for programs; text a sentence, for people. */
typedef void (*lint_say)(void *ctx, const char *kind, const char *text);

/* Calls say for each finding, in a fixed order; returns how many there were,
** or SIZE_MAX when memory ran out. */
size_t lint(const pith *p, lint_say say, void *ctx);

/* Only predicates that rules use and nothing defines; quick. */
size_t lint_undefined(const pith *p, lint_say say, void *ctx);

/* Only what keeps a task from being learned as it is meant; quick. */
size_t lint_task(const pith *p, lint_say say, void *ctx);

#endif
