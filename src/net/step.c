/* One step of forward chaining and its gradient, operation by operation:
**
**   slot   M[e]  = sum over p of w(p) V(p)[e]     soft unification of a body
**                  (or the maximum over p)        atom with every predicate
**   join   B[e]  = max over k of and(a[k], b[k])  soft AND, and the best of
**                                                 all ways to match
**   head   V'(p) = max(V(p), w(p) B)              unification of the head;
**                                                 OR with what was known
**
** The paper takes one maximum over all pairs of facts. It factorises, because
** no weight and no value is negative and the product of non-negative numbers
** grows with each factor: the best pair is made of the best first fact and the
** best second fact for each binding of the variables, so each slot can take its
** maximum before the join. (The authors' code takes the minimum of the values
** times the product of the weights; that does not factorise.)
**
** Each is a forward and a backward function side by side, the joins in
** conjunction.c. The background's part of the slots is the same at all steps,
** so it is computed once (base), and its gradient is summed over the steps
** (dbase).
**
** Where two alternatives are equal the first keeps the gradient. */
#include <assert.h>

#include "net/conjunction.h"
#include "net/kernels.h"
#include "net/pooled.h"
#include "net/reference.h"

PITH_I_INLINE uint32_t element_at(const uint32_t *map, uint32_t e) {
  return map == NULL ? e : map[e];
}

/* ---- slots: the background ------------------------------------------- */

/* m, won: (slot size); from the facts of the slot's background candidates.
** won is of use in slot_max only. */
static void base_forward(const view *t, uint32_t s, real *m, whole *won) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  assert(s < net->slots.n && slot->in_body);
  assert(slot->first + slot->count <= net->candidates.n);
  fill_rows(m, slot->size, (real){0});
  if (t->semantics.slot_max)
    fill_int_rows(won, slot->size, -1);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    if (net->preds.at[k->pred].derived)
      continue;
    real w = AT(t->weight, c);
    for (uint32_t f = 0; f < k->fact_count; f++) {
      uint32_t e = k->facts[f];
      if (t->semantics.slot_max)
        PITH_I_TAKE_GREATER(w, c, AT(m, e), AT(won, e));
      else
        AT(m, e) += w;
    }
  }
}

static void base_backward(const view *t, uint32_t s, const whole *won,
                          const real *dm) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  assert(s < net->slots.n && slot->in_body);
  assert(slot->first + slot->count <= net->candidates.n);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    if (net->preds.at[k->pred].derived)
      continue;
    real sum = {0};
    for (uint32_t f = 0; f < k->fact_count; f++) {
      uint32_t e = k->facts[f];
      sum += t->semantics.slot_max ? PITH_I_PICK(AT(won, e) == (int32_t)c,
                                                 AT(dm, e), PITH_I_ONE(0))
                                   : AT(dm, e);
    }
    AT(t->dweight, c) += sum;
  }
}

/* ---- slots: what was derived ----------------------------------------- */

/* value: (A) before the step; m, won: (slot size), hold the base's. */
static void slot_forward(const view *t, uint32_t s, const real *value, real *m,
                         whole *won) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  assert(s < net->slots.n && slot->in_body);
  assert(slot->first + slot->count <= net->candidates.n);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    if (!p->derived)
      continue;
    real w = AT(t->weight, c);
    const real *v = &AT(value, p->offset);
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = element_at(k->map, e);
      if (a == PITH_NONE)
        continue;
      real x = w * AT(v, a);
      if (t->semantics.slot_max)
        PITH_I_TAKE_GREATER(x, c, AT(m, e), AT(won, e));
      else
        AT(m, e) += x;
    }
  }
}

static void slot_backward(const view *t, uint32_t s, const real *value,
                          const whole *won, const real *dm, real *dvalue) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  assert(s < net->slots.n && slot->in_body);
  assert(slot->first + slot->count <= net->candidates.n);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    if (!p->derived)
      continue;
    real w = AT(t->weight, c), sum = {0};
    const real *v = &AT(value, p->offset);
    real *dv = &AT(dvalue, p->offset);
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = element_at(k->map, e);
      if (a == PITH_NONE)
        continue;
      real g = t->semantics.slot_max ? PITH_I_PICK(AT(won, e) == (int32_t)c,
                                                   AT(dm, e), PITH_I_ONE(0))
                                     : AT(dm, e);
      sum += g * AT(v, a);
      AT(dv, a) += g * w;
    }
    AT(t->dweight, c) += sum;
  }
}

/* The background's share of the slot's gradient. In slot_max the candidates
** are told apart by the winners of this step, so it cannot wait. */
static void share_base(const view *t, uint32_t s, const whole *won,
                       const real *dm) {
  const pith_i_net *net = t->net;
  if (t->semantics.slot_max) {
    base_backward(t, s, won, dm);
    return;
  }
  real *dbase = &AT(t->dbase, net->tensor_offset.at[s]);
  for (uint32_t e = 0; e < net->slots.at[s].size; e++)
    AT(dbase, e) += AT(dm, e);
}

/* ---- heads ----------------------------------------------------------- */

/* value: (A), holds the old valuation and becomes the new one. */
static void head_forward(const view *t, uint32_t r, const real *body,
                         real *value, whole *rule) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  assert(r < net->rules.n && slot->in_head);
  assert(slot->first + slot->count <= net->candidates.n);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    size_t offset = net->preds.at[k->pred].offset;
    real w = AT(t->weight, c);
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = element_at(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      real x = w * AT(body, e);
      PITH_I_TAKE_GREATER(x, r + 1, AT(value, offset + a),
                          AT(rule, offset + a));
    }
  }
}

/* The same for the probabilistic sum. */
static void sum_forward(const view *t, uint32_t r, const real *body,
                        real *value) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  assert(r < net->rules.n && slot->in_head);
  assert(slot->first + slot->count <= net->candidates.n);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    real *v = &AT(value, net->preds.at[k->pred].offset);
    real w = AT(t->weight, c);
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = element_at(k->map, q->atoms[e]);
      if (a != PITH_NONE)
        AT(v, a) = 1.0f - (1.0f - AT(v, a)) * (1.0f - w * AT(body, e));
    }
  }
}

/* d(1 - product of 1 - x) / dx is the product without x. */
PITH_I_INLINE real product_of_others(real sum, real x) {
  real rest = 1.0f - x;
  rest = PITH_I_PICK(rest < 1e-4f, PITH_I_ONE(1e-4f), rest);
  return (1.0f - sum) / rest;
}

/* value: (A) after the step. */
static void sum_backward(const view *t, uint32_t r, const real *body,
                         const real *value, const real *dvalue, real *dbody) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  assert(r < net->rules.n && slot->in_head);
  assert(slot->first + slot->count <= net->candidates.n);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    size_t offset = net->preds.at[k->pred].offset;
    real w = AT(t->weight, c), sum = {0};
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = element_at(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      real g = AT(dvalue, offset + a) *
               product_of_others(AT(value, offset + a), w * AT(body, e));
      sum += g * AT(body, e);
      AT(dbody, e) += g * w;
    }
    AT(t->dweight, c) += sum;
  }
}

static void known_backward(const real *old, const real *value, size_t atoms,
                           real *dvalue) {
  for (size_t i = 0; i < atoms; i++)
    AT(dvalue, i) *= product_of_others(AT(value, i), AT(old, i));
}

static void head_backward(const view *t, uint32_t r, const real *body,
                          const whole *rule, const real *dvalue, real *dbody) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  assert(r < net->rules.n && slot->in_head);
  assert(slot->first + slot->count <= net->candidates.n);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_slot_candidate *k = &net->candidates.at[c];
    size_t offset = net->preds.at[k->pred].offset;
    real w = AT(t->weight, c), sum = {0};
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = element_at(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      real g = PITH_I_PICK(AT(rule, offset + a) == (int32_t)(r + 1),
                           AT(dvalue, offset + a), PITH_I_ONE(0));
      sum += g * AT(body, e);
      AT(dbody, e) += g * w;
    }
    AT(t->dweight, c) += sum;
  }
}

/* ---- all steps ------------------------------------------------------- */

/* Where the body of a rule stands among the tensors. */
static uint32_t body_at(const pith_i_net *net, uint32_t r) {
  const pith_i_net_rule *q = &net->rules.at[r];
  assert(q->joins > 0 && q->first_join + q->joins <= net->joins.n);
  const pith_i_join *last = &net->joins.at[q->first_join + q->joins - 1];
  assert(last->size == q->size);
  return net->tensor_offset.at[last->out];
}

/* The winners of a step's slots; of use in slot_max only. */
static whole *slot_won(const view *t, uint32_t k, uint32_t s) {
  const pith_i_net *net = t->net;
  size_t at = (size_t)k * net->slot_tensors + net->tensor_offset.at[s];
  return t->semantics.slot_max ? &AT(t->slot_won, at) : NULL;
}

/* m: (T) */
static void slots_forward(const view *t, uint32_t k, const real *old, real *m) {
  const pith_i_net *net = t->net;
  for (uint32_t s = 0; s < net->slots.n; s++) {
    uint32_t at = net->tensor_offset.at[s], size = net->slots.at[s].size;
    if (!net->slots.at[s].in_body)
      continue;
    copy_rows(&AT(m, at), &AT(t->base, at), size);
    if (t->semantics.slot_max)
      copy_int_rows(slot_won(t, k, s), &AT(t->base_won, at), size);
    slot_forward(t, s, old, &AT(m, at), slot_won(t, k, s));
  }
}

static void step_forward(const view *t, uint32_t k) {
  const pith_i_net *net = t->net;
  assert(k < net->steps);
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = &AT(t->value, k * atoms);
  real *value = &AT(t->value, (k + 1) * atoms);
  real *m = &AT(t->tensor, (size_t)k * net->tensors);
  whole *rule = &AT(t->rule, k * atoms);
  slots_forward(t, k, old, m);
  for (uint32_t i = 0; i < net->joins.n && !leave_off(t); i++) {
    const pith_i_join *j = &net->joins.at[i];
    const real *b = j->b == PITH_NONE ? NULL : &AT(m, at[j->b]);
    PITH_I_NAME(pith_i_conjunction_forward)
    (net, j, t->semantics.and_product, &AT(m, at[j->a]), b, &AT(m, at[j->out]),
     join_won(t, k, j->out));
  }
  copy_rows(value, old, atoms);
  fill_int_rows(rule, atoms, 0);
  for (uint32_t r = 0; r < net->rules.n; r++) {
    const real *body = &AT(m, body_at(net, r));
    if (t->semantics.or_sum)
      sum_forward(t, r, body, value);
    else
      head_forward(t, r, body, value, rule);
  }
}

static void joins_backward(const view *t, uint32_t k, const real *m, real *dm) {
  const pith_i_net *net = t->net;
  const uint32_t *at = net->tensor_offset.at;
  for (uint32_t i = (uint32_t)net->joins.n; i-- > 0 && !leave_off(t);) {
    const pith_i_join *j = &net->joins.at[i];
    bool one = j->b == PITH_NONE;
    PITH_I_NAME(pith_i_conjunction_backward)
    (net, j, t->semantics.and_product, &AT(m, at[j->a]),
     one ? NULL : &AT(m, at[j->b]), &AT(m, at[j->out]), join_won(t, k, j->out),
     &AT(dm, at[j->out]), &AT(dm, at[j->a]), one ? NULL : &AT(dm, at[j->b]));
  }
}

/* dvalue: the gradient after the step becomes the one before it. */
static void step_backward(const view *t, uint32_t k) {
  const pith_i_net *net = t->net;
  assert(k < net->steps);
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = &AT(t->value, k * atoms);
  const real *value = &AT(t->value, (k + 1) * atoms);
  const real *m = &AT(t->tensor, (size_t)k * net->tensors);
  const whole *rule = &AT(t->rule, k * atoms);
  real *dm = t->dtensor;
  fill_rows(dm, net->tensors, (real){0});
  for (uint32_t r = 0; r < net->rules.n; r++) {
    uint32_t b = body_at(net, r);
    if (t->semantics.or_sum)
      sum_backward(t, r, &AT(m, b), value, t->dvalue, &AT(dm, b));
    else
      head_backward(t, r, &AT(m, b), rule, t->dvalue, &AT(dm, b));
  }
  if (t->semantics.or_sum)
    known_backward(old, value, atoms, t->dvalue);
  else
    known_value_backward(rule, atoms, t->dvalue);
  joins_backward(t, k, m, dm);
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body) {
      slot_backward(t, s, old, slot_won(t, k, s), &AT(dm, at[s]), t->dvalue);
      share_base(t, s, slot_won(t, k, s), &AT(dm, at[s]));
    }
}

/* ---- a part of the lanes, and all ------------------------------------- */

static void net_lanes_forward(const view *t) {
  const pith_i_net *net = t->net;
  for (uint32_t s = 0; s < net->slots.n; s++) {
    uint32_t at = net->tensor_offset.at[s];
    if (net->slots.at[s].in_body)
      base_forward(t, s, &AT(t->base, at), &AT(t->base_won, at));
  }
  for (uint32_t k = 0; k < net->steps && !t->tape->stopped; k++)
    step_forward(t, k);
}

static void net_lanes_backward(const view *t) {
  const pith_i_net *net = t->net;
  fill_rows(t->dbase, net->slot_tensors, (real){0});
  for (uint32_t k = net->steps; k-- > 0 && !t->tape->stopped;)
    step_backward(t, k);
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body && !t->semantics.slot_max)
      base_backward(t, s, NULL, &AT(t->dbase, net->tensor_offset.at[s]));
}

void PITH_I_NAME(pith_i_net_forward)(pith_i_tape *t) {
  PITH_I_EACH_PART(c) {
    view v = view_of(t, c);
    if (t->net->reference)
      PITH_I_NAME(pith_i_reference_forward)(&v);
    else if (t->net->pooled)
      PITH_I_NAME(pith_i_pooled_forward)(&v);
    else
      net_lanes_forward(&v);
  }
  t->has_fixed = t->net->reference;
}

void PITH_I_NAME(pith_i_net_backward)(pith_i_tape *t) {
  PITH_I_EACH_PART(c) {
    view v = view_of(t, c);
    if (t->net->reference)
      PITH_I_NAME(pith_i_reference_backward)(&v);
    else if (t->net->pooled)
      PITH_I_NAME(pith_i_pooled_backward)(&v);
    else
      net_lanes_backward(&v);
  }
}
