#include "term/theory.h"

#include <assert.h>
#include <string.h>

pith_status pith_i_theory_init(pith_i_theory *t, pith_i_env *env) {
  memset(t, 0, sizeof *t);
  t->env = env;
  t->arena.env = env;
  return pith_i_names_init(&t->names, env);
}

void pith_i_theory_free(pith_i_theory *t) {
  for (size_t i = 0; i < t->example_sets.n; i++) {
    pith_i_tuples_free(t->env, &t->example_sets.at[i]);
    pith_i_vec_free(t->env, &t->example_rows.at[i]);
  }
  pith_i_vec_free(t->env, &t->example_sets);
  pith_i_vec_free(t->env, &t->example_rows);
  pith_i_vec_free(t->env, &t->constants);
  pith_i_vec_free(t->env, &t->single_types);
  pith_i_vec_free(t->env, &t->prefixes);
  pith_i_vec_free(t->env, &t->rules);
  pith_i_vec_free(t->env, &t->templates);
  pith_i_vec_free(t->env, &t->examples);
  pith_i_arena_free(&t->arena);
  pith_i_names_free(&t->names);
}

/* ---- rules ----------------------------------------------------------- */

static bool copy_words(pith_i_arena *a, const uint32_t *from, size_t n,
                       const uint32_t **to) {
  *to = NULL;
  if (from == NULL || n == 0)
    return true;
  uint32_t *copy = pith_i_arena_alloc(a, n * sizeof *copy);
  if (copy == NULL)
    return false;
  memcpy(copy, from, n * sizeof *copy);
  *to = copy;
  return true;
}

static bool copy_atom_into(pith_i_arena *a, const pith_atom *from,
                           pith_atom *to) {
  *to = *from;
  return copy_words(a, from->args, from->arity, &to->args);
}

static bool copy_rule(pith_i_arena *a, const pith_rule *from, pith_rule *to) {
  *to = *from;
  pith_atom *body = pith_i_arena_alloc(a, (from->body_len + 1) * sizeof *body);
  if (body == NULL || !copy_atom_into(a, &from->head, &to->head) ||
      !copy_words(a, from->var_names, from->var_count, &to->var_names))
    return false;
  for (uint32_t i = 0; i < from->body_len; i++)
    if (!copy_atom_into(a, &from->body[i], &body[i]))
      return false;
  to->body = body;
  return true;
}

pith_rule *pith_i_rule_copy(pith_i_arena *a, const pith_rule *rule) {
  pith_rule *copy = pith_i_arena_alloc(a, sizeof *copy);
  return copy != NULL && copy_rule(a, rule, copy) ? copy : NULL;
}

pith_status pith_i_rule_add(pith_i_theory *t, const pith_rule *rule) {
  assert(pith_i_pred(&t->names, rule->head.pred)->arity == rule->head.arity);
  if (!pith_i_room(t->env, &t->rules, 1))
    return PITH_ENOMEM;
  pith_rule *copy = pith_i_rule_copy(&t->arena, rule);
  if (copy == NULL)
    return PITH_ENOMEM;
  t->rules.at[t->rules.n++] = copy;
  return PITH_OK;
}

pith_status pith_i_template_add(pith_i_theory *t, const pith_template *tp) {
  assert(tp->shape.head.pred < tp->slot_count);
  if (!pith_i_room(t->env, &t->templates, 1))
    return PITH_ENOMEM;
  pith_template *copy = pith_i_arena_alloc(&t->arena, sizeof *copy);
  pith_slot *slots =
      pith_i_arena_alloc(&t->arena, tp->slot_count * sizeof *slots);
  if (copy == NULL || slots == NULL)
    return PITH_ENOMEM;
  *copy = *tp;
  memcpy(slots, tp->slots, tp->slot_count * sizeof *slots);
  copy->slots = slots;
  if (!copy_rule(&t->arena, &tp->shape, &copy->shape))
    return PITH_ENOMEM;
  t->templates.at[t->templates.n++] = copy;
  return PITH_OK;
}

/* Whether every variable of the term is bound: bound[i] for variable i. */
static bool is_bound(const bool *bound, pith_term term) {
  assert(!PITH_IS_VAR(term) || bound != NULL);
  return !PITH_IS_VAR(term) || bound[PITH_VAR_INDEX(term)];
}

static void bind_term(bool *bound, pith_term term) {
  if (PITH_IS_VAR(term))
    bound[PITH_VAR_INDEX(term)] = true;
}

/* Spreads what is bound over the equalities until nothing changes. */
static void spread_over_equalities(const pith_rule *rule, bool *bound) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < rule->body_len; i++) {
      const pith_atom *a = &rule->body[i];
      if (a->pred != PITH_EQUAL)
        continue;
      bool left = is_bound(bound, a->args[0]);
      bool right = is_bound(bound, a->args[1]);
      if (left != right) {
        bind_term(bound, a->args[0]);
        bind_term(bound, a->args[1]);
        changed = true;
      }
    }
  }
}

static uint32_t first_unbound(const bool *bound, const pith_atom *a) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (!is_bound(bound, a->args[i]))
      return PITH_VAR_INDEX(a->args[i]);
  return PITH_NONE;
}

bool pith_i_atom_has(const pith_atom *a, pith_term term) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (a->args[i] == term)
      return true;
  return false;
}

/* How many atoms of the body have the variable. */
static uint32_t count_atoms_with(const pith_rule *rule, pith_term var) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < rule->body_len; i++)
    n += pith_i_atom_has(&rule->body[i], var);
  return n;
}

/* The head is looked at before, so that a variable of it is never found. */
static uint32_t first_unsafe(const pith_rule *rule, const bool *bound,
                             const pith_atom *a) {
  if (!a->negated)
    return first_unbound(bound, a);
  for (uint32_t i = 0; i < a->arity; i++)
    if (!is_bound(bound, a->args[i]) && count_atoms_with(rule, a->args[i]) > 1)
      return PITH_VAR_INDEX(a->args[i]);
  return PITH_NONE;
}

static uint32_t find_unbound(const pith_rule *rule, bool *bound) {
  for (uint32_t i = 0; i < rule->body_len; i++) {
    const pith_atom *a = &rule->body[i];
    if (!pith_i_is_builtin(a->pred) && !a->negated)
      for (uint32_t j = 0; j < a->arity; j++)
        bind_term(bound, a->args[j]);
  }
  spread_over_equalities(rule, bound);
  uint32_t v = first_unbound(bound, &rule->head);
  for (uint32_t i = 0; v == PITH_NONE && i < rule->body_len; i++)
    v = first_unsafe(rule, bound, &rule->body[i]);
  return v;
}

pith_status pith_i_rule_unbound(pith_i_env *env, const pith_rule *rule,
                                uint32_t *var) {
  bool small[64] = {false};
  bool *bound = small;
  if (rule->var_count > sizeof small / sizeof *small) {
    bound = pith_i_zalloc(env, rule->var_count, sizeof *bound);
    if (bound == NULL)
      return PITH_ENOMEM;
  }
  *var = find_unbound(rule, bound);
  if (bound != small)
    pith_i_release(env, bound);
  return PITH_OK;
}

/* ---- examples -------------------------------------------------------- */

static pith_status sets_for(pith_i_theory *t, uint32_t arity) {
  while (t->example_sets.n <= arity) {
    if (!pith_i_room(t->env, &t->example_sets, 1) ||
        !pith_i_room(t->env, &t->example_rows, 1))
      return PITH_ENOMEM;
    size_t i = t->example_sets.n++;
    t->example_rows.n++;
    memset(&t->example_sets.at[i], 0, sizeof t->example_sets.at[i]);
    memset(&t->example_rows.at[i], 0, sizeof t->example_rows.at[i]);
    t->example_sets.at[i].width = (uint32_t)i + 1;
  }
  return PITH_OK;
}

enum { SMALL = 32 };

/* (pred, args) in one row; small is used when it is large enough. */
static uint32_t *example_key(pith_i_env *env, const pith_atom *atom,
                             uint32_t *small) {
  uint32_t *key = atom->arity < SMALL
                      ? small
                      : pith_i_alloc(env, (atom->arity + 1) * sizeof *key);
  if (key != NULL) {
    key[0] = atom->pred;
    if (atom->arity > 0)
      memcpy(key + 1, atom->args, atom->arity * sizeof *key);
  }
  return key;
}

uint32_t pith_i_example_find(const pith_i_theory *t, const pith_atom *atom) {
  assert(atom->arity == 0 || atom->args != NULL);
  if (atom->arity >= t->example_sets.n)
    return PITH_NONE;
  uint32_t small[SMALL];
  uint32_t *key = example_key(t->env, atom, small);
  if (key == NULL)
    return PITH_NONE;
  uint32_t row = pith_i_tuples_find(&t->example_sets.at[atom->arity], key);
  if (key != small)
    pith_i_release(t->env, key);
  return row == PITH_NONE ? PITH_NONE : t->example_rows.at[atom->arity].at[row];
}

static pith_status example_append(pith_i_theory *t, const pith_atom *atom,
                                  bool positive, double weight) {
  assert(pith_i_pred(&t->names, atom->pred)->arity == atom->arity);
  if (!pith_i_room(t->env, &t->examples, 1))
    return PITH_ENOMEM;
  pith_example *e = pith_i_arena_alloc(&t->arena, sizeof *e);
  if (e == NULL || !copy_atom_into(&t->arena, atom, &e->atom))
    return PITH_ENOMEM;
  e->positive = positive;
  e->weight = weight;
  t->examples.at[t->examples.n++] = e;
  return PITH_OK;
}

pith_status pith_i_example_add(pith_i_theory *t, const pith_atom *atom,
                               bool positive, double weight) {
  pith_status rc = sets_for(t, atom->arity);
  if (rc < 0)
    return rc;
  uint32_t there = pith_i_example_find(t, atom);
  if (there != PITH_NONE)
    return t->examples.at[there]->positive == positive
               ? PITH_OK
               : pith_i_fail(t->env, PITH_EINPUT,
                             "an example that is both positive and negative");
  uint32_t arity = atom->arity, small[SMALL], row;
  if (!pith_i_room(t->env, &t->example_rows.at[arity], 1))
    return PITH_ENOMEM;
  uint32_t *key = example_key(t->env, atom, small);
  if (key == NULL)
    return PITH_ENOMEM;
  rc = example_append(t, atom, positive, weight);
  if (rc >= 0) {
    rc = pith_i_tuples_add(t->env, &t->example_sets.at[arity], key, &row, NULL);
    if (rc < 0)
      t->examples.n--;
    else
      t->example_rows.at[arity].at[t->example_rows.at[arity].n++] =
          (uint32_t)t->examples.n - 1;
  }
  if (key != small)
    pith_i_release(t->env, key);
  if (rc >= 0)
    pith_i_pred(&t->names, atom->pred)->roles |= PITH_TARGET;
  return rc;
}
