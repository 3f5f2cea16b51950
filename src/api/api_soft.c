/* Soft rules: the public functions over net/soft_function. */
#include "api/handle.h"
#include "net/soft_function.h"

pith_status pith_soft_new(pith *p, uint32_t constants, uint32_t steps,
                          pith_soft **out) {
  *out = NULL;
  if (constants == 0)
    return pith_i_fail(&p->env, PITH_EARG,
                       "soft rules speak of at least one constant");
  pith_i_call_begin(p);
  pith_status rc =
      pith_i_soft_function_new(&p->env, &p->theory, constants, steps, out);
  if (rc >= 0)
    (*out)->owner = p;
  return pith_i_call_end(p, rc);
}

void pith_soft_free(pith_soft *s) { pith_i_soft_function_free(s); }

size_t pith_soft_pred_count(const pith_soft *s) { return s->preds.n; }

pith_pred pith_soft_pred_at(const pith_soft *s, size_t i) {
  return i < s->preds.n ? s->preds.at[i] : PITH_NONE;
}

size_t pith_soft_slot_count(const pith_soft *s) { return s->slots.n; }

const pith_soft_slot *pith_soft_slot_at(const pith_soft *s, size_t i) {
  return i < s->slots.n ? &s->slots.at[i] : NULL;
}

uint32_t pith_soft_steps(const pith_soft *s) { return s->net->steps; }

pith_status pith_soft_forward(pith_soft *s, size_t lanes,
                              const pith_soft_values *start,
                              const pith_soft_values *weights,
                              const pith_soft_values *out,
                              pith_soft_pass **pass) {
  if (pass != NULL)
    *pass = NULL;
  if (lanes == 0)
    return pith_i_fail(s->env, PITH_EARG, "at least one lane is needed");
  pith_i_call_begin(s->owner);
  return pith_i_call_end(s->owner, pith_i_soft_function_forward(
                                       s, lanes, start, weights, out, pass));
}

pith_status pith_soft_backward(pith_soft_pass *pass,
                               const pith_soft_values *dout,
                               const pith_soft_values *dstart,
                               const pith_soft_values *dweights) {
  pith *owner = pass->soft->owner;
  pith_i_call_begin(owner);
  return pith_i_call_end(
      owner, pith_i_soft_function_backward(pass, dout, dstart, dweights));
}

void pith_soft_pass_free(pith_soft_pass *pass) {
  pith_i_soft_function_pass_free(pass);
}
