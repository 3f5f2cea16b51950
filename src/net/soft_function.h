/* Soft forward chaining as a function with a gradient: from the values of all
** atoms and the weights of the slots to the values after some steps.
**
** The network is the one that training uses. Nothing is known about the facts
** beforehand, so all predicates are derived and every pair of constants has its
** number: what is given is the valuation before the first step. Rules are
** templates whose slots are filled.
**
** A pass is what the way back needs: one tape for every PITH_I_LANES lanes.
** Tapes are large, so those of passes that are over wait for the next one. */
#ifndef PITH_NET_SOFT_FUNCTION_H
#define PITH_NET_SOFT_FUNCTION_H

#include "fact/store.h"
#include "net/tape.h"

struct pith_soft {
  pith_i_env *env;
  pith *owner;          /* whose env it is                             */
  pith_i_theory theory; /* predicates have the numbers of the handle's */
  pith_i_store store;   /* empty                                       */
  pith_i_net *net;
  PITH_I_VEC(pith_pred) preds;      /* that have values                     */
  PITH_I_VEC(uint32_t) open;        /* candidates of open slots, in order   */
  PITH_I_VEC(pith_pred) candidates; /* their predicates                     */
  PITH_I_VEC(pith_soft_slot) slots; /* open ones                            */
  PITH_I_VEC(pith_i_tape *) idle;   /* tapes that no pass has               */
  size_t tapes;                     /* in all                               */
};

struct pith_soft_pass {
  pith_soft *soft;
  size_t lanes;
  pith_i_tape **tapes; /* one for every group of lanes */
};

/* from: the rules and templates; it is only read. */
pith_status pith_i_soft_function_new(pith_i_env *env, const pith_i_theory *from,
                                     uint32_t constants, uint32_t steps,
                                     pith_soft **out);
void pith_i_soft_function_free(pith_soft *s);

/* As pith_soft_forward and pith_soft_backward. */
pith_status pith_i_soft_function_forward(pith_soft *s, size_t lanes,
                                         const pith_soft_values *start,
                                         const pith_soft_values *weights,
                                         const pith_soft_values *out,
                                         pith_soft_pass **pass);
pith_status pith_i_soft_function_backward(pith_soft_pass *pass,
                                          const pith_soft_values *dout,
                                          const pith_soft_values *dstart,
                                          const pith_soft_values *dweights);
void pith_i_soft_function_pass_free(pith_soft_pass *pass);

#endif
