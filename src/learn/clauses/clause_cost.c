#include "learn/clauses/clause_cost.h"

#include <assert.h>

#include "base/tunables.h"
#include "learn/clauses/head_values.h"

enum { CONSTANT_COST = PITH_I_COST / 2 };

/* f(A,B) :- p(A), A = B is written f(A,A) :- p(A), and is as short. */
static uint32_t cost_of_atom(const pith_i_kind_of_atom *c) {
  if (pith_i_is_head_value(c))
    return CONSTANT_COST;
  return (c->kind == PITH_I_EQUAL_ATOM ? 0 : PITH_I_COST) +
         (c->kind == PITH_I_TARGET_ATOM ? 0 : PITH_TUNE_CLAUSE_GIVEN_COST) +
         c->full + CONSTANT_COST * (uint32_t)(c->full - c->arity);
}

uint32_t pith_i_cost_of_atoms(const pith_i_space *s, const pith_i_lit *atoms,
                              uint32_t n, pith_i_helpers *h) {
  uint32_t cost = 0;
  for (uint32_t i = 0; i < n; i++) {
    assert(atoms[i].choice < s->choices.n);
    cost += cost_of_atom(&s->choices.at[atoms[i].choice]);
    pith_i_helper_need(s, atoms[i].choice, h);
  }
  return cost;
}

uint32_t pith_i_least_clause_cost(const pith_i_space *s) {
  for (size_t i = 0; i < s->choices.n; i++)
    if (pith_i_is_head_value(&s->choices.at[i]))
      return PITH_I_COST + CONSTANT_COST;
  return 2 * PITH_I_COST;
}

uint32_t pith_i_cost_of_helpers(const pith_i_space *s,
                                const pith_i_helpers *h) {
  uint32_t size = 0; /* rules and atoms */
  for (uint32_t i = 0; i < h->n; i++)
    size += pith_i_helper_size(s, h->choice[i]);
  return PITH_I_COST * size;
}
