/* The rules of a theory as they are evaluated: their forms, the relations of
** their predicates, and the order of evaluation.
**
** Two predicates are in the same component when each depends on the other;
** components are evaluated one after the other, each to its fixpoint, those
** it depends on first. So what a negated atom asks about is complete when it is
** asked. A predicate that depends on its own negation has no such order: the
** rules are not stratified, and are refused.
**
** Transitivity, p(X,Y) :- p(X,Z), p(Z,Y), is made linear where p is recursive
** by that rule only: what the other rules for p give is kept as a hidden
** predicate b, and p(X,Y) :- b(X,Y) and p(X,Y) :- b(X,Z), p(Z,Y) take its
** place. Every pair of p is a path of b steps, so the facts are the same; but
** a path of k steps is found once instead of at each of its k - 1 joints. */
#ifndef PITH_LOGIC_STRATA_H
#define PITH_LOGIC_STRATA_H

#include <assert.h>

#include "fact/store.h"
#include "logic/form.h"
#include "term/theory.h"

typedef struct {
  pith_i_env *env;
  pith_i_arena arena;
  pith_i_store *store;
  const pith_i_names *names;
  PITH_I_VEC(pith_i_form *) forms; /* those that can fire */
  size_t named; /* predicates of the theory; hidden ones come after */
  PITH_I_VEC(pith_i_relation) hidden;
  uint32_t *component; /* (named + hidden.n) */
  uint32_t component_count;
} pith_i_strata;

/* Borrows the theory's rules and the store's relations; both must stay as
** they are, but for derived facts, until the program is freed. wanted
** (predicates): only the rules for these, or NULL. The caller frees also
** after failure. */
pith_status pith_i_strata_init(pith_i_strata *g, const pith_i_theory *theory,
                               pith_i_store *store, const bool *wanted);
void pith_i_strata_free(pith_i_strata *g);

pith_status pith_i_strata_linearise(pith_i_strata *g);

/* Fills in component. PITH_EINPUT: the rules are not stratified; the error
** names the predicates. */
pith_status pith_i_strata_order(pith_i_strata *g);

/* level (named + hidden.n): how many negations lie below each predicate; the
** forms must have been ordered. Returns the highest. */
uint32_t pith_i_strata_levels(const pith_i_strata *g, uint32_t *level);

static inline pith_i_relation *pith_i_strata_relation(const pith_i_strata *g,
                                                      pith_pred pred) {
  assert(pred < g->named + g->hidden.n);
  return pred < g->named ? &g->store->relations.at[pred]
                         : &g->hidden.at[pred - g->named];
}

#endif
