/* How far the valuation after the last step is from the examples. */
#include <assert.h>

#include <string.h>

#include "net/kernels.h"

typedef pith_i_part real;

#define AT PITH_I_AT

static pith_i_scalar total_weight(const pith_i_net *net) {
  pith_i_scalar total = 0;
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
                                      pith_i_scalar eps, real *loss,
                                      real *error) {
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
                                       pith_i_scalar eps, real *dvalue) {
  pith_i_scalar scale = (1 - 2 * eps) / total_weight(net);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    if (x->atom == PITH_NONE)
      continue;
    assert(x->atom < net->atoms);
    pith_i_scalar slope = x->weight * (x->label > 0.5f ? -scale : scale);
    AT(dvalue, x->atom) +=
        slope / LIKELIHOOD(AT(value, x->atom), x->label, eps);
  }
}

/* ---- the reference's ------------------------------------------------- */

#ifdef PITH_I_DOUBLE
#define LEAST 1e-300
#else
#define LEAST 1.2e-38f /* from here on numbers are not normal */
#endif

static bool is_counted(const pith_i_tape *t, const pith_i_net_example *x) {
  assert(x->atom == PITH_NONE || x->atom < t->net->atoms);
  return x->atom != PITH_NONE &&
         (t->world == PITH_NONE || t->world == x->world);
}

/* ln x, but at least -100. */
PITH_I_INLINE real limited_log(real x) {
  real ln, least = PITH_I_ONE(LEAST), low = PITH_I_ONE(-100);
  real held = PITH_I_PICK(x > least, x, least);
  PITH_I_LOG(held, ln);
  ln = PITH_I_PICK(x > least, ln, low);
  return PITH_I_PICK(ln > low, ln, low);
}

PITH_I_INLINE void sum_lanes_forward(const pith_i_tape *t, const real *value,
                                     real *loss, real *error) {
  const pith_i_net *net = t->net;
  real bce = {0}, squares = {0}, one = PITH_I_ONE(1);
  pith_i_scalar total = 0;
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    total += t->world == PITH_NONE || t->world == x->world ? x->weight : 0;
    if (!is_counted(t, x))
      continue;
    real v = AT(value, x->atom), d = v - x->label;
    v = PITH_I_PICK(v > one, one, v);
    bce -= x->weight * limited_log(x->label > 0.5f ? v : one - v);
    squares += x->weight * d * d;
  }
  *loss = bce * t->scale;
  *error = squares / (total > 0 ? total : 1);
}

/* A value above 1, by rounding, was held and has no slope. */
PITH_I_INLINE void sum_lanes_backward(const pith_i_tape *t, const real *value,
                                      real *dvalue) {
  const pith_i_net *net = t->net;
  real one = PITH_I_ONE(1), none = {0}, least = PITH_I_ONE(1e-12);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    if (!is_counted(t, x))
      continue;
    real v = AT(value, x->atom), spread = v * (one - v);
    spread = PITH_I_PICK(spread > least, spread, least);
    real slope = t->scale * x->weight * (v - x->label) / spread;
    AT(dvalue, x->atom) += PITH_I_PICK(v > one, none, slope);
  }
}

/* ---- all ------------------------------------------------------------- */

void PITH_I_NAME(pith_i_loss_forward)(const pith_i_tape *t, pith_i_scalar eps,
                                      pith_i_real *loss, pith_i_real *error) {
  if (t->semantics.reference) {
    PITH_I_EACH_PART(c)
    sum_lanes_forward(t, PITH_I_PART(last_value(t), c), PITH_I_PART(loss, c),
                      PITH_I_PART(error, c));
    return;
  }
  PITH_I_EACH_PART(c)
  loss_lanes_forward(t->net, PITH_I_PART(last_value(t), c), eps,
                     PITH_I_PART(loss, c), PITH_I_PART(error, c));
}

void PITH_I_NAME(pith_i_loss_backward)(pith_i_tape *t, pith_i_scalar eps) {
  memset(t->dvalue, 0, t->net->atoms * sizeof *t->dvalue);
  if (t->semantics.reference) {
    PITH_I_EACH_PART(c)
    sum_lanes_backward(t, PITH_I_PART(last_value(t), c),
                       PITH_I_PART(t->dvalue, c));
    return;
  }
  PITH_I_EACH_PART(c)
  loss_lanes_backward(t->net, PITH_I_PART(last_value(t), c), eps,
                      PITH_I_PART(t->dvalue, c));
}
