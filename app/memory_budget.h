/* One limit on memory for several handles: what they hold together counts. */
#ifndef APP_MEMORY_BUDGET_H
#define APP_MEMORY_BUDGET_H

#include "pith.h"

typedef struct {
  size_t limit, used; /* bytes */
} memory_budget;

/* For pith_new_with; b must outlive the handles. */
pith_memory memory_budget_allocator(memory_budget *b);

#endif
