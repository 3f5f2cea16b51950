/* One step of forward chaining and its gradient, operation by operation:
**
**   slot   M[e]  = sum over p of w(p) V(p)[e]     soft unification of a body
**                  (or the maximum over p)        atom with every predicate
**   join   B[e]  = max over k of and(a[k], b[k])  soft AND, and the best of
**                                                 all ways to match
**   head   V'(p) = max(V(p), w(p) B)              unification of the head;
**                                                 OR with what was known
**
** Each is a forward and a backward function side by side, the joins in
** join.c. The background's part of the slots is the same at all steps, so it
** is made once (base) and its gradient gathered over the steps (dbase).
**
** Where two alternatives are equal the first keeps the gradient. */
#include <string.h>

#include "net/join.h"
#include "net/tape.h"

typedef pith_i_real real;
typedef pith_i_int whole;

static inline uint32_t place(const uint32_t *map, uint32_t e) {
  return map == NULL ? e : map[e];
}

/* ---- slots: the background ------------------------------------------- */

/* m, won: (slot size); from the facts of the slot's background candidates.
** won is of use in slot_max only. */
PITH_I_HOT static void base_forward(const pith_i_tape *t, uint32_t s, real *m,
                                    whole *won) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  memset(m, 0, slot->size * sizeof *m);
  if (t->semantics.slot_max)
    memset(won, 0xff, slot->size * sizeof *won);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    if (net->preds.at[k->pred].derived)
      continue;
    real w = t->weight[c];
    for (uint32_t f = 0; f < k->fact_count; f++) {
      uint32_t e = k->facts[f];
      if (t->semantics.slot_max)
        PITH_I_TAKE_GREATER(w, c, m[e], won[e]);
      else
        m[e] += w;
    }
  }
}

PITH_I_HOT static void base_backward(pith_i_tape *t, uint32_t s,
                                     const whole *won, const real *dm) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    if (net->preds.at[k->pred].derived)
      continue;
    real sum = {0};
    for (uint32_t f = 0; f < k->fact_count; f++) {
      uint32_t e = k->facts[f];
      sum += t->semantics.slot_max
                 ? PITH_I_PICK(won[e] == (int32_t)c, dm[e], PITH_I_ALL(0))
                 : dm[e];
    }
    t->dweight[c] += sum;
  }
}

/* ---- slots: what was derived ----------------------------------------- */

/* value: (A) before the step; m, won: (slot size), hold the base's. */
PITH_I_HOT static void slot_forward(const pith_i_tape *t, uint32_t s,
                                    const real *value, real *m, whole *won) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    if (!p->derived)
      continue;
    real w = t->weight[c];
    const real *v = value + p->offset;
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = place(k->map, e);
      if (a == PITH_NONE)
        continue;
      real x = w * v[a];
      if (t->semantics.slot_max)
        PITH_I_TAKE_GREATER(x, c, m[e], won[e]);
      else
        m[e] += x;
    }
  }
}

PITH_I_HOT static void slot_backward(pith_i_tape *t, uint32_t s,
                                     const real *value, const whole *won,
                                     const real *dm, real *dvalue) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    if (!p->derived)
      continue;
    real w = t->weight[c], sum = {0};
    const real *v = value + p->offset;
    real *dv = dvalue + p->offset;
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = place(k->map, e);
      if (a == PITH_NONE)
        continue;
      real g = t->semantics.slot_max
                   ? PITH_I_PICK(won[e] == (int32_t)c, dm[e], PITH_I_ALL(0))
                   : dm[e];
      sum += g * v[a];
      dv[a] += g * w;
    }
    t->dweight[c] += sum;
  }
}

/* The background's share of the slot's gradient. In slot_max the candidates
** are told apart by the winners of this step, so it cannot wait. */
PITH_I_HOT static void share_base(pith_i_tape *t, uint32_t s, const whole *won,
                                  const real *dm) {
  const pith_i_net *net = t->net;
  if (t->semantics.slot_max) {
    base_backward(t, s, won, dm);
    return;
  }
  real *dbase = t->dbase + net->tensor_offset.at[s];
  for (uint32_t e = 0; e < net->slots.at[s].size; e++)
    dbase[e] += dm[e];
}

/* ---- heads ----------------------------------------------------------- */

/* value: (A), holds the old valuation and becomes the new one. */
PITH_I_HOT static void head_forward(const pith_i_tape *t, uint32_t r,
                                    const real *body, real *value,
                                    whole *rule) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    uint32_t offset = net->preds.at[k->pred].offset;
    real w = t->weight[c];
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = place(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      real x = w * body[e];
      PITH_I_TAKE_GREATER(x, r + 1, value[offset + a], rule[offset + a]);
    }
  }
}

PITH_I_HOT static void head_backward(pith_i_tape *t, uint32_t r,
                                     const real *body, const whole *rule,
                                     const real *dvalue, real *dbody) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    uint32_t offset = net->preds.at[k->pred].offset;
    real w = t->weight[c], sum = {0};
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = place(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      real g = PITH_I_PICK(rule[offset + a] == (int32_t)(r + 1),
                           dvalue[offset + a], PITH_I_ALL(0));
      sum += g * body[e];
      dbody[e] += g * w;
    }
    t->dweight[c] += sum;
  }
}

/* What was known keeps the gradient where no rule went above it. */
PITH_I_HOT static void keep_backward(const whole *rule, size_t atoms,
                                     real *dvalue) {
  for (size_t i = 0; i < atoms; i++)
    dvalue[i] = PITH_I_PICK(rule[i] == 0, dvalue[i], PITH_I_ALL(0));
}

/* ---- all steps ------------------------------------------------------- */

/* Where the body of a rule stands among the tensors. */
static uint32_t body_at(const pith_i_net *net, uint32_t r) {
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_join *last = &net->joins.at[q->first_join + q->joins - 1];
  return net->tensor_offset.at[last->out];
}

/* The winners of a step's slots; NULL when none are kept. */
static whole *slot_won(const pith_i_tape *t, uint32_t k, uint32_t s) {
  const pith_i_net *net = t->net;
  return t->semantics.slot_max ? t->slot_won + (size_t)k * net->slot_tensors +
                                     net->tensor_offset.at[s]
                               : NULL;
}

/* The winners of a step's join. */
static whole *join_won(const pith_i_tape *t, uint32_t k, uint32_t tensor) {
  const pith_i_net *net = t->net;
  return t->won + (size_t)k * (net->tensors - net->slot_tensors) +
         (net->tensor_offset.at[tensor] - net->slot_tensors);
}

/* m: (T) */
static void slots_forward(pith_i_tape *t, uint32_t k, const real *old,
                          real *m) {
  const pith_i_net *net = t->net;
  for (uint32_t s = 0; s < net->slots.n; s++) {
    uint32_t at = net->tensor_offset.at[s];
    size_t bytes = net->slots.at[s].size * sizeof *m;
    if (!net->slots.at[s].in_body)
      continue;
    memcpy(m + at, t->base + at, bytes);
    if (t->semantics.slot_max)
      memcpy(slot_won(t, k, s), t->base_won + at, bytes);
    slot_forward(t, s, old, m + at, slot_won(t, k, s));
  }
}

static bool leave_off(pith_i_tape *t) {
  if (!t->stopped && t->net->joined >= PITH_I_ASK_FROM)
    t->stopped = pith_i_told(t->stop);
  return t->stopped;
}

static void step_forward(pith_i_tape *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = t->value + k * atoms;
  real *value = t->value + (k + 1) * atoms;
  real *m = t->tensor + (size_t)k * net->tensors;
  whole *rule = t->rule + k * atoms;
  slots_forward(t, k, old, m);
  for (uint32_t i = 0; i < net->joins.n && !leave_off(t); i++) {
    const pith_i_join *j = &net->joins.at[i];
    const real *b = j->b == PITH_NONE ? NULL : m + at[j->b];
    pith_i_join_forward(net, j, t->semantics.and_product, m + at[j->a], b,
                        m + at[j->out], join_won(t, k, j->out));
  }
  memcpy(value, old, atoms * sizeof *value);
  memset(rule, 0, atoms * sizeof *rule);
  for (uint32_t r = 0; r < net->rules.n; r++)
    head_forward(t, r, m + body_at(net, r), value, rule);
}

/* dvalue: the gradient after the step becomes the one before it. */
static void step_backward(pith_i_tape *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = t->value + k * atoms;
  const real *m = t->tensor + (size_t)k * net->tensors;
  const whole *rule = t->rule + k * atoms;
  real *dm = t->dtensor;
  memset(dm, 0, net->tensors * sizeof *dm);
  for (uint32_t r = 0; r < net->rules.n; r++) {
    uint32_t b = body_at(net, r);
    head_backward(t, r, m + b, rule, t->dvalue, dm + b);
  }
  keep_backward(rule, atoms, t->dvalue);
  for (uint32_t i = (uint32_t)net->joins.n; i-- > 0 && !leave_off(t);) {
    const pith_i_join *j = &net->joins.at[i];
    bool one = j->b == PITH_NONE;
    pith_i_join_backward(net, j, t->semantics.and_product, m + at[j->a],
                         one ? NULL : m + at[j->b], m + at[j->out],
                         join_won(t, k, j->out), dm + at[j->out], dm + at[j->a],
                         one ? NULL : dm + at[j->b]);
  }
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body) {
      slot_backward(t, s, old, slot_won(t, k, s), dm + at[s], t->dvalue);
      share_base(t, s, slot_won(t, k, s), dm + at[s]);
    }
}

void pith_i_net_forward(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  for (uint32_t s = 0; s < net->slots.n; s++) {
    uint32_t at = net->tensor_offset.at[s];
    if (net->slots.at[s].in_body)
      base_forward(t, s, t->base + at,
                   t->semantics.slot_max ? t->base_won + at : NULL);
  }
  for (uint32_t k = 0; k < net->steps && !t->stopped; k++)
    step_forward(t, k);
}

void pith_i_net_backward(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  memset(t->dbase, 0, net->slot_tensors * sizeof *t->dbase);
  for (uint32_t k = net->steps; k-- > 0 && !t->stopped;)
    step_backward(t, k);
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body && !t->semantics.slot_max)
      base_backward(t, s, NULL, t->dbase + net->tensor_offset.at[s]);
}
