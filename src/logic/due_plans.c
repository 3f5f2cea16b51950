#include "logic/due_plans.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

pith_status pith_i_due_plans_sort(pith_i_due_plans *d, pith_i_arena *arena,
                                  const uint32_t *waits_for, size_t plans,
                                  size_t heads) {
  size_t bytes = (heads + 2) * sizeof *d->from;
  d->heads = heads;
  d->from = pith_i_arena_alloc(arena, bytes);
  d->list = pith_i_arena_alloc(arena, (plans + 1) * sizeof *d->list);
  if (d->from == NULL || d->list == NULL)
    return PITH_ENOMEM;
  memset(d->from, 0, bytes);
  for (size_t i = 0; i < plans; i++) {
    assert(waits_for[i] <= heads);
    d->from[waits_for[i] + 1]++;
  }
  for (size_t h = 1; h <= heads + 1; h++)
    d->from[h] += d->from[h - 1];
  for (size_t i = plans; i-- > 0;) /* from the ends back to the beginnings */
    d->list[--d->from[waits_for[i] + 1]] = (uint32_t)i;
  memmove(d->from, d->from + 1, (heads + 1) * sizeof *d->from);
  d->from[heads + 1] = (uint32_t)plans;
  return PITH_OK;
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

pith_status pith_i_due_plans_find(pith_i_due_plans *d, pith_i_env *env,
                                  const uint32_t *fresh, size_t n) {
  d->due.n = 0;
  for (size_t k = 0; k <= n; k++) {
    size_t h = k < n ? fresh[k] : d->heads;
    assert(h <= d->heads);
    for (uint32_t i = d->from[h]; i < d->from[h + 1]; i++)
      if (!pith_i_push(env, &d->due, d->list[i]))
        return PITH_ENOMEM;
  }
  if (d->due.n > 1)
    qsort(d->due.at, d->due.n, sizeof *d->due.at, by_number);
  return PITH_OK;
}
