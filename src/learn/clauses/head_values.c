#include "learn/clauses/head_values.h"

#include <assert.h>

#include "task/vocabulary.h"
#include "term/translate.h"

/* The different symbols in a place of the positive examples, up to most + 1. */
static pith_status list_values(pith_i_space *s, uint32_t place, uint32_t most,
                               pith_i_tuples *out) {
  pith_status rc = PITH_OK;
  out->width = 1;
  for (uint32_t i = 0; rc >= 0 && i < s->positives && out->n <= most; i++) {
    pith_sym sym = pith_i_space_symbol(s, s->args[(size_t)i * s->head + place]);
    if (sym != PITH_NONE)
      rc = pith_i_tuples_add(s->env, out, &sym, NULL, NULL);
  }
  return rc;
}

/* Whether some fact of what may stand in bodies has the value, in the first
** world. */
static bool is_in_facts(const pith_i_space *s, pith_sym value) {
  for (uint32_t c = 0; c < s->choices.n; c++) {
    const pith_i_tuples *rows = &s->store.relations.at[c].rows;
    for (size_t i = 0; s->choices.at[c].kind == PITH_I_GIVEN_ATOM &&
                       i < rows->n * rows->width;
         i++)
      if (rows->at[i] == s->base[0] + value)
        return true;
  }
  return false;
}

static bool may_name_all(const pith_i_space *s, const pith_i_tuples *values,
                         uint32_t most) {
  if (values->n > 1 && values->n > most)
    return false;
  for (size_t i = 0; i < values->n; i++)
    if (is_in_facts(s, values->at[i]))
      return false;
  return true;
}

/* A relation of the one constant, in each world that has it. */
static pith_status add_head_value(pith_i_space *s, pith_sym value) {
  pith_i_kind_of_atom c = {.pred = PITH_EQUAL, .kind = PITH_I_GIVEN_ATOM};
  uint32_t at = (uint32_t)s->choices.n;
  c.arity = 1;
  c.full = 2;
  for (uint32_t i = 0; i < PITH_I_PLACES; i++) {
    c.place[i] = (uint8_t)i;
    c.fixed[i] = PITH_NONE;
  }
  c.fixed[1] = value;
  if (!pith_i_push(s->env, &s->choices, c) ||
      pith_i_relation_get(&s->store, at, 1) == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (size_t w = 0; rc >= 0 && w < s->world_count; w++) {
    pith_sym here = pith_i_sym_in_world(s->worlds, w, value);
    uint32_t number = s->base[w] + here;
    if (here != PITH_NONE)
      rc = pith_i_fact_give(&s->store, at, 1, &number);
  }
  return rc;
}

/* Whether all examples have the one value in a place. */
static bool is_given(const pith_i_space *s, uint32_t place,
                     const pith_i_tuples *values) {
  if (values->n != 1)
    return false;
  for (uint32_t i = s->positives; i < s->examples; i++)
    if (pith_i_space_symbol(s, s->args[(size_t)i * s->head + place]) !=
        values->at[0])
      return false;
  return true;
}

static pith_status name_values(pith_i_space *s, uint32_t place,
                               const pith_i_tuples *values) {
  pith_status rc = PITH_OK;
  if (is_given(s, place, values)) {
    s->given |= UINT32_C(1) << place;
    s->given_value[place] = values->at[0];
    return PITH_OK;
  }
  for (size_t i = 0; rc >= 0 && i < values->n; i++)
    rc = add_head_value(s, values->at[i]);
  return rc;
}

pith_status pith_i_space_add_head_values(pith_i_space *s, uint32_t most) {
  pith_status rc = PITH_OK;
  assert(s->examples >= s->positives);
  for (uint32_t k = 0; rc >= 0 && k < s->head && s->head > 1; k++) {
    pith_i_tuples values = {0};
    rc = list_values(s, k, most > 0 ? most : 1, &values);
    if (rc >= 0 && may_name_all(s, &values, most))
      rc = name_values(s, k, &values);
    pith_i_tuples_free(s->env, &values);
  }
  return rc;
}
