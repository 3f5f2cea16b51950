#include <assert.h>

#include "net/weigh.h"

#include "net/kernels.h"

typedef pith_i_part real;

#define AT PITH_I_AT

/* ---- softmax --------------------------------------------------------- */

/* Each over one slot, whose candidates are first .. end-1. */
PITH_I_INLINE void slot_softmax_forward(uint32_t first, uint32_t end,
                                        const real *theta, const real *noise,
                                        pith_i_scalar tau, real *w) {
  assert(first < end && tau > 0);
  real top = PITH_I_ONE(-1e30f), sum = {0};
  for (uint32_t c = first; c < end; c++) {
    real x = (AT(theta, c) + AT(noise, c)) / tau;
    top = PITH_I_PICK(x > top, x, top);
    AT(w, c) = x;
  }
  for (uint32_t c = first; c < end; c++) {
    PITH_I_EXP(AT(w, c) - top, AT(w, c));
    sum += AT(w, c);
  }
  for (uint32_t c = first; c < end; c++)
    AT(w, c) /= sum;
}

PITH_I_INLINE void slot_softmax_backward(uint32_t first, uint32_t end,
                                         const real *w, pith_i_scalar tau,
                                         const real *dw, real *dtheta) {
  assert(first < end && tau > 0);
  real mean = {0};
  for (uint32_t c = first; c < end; c++)
    mean += AT(w, c) * AT(dw, c);
  for (uint32_t c = first; c < end; c++)
    AT(dtheta, c) += AT(w, c) * (AT(dw, c) - mean) / tau;
}

void PITH_I_NAME(pith_i_softmax_forward)(const pith_i_net *net,
                                         const pith_i_real *theta,
                                         const pith_i_real *noise,
                                         pith_i_scalar tau, pith_i_real *w) {
  for (size_t s = 0; s < net->slots.n; s++) {
    uint32_t first = net->slots.at[s].first, n = net->slots.at[s].count;
    PITH_I_EACH_PART(c)
    slot_softmax_forward(first, first + n, PITH_I_PART(theta, c),
                         PITH_I_PART(noise, c), tau, PITH_I_PART(w, c));
  }
}

void PITH_I_NAME(pith_i_softmax_backward)(const pith_i_net *net,
                                          const pith_i_real *w,
                                          pith_i_scalar tau,
                                          const pith_i_real *dw,
                                          pith_i_real *dtheta) {
  for (size_t s = 0; s < net->slots.n; s++) {
    uint32_t first = net->slots.at[s].first, n = net->slots.at[s].count;
    PITH_I_EACH_PART(c)
    slot_softmax_backward(first, first + n, PITH_I_PART(w, c), tau,
                          PITH_I_PART(dw, c), PITH_I_PART(dtheta, c));
  }
}

/* ---- cosine ---------------------------------------------------------- */

/* Row of a candidate's predicate among the embeddings. */
static size_t pred_row(const pith_i_net *net, uint32_t c) {
  assert(c < net->candidates.n);
  assert(net->candidates.at[c].pred < net->preds.n);
  return net->slots.n + net->candidates.at[c].pred;
}

PITH_I_INLINE real dot_lanes(const real *a, const real *b, uint32_t d) {
  real sum = {0};
  for (uint32_t k = 0; k < d; k++)
    sum += AT(a, k) * AT(b, k);
  return sum;
}

/* All of one part of the lanes. */
static void cosine_lanes_forward(const pith_i_net *net, const real *emb,
                                 uint32_t d, real *norm, real *w) {
  assert(d > 0 && !net->pooled);
  for (size_t i = 0; i < net->slots.n + net->preds.n; i++) {
    const real *a = &AT(emb, i * d);
    PITH_I_SQRT(dot_lanes(a, a, d) + 1e-12f, AT(norm, i));
  }
  for (size_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      size_t p = pred_row(net, c);
      real x = dot_lanes(&AT(emb, s * d), &AT(emb, p * d), d) /
               (AT(norm, s) * AT(norm, p));
      AT(w, c) = PITH_I_PICK(x > 0.0f, x, PITH_I_ONE(0));
    }
  }
}

/* d cos(a,b) / da = b / (|a||b|) - cos a / |a|^2, and the same for b. Where
** the cosine was held at 0 there is no gradient. */
static void cosine_lanes_backward(const pith_i_net *net, const real *emb,
                                  uint32_t d, const real *norm, const real *w,
                                  const real *dw, real *demb) {
  assert(d > 0 && !net->pooled);
  for (size_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      size_t p = pred_row(net, c);
      const real *a = &AT(emb, s * d), *b = &AT(emb, p * d);
      real *da = &AT(demb, s * d), *db = &AT(demb, p * d);
      real g = PITH_I_PICK(AT(w, c) > 0.0f, AT(dw, c), PITH_I_ONE(0));
      real ab = g / (AT(norm, s) * AT(norm, p));
      real aa = g * AT(w, c) / (AT(norm, s) * AT(norm, s));
      real bb = g * AT(w, c) / (AT(norm, p) * AT(norm, p));
      for (uint32_t k = 0; k < d; k++) {
        AT(da, k) += ab * AT(b, k) - aa * AT(a, k);
        AT(db, k) += ab * AT(a, k) - bb * AT(b, k);
      }
    }
  }
}

/* ---- the reference's cosine ------------------------------------------ */

/* cos(a,b) is the sum over k of (a_k / |a|) (b_k / |b|), in this order, so that
** an embedding that is one-hot has no gradient along itself, not even by
** rounding: Adam would make a step of it. Lengths are at least 1e-8, and then
** have no gradient either: an embedding may come to be 0. */
static void norms_forward(const pith_i_net *net, const real *emb, uint32_t d,
                          real *norm) {
  real least = PITH_I_ONE(1e-8), x;
  for (size_t i = 0; i < net->slots.n + net->preds.n; i++) {
    const real *a = &AT(emb, i * d);
    PITH_I_SQRT(dot_lanes(a, a, d), x);
    AT(norm, i) = PITH_I_PICK(x > least, x, least);
  }
}

PITH_I_INLINE real signed_cosine(const real *a, const real *b, uint32_t d,
                                 real norm_a, real norm_b) {
  real sum = {0};
  for (uint32_t k = 0; k < d; k++)
    sum += (AT(a, k) / norm_a) * (AT(b, k) / norm_b);
  return sum;
}

/* da += g / |a| (b / |b| - cos a / |a|). */
PITH_I_INLINE void signed_slope(const real *a, const real *b, uint32_t d,
                                real norm_a, real norm_b, real w, real g,
                                real *da) {
  real none = {0};
  real along = PITH_I_PICK(norm_a > PITH_I_SCALAR(1e-8), w, none);
  for (uint32_t k = 0; k < d; k++)
    AT(da, k) += g / norm_a * (AT(b, k) / norm_b - along * (AT(a, k) / norm_a));
}

static void signed_lanes_forward(const pith_i_net *net, const real *emb,
                                 uint32_t d, real *norm, real *w) {
  assert(d > 0 && net->reference);
  norms_forward(net, emb, d, norm);
  for (size_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      size_t p = pred_row(net, c);
      AT(w, c) = signed_cosine(&AT(emb, s * d), &AT(emb, p * d), d, AT(norm, s),
                               AT(norm, p));
    }
  }
}

static void signed_lanes_backward(const pith_i_net *net, const real *emb,
                                  uint32_t d, const real *norm, const real *w,
                                  const real *dw, real *demb) {
  for (size_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      size_t p = pred_row(net, c);
      const real *a = &AT(emb, s * d), *b = &AT(emb, p * d);
      real x = AT(norm, s), y = AT(norm, p), u = AT(w, c), g = AT(dw, c);
      signed_slope(a, b, d, x, y, u, g, &AT(demb, s * d));
      signed_slope(b, a, d, y, x, u, g, &AT(demb, p * d));
    }
  }
}

/* ---- all ------------------------------------------------------------- */

void PITH_I_NAME(pith_i_cosine_forward)(const pith_i_net *net,
                                        const pith_i_real *emb, uint32_t d,
                                        pith_i_real *norm, pith_i_real *w) {
  PITH_I_EACH_PART(c)
  (net->reference ? signed_lanes_forward : cosine_lanes_forward)(
      net, PITH_I_PART(emb, c), d, PITH_I_PART(norm, c), PITH_I_PART(w, c));
}

void PITH_I_NAME(pith_i_cosine_backward)(const pith_i_net *net,
                                         const pith_i_real *emb, uint32_t d,
                                         const pith_i_real *norm,
                                         const pith_i_real *w,
                                         const pith_i_real *dw,
                                         pith_i_real *demb) {
  PITH_I_EACH_PART(c)
  (net->reference ? signed_lanes_backward : cosine_lanes_backward)(
      net, PITH_I_PART(emb, c), d, PITH_I_PART(norm, c), PITH_I_PART(w, c),
      PITH_I_PART(dw, c), PITH_I_PART(demb, c));
}
