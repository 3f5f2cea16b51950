#include "logic/replay.h"

#include <assert.h>

#include "logic/closure.h"

/* The predicates that pred depends on, itself among them. */
static void find_what_goal_needs(const pith_i_theory *t, pith_pred pred,
                                 bool *wanted) {
  assert(pred < t->names.preds.n);
  wanted[pred] = true;
  for (bool any = true; any;) {
    any = false;
    for (size_t i = 0; i < t->rules.n; i++) {
      const pith_rule *r = t->rules.at[i];
      for (uint32_t j = 0; wanted[r->head.pred] && j < r->body_len; j++) {
        any |= !wanted[r->body[j].pred];
        wanted[r->body[j].pred] = true;
      }
    }
  }
}

static pith_status copy_given(const pith_i_store *store, const bool *wanted,
                              pith_i_store *steps) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < store->relations.n; i++) {
    const pith_i_relation *r = &store->relations.at[i];
    for (size_t row = 0; rc >= 0 && wanted[i] && row < r->given; row++)
      rc = pith_i_fact_give(steps, (pith_pred)i, r->rows.width,
                            r->rows.at + row * r->rows.width);
  }
  return rc;
}

pith_status pith_i_replay(const pith_i_theory *theory,
                          const pith_i_store *store, const pith_atom *goal,
                          pith_i_store *steps) {
  bool *wanted =
      pith_i_zalloc(store->env, theory->names.preds.n, sizeof *wanted);
  if (wanted == NULL)
    return PITH_ENOMEM;
  find_what_goal_needs(theory, goal->pred, wanted);
  pith_status rc = copy_given(store, wanted, steps);
  pith_i_closure_options opt = {
      .record = true, .until = goal, .wanted = wanted};
  if (rc >= 0)
    rc = pith_i_closure(theory, steps, &opt, NULL);
  pith_i_release(store->env, wanted);
  return rc;
}
