/* Which variables may be the same: two places may hold one variable when they
** share a constant, or when the bias gives both the same type. */
#include "learn/clauses/language_parts.h"

#include <string.h>

#include "learn/clauses/ordered_places.h"
#include "task/shared_places.h"
#include "task/vocabulary.h"

typedef pith_i_space space;

pith_sym pith_i_space_type(const space *s, pith_pred pred, uint32_t place) {
  return pith_i_place_type(&s->worlds[0].theory->names, pred, place);
}

/* Of some types a rule has one variable, the head's. */
bool pith_i_space_single_type(const space *s, pith_sym type) {
  const pith_i_theory *t = s->worlds[0].theory;
  for (size_t i = 0; type != PITH_NONE && i < t->single_types.n; i++)
    if (t->single_types.at[i] == type)
      return pith_i_single_place(&t->names, s->target, type) != PITH_NONE;
  return false;
}

static void number_domains(space *s) {
  s->domain_count = 0;
  for (uint32_t i = 0; i < s->head; i++)
    s->head_domain[i] = s->domain_count++;
  for (size_t c = 0; c < s->choices.n; c++)
    for (uint32_t i = 0; i < s->choices.at[c].arity; i++)
      s->choices.at[c].domain[i] = s->domain_count++;
}

static void add_columns(const space *s, pith_i_shared_places *p) {
  for (uint32_t i = 0; i < s->head; i++)
    pith_i_places_add(p, s->head_domain[i], s->args + i, s->examples, s->head);
  for (size_t c = 0; c < s->choices.n; c++) {
    const pith_i_tuples *rows = &s->store.relations.at[c].rows;
    for (uint32_t i = 0; i < s->choices.at[c].arity && rows->n > 0; i++)
      pith_i_places_add(p, s->choices.at[c].domain[i], rows->at + i, rows->n,
                        rows->width);
  }
}

/* type: (domains) that the bias gives, or PITH_NONE. */
static void find_types(const space *s, pith_sym *type) {
  for (uint32_t i = 0; i < s->head; i++)
    type[s->head_domain[i]] = pith_i_space_type(s, s->target, i);
  for (size_t c = 0; c < s->choices.n; c++) {
    const pith_i_kind_of_atom *x = &s->choices.at[c];
    for (uint32_t i = 0; i < x->arity; i++)
      type[x->domain[i]] = pith_i_space_type(s, x->pred, x->place[i]);
  }
}

/* Given types part what shares constants by accident. An (in)equality goes
** with everything. */
static void apply_types(space *s, const pith_sym *type) {
  for (uint32_t a = 0; a < s->domain_count; a++)
    for (uint32_t b = 0; type[a] != PITH_NONE && b < s->domain_count; b++)
      if (type[b] != PITH_NONE && type[a] != type[b])
        s->domains.at[(size_t)a * s->domain_count + b] = 0;
  for (size_t c = 0; c < s->choices.n; c++)
    if (s->choices.at[c].kind >= PITH_I_EQUAL_ATOM &&
        s->choices.at[c].arity == 2)
      for (uint32_t a = 0; a < 2 * s->domain_count; a++) {
        uint32_t d = s->choices.at[c].domain[a % 2];
        s->domains.at[(size_t)d * s->domain_count + a / 2] = 1;
        s->domains.at[(size_t)(a / 2) * s->domain_count + d] = 1;
      }
}

static void find_only_variables(space *s, const pith_sym *type) {
  const pith_i_theory *t = s->worlds[0].theory;
  for (uint32_t d = 0; d < s->domain_count; d++) {
    uint32_t place = PITH_NONE;
    if (pith_i_space_single_type(s, type[d]))
      place = pith_i_single_place(&t->names, s->target, type[d]);
    s->only.at[d] = place == PITH_NONE ? 0 : (uint8_t)(place + 1);
  }
}

pith_status pith_i_space_find_domains(pith_i_space *s) {
  number_domains(s);
  size_t n = (size_t)s->domain_count * s->domain_count;
  s->domains.n = 0;
  s->only.n = 0;
  if (!pith_i_room(s->env, &s->domains, n + 1) ||
      !pith_i_room(s->env, &s->only, s->domain_count + (size_t)1))
    return PITH_ENOMEM;
  memset(s->domains.at, 0, n * sizeof *s->domains.at);
  pith_i_shared_places shared;
  pith_sym *type = pith_i_zalloc(s->env, s->domain_count + 1, sizeof *type);
  pith_status rc =
      pith_i_places_init(&shared, s->env, s->domain_count, s->constants);
  bool room = rc >= 0 && type != NULL;
  if (room) {
    add_columns(s, &shared);
    pith_i_places_meet(&shared, s->domains.at);
    find_types(s, type);
    find_only_variables(s, type);
    apply_types(s, type);
  }
  pith_i_places_free(&shared);
  pith_i_release(s->env, type);
  return room ? pith_i_space_find_orders(s) : PITH_ENOMEM;
}

/* ---- steps --------------------------------------------------------------- */

/* Two places of the relation may hold what the head has in its place. */
static bool is_step(const space *s, const pith_i_kind_of_atom *c,
                    uint32_t head) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->arity; i++)
    count += pith_i_may_meet(s, head, c->domain[i]);
  return c->kind == PITH_I_GIVEN_ATOM && count > 1;
}

bool pith_i_space_has_steps(const pith_i_space *s) {
  for (uint32_t h = 0; h < s->head; h++) {
    for (uint32_t g = 0; g < h; g++)
      if (pith_i_may_meet(s, s->head_domain[g], s->head_domain[h]))
        return true;
    for (size_t c = 0; c < s->choices.n; c++)
      if (is_step(s, &s->choices.at[c], s->head_domain[h]))
        return true;
  }
  return false;
}
