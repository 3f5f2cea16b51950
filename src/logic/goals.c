#include "logic/goals.h"

#include <assert.h>

#include "logic/plan.h"

typedef struct {
  const pith_i_theory *theory;
  pith_i_store *store;
  const pith_i_closure_options *opt;
  pith_i_arena arena; /* of the rule at hand */
  bool *wanted;       /* (predicates) to be derived whole */
} asker;

/* Those with examples that no body has are not. */
static void find_derived_whole(asker *q) {
  const pith_i_theory *t = q->theory;
  for (size_t i = 0; i < t->names.preds.n; i++)
    q->wanted[i] = true;
  for (size_t i = 0; i < t->examples.n; i++)
    q->wanted[t->examples.at[i]->atom.pred] = false;
  for (size_t i = 0; i < t->rules.n; i++)
    for (uint32_t k = 0; k < t->rules.at[i]->body_len; k++)
      q->wanted[t->rules.at[i]->body[k].pred] = true;
}

/* Tells a search that was cut short from one that found something. */
typedef struct {
  pith_i_run *run;
  bool *cut_short;
} watched_run;

static pith_status poll_run(void *ctx) {
  watched_run *p = ctx;
  *p->cut_short = pith_i_stop_requested(p->run);
  return *p->cut_short ? PITH_STOPPED : PITH_OK;
}

/* The examples of its head that the rule gives. */
static pith_status ask_rule(asker *q, const pith_rule *rule) {
  assert(!q->wanted[rule->head.pred]);
  const pith_i_form *f = pith_i_form_new(&q->arena, &q->theory->names, rule);
  pith_i_plan *plan =
      f == NULL ? NULL : pith_i_plan_backwards(&q->arena, q->store, f);
  pith_i_tuples *rows = &q->store->relations.at[rule->head.pred].rows;
  bool cut_short = false;
  watched_run p = {q->opt->run, &cut_short};
  pith_i_hooks hooks = {
      .found = pith_i_stop_at_first, .poll = poll_run, .ctx = &p};
  pith_status rc = plan == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc == PITH_OK && i < q->theory->examples.n; i++) {
    const pith_atom *a = &q->theory->examples.at[i]->atom;
    if (i % 256 == 0 && pith_i_stop_requested(q->opt->run))
      return PITH_STOPPED;
    if (a->pred != rule->head.pred || plan->form->never ||
        pith_i_tuples_find(rows, a->args) != PITH_NONE ||
        !pith_i_plan_set_head(plan, a->args))
      continue;
    rc = pith_i_plan_run(plan, &hooks);
    if (cut_short)
      return PITH_STOPPED;
    if (rc == PITH_STOPPED)
      rc = pith_i_tuples_add(q->store->env, rows, a->args, NULL, NULL);
  }
  return rc;
}

pith_status pith_i_closure_examples(const pith_i_theory *theory,
                                    pith_i_store *store,
                                    const pith_i_closure_options *opt,
                                    pith_infer_info *info) {
  asker q = {.theory = theory, .store = store, .opt = opt};
  pith_i_closure_options rest = *opt;
  q.arena.env = store->env;
  q.wanted =
      pith_i_alloc(store->env, (theory->names.preds.n + 1) * sizeof *q.wanted);
  if (q.wanted == NULL)
    return PITH_ENOMEM;
  find_derived_whole(&q);
  rest.wanted = q.wanted;
  pith_status rc = pith_i_closure(theory, store, &rest, info);
  for (size_t i = 0; rc == PITH_OK && i < theory->rules.n; i++) {
    if (!q.wanted[theory->rules.at[i]->head.pred])
      rc = ask_rule(&q, theory->rules.at[i]);
    pith_i_arena_free(&q.arena);
  }
  pith_i_release(store->env, q.wanted);
  if (rc < 0)
    pith_i_store_forget(store);
  if (info != NULL) {
    info->derived = pith_i_fact_count(store, PITH_NONE, PITH_DERIVED);
    info->complete = rc == PITH_OK;
  }
  return rc;
}
