/* One limit on memory for all that a command holds: its handles and its own
** blocks. What --memory says is counted block by block. Where it says nothing,
** handles come straight from the C library, and each may have most of the
** machine. */
#ifndef APP_MEMORY_BUDGET_H
#define APP_MEMORY_BUDGET_H

#include "pith.h"

/* Bytes; 0: no limit. asked: --memory says so. Once, before anything else. */
void command_memory_limit(size_t limit, bool asked);

/* pith_new, within the limit. */
pith_status command_handle(pith **out);

/* Like realloc, and like free for 0 bytes; NULL: refused. */
void *command_resize(void *block, size_t size);
void *command_zalloc(size_t count, size_t size); /* zeroed */
char *command_copy(const char *text, size_t n);  /* n bytes, and a NUL */
void command_free(void *block);                  /* NULL is fine */

#endif
