#include "term/translate.h"

#include <assert.h>

/* ---- looking up ------------------------------------------------------ */

pith_sym pith_i_sym_counterpart(const pith_i_theory *from,
                                const pith_i_theory *to, pith_sym sym) {
  if (from == to || sym == PITH_NONE)
    return sym;
  const pith_i_symbol *s = pith_i_sym(&from->names, sym);
  return pith_i_sym_find(&to->names, s->text, s->len, (pith_sym_kind)s->kind);
}

pith_pred pith_i_pred_counterpart(const pith_i_theory *from,
                                  const pith_i_theory *to, pith_pred pred) {
  if (from == to || pred == PITH_NONE)
    return pred;
  const pith_i_predicate *p = pith_i_pred(&from->names, pred);
  pith_sym name = pith_i_sym_counterpart(from, to, p->name);
  return name == PITH_NONE ? PITH_NONE
                           : pith_i_pred_find(&to->names, name, p->arity);
}

/* ---- adding ---------------------------------------------------------- */

pith_status pith_i_sym_translate(const pith_i_theory *from, pith_i_theory *to,
                                 pith_sym sym, pith_sym *out) {
  *out = sym;
  if (from == to)
    return PITH_OK;
  const pith_i_symbol *s = pith_i_sym(&from->names, sym);
  return pith_i_sym_add(&to->names, s->text, s->len, (pith_sym_kind)s->kind,
                        out);
}

pith_status pith_i_pred_translate(const pith_i_theory *from, pith_i_theory *to,
                                  pith_pred pred, pith_pred *out) {
  *out = pred;
  if (from == to)
    return PITH_OK;
  const pith_i_predicate *p = pith_i_pred(&from->names, pred);
  pith_sym name;
  pith_status rc = pith_i_sym_translate(from, to, p->name, &name);
  return rc < 0 ? rc : pith_i_pred_add(&to->names, name, p->arity, out);
}

pith_status pith_i_args_translate(const pith_i_theory *from, pith_i_theory *to,
                                  const pith_term *args, size_t n,
                                  pith_term *out) {
  assert(n == 0 || (args != NULL && out != NULL));
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    if (PITH_IS_VAR(args[i]))
      out[i] = args[i];
    else
      rc = pith_i_sym_translate(from, to, args[i], &out[i]);
  return rc;
}

/* The atom is our own copy, and so are its arguments. */
static pith_status translate_own_atom(const pith_i_theory *from,
                                      pith_i_theory *to, pith_atom *a) {
  assert(pith_i_pred(&from->names, a->pred)->arity == a->arity);
  pith_status rc = pith_i_pred_translate(from, to, a->pred, &a->pred);
  return rc < 0 ? rc
                : pith_i_args_translate(from, to, a->args, a->arity,
                                        (pith_term *)a->args);
}

static pith_status translate_own_rule(const pith_i_theory *from,
                                      pith_i_theory *to, pith_rule *r) {
  pith_status rc = PITH_OK;
  if (r->var_names != NULL)
    rc = pith_i_args_translate(from, to, r->var_names, r->var_count,
                               (pith_sym *)r->var_names);
  if (rc >= 0 && r->file != PITH_NONE)
    rc = pith_i_sym_translate(from, to, r->file, &r->file);
  if (rc >= 0)
    rc = translate_own_atom(from, to, &r->head);
  for (uint32_t i = 0; rc >= 0 && i < r->body_len; i++)
    rc = translate_own_atom(from, to, (pith_atom *)&r->body[i]);
  return rc;
}

pith_status pith_i_rule_translate(const pith_i_theory *from, pith_i_theory *to,
                                  const pith_rule *rule, pith_i_arena *arena,
                                  pith_rule **out) {
  pith_rule *copy = pith_i_rule_copy(arena, rule);
  if (copy == NULL)
    return PITH_ENOMEM;
  *out = copy;
  return from == to ? PITH_OK : translate_own_rule(from, to, copy);
}
