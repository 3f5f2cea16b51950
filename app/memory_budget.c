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
} block_header;

static struct {
  size_t limit, used; /* bytes */
  bool asked;
} budget = {.limit = SIZE_MAX};

/* With eight bytes of the allocator's own, in steps of sixteen. */
static size_t cost_of_block(size_t size) {
  return (size + sizeof(block_header) + 8 + 15) / 16 * 16;
}

static bool is_within_budget(size_t size, size_t old) {
  if (size > SIZE_MAX / 4)
    return false;
  size_t cost = cost_of_block(size);
  return cost <= old || (budget.used <= budget.limit &&
                         cost - old <= budget.limit - budget.used);
}

void *command_resize(void *block, size_t size) {
  block_header *h = block == NULL ? NULL : (block_header *)block - 1;
  size_t old = h == NULL ? 0 : cost_of_block(h->size);
  assert(old <= budget.used);
  if (size == 0) {
    budget.used -= old;
    free(h);
    return NULL;
  }
  if (!is_within_budget(size, old))
    return NULL;
  h = realloc(h, sizeof *h + size);
  if (h == NULL)
    return NULL;
  h->size = size;
  budget.used = budget.used - old + cost_of_block(size);
  return h + 1;
}

void *command_zalloc(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / 4 / size)
    return NULL;
  void *block = command_resize(NULL, count * size + 1);
  return block == NULL ? NULL : memset(block, 0, count * size);
}

char *command_copy(const char *text, size_t n) {
  char *copy = command_resize(NULL, n + 1);
  if (copy != NULL) {
    memcpy(copy, text, n);
    copy[n] = '\0';
  }
  return copy;
}

void command_free(void *block) {
  if (block != NULL)
    command_resize(block, 0);
}

/* ---- handles ------------------------------------------------------------ */

static void *resize_for_handle(void *ctx, void *block, size_t size) {
  (void)ctx;
  return command_resize(block, size);
}

/* A handle knows the limit too: it plans by it. */
pith_status command_handle(pith **out) {
  pith_memory memory = {.limit = budget.limit == SIZE_MAX ? 0 : budget.limit};
  if (budget.asked)
    memory.resize = resize_for_handle;
  return pith_new_with(&memory, out);
}

/* ---- the limit ---------------------------------------------------------- */

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

void command_memory_limit(size_t limit, bool asked) {
  assert(budget.used == 0);
  budget.limit = limit == 0 ? SIZE_MAX : limit;
  budget.asked = asked;
  if (asked)
    give_back_early();
}
