/* The core of a theory: facts whose values are learned with the rules, and the
** loss that rules and core facts share (Campero et al., section 4):
**
**     L = mean over observations of the cross-entropy + penalty * sum of v(i)
**
** The paper has sums, L = sum of cross-entropies + lambda * sum of v(i); with
** n observations that is n L where penalty = lambda / n. The cross-entropy and
** its slope are loss.c's; core_forward makes the valuation that chaining starts
** from, theory_loss_forward returns L, and core_backward adds the slope of both
** terms into the parameters. */
#ifndef PITH_NET_CORE_H
#define PITH_NET_CORE_H

#include "net/tape.h"

/* Each parameter is its fact's value v(i), or from first_logit on a logit,
** whose value is sigmoid((theta + noise) / tau). One of the first `observed`
** facts is left out, which makes it 0, when its noise, uniform in (0,1), is
** below drop. With a squash s a value v enters as v / (v + s), which the
** penalty counts: the authors' taxonomy has 2. */
typedef struct {
  const uint32_t *place; /* (n) of each fact in a valuation */
  size_t n, observed, first_logit;
  pith_i_scalar drop, tau;
  pith_i_scalar squash;  /* 0: none */
  pith_i_scalar penalty; /* on the sum of the values */
} pith_i_core_step;

/* The valuation before the first step. value: (A), all others (n). */
void pith_i_core_forward(const pith_i_core_step *s, const pith_i_real *theta,
                         const pith_i_real *noise, pith_i_real *core,
                         pith_i_real *value);
/* Adds the slope of the facts that were not left out, and of the penalty, into
** dtheta. dvalue: (A). */
void pith_i_core_backward(const pith_i_core_step *s, const pith_i_real *noise,
                          const pith_i_real *core, const pith_i_real *dvalue,
                          pith_i_real *dtheta);

/* L, and the mean squared error of the observations. */
void pith_i_theory_loss_forward(const pith_i_core_step *s, const pith_i_tape *t,
                                pith_i_scalar eps, const pith_i_real *core,
                                pith_i_real *loss, pith_i_real *error);

#endif
