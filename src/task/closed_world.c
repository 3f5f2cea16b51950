#include "task/closed_world.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"

enum { MOST_PLACES = 8 };

/* The target at hand, and what may stand in its places. */
typedef struct {
  const pith_i_world *world;
  pith_pred target;
  uint32_t arity;
  pith_i_tuples place[MOST_PLACES]; /* (constant) */
  pith_i_tuples positive;           /* (arity) */
  size_t most, added;
  uint64_t seed;
} closer;

static bool has_only_positives(const pith_i_theory *t, pith_pred pred) {
  bool some = false;
  for (size_t i = 0; i < t->examples.n; i++) {
    if (t->examples.at[i]->atom.pred != pred)
      continue;
    if (!t->examples.at[i]->positive)
      return false;
    some = true;
  }
  return some;
}

static pith_status take_examples(closer *c) {
  const pith_i_theory *t = c->world->theory;
  pith_status rc = PITH_OK;
  c->positive.width = c->arity;
  for (size_t i = 0; rc >= 0 && i < t->examples.n; i++) {
    const pith_atom *a = &t->examples.at[i]->atom;
    if (a->pred == c->target)
      rc = pith_i_tuples_add(t->env, &c->positive, a->args, NULL, NULL);
    for (uint32_t k = 0; rc >= 0 && a->pred == c->target && k < c->arity; k++)
      rc = pith_i_tuples_add(t->env, &c->place[k], &a->args[k], NULL, NULL);
  }
  return rc;
}

/* Adds a column's constants if the examples have one of them in the place. */
static pith_status take_column(closer *c, const pith_i_tuples *rows,
                               uint32_t column, uint32_t place, size_t known) {
  pith_i_env *env = c->world->theory->env;
  pith_status rc = PITH_OK;
  bool meets = false;
  for (size_t i = 0; i < rows->n && !meets; i++) {
    uint32_t at = pith_i_tuples_find(&c->place[place],
                                     rows->at + i * rows->width + column);
    meets = at < known;
  }
  for (size_t i = 0; rc >= 0 && meets && i < rows->n; i++)
    rc = pith_i_tuples_add(env, &c->place[place],
                           rows->at + i * rows->width + column, NULL, NULL);
  return rc;
}

static pith_status take_columns(closer *c) {
  const pith_i_store *s = c->world->store;
  pith_status rc = PITH_OK;
  for (uint32_t k = 0; rc >= 0 && k < c->arity; k++) {
    size_t known = c->place[k].n;
    for (size_t p = 0; rc >= 0 && p < s->relations.n; p++) {
      const pith_i_tuples *rows = &s->relations.at[p].rows;
      for (uint32_t i = 0; rc >= 0 && rows->n > 0 && i < rows->width; i++)
        rc = take_column(c, rows, i, k, known);
    }
  }
  return rc;
}

static pith_status add_negative(closer *c, const pith_sym *args) {
  pith_i_theory *t = c->world->theory;
  pith_atom atom = {.pred = c->target, .arity = c->arity, .args = args};
  if (pith_i_tuples_find(&c->positive, args) != PITH_NONE ||
      pith_i_fact_holds(c->world->store, c->target, args) ||
      pith_i_example_find(t, &atom) != PITH_NONE)
    return PITH_OK;
  pith_status rc = pith_i_example_add(t, &atom, false, 1);
  c->added += rc >= 0;
  return rc;
}

static double count_atoms(const closer *c) {
  double n = 1;
  for (uint32_t k = 0; k < c->arity; k++)
    n *= (double)c->place[k].n;
  return n;
}

static pith_status add_all(closer *c, size_t count) {
  pith_sym args[MOST_PLACES];
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < count; i++) {
    size_t rest = i;
    for (uint32_t k = c->arity; k-- > 0; rest /= c->place[k].n)
      args[k] = c->place[k].at[rest % c->place[k].n];
    rc = add_negative(c, args);
  }
  return rc;
}

static pith_status add_drawn(closer *c) {
  pith_sym args[MOST_PLACES];
  pith_status rc = PITH_OK;
  for (uint64_t i = 0; rc >= 0 && c->added < c->most && i < 8 * c->most; i++) {
    uint64_t other = pith_i_random(c->seed, 1, i) % c->arity;
    size_t from = pith_i_random(c->seed, 2, i) % c->positive.n;
    for (uint32_t k = 0; k < c->arity; k++)
      args[k] = i % 2 == 0 && k != other
                    ? c->positive.at[from * c->arity + k]
                    : c->place[k]
                          .at[pith_i_random(c->seed, 3 + k, i) % c->place[k].n];
    rc = add_negative(c, args);
  }
  return rc;
}

static pith_status close_target(closer *c) {
  for (uint32_t k = 0; k < c->arity; k++)
    c->place[k].width = 1;
  pith_status rc = take_examples(c);
  if (rc >= 0)
    rc = take_columns(c);
  if (rc >= 0)
    rc = count_atoms(c) <= (double)c->most ? add_all(c, (size_t)count_atoms(c))
                                           : add_drawn(c);
  for (uint32_t k = 0; k < c->arity; k++)
    pith_i_tuples_free(c->world->theory->env, &c->place[k]);
  pith_i_tuples_free(c->world->theory->env, &c->positive);
  return rc;
}

pith_status pith_i_close_world(const pith_i_world *world, size_t most,
                               uint64_t seed, size_t *added) {
  const pith_i_names *names = &world->theory->names;
  pith_status rc = PITH_OK;
  *added = 0;
  for (pith_pred p = 0; rc >= 0 && p < names->preds.n; p++) {
    closer c = {.world = world, .target = p, .most = most, .seed = seed};
    c.arity = pith_i_pred(names, p)->arity;
    if (c.arity == 0 || c.arity > MOST_PLACES ||
        !has_only_positives(world->theory, p))
      continue;
    rc = close_target(&c);
    *added += c.added;
  }
  return rc;
}
