/* How far the valuation after the last step is from the examples. */
#include <string.h>

#include "net/tape.h"

typedef pith_i_real real;

static float total_weight(const pith_i_net *net) {
  float total = 0;
  for (size_t i = 0; i < net->examples.n; i++)
    total += net->examples.at[i].weight;
  return total > 0 ? total : 1;
}

static const real *last_value(const pith_i_tape *t) {
  return t->value + (size_t)t->net->steps * t->net->atoms;
}

/* How probable a label is, from the value of its atom. */
#define LIKELIHOOD(v, label, eps)                                              \
  (((label) > 0.5f ? (v) : 1.0f - (v)) * (1 - 2 * (eps)) + (eps))

/* An example that nothing can derive (atom PITH_NONE) has the value 0. A
** negative one has no loss then; a positive one always has an atom. */
PITH_I_HOT static void loss_forward(const pith_i_tape *t, float eps, real *loss,
                                    real *error) {
  const pith_i_net *net = t->net;
  const real *value = last_value(t);
  real bce = {0}, squares = {0};
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    if (x->atom == PITH_NONE)
      continue;
    real v = value[x->atom], p = LIKELIHOOD(v, x->label, eps), d = v - x->label;
    real ln;
    PITH_I_LOG(p, ln);
    bce -= x->weight * ln;
    squares += x->weight * d * d;
  }
  *loss = bce / total_weight(net);
  *error = squares / total_weight(net);
}

void pith_i_loss_forward(const pith_i_tape *t, float eps, real *loss,
                         real *error) {
  loss_forward(t, eps, loss, error);
}

PITH_I_HOT static void loss_backward(pith_i_tape *t, float eps) {
  const pith_i_net *net = t->net;
  const real *value = last_value(t);
  float scale = (1 - 2 * eps) / total_weight(net);
  memset(t->dvalue, 0, net->atoms * sizeof *t->dvalue);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    if (x->atom == PITH_NONE)
      continue;
    real p = LIKELIHOOD(value[x->atom], x->label, eps);
    float slope = x->weight * (x->label > 0.5f ? -scale : scale);
    t->dvalue[x->atom] += slope / p;
  }
}

void pith_i_loss_backward(pith_i_tape *t, float eps) { loss_backward(t, eps); }
