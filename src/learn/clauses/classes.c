#include "learn/clauses/classes.h"

#include <assert.h>

#include "base/tunables.h"

static bool is_listed(const pith_i_turns *classes, pith_sym value) {
  for (size_t i = 0; i < classes->n; i++)
    if (classes->at[i].value == value)
      return true;
  return false;
}

/* The values in a place of the first world's positive examples, up to one more
** than there may be. */
static pith_status list_values(const pith_i_task *task, pith_pred target,
                               uint32_t place, pith_i_turns *out) {
  const pith_i_theory *t = task->worlds[0].theory;
  out->n = 0;
  for (size_t i = 0;
       i < t->examples.n && out->n <= PITH_TUNE_LANGUAGE_CONSTANTS; i++) {
    const pith_example *e = t->examples.at[i];
    if (e->atom.pred != target || !e->positive ||
        is_listed(out, e->atom.args[place]))
      continue;
    pith_i_turn turn = {target, place, e->atom.args[place]};
    if (!pith_i_push(task->env, out, turn))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static bool is_in_rows(const pith_i_tuples *rows, const pith_i_turns *classes) {
  for (size_t i = 0; i < rows->n * rows->width; i++)
    if (is_listed(classes, rows->at[i]))
      return true;
  return false;
}

static bool is_in_rules(const pith_i_theory *t, const pith_i_turns *classes) {
  for (size_t i = 0; i < t->rules.n; i++)
    for (uint32_t k = 0; k < t->rules.at[i]->head.arity; k++)
      if (is_listed(classes, t->rules.at[i]->head.args[k]))
        return true;
  return false;
}

/* Whether facts may have one of the values. */
static bool is_known(const pith_i_world *world, const pith_i_turns *classes) {
  const pith_i_store *s = world->store;
  for (size_t p = 0; p < s->relations.n; p++)
    if (is_in_rows(&s->relations.at[p].rows, classes))
      return true;
  return is_in_rules(world->theory, classes);
}

static bool are_classes(const pith_i_task *task, const pith_i_turns *classes) {
  return classes->n > 1 && classes->n <= PITH_TUNE_LANGUAGE_CONSTANTS &&
         2 * classes->n <= task->positives &&
         !is_known(&task->worlds[0], classes);
}

pith_status pith_i_list_classes(const pith_i_task *task, pith_pred target,
                                pith_i_turns *out) {
  const pith_i_names *names = &task->worlds[0].theory->names;
  uint32_t arity = pith_i_pred(names, target)->arity;
  assert(out->n == 0);
  pith_status rc = PITH_OK;
  for (uint32_t k = arity; rc >= 0 && arity > 1 && k-- > 0;) {
    rc = list_values(task, target, k, out);
    if (rc >= 0 && are_classes(task, out))
      return PITH_OK;
  }
  out->n = 0;
  return rc;
}
