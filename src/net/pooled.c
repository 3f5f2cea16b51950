/* One step of a pooled network and its gradient:
**
**   body   B[e]  = max over k of and(V[left[k]], V[right[k]])   what a body
**                  derives from the valuation; or its facts, once for all
**   slot   M[e]  = sum over bodies of w(body) B(body)[e]        soft choice
**   head   V'    = max(V, M)                                    OR of rules
**
** The same three operations as with templates (step.c), but the choice is
** between bodies and comes after the joins, so that all rules of a predicate
** share them. */
#include <assert.h>

#include "net/pooled.h"

#include "net/conjunction.h"

/* ---- the background's part ------------------------------------------- */

static void base_forward(const view *t, uint32_t s, real *m) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  assert(net->pooled && s < net->slots.n);
  assert(slot->first + slot->count <= net->candidates.n);
  fill_rows(m, slot->size, (real){0});
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_body *b = &net->bodies.at[net->candidates.at[c].body];
    real w = AT(t->weight, c);
    for (uint32_t f = 0; f < b->fact_count; f++)
      AT(m, b->facts[f]) += w;
  }
}

static void base_backward(const view *t, uint32_t s, const real *dm) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  assert(net->pooled && s < net->slots.n);
  assert(slot->first + slot->count <= net->candidates.n);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_body *b = &net->bodies.at[net->candidates.at[c].body];
    real sum = {0};
    for (uint32_t f = 0; f < b->fact_count; f++)
      sum += AT(dm, b->facts[f]);
    AT(t->dweight, c) += sum;
  }
}

/* ---- slots ----------------------------------------------------------- */

/* Where the join of a candidate's body stands; false: it has none. */
PITH_I_INLINE bool join_of(const pith_i_net *net, uint32_t c,
                           const pith_i_join **j, const uint32_t **atoms) {
  const pith_i_body *b = &net->bodies.at[net->candidates.at[c].body];
  if (b->join == PITH_NONE)
    return false;
  assert(b->join < net->joins.n && b->atoms != NULL);
  *j = &net->joins.at[b->join];
  *atoms = b->atoms;
  return true;
}

/* all: (T) the step's tensors; m: (slot size) holds the base's. */
static void slot_forward(const view *t, uint32_t s, const real *all, real *m) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  assert(net->pooled && s < net->slots.n);
  assert(slot->first + slot->count <= net->candidates.n);
  const pith_i_join *j;
  const uint32_t *atoms;
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    if (!join_of(net, c, &j, &atoms))
      continue;
    real w = AT(t->weight, c);
    const real *out = &AT(all, net->tensor_offset.at[j->out]);
    for (uint32_t e = 0; e < j->size; e++)
      AT(m, atoms[e]) += w * AT(out, e);
  }
}

static void slot_backward(const view *t, uint32_t s, const real *all,
                          const real *dm, real *dall) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  assert(net->pooled && s < net->slots.n);
  assert(slot->first + slot->count <= net->candidates.n);
  const pith_i_join *j;
  const uint32_t *atoms;
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    if (!join_of(net, c, &j, &atoms))
      continue;
    real w = AT(t->weight, c), sum = {0};
    const real *out = &AT(all, net->tensor_offset.at[j->out]);
    real *dout = &AT(dall, net->tensor_offset.at[j->out]);
    for (uint32_t e = 0; e < j->size; e++) {
      real g = AT(dm, atoms[e]);
      sum += g * AT(out, e);
      AT(dout, e) += g * w;
    }
    AT(t->dweight, c) += sum;
  }
}

/* ---- heads ----------------------------------------------------------- */

/* Where the atoms of a slot's predicate start in a valuation. */
static size_t offset_of(const pith_i_net *net, uint32_t s) {
  uint32_t first = net->slots.at[s].first;
  assert(net->slots.at[s].count > 0);
  assert(net->preds.at[net->candidates.at[first].pred].derived);
  return net->preds.at[net->candidates.at[first].pred].offset;
}

static void head_forward(const pith_i_net *net, uint32_t s, const real *m,
                         real *value, whole *rule) {
  size_t offset = offset_of(net, s);
  for (uint32_t e = 0; e < net->slots.at[s].size; e++) {
    real x = AT(m, e);
    PITH_I_TAKE_GREATER(x, s + 1, AT(value, offset + e), AT(rule, offset + e));
  }
}

static void head_backward(const pith_i_net *net, uint32_t s, const whole *rule,
                          const real *dvalue, real *dm) {
  size_t offset = offset_of(net, s);
  for (uint32_t e = 0; e < net->slots.at[s].size; e++)
    AT(dm, e) = PITH_I_PICK(AT(rule, offset + e) == (int32_t)(s + 1),
                            AT(dvalue, offset + e), PITH_I_ONE(0));
}

/* ---- steps ----------------------------------------------------------- */

/* Joins are many and small: not each of them asks. */
static bool leave_off_at(const view *t, uint32_t join) {
  return join % 64 == 0 && leave_off(t);
}

static void step_forward(const view *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = &AT(t->value, k * atoms);
  real *value = &AT(t->value, (k + 1) * atoms);
  real *m = &AT(t->tensor, (size_t)k * net->tensors);
  whole *rule = &AT(t->rule, k * atoms);
  for (uint32_t i = 0; i < net->joins.n && !leave_off_at(t, i); i++) {
    const pith_i_join *j = &net->joins.at[i];
    PITH_I_NAME(pith_i_conjunction_forward)
    (net, j, t->semantics.and_product, old, j->b == PITH_NONE ? NULL : old,
     &AT(m, at[j->out]), join_won(t, k, j->out));
  }
  copy_rows(value, old, atoms);
  fill_int_rows(rule, atoms, 0);
  for (uint32_t s = 0; s < net->slots.n; s++) {
    copy_rows(&AT(m, at[s]), &AT(t->base, at[s]), net->slots.at[s].size);
    slot_forward(t, s, m, &AT(m, at[s]));
    head_forward(net, s, &AT(m, at[s]), value, rule);
  }
}

/* dvalue: the gradient after the step becomes the one before it. */
static void step_backward(const view *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = &AT(t->value, k * atoms);
  const real *m = &AT(t->tensor, (size_t)k * net->tensors);
  const whole *rule = &AT(t->rule, k * atoms);
  real *dm = t->dtensor;
  fill_rows(&AT(dm, net->slot_tensors), net->tensors - net->slot_tensors,
            (real){0});
  for (uint32_t s = 0; s < net->slots.n; s++) {
    head_backward(net, s, rule, t->dvalue, &AT(dm, at[s]));
    slot_backward(t, s, m, &AT(dm, at[s]), dm);
    for (uint32_t e = 0; e < net->slots.at[s].size; e++)
      AT(t->dbase, at[s] + e) += AT(dm, at[s] + e);
  }
  known_value_backward(rule, atoms, t->dvalue);
  for (uint32_t i = 0; i < net->joins.n && !leave_off_at(t, i); i++) {
    const pith_i_join *j = &net->joins.at[i];
    bool one = j->b == PITH_NONE;
    PITH_I_NAME(pith_i_conjunction_backward)
    (net, j, t->semantics.and_product, old, one ? NULL : old,
     &AT(m, at[j->out]), join_won(t, k, j->out), &AT(dm, at[j->out]), t->dvalue,
     one ? NULL : t->dvalue);
  }
}

void PITH_I_NAME(pith_i_pooled_forward)(const view *t) {
  const pith_i_net *net = t->net;
  for (uint32_t s = 0; s < net->slots.n; s++)
    base_forward(t, s, &AT(t->base, net->tensor_offset.at[s]));
  for (uint32_t k = 0; k < net->steps && !t->tape->stopped; k++)
    step_forward(t, k);
}

void PITH_I_NAME(pith_i_pooled_backward)(const view *t) {
  const pith_i_net *net = t->net;
  fill_rows(t->dbase, net->slot_tensors, (real){0});
  for (uint32_t k = net->steps; k-- > 0 && !t->tape->stopped;)
    step_backward(t, k);
  for (uint32_t s = 0; s < net->slots.n; s++)
    base_backward(t, s, &AT(t->dbase, net->tensor_offset.at[s]));
}
