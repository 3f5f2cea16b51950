/* Each block carries its size in front of it; 16 bytes keep malloc's
** alignment. */
#include "memory_budget.h"

#include <assert.h>
#include <stdlib.h>

typedef union {
  size_t size;
  max_align_t align;
} header;

static void *resize_within_budget(void *ctx, void *block, size_t size) {
  memory_budget *b = ctx;
  header *h = block == NULL ? NULL : (header *)block - 1;
  size_t old = h == NULL ? 0 : h->size;
  assert(old <= b->used);
  if (size == 0) {
    b->used -= old;
    free(h);
    return NULL;
  }
  if (size > old && size - old > b->limit - b->used)
    return NULL;
  h = realloc(h, sizeof *h + size);
  if (h == NULL)
    return NULL;
  h->size = size;
  b->used += size - old; /* wraps round, and back, when it shrinks */
  return h + 1;
}

pith_memory memory_budget_allocator(memory_budget *b) {
  return (pith_memory){.resize = resize_within_budget, .ctx = b};
}
