/* One limit on memory for several handles: what they hold together counts. */
#ifndef APP_BUDGET_H
#define APP_BUDGET_H

#include "pith.h"

typedef struct {
  size_t limit, used; /* bytes */
} budget;

/* For pith_new_with; b must outlive the handles. */
pith_memory budget_memory(budget *b);

#endif
