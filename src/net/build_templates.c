#include "net/net_builder.h"

#include <stdarg.h>
#include <stdio.h>

#include "net/order.h"

pith_status pith_i_build_refuse(pith_i_net_builder *b, const pith_template *t,
                                const char *format, ...) {
  char where[256], what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  pith_i_template_where(b->net->theory, t, where, sizeof where);
  return pith_i_fail(b->env, PITH_EINPUT, "%s: %s", where, what);
}

void pith_i_template_where(const pith_i_theory *theory, const pith_template *t,
                           char *out, size_t n) {
  size_t i = 0;
  while (i + 1 < theory->templates.n && theory->templates.at[i] != t)
    i++;
  if (t->shape.file == PITH_NONE)
    snprintf(out, n, "template %zu", i + 1);
  else
    snprintf(out, n, "%s:%u", pith_i_sym(&theory->names, t->shape.file)->text,
             t->shape.line);
}

static void note_use(const pith_atom *a, uint32_t slot, pith_i_slot_usage *u) {
  if (a->pred == slot && !(a->arity == 2 && a->args[0] == a->args[1]))
    u->diagonal = false;
}

static pith_i_slot_usage slot_use(const pith_template *t, uint32_t slot) {
  pith_i_slot_usage u = {t->shape.head.pred == slot, false, true};
  note_use(&t->shape.head, slot, &u);
  for (uint32_t i = 0; i < t->shape.body_len; i++) {
    u.body = u.body || t->shape.body[i].pred == slot;
    note_use(&t->shape.body[i], slot, &u);
  }
  return u;
}

static bool has_unary_head(const pith_i_theory *t) {
  for (size_t i = 0; i < t->templates.n; i++)
    if (t->templates.at[i]->shape.head.arity == 1)
      return true;
  return false;
}

pith_i_slot_usage pith_i_build_slot_usage(const pith_i_net_builder *b,
                                          const pith_template *t,
                                          uint32_t slot) {
  pith_i_slot_usage u = slot_use(t, slot);
  if (b->net->reference)
    u.diagonal =
        u.diagonal && u.head && !u.body && !has_unary_head(b->worlds[0].theory);
  return u;
}

bool pith_i_build_may_fill(const pith_i_net_pred *p, const pith_slot *s,
                           pith_i_slot_usage u) {
  if (s->pred == PITH_NONE ? pith_i_is_builtin(p->pred) : s->pred != p->pred)
    return false;
  return (p->arity == s->arity || (u.diagonal && p->arity == 1)) &&
         (!u.head || p->derived);
}

static bool has_var(const pith_rule *shape, pith_term var) {
  for (uint32_t i = 0; i < shape->body_len; i++)
    for (uint32_t j = 0; j < shape->body[i].arity; j++)
      if (shape->body[i].args[j] == var)
        return true;
  return false;
}

static pith_status check_atom(pith_i_net_builder *b, const pith_template *t,
                              const pith_atom *a) {
  if (a->arity != 1 && a->arity != 2)
    return pith_i_build_refuse(
        b, t, "an atom with %u arguments; the network takes one or two",
        a->arity);
  for (uint32_t i = 0; i < a->arity; i++)
    if (!PITH_IS_VAR(a->args[i]))
      return pith_i_build_refuse(
          b, t,
          "a constant in a template; use a variable, and a unary "
          "predicate that holds of the constant alone");
  return PITH_OK;
}

static pith_status check_template(pith_i_net_builder *b,
                                  const pith_template *t) {
  const pith_rule *shape = &t->shape;
  if (shape->body_len == 0 || shape->body_len > PITH_I_MAX_TEMPLATE)
    return pith_i_build_refuse(b, t, "bodies have one to %d atoms",
                               PITH_I_MAX_TEMPLATE);
  pith_status rc = check_atom(b, t, &shape->head);
  for (uint32_t i = 0; rc >= 0 && i < shape->body_len; i++)
    rc = check_atom(b, t, &shape->body[i]);
  for (uint32_t i = 0; rc >= 0 && i < shape->head.arity; i++)
    if (!has_var(shape, shape->head.args[i]))
      rc = pith_i_build_refuse(b, t, "a head variable that is in no body atom");
  pith_i_order plan;
  if (rc >= 0 && !pith_i_order_make(shape, &plan))
    rc = pith_i_build_refuse(
        b, t,
        "needs more than two variables at once between its atoms; "
        "split it with an invented predicate");
  return rc;
}

pith_status pith_i_build_check_templates(pith_i_net_builder *b) {
  const pith_i_theory *t = b->worlds[0].theory;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->templates.n; i++)
    rc = check_template(b, t->templates.at[i]);
  return rc;
}
