/* The judge of proofs, kept apart from what finds them and as plain as can
** be. */
#include <assert.h>
#include <string.h>

#include "logic/proof.h"
#include "term/compare.h"
#include "term/equal.h"

typedef struct {
  const pith_proof *proof;
  const pith_i_names *names;
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
         pith_i_builtin_holds(i->names, a->pred, x, y);
}

/* How often the rule has the variable outside of this atom. */
static bool is_elsewhere(const pith_rule *rule, const pith_atom *a,
                         pith_term var) {
  bool found = false;
  for (uint32_t j = 0; j < rule->head.arity; j++)
    found |= rule->head.args[j] == var;
  for (uint32_t k = 0; k < rule->body_len; k++)
    for (uint32_t j = 0; &rule->body[k] != a && j < rule->body[k].arity; j++)
      found |= rule->body[k].args[j] == var;
  return found;
}

/* A negated atom of the rule and the node that says it is absent. A variable of
** this atom alone stays one. */
static bool match_absent(const instance *i, const pith_atom *pattern,
                         const pith_atom *a) {
  bool same =
      a->negated && pattern->pred == a->pred && pattern->arity == a->arity;
  for (uint32_t j = 0; same && j < a->arity; j++) {
    pith_term t = pattern->args[j];
    same = PITH_IS_VAR(a->args[j])
               ? a->args[j] == t && !is_elsewhere(i->rule, pattern, t)
               : value_of_term(i, t) == a->args[j];
  }
  return same;
}

/* The nodes that the positive atoms, or the negated ones, come from. */
static bool match_children(instance *i, const pith_i_proof_node *node,
                           size_t at, bool negated) {
  uint32_t used = 0;
  for (uint32_t j = 0; j < i->rule->body_len; j++) {
    const pith_atom *pattern = &i->rule->body[j];
    if (pith_i_is_builtin(pattern->pred))
      continue;
    if (used == node->from_count)
      return false;
    uint32_t from = node->from[used++];
    if (from <= at || from >= i->proof->nodes.n)
      return false;
    const pith_atom *a = &i->proof->nodes.at[from].atom;
    if (pattern->negated == negated &&
        !(negated ? match_absent(i, pattern, a)
                  : !a->negated && match_ground_atom(i, pattern, a)))
      return false;
  }
  return used == node->from_count;
}

static bool body_holds(instance *i, const pith_i_proof_node *node, size_t at) {
  if (!match_children(i, node, at, false))
    return false;
  spread_equalities(i);
  for (uint32_t j = 0; j < i->rule->body_len; j++)
    if (pith_i_is_builtin(i->rule->body[j].pred) &&
        !builtin_holds(i, &i->rule->body[j]))
      return false;
  return match_children(i, node, at, true);
}

/* ---- what is absent -------------------------------------------------- */

/* Not zero: the fact is an instance of the atom. */
static int refute_absence(void *ctx, pith_pred pred, const pith_sym *args,
                          size_t n) {
  const pith_atom *a = ctx;
  (void)pred;
  for (size_t j = 0; j < n; j++) {
    if (!PITH_IS_VAR(a->args[j]) && a->args[j] != args[j])
      return 0;
    for (size_t k = 0; PITH_IS_VAR(a->args[j]) && k < j; k++)
      if (a->args[k] == a->args[j] && args[k] != args[j])
        return 0;
  }
  return 1;
}

static bool is_absent_from(const pith_i_store *store, pith_atom *a) {
  bool open = false;
  for (uint32_t j = 0; j < a->arity; j++)
    open |= PITH_IS_VAR(a->args[j]);
  return open ? pith_i_fact_each(store, a->pred, PITH_ALL, refute_absence, a) ==
                    0
              : !pith_i_fact_holds(store, a->pred, a->args);
}

/* ---- nodes ----------------------------------------------------------- */

static uint32_t steps_of(const pith_proof *proof,
                         const pith_i_proof_node *node) {
  uint32_t most = 0;
  for (uint32_t j = 0; j < node->from_count; j++)
    if (proof->nodes.at[node->from[j]].steps > most)
      most = proof->nodes.at[node->from[j]].steps;
  return node->rule == NULL ? 0 : most + 1;
}

static bool leaf_holds(const pith_i_proof_node *node,
                       const pith_i_store *store) {
  pith_atom a = node->atom;
  return node->from_count == 0 && node->steps == 0 &&
         (a.negated ? is_absent_from(store, &a)
                    : pith_i_fact_given(store, a.pred, a.args));
}

static bool node_holds(instance *i, size_t at, const pith_i_store *store) {
  const pith_i_proof_node *node = &i->proof->nodes.at[at];
  if (node->rule == NULL)
    return leaf_holds(node, store);
  i->rule = node->rule;
  memset(i->value, 0xff, node->rule->var_count * sizeof *i->value);
  return !node->atom.negated &&
         match_ground_atom(i, &node->rule->head, &node->atom) &&
         body_holds(i, node, at) && steps_of(i->proof, node) == node->steps;
}

bool pith_i_proof_check(const pith_proof *proof, const pith_i_names *names,
                        pith_sym *scratch, const pith_i_store *store) {
  instance inst = {.proof = proof, .names = names, .value = scratch};
  if (proof->nodes.n == 0 ||
      !pith_i_atom_equal(&proof->nodes.at[0].atom, &proof->goal) ||
      proof->nodes.at[0].steps != proof->steps)
    return false;
  for (size_t i = 0; i < proof->nodes.n; i++)
    if (!node_holds(&inst, i, store))
      return false;
  return true;
}
