/* How far the valuation after the last step is from the examples. */
#include <assert.h>

#include <string.h>

#include "net/kernels.h"

typedef pith_i_part real;

#define AT PITH_I_AT

static float total_weight(const pith_i_net *net) {
  float total = 0;
  for (size_t i = 0; i < net->examples.n; i++)
    total += net->examples.at[i].weight;
  return total > 0 ? total : 1;
}

static const pith_i_real *last_value(const pith_i_tape *t) {
  assert(t->value != NULL && t->net != NULL);
  return t->value + (size_t)t->net->steps * t->net->atoms;
}

/* How probable a label is, from the value of its atom. */
#define LIKELIHOOD(v, label, eps)                                              \
  (((label) > 0.5f ? (v) : 1.0f - (v)) * (1 - 2 * (eps)) + (eps))

/* An example that nothing can derive (atom PITH_NONE) has the value 0. A
** negative one has no loss then; a positive one always has an atom. */
PITH_I_INLINE void loss_lanes_forward(const pith_i_net *net, const real *value,
                                      float eps, real *loss, real *error) {
  assert(eps >= 0 && eps < 0.5f);
  real bce = {0}, squares = {0}, ln;
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    if (x->atom == PITH_NONE)
      continue;
    assert(x->atom < net->atoms);
    real v = AT(value, x->atom), d = v - x->label;
    PITH_I_LOG(LIKELIHOOD(v, x->label, eps), ln);
    bce -= x->weight * ln;
    squares += x->weight * d * d;
  }
  *loss = bce / total_weight(net);
  *error = squares / total_weight(net);
}

PITH_I_INLINE void loss_lanes_backward(const pith_i_net *net, const real *value,
                                       float eps, real *dvalue) {
  float scale = (1 - 2 * eps) / total_weight(net);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    if (x->atom == PITH_NONE)
      continue;
    assert(x->atom < net->atoms);
    float slope = x->weight * (x->label > 0.5f ? -scale : scale);
    AT(dvalue, x->atom) +=
        slope / LIKELIHOOD(AT(value, x->atom), x->label, eps);
  }
}

void PITH_I_NAME(pith_i_loss_forward)(const pith_i_tape *t, float eps,
                                      pith_i_real *loss, pith_i_real *error) {
  PITH_I_EACH_PART(c)
  loss_lanes_forward(t->net, PITH_I_PART(last_value(t), c), eps,
                     PITH_I_PART(loss, c), PITH_I_PART(error, c));
}

void PITH_I_NAME(pith_i_loss_backward)(pith_i_tape *t, float eps) {
  memset(t->dvalue, 0, t->net->atoms * sizeof *t->dvalue);
  PITH_I_EACH_PART(c)
  loss_lanes_backward(t->net, PITH_I_PART(last_value(t), c), eps,
                      PITH_I_PART(t->dvalue, c));
}
