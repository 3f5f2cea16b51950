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
** its gradient gathered over the steps (dbase). */
#include <string.h>

#include "net/tape.h"

enum { L = PITH_I_LANES };

#define ROW(array, i) ((array) + (size_t)(i)*L)

static inline uint32_t place(const uint32_t *map, uint32_t e) {
  return map == NULL ? e : map[e];
}

/* ---- slots: the background ------------------------------------------- */

/* base: (T, L) over the facts of background candidates. */
PITH_I_HOT static void base_forward(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  bool best = t->semantics.slot_max;
  for (uint32_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    if (!slot->in_body)
      continue;
    float *m = ROW(t->base, net->tensor_offset.at[s]);
    int32_t *won = ROW(t->base_won, net->tensor_offset.at[s]);
    memset(m, 0, (size_t)slot->size * L * sizeof *m);
    if (best)
      memset(won, 0xff, (size_t)slot->size * L * sizeof *won);
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      const pith_i_net_pred *p = &net->preds.at[net->candidates.at[c].pred];
      if (p->derived)
        continue;
      const float *w = ROW(t->weight, c);
      const uint32_t *at = net->candidates.at[c].facts;
      uint32_t n = net->candidates.at[c].fact_count;
      for (uint32_t f = 0; f < n; f++) {
        float *restrict out = ROW(m, at[f]);
        if (best) {
          int32_t *restrict o = ROW(won, at[f]);
          PITH_I_EACH_LANE(l) {
            bool take = w[l] > out[l];
            out[l] = take ? w[l] : out[l];
            o[l] = take ? (int32_t)c : o[l];
          }
        } else
          PITH_I_EACH_LANE(l) out[l] += w[l];
      }
    }
  }
}

PITH_I_HOT static void base_backward(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  bool best = t->semantics.slot_max;
  for (uint32_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    if (!slot->in_body)
      continue;
    const float *dm = ROW(t->dbase, net->tensor_offset.at[s]);
    const int32_t *won = ROW(t->base_won, net->tensor_offset.at[s]);
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      const pith_i_net_pred *p = &net->preds.at[net->candidates.at[c].pred];
      if (p->derived)
        continue;
      float sum[L] = {0};
      const uint32_t *at = net->candidates.at[c].facts;
      uint32_t n = net->candidates.at[c].fact_count;
      for (uint32_t f = 0; f < n; f++) {
        const float *restrict d = ROW(dm, at[f]);
        const int32_t *restrict o = ROW(won, at[f]);
        if (best)
          PITH_I_EACH_LANE(l) sum[l] += o[l] == (int32_t)c ? d[l] : 0.0f;
        else
          PITH_I_EACH_LANE(l) sum[l] += d[l];
      }
      float *dw = ROW(t->dweight, c);
      PITH_I_EACH_LANE(l) dw[l] += sum[l];
    }
  }
}

/* ---- slots: what was derived ----------------------------------------- */

/* value: (A, L) before the step; m: (T, L) of the step. */
PITH_I_HOT static void slot_forward(const pith_i_tape *t, uint32_t s,
                                    const float *value, float *m,
                                    int32_t *won) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  size_t offset = net->tensor_offset.at[s];
  bool best = t->semantics.slot_max;
  memcpy(m, ROW(t->base, offset), (size_t)slot->size * L * sizeof *m);
  if (best)
    memcpy(won, ROW(t->base_won, offset), (size_t)slot->size * L * sizeof *won);
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    if (!p->derived)
      continue;
    const float *w = ROW(t->weight, c);
    const float *values = ROW(value, p->offset);
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = place(k->map, e);
      if (a == PITH_NONE)
        continue;
      const float *restrict v = ROW(values, a);
      float *restrict out = ROW(m, e);
      if (best) {
        int32_t *restrict o = ROW(won, e);
        PITH_I_EACH_LANE(l) {
          float x = w[l] * v[l];
          bool take = x > out[l];
          out[l] = take ? x : out[l];
          o[l] = take ? (int32_t)c : o[l];
        }
      } else
        PITH_I_EACH_LANE(l) out[l] += w[l] * v[l];
    }
  }
}

PITH_I_HOT static void slot_backward(pith_i_tape *t, uint32_t s,
                                     const float *value, const float *dm,
                                     const int32_t *won, float *dvalue) {
  const pith_i_net *net = t->net;
  const pith_i_net_slot *slot = &net->slots.at[s];
  bool best = t->semantics.slot_max;
  float *dbase = ROW(t->dbase, net->tensor_offset.at[s]);
  for (size_t i = 0; i < (size_t)slot->size * L; i++)
    dbase[i] += dm[i];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    const pith_i_net_pred *p = &net->preds.at[k->pred];
    if (!p->derived)
      continue;
    const float *w = ROW(t->weight, c);
    const float *values = ROW(value, p->offset);
    float *dvalues = ROW(dvalue, p->offset), sum[L] = {0};
    for (uint32_t e = 0; e < slot->size; e++) {
      uint32_t a = place(k->map, e);
      if (a == PITH_NONE)
        continue;
      const float *restrict d = ROW(dm, e), *restrict v = ROW(values, a);
      const int32_t *restrict o = ROW(won, e);
      float *restrict dv = ROW(dvalues, a);
      PITH_I_EACH_LANE(l) {
        float g = best && o[l] != (int32_t)c ? 0.0f : d[l];
        sum[l] += g * v[l];
        dv[l] += g * w[l];
      }
    }
    float *dw = ROW(t->dweight, c);
    PITH_I_EACH_LANE(l) dw[l] += sum[l];
  }
}

/* ---- joins ----------------------------------------------------------- */

PITH_I_HOT static void join_forward(const pith_i_join *j, bool product,
                                    const float *a, const float *b, float *out,
                                    int32_t *won) {
  for (uint32_t e = 0; e < j->size; e++) {
    float best[L] = {0};
    int32_t who[L] = {0};
    uint32_t end = j->start[e + 1];
    for (uint32_t k = j->start[e]; k < end; k++) {
      const float *restrict x = ROW(a, j->left[k]);
      float m[L];
      if (b == NULL)
        PITH_I_EACH_LANE(l) m[l] = x[l];
      else {
        const float *restrict y = ROW(b, j->right[k]);
        if (product)
          PITH_I_EACH_LANE(l) m[l] = x[l] * y[l];
        else
          PITH_I_EACH_LANE(l) m[l] = x[l] < y[l] ? x[l] : y[l];
      }
      PITH_I_EACH_LANE(l) {
        bool take = m[l] > best[l];
        best[l] = take ? m[l] : best[l];
        who[l] = take ? (int32_t)k : who[l];
      }
    }
    memcpy(ROW(out, e), best, sizeof best);
    memcpy(ROW(won, e), who, sizeof who);
  }
}

static bool any(const float *d) {
  float sum = 0;
  PITH_I_EACH_LANE(l) sum += d[l] != 0.0f ? 1.0f : 0.0f;
  return sum != 0.0f;
}

/* The gradient goes to the pair that won, in each lane another; of a minimum
** to the smaller side. A winner of 0 has no gradient: nothing held. */
static void join_backward(const pith_i_join *j, bool product, const float *a,
                          const float *b, const float *out, const int32_t *won,
                          const float *dout, float *da, float *db) {
  for (uint32_t e = 0; e < j->size; e++) {
    const float *d = ROW(dout, e);
    if (!any(d))
      continue;
    PITH_I_EACH_LANE(l) {
      if (d[l] == 0.0f || ROW(out, e)[l] <= 0.0f)
        continue;
      int32_t k = ROW(won, e)[l];
      size_t x = (size_t)j->left[k] * L + (size_t)l;
      if (b == NULL) {
        da[x] += d[l];
        continue;
      }
      size_t y = (size_t)j->right[k] * L + (size_t)l;
      if (product) {
        da[x] += d[l] * b[y];
        db[y] += d[l] * a[x];
      } else if (a[x] < b[y])
        da[x] += d[l];
      else
        db[y] += d[l];
    }
  }
}

/* ---- heads ----------------------------------------------------------- */

/* value: (A, L), holds the old valuation and becomes the new one. */
PITH_I_HOT static void head_forward(const pith_i_tape *t, uint32_t r,
                                    const float *body, float *value,
                                    int32_t *rule) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    uint32_t offset = net->preds.at[k->pred].offset;
    const float *w = ROW(t->weight, c);
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = place(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      const float *restrict x = ROW(body, e);
      float *restrict v = ROW(value, offset + a);
      int32_t *restrict o = ROW(rule, offset + a);
      PITH_I_EACH_LANE(l) {
        float y = w[l] * x[l];
        bool take = y > v[l];
        v[l] = take ? y : v[l];
        o[l] = take ? (int32_t)r + 1 : o[l];
      }
    }
  }
}

PITH_I_HOT static void head_backward(pith_i_tape *t, uint32_t r,
                                     const float *body, const float *dvalue,
                                     const int32_t *rule, float *dbody) {
  const pith_i_net *net = t->net;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_i_net_slot *slot = &net->slots.at[q->head];
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    const pith_i_candidate *k = &net->candidates.at[c];
    uint32_t offset = net->preds.at[k->pred].offset;
    const float *w = ROW(t->weight, c);
    float sum[L] = {0};
    for (uint32_t e = 0; e < q->size; e++) {
      uint32_t a = place(k->map, q->atoms[e]);
      if (a == PITH_NONE)
        continue;
      const float *restrict x = ROW(body, e), *restrict d =
                                                  ROW(dvalue, offset + a);
      const int32_t *restrict o = ROW(rule, offset + a);
      float *restrict dx = ROW(dbody, e);
      PITH_I_EACH_LANE(l) {
        float g = o[l] == (int32_t)r + 1 ? d[l] : 0.0f;
        sum[l] += g * x[l];
        dx[l] += g * w[l];
      }
    }
    float *dw = ROW(t->dweight, c);
    PITH_I_EACH_LANE(l) dw[l] += sum[l];
  }
}

/* ---- all steps ------------------------------------------------------- */

static const float *body_of(const pith_i_net *net, const pith_i_net_rule *r,
                            const float *tensors) {
  const pith_i_join *last = &net->joins.at[r->first_join + r->joins - 1];
  return ROW(tensors, net->tensor_offset.at[last->out]);
}

static void step_forward(pith_i_tape *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const float *old = ROW(t->value, k * atoms);
  float *value = ROW(t->value, (k + 1) * atoms);
  float *tensors = ROW(t->tensor, (size_t)k * net->tensors);
  int32_t *won = ROW(t->won, (size_t)k * net->tensors);
  int32_t *rule = ROW(t->rule, k * atoms);
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body)
      slot_forward(t, s, old, ROW(tensors, net->tensor_offset.at[s]),
                   ROW(won, net->tensor_offset.at[s]));
  memcpy(value, old, atoms * L * sizeof *value);
  memset(rule, 0, atoms * L * sizeof *rule);
  for (uint32_t i = 0; i < net->joins.n; i++) {
    const pith_i_join *j = &net->joins.at[i];
    const float *b =
        j->b == PITH_NONE ? NULL : ROW(tensors, net->tensor_offset.at[j->b]);
    join_forward(j, t->semantics.and_product,
                 ROW(tensors, net->tensor_offset.at[j->a]), b,
                 ROW(tensors, net->tensor_offset.at[j->out]),
                 ROW(won, net->tensor_offset.at[j->out]));
  }
  for (uint32_t r = 0; r < net->rules.n; r++)
    head_forward(t, r, body_of(net, &net->rules.at[r], tensors), value, rule);
}

/* dvalue: the gradient after the step becomes the one before it. */
static void step_backward(pith_i_tape *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const float *old = ROW(t->value, k * atoms);
  const float *tensors = ROW(t->tensor, (size_t)k * net->tensors);
  const int32_t *won = ROW(t->won, (size_t)k * net->tensors);
  const int32_t *rule = ROW(t->rule, k * atoms);
  memset(t->dtensor, 0, (size_t)net->tensors * L * sizeof *t->dtensor);
  for (uint32_t r = 0; r < net->rules.n; r++)
    head_backward(t, r, body_of(net, &net->rules.at[r], tensors), t->dvalue,
                  rule, (float *)body_of(net, &net->rules.at[r], t->dtensor));
  for (size_t i = 0; i < atoms * L; i++)
    t->dvalue[i] = rule[i] == 0 ? t->dvalue[i] : 0.0f;
  for (uint32_t i = (uint32_t)net->joins.n; i-- > 0;) {
    const pith_i_join *j = &net->joins.at[i];
    uint32_t a = net->tensor_offset.at[j->a];
    uint32_t b = j->b == PITH_NONE ? 0 : net->tensor_offset.at[j->b];
    uint32_t out = net->tensor_offset.at[j->out];
    join_backward(j, t->semantics.and_product, ROW(tensors, a),
                  j->b == PITH_NONE ? NULL : ROW(tensors, b), ROW(tensors, out),
                  ROW(won, out), ROW(t->dtensor, out), ROW(t->dtensor, a),
                  ROW(t->dtensor, b));
  }
  for (uint32_t s = 0; s < net->slots.n; s++)
    if (net->slots.at[s].in_body) {
      uint32_t m = net->tensor_offset.at[s];
      slot_backward(t, s, old, ROW(t->dtensor, m), ROW(won, m), t->dvalue);
    }
}

void pith_i_net_forward(pith_i_tape *t) {
  base_forward(t);
  for (uint32_t k = 0; k < t->net->steps; k++)
    step_forward(t, k);
}

void pith_i_net_backward(pith_i_tape *t) {
  memset(t->dbase, 0, (size_t)t->net->tensors * L * sizeof *t->dbase);
  for (uint32_t k = t->net->steps; k-- > 0;)
    step_backward(t, k);
  base_backward(t);
}

/* ---- loss ------------------------------------------------------------ */

void pith_i_loss_forward(const pith_i_tape *t, float eps, float *loss,
                         float *error) {
  const pith_i_net *net = t->net;
  const float *value = ROW(t->value, (size_t)net->steps * net->atoms);
  float total = 0;
  PITH_I_EACH_LANE(l) loss[l] = error[l] = 0;
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    total += x->weight;
    if (x->atom == PITH_NONE)
      continue;
    const float *v = ROW(value, x->atom);
    PITH_I_EACH_LANE(l) {
      float p = eps + (1 - 2 * eps) * v[l];
      float d = v[l] - x->label;
      loss[l] -= x->weight * (x->label * pith_i_log(p) +
                              (1 - x->label) * pith_i_log(1 - p));
      error[l] += x->weight * d * d;
    }
  }
  PITH_I_EACH_LANE(l) {
    loss[l] /= total;
    error[l] /= total;
  }
}

PITH_I_HOT void pith_i_loss_backward(pith_i_tape *t, float eps) {
  const pith_i_net *net = t->net;
  const float *value = ROW(t->value, (size_t)net->steps * net->atoms);
  float total = 0;
  for (size_t i = 0; i < net->examples.n; i++)
    total += net->examples.at[i].weight;
  memset(t->dvalue, 0, (size_t)net->atoms * L * sizeof *t->dvalue);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    if (x->atom == PITH_NONE)
      continue;
    const float *v = ROW(value, x->atom);
    float *d = ROW(t->dvalue, x->atom);
    PITH_I_EACH_LANE(l) {
      float p = eps + (1 - 2 * eps) * v[l];
      d[l] +=
          x->weight / total * (1 - 2 * eps) * (p - x->label) / (p * (1 - p));
    }
  }
}
