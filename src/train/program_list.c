#include "train/program_list.h"

#include <assert.h>
#include <string.h>

#include "term/equal.h"

pith_status pith_i_programs_new(pith_i_env *env, const pith_i_net *net,
                                uint32_t cap, pith_i_programs *list) {
  assert(cap > 0);
  size_t s = net->slots.n * sizeof(uint32_t);
  size_t r = s + net->rules.n * sizeof(float);
  memset(list, 0, sizeof *list);
  list->block = pith_i_zalloc(env, (size_t)cap + 1, sizeof *list->at + s + r);
  if (list->block == NULL)
    return PITH_ENOMEM;
  list->at = list->block;
  list->cap = cap;
  char *next = (char *)(list->at + cap + 1);
  for (uint32_t i = 0; i <= cap; i++, next += s + r) {
    list->at[i].choice = (uint32_t *)next;
    list->at[i].tied = (uint32_t *)(next + s);
    list->at[i].similarity = (float *)(next + 2 * s);
  }
  return PITH_OK;
}

void pith_i_programs_free(pith_i_env *env, pith_i_programs *list) {
  pith_i_release(env, list->block);
  memset(list, 0, sizeof *list);
}

static bool same_shape_atom(const pith_atom *a, const pith_atom *b) {
  return a->pred == b->pred && pith_i_args_equal(a, b);
}

/* Templates that were written twice, or one with several copies. */
static bool same_template(const pith_template *a, const pith_template *b) {
  bool same = a == b || (a->slot_count == b->slot_count &&
                         a->shape.body_len == b->shape.body_len &&
                         same_shape_atom(&a->shape.head, &b->shape.head));
  for (uint32_t i = 0; same && a != b && i < a->shape.body_len; i++)
    same = same_shape_atom(&a->shape.body[i], &b->shape.body[i]);
  return same;
}

/* Rule i of a and rule j of b say the same. */
static bool same_chosen_rule(const pith_i_net *net, const uint32_t *a, size_t i,
                             const uint32_t *b, size_t j) {
  assert(i < net->rules.n && j < net->rules.n);
  const pith_i_net_rule *p = &net->rules.at[i], *q = &net->rules.at[j];
  if (a[p->head] == PITH_NONE || b[q->head] == PITH_NONE)
    return false;
  if (net->pooled)
    return net->candidates.at[a[p->head]].body ==
           net->candidates.at[b[q->head]].body;
  if (!same_template(p->shape, q->shape))
    return false;
  for (uint32_t s = 0; s < p->shape->slot_count; s++)
    if (net->candidates.at[a[p->slots[s]]].pred !=
        net->candidates.at[b[q->slots[s]]].pred)
      return false;
  return true;
}

static size_t count_rule(const pith_i_net *net, const uint32_t *a, size_t i,
                         const uint32_t *b) {
  size_t n = 0;
  for (size_t j = 0; j < net->rules.n; j++)
    n += same_chosen_rule(net, a, i, b, j);
  return n;
}

/* Each rule of a is as often in b as in a; rules left out cost nothing, so
** that thousands of them may be. */
static bool rules_within(const pith_i_net *net, const uint32_t *a,
                         const uint32_t *b) {
  for (size_t i = 0; i < net->rules.n; i++)
    if (a[net->rules.at[i].head] != PITH_NONE &&
        count_rule(net, a, i, a) != count_rule(net, a, i, b))
      return false;
  return true;
}

/* The two list have the same rules, in whatever order. */
static bool same_program(const pith_i_net *net, const uint32_t *a,
                         const uint32_t *b) {
  return rules_within(net, a, b) && rules_within(net, b, a);
}

static void copy_program(const pith_i_net *net, pith_i_found_program *to,
                         const pith_i_found_program *from) {
  uint32_t *choice = to->choice, *tied = to->tied;
  float *similarity = to->similarity;
  memcpy(choice, from->choice, net->slots.n * sizeof *choice);
  memcpy(tied, from->tied, net->slots.n * sizeof *tied);
  memcpy(similarity, from->similarity, net->rules.n * sizeof *similarity);
  *to = *from;
  to->choice = choice;
  to->tied = tied;
  to->similarity = similarity;
}

/* The spare place at the end lets an insertion shift without a swap buffer. */
void pith_i_programs_add(const pith_i_net *net, pith_i_programs *list,
                         const pith_i_found_program *f) {
  assert(list->n <= list->cap);
  assert(f->choice != NULL && f->tied != NULL && f->similarity != NULL);
  uint32_t i = list->n;
  while (i > 0 && pith_i_program_compare(net, f->choice, f->errors,
                                         list->at[i - 1].choice,
                                         list->at[i - 1].errors) < 0)
    i--;
  if (i == list->cap)
    return;
  for (uint32_t j = 0; j < list->n; j++)
    if (list->at[j].both == f->both &&
        same_program(net, list->at[j].choice, f->choice))
      return;
  pith_i_found_program spare = list->at[list->n];
  memmove(&list->at[i + 1], &list->at[i], (list->n - i) * sizeof *list->at);
  list->at[i] = spare;
  copy_program(net, &list->at[i], f);
  if (list->n < list->cap)
    list->n++;
}

void pith_i_programs_append(const pith_i_net *net, pith_i_programs *list,
                            const pith_i_found_program *f) {
  assert(list->n < list->cap);
  copy_program(net, &list->at[list->n++], f);
}
