/* One step of forward chaining and its gradient, operation by operation:
**
**   slot   M[e]  = sum over p of w(p) V(p)[e]     soft unification of a body
**                  (or the maximum over p)        atom with every predicate
**   join   B[e]  = max over k of and(a[k], b[k])  soft AND, and the best of
**                                                 all ways to match
**   head   V'(p) = max(V(p), w(p) B)              unification of the head;
**                                                 OR with what was known
**
** Each is a forward and a backward function side by side. The background's
** part of the slots is the same at all steps, so it is made once (base) and
** its gradient gathered over the steps (dbase).
**
** Where two alternatives are equal the first keeps the gradient. */
#include <string.h>

#include "net/tape.h"

typedef pith_i_real real;
typedef pith_i_int whole;

static inline uint32_t place(const uint32_t *map, uint32_t e) {
  return map == NULL ? e : map[e];
}

/* best, who := x, i where x is greater. */
#define TAKE_GREATER(x, i, best, who)                                          \
  do {                                                                         \
    whole take_ = (x) > (best);                                                \
    (best) = PITH_I_PICK(take_, (x), (best));                                  \
    (who) = PITH_I_PICK_INT(take_, PITH_I_ALL_INT(i), (who));                  \
  } while (0)

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
        TAKE_GREATER(w, c, m[e], won[e]);
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
        TAKE_GREATER(x, c, m[e], won[e]);
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

/* ---- joins ----------------------------------------------------------- */

/* a, b: tensors, b may be NULL; out, won: (j->size). */
PITH_I_HOT static void join_forward(const pith_i_join *j, bool product,
                                    const real *a, const real *b, real *out,
                                    whole *won) {
  for (uint32_t e = 0; e < j->size; e++) {
    real best = {0};
    whole who = {0};
    uint32_t end = j->start[e + 1], k = j->start[e];
    if (b == NULL)
      for (; k < end; k++)
        TAKE_GREATER(a[j->left[k]], k, best, who);
    else if (product)
      for (; k < end; k++) {
        real x = a[j->left[k]] * b[j->right[k]];
        TAKE_GREATER(x, k, best, who);
      }
    else
      for (; k < end; k++) {
        real x = a[j->left[k]], y = b[j->right[k]];
        x = PITH_I_PICK(x < y, x, y);
        TAKE_GREATER(x, k, best, who);
      }
    out[e] = best;
    won[e] = who;
  }
}

/* The same with strides. won is k itself. */
PITH_I_HOT static void dense_forward(const pith_i_net *net,
                                     const pith_i_join *j, bool product,
                                     const real *a, const real *b, real *out,
                                     whole *won) {
  for (uint32_t w = 0; w < net->worlds; w++) {
    pith_i_grid g = pith_i_grid_of(net, j, w);
    for (uint32_t i = 0; i < g.n; i++)
      for (uint32_t e = 0; e < g.columns; e++) {
        const real *x = a + g.a + i * g.a_step[0] + e * g.a_step[1];
        const real *y =
            b == NULL ? NULL : b + g.b + i * g.b_step[0] + e * g.b_step[1];
        real best = {0};
        whole who = {0};
        for (uint32_t k = 0; k < g.depth; k++) {
          real v = x[k * g.a_step[2]];
          if (b != NULL) {
            real u = y[k * g.b_step[2]];
            v = product ? v * u : PITH_I_PICK(v < u, v, u);
          }
          TAKE_GREATER(v, k, best, who);
        }
        out[g.out + i * g.columns + e] = best;
        won[g.out + i * g.columns + e] = who;
      }
  }
}

static bool any(const real *d) {
  const float *x = (const float *)d;
  bool found = false;
  PITH_I_EACH_LANE(l) found |= x[l] != 0.0f;
  return found;
}

/* The gradient d of and(a[x], b[y]) in one lane: of a minimum it goes to the
** smaller side. */
static inline void and_backward(bool product, const real *a, const real *b,
                                size_t x, size_t y, int l, float d, real *da,
                                real *db) {
  if (b == NULL)
    da[x][l] += d;
  else if (product) {
    da[x][l] += d * b[y][l];
    db[y][l] += d * a[x][l];
  } else if (a[x][l] < b[y][l])
    da[x][l] += d;
  else
    db[y][l] += d;
}

/* The gradient goes to the pair that won, in each lane another. Where nothing
** held there is no winner. */
static void join_backward(const pith_i_join *j, bool product, const real *a,
                          const real *b, const real *out, const whole *won,
                          const real *dout, real *da, real *db) {
  for (uint32_t e = 0; e < j->size; e++) {
    if (!any(&dout[e]))
      continue;
    PITH_I_EACH_LANE(l) {
      int32_t k = won[e][l];
      if (dout[e][l] != 0.0f && out[e][l] > 0.0f)
        and_backward(product, a, b, j->left[k], b == NULL ? 0 : j->right[k], l,
                     dout[e][l], da, db);
    }
  }
}

static void dense_backward(const pith_i_net *net, const pith_i_join *j,
                           bool product, const real *a, const real *b,
                           const real *out, const whole *won, const real *dout,
                           real *da, real *db) {
  for (uint32_t w = 0; w < net->worlds; w++) {
    pith_i_grid g = pith_i_grid_of(net, j, w);
    for (size_t i = 0; i < g.n * g.columns; i++) {
      size_t e = g.out + i, row = i / g.columns, column = i % g.columns;
      if (!any(&dout[e]))
        continue;
      size_t x = g.a + row * g.a_step[0] + column * g.a_step[1];
      size_t y = g.b + row * g.b_step[0] + column * g.b_step[1];
      PITH_I_EACH_LANE(l) {
        size_t k = (size_t)won[e][l];
        if (dout[e][l] != 0.0f && out[e][l] > 0.0f)
          and_backward(product, a, b, x + k * g.a_step[2], y + k * g.b_step[2],
                       l, dout[e][l], da, db);
      }
    }
  }
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
      TAKE_GREATER(x, r + 1, value[offset + a], rule[offset + a]);
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

static void step_forward(pith_i_tape *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const uint32_t *at = net->tensor_offset.at;
  const real *old = t->value + k * atoms;
  real *value = t->value + (k + 1) * atoms;
  real *m = t->tensor + (size_t)k * net->tensors;
  whole *rule = t->rule + k * atoms;
  slots_forward(t, k, old, m);
  for (uint32_t i = 0; i < net->joins.n; i++) {
    const pith_i_join *j = &net->joins.at[i];
    bool product = t->semantics.and_product;
    const real *a = m + at[j->a], *b = j->b == PITH_NONE ? NULL : m + at[j->b];
    if (net->dense)
      dense_forward(net, j, product, a, b, m + at[j->out],
                    join_won(t, k, j->out));
    else
      join_forward(j, product, a, b, m + at[j->out], join_won(t, k, j->out));
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
  for (uint32_t i = (uint32_t)net->joins.n; i-- > 0;) {
    const pith_i_join *j = &net->joins.at[i];
    bool one = j->b == PITH_NONE, product = t->semantics.and_product;
    const real *a = m + at[j->a], *b = one ? NULL : m + at[j->b];
    real *da = dm + at[j->a], *db = one ? NULL : dm + at[j->b];
    uint32_t out = at[j->out];
    const whole *won = join_won(t, k, j->out);
    if (net->dense)
      dense_backward(net, j, product, a, b, m + out, won, dm + out, da, db);
    else
      join_backward(j, product, a, b, m + out, won, dm + out, da, db);
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
  for (uint32_t k = 0; k < net->steps; k++)
    step_forward(t, k);
}

void pith_i_net_backward(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  memset(t->dbase, 0, net->slot_tensors * sizeof *t->dbase);
  for (uint32_t k = net->steps; k-- > 0;)
    step_backward(t, k);
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body && !t->semantics.slot_max)
      base_backward(t, s, NULL, t->dbase + net->tensor_offset.at[s]);
}
