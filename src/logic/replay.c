#include "logic/replay.h"

#include <assert.h>

#include "logic/closure.h"

/* The rules of each predicate as a list, and what is still to be followed. */
typedef struct {
  const pith_i_theory *theory;
  uint32_t *first; /* (predicates) rule, or PITH_NONE */
  uint32_t *next;  /* (rules) of the same head, or PITH_NONE */
  pith_pred *open; /* (open_count, at most predicates) */
  size_t open_count;
  bool *wanted; /* (predicates) */
} follower;

static void follow_predicate(follower *f, pith_pred pred) {
  assert(pred < f->theory->names.preds.n);
  if (f->wanted[pred])
    return;
  f->wanted[pred] = true;
  f->open[f->open_count++] = pred;
}

static void follow_rules(follower *f) {
  const pith_i_theory *t = f->theory;
  while (f->open_count > 0) {
    pith_pred pred = f->open[--f->open_count];
    for (uint32_t i = f->first[pred]; i != PITH_NONE; i = f->next[i])
      for (uint32_t j = 0; j < t->rules.at[i]->body_len; j++)
        follow_predicate(f, t->rules.at[i]->body[j].pred);
  }
}

/* The predicates that pred depends on, itself among them. */
static pith_status find_what_goal_needs(pith_i_env *env, const pith_i_theory *t,
                                        pith_pred pred, bool *wanted) {
  size_t preds = t->names.preds.n, rules = t->rules.n;
  uint32_t *room = pith_i_alloc(env, (2 * preds + rules) * sizeof *room);
  if (room == NULL)
    return PITH_ENOMEM;
  follower f = {.theory = t,
                .first = room,
                .next = room + preds,
                .open = room + preds + rules,
                .wanted = wanted};
  for (size_t i = 0; i < preds; i++)
    f.first[i] = PITH_NONE;
  for (size_t i = 0; i < rules; i++) {
    uint32_t *first = &f.first[t->rules.at[i]->head.pred];
    f.next[i] = *first;
    *first = (uint32_t)i;
  }
  follow_predicate(&f, pred);
  follow_rules(&f);
  pith_i_release(env, room);
  return PITH_OK;
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
  pith_status rc = find_what_goal_needs(store->env, theory, goal->pred, wanted);
  if (rc >= 0)
    rc = copy_given(store, wanted, steps);
  pith_i_closure_options opt = {
      .record = true, .until = goal, .wanted = wanted};
  if (rc >= 0)
    rc = pith_i_closure(theory, steps, &opt, NULL);
  pith_i_release(store->env, wanted);
  return rc;
}
