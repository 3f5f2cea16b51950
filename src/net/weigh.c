#include "net/weigh.h"

#include <math.h>

enum { L = PITH_I_LANES };

#define ROW(array, i) ((array) + (size_t)(i)*L)

/* ---- softmax --------------------------------------------------------- */

PITH_I_HOT void pith_i_softmax_forward(const pith_i_net *net,
                                       const float *theta, const float *noise,
                                       float tau, float *w) {
  float sharp = 1.0f / tau;
  for (size_t s = 0; s < net->slots.n; s++) {
    uint32_t first = net->slots.at[s].first, n = net->slots.at[s].count;
    float top[L], sum[L] = {0};
    PITH_I_EACH_LANE(l) top[l] = -1e30f;
    for (uint32_t c = first; c < first + n; c++)
      PITH_I_EACH_LANE(l) {
        float x = (ROW(theta, c)[l] + ROW(noise, c)[l]) * sharp;
        ROW(w, c)[l] = x;
        top[l] = x > top[l] ? x : top[l];
      }
    for (uint32_t c = first; c < first + n; c++)
      PITH_I_EACH_LANE(l) {
        float x = pith_i_exp(ROW(w, c)[l] - top[l]);
        ROW(w, c)[l] = x;
        sum[l] += x;
      }
    for (uint32_t c = first; c < first + n; c++)
      PITH_I_EACH_LANE(l) ROW(w, c)[l] /= sum[l];
  }
}

PITH_I_HOT void pith_i_softmax_backward(const pith_i_net *net, const float *w,
                                        float tau, const float *dw,
                                        float *dtheta) {
  float sharp = 1.0f / tau;
  for (size_t s = 0; s < net->slots.n; s++) {
    uint32_t first = net->slots.at[s].first, n = net->slots.at[s].count;
    float mean[L] = {0};
    for (uint32_t c = first; c < first + n; c++)
      PITH_I_EACH_LANE(l) mean[l] += ROW(w, c)[l] * ROW(dw, c)[l];
    for (uint32_t c = first; c < first + n; c++)
      PITH_I_EACH_LANE(l)
    ROW(dtheta, c)[l] += sharp * ROW(w, c)[l] * (ROW(dw, c)[l] - mean[l]);
  }
}

/* ---- cosine ---------------------------------------------------------- */

static uint32_t pred_row(const pith_i_net *net, uint32_t c) {
  return (uint32_t)net->slots.n + net->candidates.at[c].pred;
}

PITH_I_HOT void pith_i_cosine_forward(const pith_i_net *net, const float *emb,
                                      uint32_t d, float *norm, float *w) {
  size_t rows = net->slots.n + net->preds.n;
  for (size_t i = 0; i < rows; i++) {
    float sum[L];
    PITH_I_EACH_LANE(l) sum[l] = 1e-12f;
    for (uint32_t k = 0; k < d; k++)
      PITH_I_EACH_LANE(l) {
        float x = ROW(emb, i * d + k)[l];
        sum[l] += x * x;
      }
    PITH_I_EACH_LANE(l) ROW(norm, i)[l] = sqrtf(sum[l]);
  }
  for (uint32_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      uint32_t p = pred_row(net, c);
      float dot[L] = {0};
      for (uint32_t k = 0; k < d; k++)
        PITH_I_EACH_LANE(l)
      dot[l] += ROW(emb, (size_t)s * d + k)[l] * ROW(emb, (size_t)p * d + k)[l];
      PITH_I_EACH_LANE(l) {
        float x = dot[l] / (ROW(norm, s)[l] * ROW(norm, p)[l]);
        ROW(w, c)[l] = x > 0 ? x : 0;
      }
    }
  }
}

/* d cos(a,b) / da = b / (|a||b|) - cos a / |a|^2, and the same for b. Where
** the cosine was held at 0 there is no gradient. */
PITH_I_HOT void pith_i_cosine_backward(const pith_i_net *net, const float *emb,
                                       uint32_t d, const float *norm,
                                       const float *w, const float *dw,
                                       float *demb) {
  for (uint32_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      uint32_t p = pred_row(net, c);
      float ab[L], aa[L], bb[L];
      PITH_I_EACH_LANE(l) {
        float na = ROW(norm, s)[l], nb = ROW(norm, p)[l], x = ROW(w, c)[l];
        float g = x > 0 ? ROW(dw, c)[l] : 0;
        ab[l] = g / (na * nb);
        aa[l] = g * x / (na * na);
        bb[l] = g * x / (nb * nb);
      }
      for (uint32_t k = 0; k < d; k++)
        PITH_I_EACH_LANE(l) {
          float a = ROW(emb, (size_t)s * d + k)[l];
          float b = ROW(emb, (size_t)p * d + k)[l];
          ROW(demb, (size_t)s * d + k)[l] += ab[l] * b - aa[l] * a;
          ROW(demb, (size_t)p * d + k)[l] += ab[l] * a - bb[l] * b;
        }
    }
  }
}
