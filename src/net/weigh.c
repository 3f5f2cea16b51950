#include "net/weigh.h"

#include <math.h>

typedef pith_i_real real;

/* ---- softmax --------------------------------------------------------- */

PITH_I_HOT static void softmax_forward(const pith_i_net *net, const real *theta,
                                       const real *noise, float tau, real *w) {
  for (size_t s = 0; s < net->slots.n; s++) {
    uint32_t first = net->slots.at[s].first, n = net->slots.at[s].count;
    real top = PITH_I_ALL(-1e30f), sum = {0};
    for (uint32_t c = first; c < first + n; c++) {
      w[c] = (theta[c] + noise[c]) / tau;
      top = PITH_I_PICK(w[c] > top, w[c], top);
    }
    for (uint32_t c = first; c < first + n; c++) {
      PITH_I_EXP(w[c] - top, w[c]);
      sum += w[c];
    }
    for (uint32_t c = first; c < first + n; c++)
      w[c] /= sum;
  }
}

void pith_i_softmax_forward(const pith_i_net *net, const real *theta,
                            const real *noise, float tau, real *w) {
  softmax_forward(net, theta, noise, tau, w);
}

PITH_I_HOT static void softmax_backward(const pith_i_net *net, const real *w,
                                        float tau, const real *dw,
                                        real *dtheta) {
  for (size_t s = 0; s < net->slots.n; s++) {
    uint32_t first = net->slots.at[s].first, n = net->slots.at[s].count;
    real mean = {0};
    for (uint32_t c = first; c < first + n; c++)
      mean += w[c] * dw[c];
    for (uint32_t c = first; c < first + n; c++)
      dtheta[c] += w[c] * (dw[c] - mean) / tau;
  }
}

void pith_i_softmax_backward(const pith_i_net *net, const real *w, float tau,
                             const real *dw, real *dtheta) {
  softmax_backward(net, w, tau, dw, dtheta);
}

/* ---- cosine ---------------------------------------------------------- */

/* Row of a candidate's predicate among the embeddings. */
static uint32_t pred_row(const pith_i_net *net, uint32_t c) {
  return (uint32_t)net->slots.n + net->candidates.at[c].pred;
}

static void norms(const pith_i_net *net, const real *emb, uint32_t d,
                  real *norm) {
  for (size_t i = 0; i < net->slots.n + net->preds.n; i++) {
    real sum = PITH_I_ALL(1e-12f);
    for (uint32_t k = 0; k < d; k++)
      sum += emb[i * d + k] * emb[i * d + k];
    PITH_I_SQRT(sum, norm[i]);
  }
}

PITH_I_HOT static void cosine_forward(const pith_i_net *net, const real *emb,
                                      uint32_t d, real *norm, real *w) {
  norms(net, emb, d, norm);
  for (uint32_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      uint32_t p = pred_row(net, c);
      const real *a = emb + (size_t)s * d, *b = emb + (size_t)p * d;
      real dot = {0};
      for (uint32_t k = 0; k < d; k++)
        dot += a[k] * b[k];
      real x = dot / (norm[s] * norm[p]);
      w[c] = PITH_I_PICK(x > 0.0f, x, PITH_I_ALL(0));
    }
  }
}

void pith_i_cosine_forward(const pith_i_net *net, const real *emb, uint32_t d,
                           real *norm, real *w) {
  cosine_forward(net, emb, d, norm, w);
}

/* d cos(a,b) / da = b / (|a||b|) - cos a / |a|^2, and the same for b. Where
** the cosine was held at 0 there is no gradient. */
PITH_I_HOT static void cosine_backward(const pith_i_net *net, const real *emb,
                                       uint32_t d, const real *norm,
                                       const real *w, const real *dw,
                                       real *demb) {
  for (uint32_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      uint32_t p = pred_row(net, c);
      const real *a = emb + (size_t)s * d, *b = emb + (size_t)p * d;
      real *da = demb + (size_t)s * d, *db = demb + (size_t)p * d;
      real g = PITH_I_PICK(w[c] > 0.0f, dw[c], PITH_I_ALL(0));
      real ab = g / (norm[s] * norm[p]);
      real aa = g * w[c] / (norm[s] * norm[s]);
      real bb = g * w[c] / (norm[p] * norm[p]);
      for (uint32_t k = 0; k < d; k++) {
        da[k] += ab * b[k] - aa * a[k];
        db[k] += ab * a[k] - bb * b[k];
      }
    }
  }
}

void pith_i_cosine_backward(const pith_i_net *net, const real *emb, uint32_t d,
                            const real *norm, const real *w, const real *dw,
                            real *demb) {
  cosine_backward(net, emb, d, norm, w, dw, demb);
}
