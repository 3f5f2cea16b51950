#include "net/net_builder.h"

static unsigned roles_in_worlds(const pith_i_net_builder *b, pith_pred pred) {
  unsigned all = 0;
  for (uint32_t w = 0; w < b->world_count; w++) {
    pith_pred there = pith_i_build_pred_in(b, w, pred);
    if (there != PITH_NONE)
      all |= pith_i_pred(&b->worlds[w].theory->names, there)->roles;
  }
  return all;
}

static bool has_facts(const pith_i_net_builder *b, pith_pred pred) {
  for (uint32_t w = 0; w < b->world_count; w++)
    if (pith_i_build_facts_in(b, w, pred) != NULL)
      return true;
  return false;
}

/* Whether some slot may choose it. */
static bool is_wanted(const pith_i_net_builder *b, const pith_i_net_pred *p) {
  const pith_i_theory *t = b->worlds[0].theory;
  for (size_t i = 0; i < t->templates.n; i++)
    for (uint32_t s = 0; s < t->templates.at[i]->slot_count; s++)
      if (pith_i_build_may_fill(
              p, &t->templates.at[i]->slots[s],
              pith_i_build_slot_usage(b, t->templates.at[i], s)))
        return true;
  return false;
}

static bool is_named(const pith_i_net_builder *b, pith_pred pred) {
  const pith_i_theory *t = b->worlds[0].theory;
  for (size_t i = 0; i < t->templates.n; i++)
    for (uint32_t s = 0; s < t->templates.at[i]->slot_count; s++)
      if (t->templates.at[i]->slots[s].pred == pred)
        return true;
  return false;
}

bool pith_i_build_has_core(const pith_i_net_builder *b) {
  return b->net->core_kind != PITH_I_CORE_NONE;
}

/* Targets and invented predicates are derived, and with a core all that was
** observed; background is what has facts or, where bias.pl names body
** predicates, those of them; and what a template names itself. */
static pith_status add_pred(pith_i_net_builder *b, pith_pred p, bool listed) {
  const pith_i_names *names = &b->worlds[0].theory->names;
  unsigned r = roles_in_worlds(b, p);
  pith_i_net_pred q = {.pred = p,
                       .arity = pith_i_pred(names, p)->arity,
                       .derived = (r & (PITH_TARGET | PITH_INVENTED)) != 0};
  if (pith_i_build_has_core(b) && has_facts(b, p))
    q.derived = q.arity == 1 || q.arity == 2;
  bool background =
      (has_facts(b, p) && (!listed || (r & PITH_BODY) != 0)) || is_named(b, p);
  uint32_t number = PITH_NONE;
  if (q.derived && q.arity != 1 && q.arity != 2)
    return pith_i_fail(b->env, PITH_EINPUT,
                       "%s/%u is to be learned; the network takes predicates "
                       "with one or two arguments",
                       pith_i_pred_text(names, p), q.arity);
  bool known = b->net->reference && q.arity <= 2; /* it has its dimension */
  if (q.derived || (background && (known || is_wanted(b, &q)))) {
    number = (uint32_t)b->net->preds.n;
    if (!pith_i_push(b->env, &b->net->preds, q))
      return PITH_ENOMEM;
  }
  return pith_i_push(b->env, &b->net_pred, number) ? PITH_OK : PITH_ENOMEM;
}

pith_status pith_i_build_preds(pith_i_net_builder *b) {
  const pith_i_names *names = &b->worlds[0].theory->names;
  bool listed = false;
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; p < names->preds.n; p++)
    listed = listed || (roles_in_worlds(b, p) & PITH_BODY) != 0;
  for (pith_pred p = 0; rc >= 0 && p < names->preds.n; p++)
    rc = add_pred(b, p, listed);
  return rc;
}
