#include <assert.h>
#include <string.h>

#include "learn/learn.h"

pith_status pith_i_shelf_new(pith_i_env *env, const pith_i_net *net,
                             uint32_t cap, pith_i_shelf *shelf) {
  size_t s = net->slots.n * sizeof(uint32_t);
  size_t r = net->rules.n * sizeof(float);
  memset(shelf, 0, sizeof *shelf);
  shelf->block = pith_i_zalloc(env, cap + 1, sizeof *shelf->at + s + r);
  if (shelf->block == NULL)
    return PITH_ENOMEM;
  shelf->at = shelf->block;
  shelf->cap = cap;
  char *next = (char *)(shelf->at + cap + 1);
  for (uint32_t i = 0; i <= cap; i++, next += s + r) {
    shelf->at[i].choice = (uint32_t *)next;
    shelf->at[i].similarity = (float *)(next + s);
  }
  return PITH_OK;
}

void pith_i_shelf_free(pith_i_env *env, pith_i_shelf *shelf) {
  pith_i_release(env, shelf->block);
  memset(shelf, 0, sizeof *shelf);
}

/* The two programs say the same: equal where both have a rule. */
static bool same(const pith_i_net *net, const uint32_t *a, const uint32_t *b) {
  for (size_t r = 0; r < net->rules.n; r++) {
    const pith_i_net_rule *q = &net->rules.at[r];
    if ((a[q->head] == PITH_NONE) != (b[q->head] == PITH_NONE))
      return false;
    for (uint32_t i = 0; a[q->head] != PITH_NONE && i < q->shape->slot_count;
         i++)
      if (a[q->slots[i]] != b[q->slots[i]])
        return false;
  }
  return true;
}

static void copy(const pith_i_net *net, pith_i_found *to,
                 const pith_i_found *from) {
  uint32_t *choice = to->choice;
  float *similarity = to->similarity;
  memcpy(choice, from->choice, net->slots.n * sizeof *choice);
  memcpy(similarity, from->similarity, net->rules.n * sizeof *similarity);
  *to = *from;
  to->choice = choice;
  to->similarity = similarity;
}

/* The spare place at the end lets an insertion shift without a swap buffer. */
void pith_i_shelf_add(const pith_i_net *net, pith_i_shelf *shelf,
                      const pith_i_found *f) {
  uint32_t i = shelf->n;
  while (i > 0 && pith_i_program_compare(net, f->choice, f->errors,
                                         shelf->at[i - 1].choice,
                                         shelf->at[i - 1].errors) < 0)
    i--;
  if (i == shelf->cap ||
      (i > 0 && same(net, shelf->at[i - 1].choice, f->choice)))
    return;
  for (uint32_t j = i; j < shelf->n; j++)
    if (same(net, shelf->at[j].choice, f->choice))
      return;
  pith_i_found spare = shelf->at[shelf->n];
  memmove(&shelf->at[i + 1], &shelf->at[i], (shelf->n - i) * sizeof *shelf->at);
  shelf->at[i] = spare;
  copy(net, &shelf->at[i], f);
  if (shelf->n < shelf->cap)
    shelf->n++;
}

void pith_i_shelf_append(const pith_i_net *net, pith_i_shelf *shelf,
                         const pith_i_found *f) {
  assert(shelf->n < shelf->cap);
  copy(net, &shelf->at[shelf->n++], f);
}
