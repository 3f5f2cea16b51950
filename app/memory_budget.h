/* One limit on memory for several handles, and for what the command itself
** holds beside them. */
#ifndef APP_MEMORY_BUDGET_H
#define APP_MEMORY_BUDGET_H

#include "pith.h"

typedef struct {
  size_t limit, used; /* bytes */
} memory_budget;

/* For pith_new_with; b must outlive the handles. */
pith_memory memory_budget_allocator(memory_budget *b);

/* Like realloc, and like free for 0 bytes; NULL: refused. */
void *memory_budget_resize(memory_budget *b, void *block, size_t n);

/* The command's own blocks: what they hold together with the handle p is at
** most the limit of --memory. Zeroed; NULL: refused. */
void command_memory_limit(size_t limit);
void *command_zalloc(const pith *p, size_t count, size_t size);
void command_free(void *block); /* NULL is fine */

#endif
