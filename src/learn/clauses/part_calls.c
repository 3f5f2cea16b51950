#include "learn/clauses/part_calls.h"

#include <assert.h>

#include "learn/clauses/head_values.h"
#include "task/call_order.h"

bool pith_i_space_has_directions(const pith_i_space *s) {
  return pith_i_has_directions(&s->worlds[0].theory->names, s->target);
}

bool pith_i_is_test(const pith_i_space *s, const pith_i_kind_of_atom *c) {
  if (c->helper != PITH_I_NO_HELPER)
    return false;
  for (uint32_t k = 0; k < c->full; k++)
    if (!pith_i_is_input(&s->worlds[0].theory->names, c->pred, k))
      return false;
  return c->full > 0;
}

/* An atom that tests needs all its variables, one of an invented predicate
** none. A head variable with a value needs no other. */
static pith_i_call call_of_literal(const pith_i_space *s,
                                   const pith_i_lit *atom) {
  const pith_i_kind_of_atom *c = &s->choices.at[atom->choice];
  const pith_i_names *names = &s->worlds[0].theory->names;
  bool tests = c->kind > PITH_I_OPEN_ATOM;
  bool needs = c->helper == PITH_I_NO_HELPER && !pith_i_is_head_value(c);
  pith_i_call call = {.either = c->kind == PITH_I_EQUAL_ATOM && c->arity > 1};
  for (uint32_t k = 0; k < c->arity; k++) {
    uint64_t bit = UINT64_C(1) << atom->arg[k];
    call.all |= bit;
    if (needs && (tests || pith_i_is_input(names, c->pred, c->place[k])))
      call.inputs |= bit;
  }
  return call;
}

static pith_i_call call_of_target(const pith_i_space *s, const uint8_t *goal) {
  const pith_i_names *names = &s->worlds[0].theory->names;
  pith_i_call call = {.either = false};
  for (uint32_t i = 0; i < s->head; i++) {
    uint64_t bit = UINT64_C(1) << goal[i];
    call.all |= bit;
    call.inputs |= pith_i_is_input(names, s->target, i) ? bit : 0;
  }
  return call;
}

/* The head's inputs. */
static uint64_t known_at_first(const pith_i_space *s) {
  uint64_t known = 0;
  for (uint32_t i = 0; i < s->head; i++)
    if (pith_i_is_input(&s->worlds[0].theory->names, s->target, i))
      known |= UINT64_C(1) << i;
  return known;
}

uint64_t pith_i_variables_bound(const pith_i_space *s, const pith_i_lit *atom) {
  const pith_i_kind_of_atom *c = &s->choices.at[atom->choice];
  bool equal = c->kind == PITH_I_EQUAL_ATOM;
  uint64_t bound = 0;
  for (uint32_t k = equal; k < c->arity; k++)
    bound |= UINT64_C(1) << atom->arg[k];
  return equal || c->kind <= PITH_I_OPEN_ATOM ? bound : 0;
}

uint32_t pith_i_variables_given(const pith_i_space *s, const pith_i_lit *atoms,
                                uint32_t n, bool *stuck) {
  assert(n <= PITH_I_ATOMS);
  pith_i_call calls[PITH_I_ATOMS];
  uint64_t head = (UINT64_C(1) << s->head) - 1, bound = 0;
  uint64_t have = known_at_first(s), all = head;
  for (uint32_t i = 0; i < n; i++) {
    calls[i] = call_of_literal(s, &atoms[i]);
    bound |= pith_i_variables_bound(s, &atoms[i]);
  }
  uint32_t made = pith_i_make_calls(calls, n, &have, NULL);
  *stuck = made < n && pith_i_make_calls(calls, n, &all, NULL) < n;
  return *stuck ? 0 : (uint32_t)(have & bound & head);
}

bool pith_i_rule_can_be_called(const pith_i_space *s, const pith_i_lit *atoms,
                               uint32_t n, const uint8_t *goal) {
  assert(n <= PITH_I_ATOMS);
  pith_i_call calls[PITH_I_ATOMS + 1];
  uint64_t head = (UINT64_C(1) << s->head) - 1, have = known_at_first(s);
  if (!pith_i_space_has_directions(s))
    return true;
  for (uint32_t i = 0; i < n; i++)
    calls[i] = call_of_literal(s, &atoms[i]);
  calls[n] = call_of_target(s, goal);
  return pith_i_make_calls(calls, n + 1, &have, NULL) == n + 1 &&
         (head & ~have) == 0;
}
