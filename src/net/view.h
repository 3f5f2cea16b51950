/* One part of the lanes of a tape, as the files see it that run a step forward
** and backward. For the hot files only. */
#ifndef PITH_NET_VIEW_H
#define PITH_NET_VIEW_H

#include <assert.h>

#include <assert.h>

#include "net/tape.h"

typedef pith_i_part real;
typedef pith_i_part_int whole;

#define AT PITH_I_AT

/* One part of the lanes of a tape. */
typedef struct {
  const pith_i_net *net;
  pith_i_semantics semantics;
  const real *weight;
  real *dweight, *base, *dbase, *value, *dvalue, *tensor, *dtensor;
  whole *won, *rule, *slot_won, *base_won;
  real *given, *fixed, *best, *rest, *body, *dbody, *head, *dhead, *before;
  pith_i_tape *tape;
} view;

static inline view view_of(pith_i_tape *t, int c) {
  assert(c >= 0 && c < PITH_I_PARTS);
  return (view){.net = t->net,
                .semantics = t->semantics,
                .weight = PITH_I_PART(t->weight, c),
                .dweight = PITH_I_PART(t->dweight, c),
                .base = PITH_I_PART(t->base, c),
                .dbase = PITH_I_PART(t->dbase, c),
                .value = PITH_I_PART(t->value, c),
                .dvalue = PITH_I_PART(t->dvalue, c),
                .tensor = PITH_I_PART(t->tensor, c),
                .dtensor = PITH_I_PART(t->dtensor, c),
                .won = PITH_I_PART_INT(t->won, c),
                .rule = PITH_I_PART_INT(t->rule, c),
                .slot_won = PITH_I_PART_INT(t->slot_won, c),
                .base_won = PITH_I_PART_INT(t->base_won, c),
                .given = PITH_I_PART(t->given, c),
                .fixed = PITH_I_PART(t->fixed, c),
                .best = PITH_I_PART(t->best, c),
                .rest = PITH_I_PART(t->rest, c),
                .body = PITH_I_PART(t->body, c),
                .dbody = PITH_I_PART(t->dbody, c),
                .head = PITH_I_PART(t->head, c),
                .dhead = PITH_I_PART(t->dhead, c),
                .before = PITH_I_PART(t->before, c),
                .tape = t};
}

static inline void fill_rows(real *to, size_t n, real x) {
  for (size_t i = 0; i < n; i++)
    AT(to, i) = x;
}

static inline void copy_rows(real *to, const real *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    AT(to, i) = AT(from, i);
}

static inline void fill_int_rows(whole *to, size_t n, int32_t x) {
  for (size_t i = 0; i < n; i++)
    AT(to, i) = (whole){0} + x;
}

static inline void copy_int_rows(whole *to, const whole *from, size_t n) {
  for (size_t i = 0; i < n; i++)
    AT(to, i) = AT(from, i);
}

/* What was known keeps the gradient where no rule went above it. */
static inline void known_value_backward(const whole *rule, size_t atoms,
                                        real *dvalue) {
  for (size_t i = 0; i < atoms; i++)
    AT(dvalue, i) = PITH_I_PICK(AT(rule, i) == 0, AT(dvalue, i), PITH_I_ONE(0));
}

static inline bool leave_off(const view *v) {
  pith_i_tape *t = v->tape;
  if (!t->stopped && t->net->joined >= PITH_I_ASK_FROM)
    t->stopped = pith_i_stop_requested(t->run);
  return t->stopped;
}

/* The winners of a step's join. */
static inline whole *join_won(const view *t, uint32_t k, uint32_t tensor) {
  const pith_i_net *net = t->net;
  assert(k < net->steps && tensor >= net->slots.n);
  assert(tensor < net->tensor_offset.n);
  return &AT(t->won, (size_t)k * (net->tensors - net->slot_tensors) +
                         (net->tensor_offset.at[tensor] - net->slot_tensors));
}

#endif
