/* From a draft over a network to symbols. */
#include "compress/soft_theory.h"

#include "train/program.h"
#include <assert.h>

/* ---- atoms ----------------------------------------------------------- */

static const pith_i_net_pred *pred_of(const pith_i_net *net, uint32_t atom) {
  const pith_i_net_pred *p = net->preds.at;
  while (!p->derived || atom - p->offset >= p->size)
    p++;
  return p;
}

static void args_of(const pith_i_net *net, const pith_i_net_pred *p,
                    uint32_t atom, pith_sym args[2]) {
  assert(atom >= p->offset && atom - p->offset < p->size);
  uint32_t a = atom - p->offset;
  args[0] = net->symbol[p->arity == 1 ? a : net->pair_x[a]];
  args[1] = p->arity == 1 ? args[0] : net->symbol[net->pair_y[a]];
}

static pith_status give_atom(const pith_i_net *net, uint32_t atom,
                             pith_i_store *to) {
  const pith_i_net_pred *p = pred_of(net, atom);
  pith_sym args[2];
  args_of(net, p, atom, args);
  return pith_i_fact_give(to, p->pred, p->arity, args);
}

double pith_i_soft_value(const pith_i_soft *s, const pith_i_restart *r,
                         pith_pred pred, const pith_sym *args) {
  const pith_i_net *net = s->net;
  for (size_t m = 0; m < net->core.n; m++) {
    const pith_i_net_pred *p = pred_of(net, net->core.at[m]);
    pith_sym mine[2];
    args_of(net, p, net->core.at[m], mine);
    if (p->pred == pred && mine[0] == args[0] &&
        (p->arity == 1 || mine[1] == args[1]))
      return (double)r->value[m];
  }
  return 1;
}

/* ---- theories -------------------------------------------------------- */

static pith_status spell_rules(pith_i_soft *s, const pith_i_restart *r,
                               pith_i_spelled *out) {
  const pith_i_net *net = s->net;
  out->rules =
      pith_i_arena_alloc(&s->arena, (net->rules.n + 1) * sizeof *out->rules);
  if (out->rules == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < net->rules.n; i++) {
    if (r->draft.choice[net->rules.at[i].head] == PITH_NONE)
      continue;
    pith_rule *rule = pith_i_program_rule(net, r->draft.choice, i, &s->arena);
    if (rule == NULL)
      return PITH_ENOMEM;
    out->rules[out->rule_count++] = rule;
  }
  return PITH_OK;
}

/* What holds of invented predicates: their core facts, and what follows. */
static pith_status spell_invented(pith_i_soft *s, const pith_i_restart *r,
                                  pith_i_store *to) {
  const pith_i_net *net = s->net;
  pith_status rc = PITH_OK;
  pith_i_prune_clear(s->prune);
  pith_i_prune_add(s->prune, r->draft.choice, r->draft.core, false);
  pith_i_sliced_close(s->prune->sliced);
  for (size_t m = net->observed; rc >= 0 && m < net->core.n; m++)
    if ((s->prune->sliced->value[(size_t)net->core.at[m] * PITH_I_SLICE_WORDS] &
         1) != 0)
      rc = give_atom(net, net->core.at[m], to);
  return rc;
}

pith_status pith_i_soft_spell(pith_i_soft *s, const pith_i_restart *r,
                              pith_i_spelled *out) {
  assert(s->net != NULL && r->draft.choice != NULL);
  *out = (pith_i_spelled){0};
  pith_i_store_init(&out->invented, s->env);
  pith_i_store_init(&out->core, s->env);
  pith_status rc = spell_rules(s, r, out);
  if (rc >= 0)
    rc = spell_invented(s, r, &out->invented);
  for (size_t m = 0; rc >= 0 && m < s->net->core.n; m++)
    if (r->draft.core[m])
      rc = give_atom(s->net, s->net->core.at[m], &out->core);
  return rc;
}

void pith_i_spelled_free(pith_i_spelled *t) {
  pith_i_store_free(&t->invented);
  pith_i_store_free(&t->core);
}
