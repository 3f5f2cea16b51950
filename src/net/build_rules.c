#include "net/net_builder.h"

#include <assert.h>

/* p(X,X) for a unary p is p(X): the pairs of the diagonal as constants. */
static const uint32_t *diagonal_map(pith_i_net_builder *b) {
  pith_i_net *net = b->net;
  uint32_t *map =
      pith_i_arena_alloc(&net->arena, (net->pairs + 1) * sizeof *map);
  for (uint32_t i = 0; map != NULL && i < net->pairs; i++)
    map[i] = net->pair_x[i] == net->pair_y[i] ? net->pair_x[i] : PITH_NONE;
  return map;
}

static pith_status refuse_slot(pith_i_net_builder *b, const pith_template *t,
                               const pith_slot *s, pith_i_slot_usage u) {
  const pith_i_names *names = &b->net->theory->names;
  const char *part = u.head ? "head" : "body";
  if (s->pred != PITH_NONE)
    return pith_i_build_refuse(
        b, t,
        "%s/%u cannot be in the %s: it has no examples, and no "
        "`invented:` line names it",
        pith_i_pred_text(names, s->pred), s->arity, part);
  return pith_i_build_refuse(
      b, t,
      "no predicate fits an atom with %u argument%s in the %s; "
      "invent one (`invented: aux/%u`)",
      s->arity, s->arity == 1 ? "" : "s", part, s->arity);
}

/* Candidates first without their maps: these need the pairs. */
static pith_status add_slot(pith_i_net_builder *b, const pith_template *t,
                            uint32_t slot, uint32_t *number) {
  pith_i_net *net = b->net;
  pith_i_slot_usage u = pith_i_build_slot_usage(b, t, slot);
  pith_i_net_slot s = {.arity = t->slots[slot].arity,
                       .first = (uint32_t)net->candidates.n,
                       .in_body = u.body,
                       .in_head = u.head};
  for (uint32_t i = 0; i < net->preds.n; i++)
    if (pith_i_build_may_fill(&net->preds.at[i], &t->slots[slot], u)) {
      pith_i_slot_candidate c = {.pred = i};
      if (!pith_i_push(b->env, &net->candidates, c))
        return PITH_ENOMEM;
      s.count++;
    }
  if (s.count == 0)
    return refuse_slot(b, t, &t->slots[slot], u);
  *number = (uint32_t)net->slots.n;
  return pith_i_push(b->env, &net->slots, s) ? PITH_OK : PITH_ENOMEM;
}

static pith_status add_rule(pith_i_net_builder *b, const pith_template *t) {
  uint32_t *slots =
      pith_i_arena_alloc(&b->net->arena, (t->slot_count + 1) * sizeof *slots);
  if (slots == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < t->slot_count; i++)
    rc = add_slot(b, t, i, &slots[i]);
  if (rc < 0)
    return rc;
  pith_i_net_rule r = {
      .head = slots[t->shape.head.pred], .shape = t, .slots = slots};
  return pith_i_push(b->env, &b->net->rules, r) ? PITH_OK : PITH_ENOMEM;
}

/* What training takes for a rule at the least: its slots and candidates with a
** lane per restart, their gradients and moments. */
static double bytes_of_rule(const pith_i_net_builder *b,
                            const pith_template *t) {
  double candidates = 0;
  for (uint32_t i = 0; i < t->slot_count; i++)
    candidates += (double)b->net->preds.n;
  return sizeof(pith_i_net_rule) +
         candidates * (sizeof(pith_i_slot_candidate) + 4 * PITH_I_ROW);
}

enum { MOST_RULES = 100000 };

/* Copies are one number in a file, and may be far more than can be built. */
static pith_status refuse_many_rules(pith_i_net_builder *b) {
  const pith_i_theory *t = b->worlds[0].theory;
  double bytes = 0, rules = 0;
  double most = b->env->memory.limit > 0 ? (double)b->env->memory.limit
                                         : pith_i_machine_bytes();
  for (size_t i = 0; i < t->templates.n; i++) {
    rules += t->templates.at[i]->copies;
    bytes += t->templates.at[i]->copies * bytes_of_rule(b, t->templates.at[i]);
  }
  if (bytes <= most && rules <= MOST_RULES)
    return PITH_OK;
  return pith_i_fail(b->env, PITH_ELIMIT,
                     "the templates ask for %.0f rules, which take at least "
                     "%.0f MiB; expected at most %d rules that fit into %.0f "
                     "MiB; write smaller counts before the templates",
                     rules, bytes / 0x1p20, MOST_RULES, most / 0x1p20);
}

pith_status pith_i_build_rules(pith_i_net_builder *b) {
  const pith_i_theory *t = b->worlds[0].theory;
  pith_status rc = refuse_many_rules(b);
  for (size_t i = 0; i < t->templates.n; i++)
    for (uint32_t c = 0; rc >= 0 && c < t->templates.at[i]->copies; c++)
      rc = add_rule(b, t->templates.at[i]);
  if (rc >= 0 && b->net->rules.n == 0)
    rc = pith_i_fail(b->env, PITH_EINPUT, "no templates");
  return rc;
}

/* ---- what a slot chooses from, in numbers ------------------------------ */

/* The facts of a unary predicate as pairs of the diagonal. */
static pith_status map_facts(pith_i_net_builder *b, pith_i_slot_candidate *k) {
  const pith_i_net_pred *p = &b->net->preds.at[k->pred];
  k->facts = p->facts;
  k->fact_count = p->fact_count;
  if (k->map == NULL)
    return PITH_OK;
  uint32_t *facts =
      pith_i_arena_alloc(&b->net->arena, (p->fact_count + 1) * sizeof *facts);
  if (facts == NULL)
    return PITH_ENOMEM;
  for (uint32_t f = 0; f < p->fact_count; f++) {
    facts[f] = pith_i_net_pair(b->net, p->facts[f], p->facts[f]);
    assert(facts[f] != PITH_NONE);
  }
  k->facts = facts;
  return PITH_OK;
}

pith_status pith_i_build_map_candidates(pith_i_net_builder *b) {
  const uint32_t *diagonal = NULL;
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < b->net->slots.n; i++) {
    const pith_i_net_slot *s = &b->net->slots.at[i];
    for (uint32_t c = s->first; rc >= 0 && c < s->first + s->count; c++) {
      pith_i_slot_candidate *k = &b->net->candidates.at[c];
      if (pith_i_build_candidate_arity(b, c) != s->arity) {
        if (diagonal == NULL)
          diagonal = diagonal_map(b);
        if (diagonal == NULL)
          return PITH_ENOMEM;
        k->map = diagonal;
      }
      rc = map_facts(b, k);
    }
  }
  return rc;
}
