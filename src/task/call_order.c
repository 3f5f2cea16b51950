#include "task/call_order.h"

#include <assert.h>
#include <string.h>

enum { MOST_CALLS = 32 /* of a body whose order is looked at */ };

bool pith_i_has_directions(const pith_i_names *names, pith_pred pred) {
  return pith_i_pred(names, pred)->directions != NULL;
}

bool pith_i_is_input(const pith_i_names *names, pith_pred pred,
                     uint32_t place) {
  const pith_i_predicate *p = pith_i_pred(names, pred);
  assert(place < p->arity);
  return p->directions != NULL && p->directions[place] == 'i';
}

static bool can_call(const pith_i_call *c, uint64_t have) {
  return c->either ? (c->inputs & have) != 0 : (c->inputs & ~have) == 0;
}

uint32_t pith_i_make_calls(const pith_i_call *calls, uint32_t n, uint64_t *have,
                           uint32_t *order) {
  assert(n <= MOST_CALLS);
  uint32_t made = 0, before = PITH_NONE;
  uint64_t called = 0;
  while (made != before) {
    before = made;
    for (uint32_t i = 0; i < n; i++)
      if (!(called >> i & 1) && can_call(&calls[i], *have)) {
        called |= UINT64_C(1) << i;
        *have |= calls[i].all;
        if (order != NULL)
          order[made] = i;
        made++;
      }
  }
  return made;
}

static uint64_t variable_bit(pith_term t) {
  return PITH_IS_VAR(t) ? UINT64_C(1) << PITH_VAR_INDEX(t) : 0;
}

static pith_i_call call_of_atom(const pith_i_names *names, const pith_atom *a) {
  bool tests = a->negated || pith_i_is_builtin(a->pred);
  bool equals = a->pred == PITH_EQUAL && !a->negated, value = false;
  pith_i_call c = {.either = equals};
  for (uint32_t i = 0; i < a->arity; i++) {
    uint64_t bit = variable_bit(a->args[i]);
    c.all |= bit;
    value = value || bit == 0;
    if (tests || pith_i_is_input(names, a->pred, i))
      c.inputs |= bit;
  }
  return equals && value ? (pith_i_call){.all = c.all} : c;
}

/* A variable of a negated atom alone stands for any value. */
static void free_local_variables(const pith_rule *rule, uint64_t head,
                                 pith_i_call *calls) {
  for (uint32_t i = 0; i < rule->body_len; i++) {
    uint64_t others = head;
    for (uint32_t k = 0; k < rule->body_len; k++)
      others |= k == i ? 0 : calls[k].all;
    if (rule->body[i].negated)
      calls[i].inputs &= others;
  }
}

/* The calls of the rule's body in an order; false: some cannot be made, or the
** head lacks a variable then. */
static bool find_call_order(const pith_i_names *names, const pith_rule *rule,
                            uint32_t *order) {
  pith_i_call calls[MOST_CALLS];
  uint64_t have = 0, head = 0;
  for (uint32_t i = 0; i < rule->head.arity; i++) {
    uint64_t bit = variable_bit(rule->head.args[i]);
    head |= bit;
    if (pith_i_is_input(names, rule->head.pred, i))
      have |= bit;
  }
  for (uint32_t i = 0; i < rule->body_len; i++)
    calls[i] = call_of_atom(names, &rule->body[i]);
  free_local_variables(rule, head, calls);
  return pith_i_make_calls(calls, rule->body_len, &have, order) ==
             rule->body_len &&
         (head & ~have) == 0;
}

/* Rules of invented predicates are called as it comes. */
static bool is_directed(const pith_i_theory *theory, const pith_rule *rule) {
  return pith_i_has_directions(&theory->names, rule->head.pred) &&
         rule->var_count <= PITH_I_CALL_VARIABLES &&
         rule->body_len <= MOST_CALLS;
}

bool pith_i_can_be_called(const pith_i_theory *theory, const pith_rule *rule) {
  return !is_directed(theory, rule) ||
         find_call_order(&theory->names, rule, NULL);
}

void pith_i_order_calls(const pith_i_theory *theory, pith_rule *rule) {
  uint32_t order[MOST_CALLS];
  pith_atom before[MOST_CALLS];
  if (!is_directed(theory, rule) ||
      !find_call_order(&theory->names, rule, order))
    return;
  memcpy(before, rule->body, rule->body_len * sizeof *before);
  for (uint32_t i = 0; i < rule->body_len; i++)
    ((pith_atom *)rule->body)[i] = before[order[i]];
}
