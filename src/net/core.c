#include "net/core.h"

#include <assert.h>

#include "net/kernels.h"

typedef pith_i_part real;

#define AT PITH_I_AT

static void check_core_step(const pith_i_core_step *s) {
  assert(s->observed <= s->n && s->first_logit <= s->n);
  assert(s->n == 0 || s->place != NULL);
  assert(s->drop >= 0 && s->drop <= 1);
  (void)s;
}

/* ---- core values ----------------------------------------------------- */

/* x, but 0 where the i-th fact is left out. */
PITH_I_INLINE real unless_dropped(const pith_i_core_step *s, const real *noise,
                                  size_t i, real x) {
  return i < s->observed && s->drop > 0
             ? PITH_I_PICK(AT(noise, i) >= s->drop, x, PITH_I_ONE(0))
             : x;
}

PITH_I_INLINE void core_lanes_forward(const pith_i_core_step *s,
                                      const real *theta, const real *noise,
                                      real *core, real *value) {
  for (size_t i = 0; i < s->n; i++) {
    real x = AT(theta, i);
    if (i >= s->first_logit) {
      PITH_I_EXP((x + AT(noise, i)) / -s->tau, x);
      x = 1.0f / (1.0f + x);
    } else if (s->squash > 0) {
      x = x / (x + s->squash);
    }
    AT(core, i) = x;
    AT(value, s->place[i]) = unless_dropped(s, noise, i, x);
  }
}

PITH_I_INLINE void core_lanes_backward(const pith_i_core_step *s,
                                       const real *noise, const real *core,
                                       const real *dvalue, real *dtheta) {
  for (size_t i = 0; i < s->n; i++) {
    real x = AT(core, i);
    real d = s->penalty + unless_dropped(s, noise, i, AT(dvalue, s->place[i]));
    if (i >= s->first_logit)
      d = d * x * (1.0f - x) / s->tau;
    else if (s->squash > 0) /* (1 - x)^2 / s = s / (v + s)^2 */
      d = d * (1.0f - x) * (1.0f - x) / s->squash;
    AT(dtheta, i) += d;
  }
}

void PITH_I_NAME(pith_i_core_forward)(const pith_i_core_step *s,
                                      const pith_i_real *theta,
                                      const pith_i_real *noise,
                                      pith_i_real *core, pith_i_real *value) {
  PITH_I_EACH_PART(c)
  core_lanes_forward(s, PITH_I_PART(theta, c), PITH_I_PART(noise, c),
                     PITH_I_PART(core, c), PITH_I_PART(value, c));
}

void PITH_I_NAME(pith_i_core_backward)(const pith_i_core_step *s,
                                       const pith_i_real *noise,
                                       const pith_i_real *core,
                                       const pith_i_real *dvalue,
                                       pith_i_real *dtheta) {
  PITH_I_EACH_PART(c)
  core_lanes_backward(s, PITH_I_PART(noise, c), PITH_I_PART(core, c),
                      PITH_I_PART(dvalue, c), PITH_I_PART(dtheta, c));
}

/* ---- the loss of a theory -------------------------------------------- */

PITH_I_INLINE void penalty_lanes_forward(const pith_i_core_step *s,
                                         const real *core, real *loss) {
  real sum = {0};
  for (size_t i = 0; i < s->n; i++)
    sum += AT(core, i);
  *loss += s->penalty * sum;
}

void PITH_I_NAME(pith_i_theory_loss_forward)(
    const pith_i_core_step *s, const pith_i_tape *t, pith_i_scalar eps,
    const pith_i_real *core, pith_i_real *loss, pith_i_real *error) {
  check_core_step(s);
  PITH_I_NAME(pith_i_loss_forward)(t, eps, loss, error);
  PITH_I_EACH_PART(c)
  penalty_lanes_forward(s, PITH_I_PART(core, c), PITH_I_PART(loss, c));
}
