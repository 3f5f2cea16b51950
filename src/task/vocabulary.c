#include "task/vocabulary.h"

#include <assert.h>

#include "term/translate.h"

bool pith_i_bias_names_bodies(const pith_i_names *names) {
  for (pith_pred p = 0; p < names->preds.n; p++)
    if (pith_i_pred(names, p)->roles & PITH_BODY)
      return true;
  return false;
}

bool pith_i_may_be_in_bodies(const pith_i_names *names, pith_pred pred,
                             bool listed) {
  assert(pred < names->preds.n);
  return !pith_i_is_builtin(pred) &&
         (!listed || (pith_i_pred(names, pred)->roles & PITH_BODY) != 0);
}

pith_pred pith_i_pred_in_world(const pith_i_world *worlds, size_t w,
                               pith_pred pred) {
  assert(pred < worlds[0].theory->names.preds.n);
  return pith_i_pred_counterpart(worlds[0].theory, worlds[w].theory, pred);
}

pith_sym pith_i_sym_in_world(const pith_i_world *worlds, size_t w,
                             pith_sym sym) {
  return pith_i_sym_counterpart(worlds[0].theory, worlds[w].theory, sym);
}

static bool is_listed(const pith_i_preds *list, pith_pred pred) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i] == pred)
      return true;
  return false;
}

pith_status pith_i_list_targets(pith_i_env *env, const pith_i_world *worlds,
                                size_t world_count, pith_i_preds *out) {
  assert(world_count > 0);
  for (size_t w = 0; w < world_count; w++) {
    const pith_i_theory *t = worlds[w].theory;
    pith_pred last = PITH_NONE;
    for (size_t i = 0; i < t->examples.n; i++) {
      if (t->examples.at[i]->atom.pred == last)
        continue; /* examples of one predicate mostly stand together */
      last = t->examples.at[i]->atom.pred;
      pith_pred pred = pith_i_pred_counterpart(t, worlds[0].theory, last);
      assert(pred != PITH_NONE);
      if (!is_listed(out, pred) && !pith_i_push(env, out, pred))
        return PITH_ENOMEM;
    }
  }
  return PITH_OK;
}

bool pith_i_has_examples(const pith_i_world *worlds, size_t world_count,
                         pith_pred pred, bool positive_only) {
  assert(world_count > 0);
  for (size_t w = 0; w < world_count; w++) {
    const pith_i_theory *t = worlds[w].theory;
    pith_pred there = pith_i_pred_in_world(worlds, w, pred);
    for (size_t i = 0; there != PITH_NONE && i < t->examples.n; i++)
      if (t->examples.at[i]->atom.pred == there &&
          (t->examples.at[i]->positive || !positive_only))
        return true;
  }
  return false;
}

pith_sym pith_i_place_type(const pith_i_names *names, pith_pred pred,
                           uint32_t place) {
  if (pred == PITH_NONE) /* an invented one */
    return PITH_NONE;
  const pith_i_predicate *p = pith_i_pred(names, pred);
  assert(place < p->arity);
  return p->types == NULL ? PITH_NONE : p->types[place];
}

bool pith_i_may_name_constant(const pith_i_theory *theory, pith_sym constant,
                              pith_sym type) {
  for (size_t i = 0; i < theory->constants.n; i++)
    if (theory->constants.at[i].name == constant &&
        (type == PITH_NONE || theory->constants.at[i].type == PITH_NONE ||
         theory->constants.at[i].type == type))
      return true;
  return theory->constants.n == 0;
}

uint32_t pith_i_single_place(const pith_i_names *names, pith_pred pred,
                             pith_sym type) {
  uint32_t found = PITH_NONE, count = 0;
  for (uint32_t i = 0; i < pith_i_pred(names, pred)->arity; i++)
    if (pith_i_place_type(names, pred, i) == type) {
      found = i;
      count++;
    }
  return count == 1 ? found : PITH_NONE;
}

static bool keeps_single_type(const pith_i_theory *theory,
                              const pith_rule *rule, pith_sym type) {
  const pith_i_names *names = &theory->names;
  uint32_t place = pith_i_single_place(names, rule->head.pred, type);
  for (uint32_t i = 0; place != PITH_NONE && i < rule->body_len; i++) {
    const pith_atom *a = &rule->body[i];
    for (uint32_t k = 0; k < a->arity; k++)
      if (pith_i_place_type(names, a->pred, k) == type &&
          a->args[k] != rule->head.args[place])
        return false;
  }
  return true;
}

bool pith_i_keeps_single_types(const pith_i_theory *theory,
                               const pith_rule *rule) {
  assert(rule->head.pred < theory->names.preds.n);
  for (size_t i = 0; i < theory->single_types.n; i++)
    if (!keeps_single_type(theory, rule, theory->single_types.at[i]))
      return false;
  return true;
}
