#include "learn/clauses/ordered_places.h"

#include "task/vocabulary.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef pith_i_space space;

/* A place of the examples or of a relation. */
typedef struct {
  const uint32_t *at;
  size_t n, stride;
} column;

static const pith_i_symbol *symbol_at(const space *s, uint32_t constant) {
  size_t w = s->world_count - 1;
  while (s->base[w] > constant)
    w--;
  return pith_i_sym(&s->worlds[w].theory->names, constant - s->base[w]);
}

pith_status pith_i_space_read_values(pith_i_space *s) {
  bool some = false;
  for (uint32_t c = 0; c < s->constants && !some; c++)
    some = symbol_at(s, c)->order != PITH_ORDER_NONE;
  if (!some)
    return PITH_OK;
  s->value = pith_i_alloc(s->env, (s->constants + 1) * sizeof *s->value);
  if (s->value == NULL)
    return PITH_ENOMEM;
  for (uint32_t c = 0; c < s->constants; c++) {
    const pith_i_symbol *x = symbol_at(s, c);
    s->value[c] = x->order == PITH_ORDER_NONE ? NAN : x->value;
  }
  return PITH_OK;
}

/* ---- orders -------------------------------------------------------------- */

static column head_column(const space *s, uint32_t place) {
  assert(place < s->head);
  return (column){s->args + place, s->examples, s->head};
}

static column relation_column(const space *s, uint32_t choice, uint32_t place) {
  const pith_i_tuples *rows = &s->store.relations.at[choice].rows;
  return (column){rows->n == 0 ? NULL : rows->at + place, rows->n, rows->width};
}

/* The order that all values of a column have, but for one in ten. */
static uint8_t order_of_column(const space *s, column c) {
  size_t count[PITH_ORDER_TIME + 1] = {0};
  for (size_t i = 0; i < c.n; i++)
    count[symbol_at(s, c.at[i * c.stride])->order]++;
  for (uint8_t o = PITH_ORDER_NUMBER; o <= PITH_ORDER_TIME; o++)
    if (c.n > 1 && 10 * count[o] >= 9 * c.n)
      return o;
  return PITH_ORDER_NONE;
}

static uint8_t *order_at(const space *s, uint32_t choice, uint32_t place) {
  return &s->orders.at[s->choices.at[choice].domain[place]];
}

/* ---- numbers that are names ---------------------------------------------- */

/* Whether the relation says of what is in its first place something else than
** a number that it stands for: age(17,34) does, succ(17,18) does not. */
static bool describes_first(const space *s, uint32_t choice) {
  const pith_i_kind_of_atom *c = &s->choices.at[choice];
  bool other = c->one_way;
  for (uint32_t p = 1; p < c->arity; p++)
    other = other || *order_at(s, choice, p) != PITH_ORDER_NUMBER;
  return c->kind == PITH_I_GIVEN_ATOM && c->full == c->arity && c->arity > 1 &&
         other && *order_at(s, choice, 0) == PITH_ORDER_NUMBER;
}

/* Whether at least half of the examples have in the place what is marked. */
static bool are_mostly_marked(column c, const bool *mark) {
  size_t count = 0;
  for (size_t i = 0; i < c.n; i++)
    count += mark[c.at[i * c.stride]];
  return c.n > 0 && 2 * count >= c.n;
}

static void mark_column(column c, bool *mark) {
  for (size_t i = 0; i < c.n; i++)
    mark[c.at[i * c.stride]] = true;
}

/* Takes the order from head places, those of numbers as bits, whose numbers the
** relation describes, and from its own. */
static pith_status find_names(space *s, uint32_t choice, uint32_t numbers) {
  column first = relation_column(s, choice, 0);
  bool *mark = pith_i_zalloc(s->env, s->constants + 1, sizeof *mark);
  if (mark == NULL)
    return PITH_ENOMEM;
  mark_column(first, mark);
  for (uint32_t h = 0; h < s->head; h++)
    if ((numbers >> h & 1) && are_mostly_marked(head_column(s, h), mark)) {
      s->orders.at[s->head_domain[h]] = PITH_ORDER_NONE;
      *order_at(s, choice, 0) = PITH_ORDER_NONE;
    }
  pith_i_release(s->env, mark);
  return PITH_OK;
}

static uint32_t find_numbers_in_head(const space *s) {
  uint32_t numbers = 0;
  for (uint32_t h = 0; h < s->head; h++)
    if (s->orders.at[s->head_domain[h]] == PITH_ORDER_NUMBER)
      numbers |= UINT32_C(1) << h;
  return numbers;
}

pith_status pith_i_space_find_orders(pith_i_space *s) {
  pith_status rc = PITH_OK;
  s->orders.n = 0;
  if (!pith_i_room(s->env, &s->orders, s->domain_count + 1))
    return PITH_ENOMEM;
  memset(s->orders.at, PITH_ORDER_NONE, s->domain_count);
  s->orders.n = s->domain_count;
  if (pith_i_bias_names_bodies(&s->worlds[0].theory->names))
    return PITH_OK; /* nothing may be compared */
  for (uint32_t h = 0; h < s->head; h++)
    s->orders.at[s->head_domain[h]] = order_of_column(s, head_column(s, h));
  for (uint32_t c = 0; c < s->choices.n; c++)
    for (uint32_t p = 0; p < s->choices.at[c].arity; p++)
      *order_at(s, c, p) = order_of_column(s, relation_column(s, c, p));
  uint32_t numbers = find_numbers_in_head(s);
  for (uint32_t c = 0; rc >= 0 && numbers != 0 && c < s->choices.n; c++)
    if (describes_first(s, c))
      rc = find_names(s, c, numbers);
  return rc;
}

bool pith_i_space_has_order(const pith_i_space *s) {
  bool some = false;
  for (size_t d = 0; d < s->orders.n; d++)
    some = some || s->orders.at[d] != PITH_ORDER_NONE;
  return some;
}
