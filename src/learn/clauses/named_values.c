/* The values that rules may name in a place. */
#include "learn/clauses/language_parts.h"

#include <assert.h>
#include <string.h>

#include "base/tunables.h"
#include "task/vocabulary.h"
#include "term/translate.h"

typedef pith_i_space space;

/* What the bias says of constants, as numbers of any world. */
pith_status pith_i_space_list_constants(space *s) {
  const pith_i_theory *t = s->worlds[0].theory;
  pith_status rc = PITH_OK;
  s->listed.width = 1;
  for (size_t i = 0; i < t->constants.n; i++)
    for (size_t w = 0; rc >= 0 && w < s->world_count; w++) {
      pith_sym here =
          pith_i_sym_in_world(s->worlds, w, t->constants.at[i].name);
      uint32_t number = s->base[w] + here;
      if (here != PITH_NONE)
        rc = pith_i_tuples_add(s->env, &s->listed, &number, NULL, NULL);
    }
  if (t->constants.n > s->few)
    s->few = (uint32_t)t->constants.n;
  return rc;
}

/* Whether a rule may have the constant in a place: any, where none is
** listed. */
static bool may_name(const space *s, uint32_t choice, uint32_t place,
                     uint32_t constant) {
  const pith_i_theory *t = s->worlds[0].theory;
  const pith_i_kind_of_atom *c = &s->choices.at[choice];
  if (pith_i_space_single_type(s,
                               pith_i_space_type(s, c->pred, c->place[place])))
    return false;
  if (t->constants.n == 0)
    return true;
  if (pith_i_tuples_find(&s->listed, &constant) == PITH_NONE)
    return false;
  return pith_i_may_name_constant(
      t, pith_i_space_symbol(s, constant),
      pith_i_space_type(s, c->pred, c->place[place]));
}

/* The different values in one place of a relation, if they are few. */
static pith_status values_at(const space *s, uint32_t choice, uint32_t place,
                             uint32_t most, pith_i_tuples *out) {
  assert(place < s->choices.at[choice].arity);
  const pith_i_tuples *rows = &s->store.relations.at[choice].rows;
  pith_status rc = PITH_OK;
  out->width = 1;
  for (size_t i = 0; rc >= 0 && i < rows->n && out->n <= most; i++) {
    const uint32_t *value = &rows->at[i * rows->width + place];
    if (may_name(s, choice, place, *value))
      rc = pith_i_tuples_add(s->env, out, value, NULL, NULL);
  }
  return rc;
}

/* The choice with a value in one of its open places. */
pith_i_kind_of_atom pith_i_fix_place(const pith_i_kind_of_atom *of,
                                     uint32_t place, pith_sym value) {
  assert(place < of->arity);
  pith_i_kind_of_atom c = *of;
  c.fixed[c.place[place]] = value;
  c.arity--;
  memmove(&c.place[place], &c.place[place + 1], c.arity - place);
  memmove(&c.domain[place], &c.domain[place + 1],
          (c.arity - place) * sizeof *c.domain);
  c.many = 0;
  c.one_way = c.one_to_one = false;
  memset(c.fix_count, 0, sizeof c.fix_count);
  memset(c.fixes, 0, sizeof c.fixes);
  return c;
}

/* The facts of one choice that have the value go to another. */
static pith_status copy_fixed(space *s, uint32_t from, uint32_t place,
                              uint32_t value, uint32_t to) {
  assert(from != to && place < s->choices.at[from].arity);
  uint32_t row[PITH_I_PLACES], arity = s->choices.at[to].arity;
  pith_i_index *index;
  pith_status rc = pith_i_relation_index(s->env, &s->store.relations.at[from],
                                         &place, 1, &index);
  if (rc < 0)
    return rc;
  const pith_i_tuples *rows = &s->store.relations.at[from].rows;
  uint32_t at = pith_i_index_find(index, rows, &value);
  for (; rc >= 0 && at != PITH_NONE; at = index->next[at]) {
    const uint32_t *fact = rows->at + (size_t)at * rows->width;
    for (uint32_t i = 0; i < arity; i++)
      row[i] = fact[i + (i >= place)];
    rc = pith_i_fact_give(&s->store, to, arity, row);
    rows = &s->store.relations.at[from].rows;
  }
  return rc;
}

/* One choice for a symbol, whatever number it has in a world. */
static pith_status add_value(space *s, uint32_t choice, uint32_t place,
                             pith_sym value) {
  uint32_t to = (uint32_t)s->choices.n;
  pith_i_kind_of_atom fixed =
      pith_i_fix_place(&s->choices.at[choice], place, value);
  fixed.names_example = fixed.names_example || pith_i_is_in_examples(s, value);
  pith_status rc = pith_i_space_add_choice(s, fixed);
  if (rc >= 0 &&
      pith_i_relation_get(&s->store, to, s->choices.at[to].arity) == NULL)
    rc = PITH_ENOMEM;
  for (size_t w = 0; rc >= 0 && w < s->world_count; w++) {
    pith_sym here = pith_i_sym_in_world(s->worlds, w, value);
    if (here != PITH_NONE)
      rc = copy_fixed(s, choice, place, s->base[w] + here, to);
  }
  return rc;
}

static pith_status add_fixed(space *s, uint32_t choice, uint32_t place,
                             const pith_i_tuples *values) {
  pith_status rc = PITH_OK;
  pith_i_tuples seen = {.width = 1};
  for (size_t i = 0; rc >= 0 && i < values->n; i++) {
    bool fresh = false;
    pith_sym sym = pith_i_space_symbol(s, values->at[i]);
    if (sym == PITH_NONE)
      continue;
    rc = pith_i_tuples_add(s->env, &seen, &sym, NULL, &fresh);
    if (rc >= 0 && fresh)
      rc = add_value(s, choice, place, sym);
  }
  pith_i_tuples_free(s->env, &seen);
  return rc;
}

static pith_status add_values(space *s, uint32_t choice, uint32_t place) {
  pith_i_tuples values = {0};
  pith_status rc = values_at(s, choice, place, s->few, &values);
  if (rc >= 0 && values.n <= s->few)
    rc = add_fixed(s, choice, place, &values);
  else if (rc >= 0)
    s->choices.at[choice].many |= (uint8_t)(1u << place);
  pith_i_tuples_free(s->env, &values);
  return rc;
}

/* p(X,c) beside p(X,Y), for each place with few values. Of wider relations
** they are made when asked for, since they may have several. */
pith_status pith_i_space_add_constants(space *s) {
  pith_status rc = PITH_OK;
  size_t n = s->choices.n;
  for (uint32_t i = 0; rc >= 0 && i < n; i++) {
    uint32_t arity = s->choices.at[i].arity;
    if (s->choices.at[i].kind != PITH_I_GIVEN_ATOM || arity < 2 ||
        arity > PITH_I_NARROW)
      continue;
    for (uint32_t k = 0; rc >= 0 && k < arity; k++)
      rc = add_values(s, i, k);
  }
  return rc;
}

pith_status pith_i_space_fix(pith_i_space *s, uint32_t choice, uint32_t place,
                             uint32_t *first, uint32_t *count) {
  assert(choice < s->choices.n && place < PITH_I_PLACES);
  const pith_i_kind_of_atom *c = &s->choices.at[choice];
  size_t before = s->choices.n, rows = s->store.relations.at[choice].rows.n;
  pith_status rc = PITH_OK;
  if (c->fixes[place] == 0 && s->few > 0 && c->kind == PITH_I_GIVEN_ATOM &&
      c->helper == PITH_I_NO_HELPER &&
      before + s->few < PITH_TUNE_LANGUAGE_CHOICES &&
      s->derived_rows + rows < PITH_TUNE_LANGUAGE_FIXED_FACTS) {
    rc = add_values(s, choice, place);
    for (size_t i = before; i < s->choices.n; i++) {
      s->choices.at[i].derived = true;
      pith_i_find_repeated_places(s, i);
    }
    s->derived_rows += rows;
    s->choices.at[choice].fixes[place] = (uint32_t)before;
    s->choices.at[choice].fix_count[place] = (uint32_t)(s->choices.n - before);
  }
  *first = s->choices.at[choice].fixes[place];
  *count = s->choices.at[choice].fix_count[place];
  return rc;
}

/* Different values in a place, by its index. */
pith_status pith_i_space_count_values(space *s, uint32_t choice, uint32_t place,
                                      uint32_t *out) {
  pith_i_index *index;
  pith_status rc = pith_i_relation_index(s->env, &s->store.relations.at[choice],
                                         &place, 1, &index);
  *out = rc < 0 ? 0 : (uint32_t)index->keys;
  return rc;
}

static pith_status add_proposed(space *s, uint32_t choice, uint32_t place,
                                pith_sym value, uint32_t *out) {
  uint32_t values;
  *out = (uint32_t)s->choices.n;
  pith_status rc = pith_i_space_count_values(s, choice, place, &values);
  if (rc >= 0)
    rc = add_value(s, choice, place, value);
  if (rc < 0)
    return rc;
  s->choices.at[*out].derived = true;
  s->choices.at[*out].values = values;
  pith_i_find_repeated_places(s, *out);
  return PITH_OK;
}

/* Whether the bias lets a rule name the symbol there, in some world. */
static bool may_name_symbol(const space *s, uint32_t choice, uint32_t place,
                            pith_sym value) {
  bool may = s->worlds[0].theory->constants.n == 0 &&
             s->worlds[0].theory->single_types.n == 0;
  for (size_t w = 0; w < s->world_count && !may; w++) {
    pith_sym here = pith_i_sym_in_world(s->worlds, w, value);
    may = here != PITH_NONE && may_name(s, choice, place, s->base[w] + here);
  }
  return may;
}

pith_status pith_i_space_value(pith_i_space *s, uint32_t choice, uint32_t place,
                               pith_sym value, uint32_t *out) {
  uint32_t key[3] = {choice, place, value}, row;
  bool fresh;
  *out = PITH_NONE;
  s->valued.width = 3;
  pith_status rc = pith_i_tuples_add(s->env, &s->valued, key, &row, &fresh);
  if (rc >= 0 && fresh && !pith_i_push(s->env, &s->valued_as, PITH_NONE))
    rc = PITH_ENOMEM;
  if (rc >= 0 && fresh && s->choices.n < PITH_TUNE_LANGUAGE_CHOICES &&
      may_name_symbol(s, choice, place, value))
    rc = add_proposed(s, choice, place, value, &s->valued_as.at[row]);
  if (rc >= 0)
    *out = s->valued_as.at[row];
  return rc;
}
