/* The judge of proofs, kept apart from what finds them and as plain as can
** be. */
#include <assert.h>
#include <string.h>

#include "logic/proof.h"
#include "term/equal.h"

typedef struct {
  const pith_proof *proof;
  const pith_rule *rule;
  pith_sym *value; /* (var_count) PITH_NONE: not bound */
} instance;

static pith_sym value_of_term(const instance *i, pith_term t) {
  assert(!PITH_IS_VAR(t) || PITH_VAR_INDEX(t) < i->rule->var_count);
  return PITH_IS_VAR(t) ? i->value[PITH_VAR_INDEX(t)] : t;
}

static bool bind_variable(instance *i, pith_term t, pith_sym s) {
  if (PITH_IS_VAR(t) && i->value[PITH_VAR_INDEX(t)] == PITH_NONE)
    i->value[PITH_VAR_INDEX(t)] = s;
  return value_of_term(i, t) == s;
}

static bool match_ground_atom(instance *i, const pith_atom *pattern,
                              const pith_atom *a) {
  bool same = pattern->pred == a->pred && pattern->arity == a->arity;
  for (uint32_t j = 0; same && j < a->arity; j++)
    same = bind_variable(i, pattern->args[j], a->args[j]);
  return same;
}

/* A variable that only an equality binds gets its value here. */
static void spread_equalities(instance *i) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t j = 0; j < i->rule->body_len; j++) {
      const pith_atom *a = &i->rule->body[j];
      if (a->pred != PITH_EQUAL)
        continue;
      pith_sym x = value_of_term(i, a->args[0]),
               y = value_of_term(i, a->args[1]);
      if ((x == PITH_NONE) == (y == PITH_NONE))
        continue;
      bind_variable(i, a->args[x == PITH_NONE ? 0 : 1], x == PITH_NONE ? y : x);
      changed = true;
    }
  }
}

static bool builtin_holds(const instance *i, const pith_atom *a) {
  pith_sym x = value_of_term(i, a->args[0]), y = value_of_term(i, a->args[1]);
  return x != PITH_NONE && y != PITH_NONE &&
         (a->pred == PITH_EQUAL ? x == y : x != y);
}

static bool body_holds(instance *i, const pith_i_proof_node *node, size_t at) {
  uint32_t used = 0;
  for (uint32_t j = 0; j < i->rule->body_len; j++) {
    if (pith_i_is_builtin(i->rule->body[j].pred))
      continue;
    if (used == node->from_count)
      return false;
    uint32_t from = node->from[used++];
    if (from <= at || from >= i->proof->nodes.n ||
        !match_ground_atom(i, &i->rule->body[j],
                           &i->proof->nodes.at[from].atom))
      return false;
  }
  spread_equalities(i);
  for (uint32_t j = 0; j < i->rule->body_len; j++)
    if (pith_i_is_builtin(i->rule->body[j].pred) &&
        !builtin_holds(i, &i->rule->body[j]))
      return false;
  return used == node->from_count;
}

static uint32_t steps_of(const pith_proof *proof,
                         const pith_i_proof_node *node) {
  uint32_t most = 0;
  for (uint32_t j = 0; j < node->from_count; j++)
    if (proof->nodes.at[node->from[j]].steps > most)
      most = proof->nodes.at[node->from[j]].steps;
  return node->rule == NULL ? 0 : most + 1;
}

static bool node_holds(const pith_proof *proof, size_t at, pith_sym *value,
                       const pith_i_store *store) {
  const pith_i_proof_node *node = &proof->nodes.at[at];
  if (node->rule == NULL)
    return node->from_count == 0 && node->steps == 0 &&
           pith_i_fact_given(store, node->atom.pred, node->atom.args);
  instance i = {proof, node->rule, value};
  memset(value, 0xff, node->rule->var_count * sizeof *value);
  return match_ground_atom(&i, &node->rule->head, &node->atom) &&
         body_holds(&i, node, at) && steps_of(proof, node) == node->steps;
}

bool pith_i_proof_check(const pith_proof *proof, pith_sym *scratch,
                        const pith_i_store *store) {
  if (proof->nodes.n == 0 ||
      !pith_i_atom_equal(&proof->nodes.at[0].atom, &proof->goal) ||
      proof->nodes.at[0].steps != proof->steps)
    return false;
  for (size_t i = 0; i < proof->nodes.n; i++)
    if (!node_holds(proof, i, scratch, store))
      return false;
  return true;
}
