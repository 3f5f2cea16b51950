#include "logic/covers.h"

#include "logic/plan.h"

static pith_status cover_example(pith_i_plan *plan, const pith_example *e,
                                 bool *out) {
  pith_i_hooks hooks = {.found = pith_i_stop_at_first, .countdown = 1};
  if (!pith_i_plan_set_head(plan, e->atom.args))
    return PITH_OK;
  pith_status rc = pith_i_plan_run(plan, &hooks);
  *out = rc == PITH_STOPPED;
  return rc < 0 ? rc : PITH_OK;
}

/* One plan serves all examples: the head's arguments are its input. */
pith_status pith_i_rule_covers(const pith_i_theory *theory, pith_i_store *store,
                               const pith_rule *rule, bool *out) {
  pith_i_arena arena = {.env = store->env};
  pith_i_form *f = pith_i_form_new(&arena, &theory->names, rule);
  pith_i_plan *plan =
      f == NULL ? NULL : pith_i_plan_backwards(&arena, store, f);
  pith_status rc = plan == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < theory->examples.n; i++) {
    const pith_example *e = theory->examples.at[i];
    out[i] = false;
    if (e->atom.pred == rule->head.pred)
      rc = cover_example(plan, e, &out[i]);
  }
  pith_i_arena_free(&arena);
  return rc;
}
