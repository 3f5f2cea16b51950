/* Each block carries its size in front of it; 16 bytes keep malloc's
** alignment. */
#include "memory_budget.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

typedef union {
  size_t size;
  max_align_t align;
} header;

/* With eight bytes of the allocator's own, in steps of sixteen. */
static size_t cost_of_block(size_t size) {
  return (size + sizeof(header) + 8 + 15) / 16 * 16;
}

void *memory_budget_resize(memory_budget *b, void *block, size_t size) {
  header *h = block == NULL ? NULL : (header *)block - 1;
  size_t old = h == NULL ? 0 : cost_of_block(h->size);
  size_t cost = cost_of_block(size);
  assert(old <= b->used);
  if (size == 0) {
    b->used -= old;
    free(h);
    return NULL;
  }
  if (size > SIZE_MAX / 4 || (cost > old && cost - old > b->limit - b->used))
    return NULL;
  h = realloc(h, sizeof *h + size);
  if (h == NULL)
    return NULL;
  h->size = size;
  b->used += cost - old; /* wraps round, and back, when it shrinks */
  return h + 1;
}

static void *resize_within_budget(void *ctx, void *block, size_t size) {
  return memory_budget_resize(ctx, block, size);
}

pith_memory memory_budget_allocator(memory_budget *b) {
  return (pith_memory){.resize = resize_within_budget, .ctx = b};
}

/* ---- the command's own blocks ------------------------------------------ */

static memory_budget own = {.limit = SIZE_MAX};
static size_t command_limit = SIZE_MAX;

/* Free blocks between others would count as the process's: large blocks go
** back to the system at once, and threads share one heap. That costs a few
** percent, so it is done only where somebody sets a limit. */
static void give_back_early(void) {
#ifdef __GLIBC__
  enum { LARGE = 1 << 16 };
  mallopt(M_MMAP_THRESHOLD, LARGE);
  mallopt(M_TRIM_THRESHOLD, LARGE);
  mallopt(M_TOP_PAD, LARGE);
  mallopt(M_ARENA_MAX, 1);
#endif
}

void command_memory_limit(size_t limit) {
  command_limit = limit == 0 ? SIZE_MAX : limit;
  if (limit > 0)
    give_back_early();
}

/* What the handle holds is not ours to use; blocks that are there stay. */
void *command_zalloc(const pith *p, size_t count, size_t size) {
  size_t held = p == NULL ? 0 : pith_bytes(p);
  size_t left = held < command_limit ? command_limit - held : 0;
  own.limit = left > own.used ? left : own.used;
  if (size != 0 && count > SIZE_MAX / 4 / size)
    return NULL;
  void *block = memory_budget_resize(&own, NULL, count * size + 1);
  return block == NULL ? NULL : memset(block, 0, count * size);
}

void command_free(void *block) {
  if (block != NULL)
    memory_budget_resize(&own, block, 0);
}
