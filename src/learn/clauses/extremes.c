#include "learn/clauses/extremes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "learn/clauses/head_values.h"
#include "task/vocabulary.h"
#include "term/compare.h"

typedef pith_i_space space;
typedef pith_i_kind_of_atom choice;

/* ---- facts ------------------------------------------------------------- */

/* A thing and one of its values: of a relation's row, or of something that has
** both, as an order has a customer and a date. */
typedef struct {
  uint32_t row, thing, value;
} measure;

typedef PITH_I_VEC(measure) measures;

static bool is_beyond(double a, double b, bool above) {
  return above ? a > b : a < b;
}

static bool is_joined(const choice *x) { return x->full == 1; }

/* Those of one relation's rows. */
static pith_status list_rows(const space *s, const choice *x, measures *out) {
  const pith_i_tuples *rows = &s->store.relations.at[x->of[0]].rows;
  for (size_t i = 0; i < rows->n; i++) {
    const uint32_t *row = rows->at + i * rows->width;
    measure m = {PITH_NONE, row[x->by[0]], row[x->by[1]]};
    if (!pith_i_push(s->env, out, m))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* Those of things that have one value in each of two relations. */
static pith_status list_joined(const space *s, const choice *x, measures *out) {
  const pith_i_tuples *things = &s->store.relations.at[x->of[0]].rows;
  const pith_i_tuples *values = &s->store.relations.at[x->of[1]].rows;
  uint32_t *thing = pith_i_alloc(s->env, (s->constants + 1) * sizeof *thing);
  if (thing == NULL)
    return PITH_ENOMEM;
  memset(thing, 0xff, s->constants * sizeof *thing);
  for (size_t i = 0; i < things->n; i++)
    thing[things->at[2 * i]] = things->at[2 * i + 1];
  bool room = true;
  for (size_t i = 0; room && i < values->n; i++) {
    uint32_t row = values->at[2 * i];
    measure m = {row, thing[row], values->at[2 * i + 1]};
    room = m.thing == PITH_NONE || pith_i_push(s->env, out, m);
  }
  pith_i_release(s->env, thing);
  return room ? PITH_OK : PITH_ENOMEM;
}

/* The value furthest to one side of each thing that has some; (constants) NaN
** elsewhere. */
static double *find_furthest(const space *s, const measures *all, bool above) {
  double *furthest = pith_i_alloc(s->env, (s->constants + 1) * sizeof(double));
  if (furthest == NULL)
    return NULL;
  for (uint32_t i = 0; i < s->constants; i++)
    furthest[i] = NAN;
  for (size_t i = 0; i < all->n; i++) {
    double *to = &furthest[all->at[i].thing],
           value = s->value[all->at[i].value];
    if (isnan(*to) || is_beyond(value, *to, above))
      *to = value;
  }
  return furthest;
}

/* What is not the furthest: a thing with each other of its values, or what has
** them. */
static pith_status fill_extreme(space *s, uint32_t at) {
  choice x = s->choices.at[at];
  bool above = x.helper == PITH_I_ABOVE;
  measures all = {0};
  pith_status rc =
      is_joined(&x) ? list_joined(s, &x, &all) : list_rows(s, &x, &all);
  double *furthest = rc < 0 ? NULL : find_furthest(s, &all, above);
  rc = rc >= 0 && furthest == NULL ? PITH_ENOMEM : rc;
  for (size_t i = 0; rc >= 0 && i < all.n; i++) {
    const measure *m = &all.at[i];
    uint32_t pair[2] = {m->thing, m->value};
    if (is_beyond(furthest[m->thing], s->value[m->value], above))
      rc = pith_i_fact_give(&s->store, at, x.full,
                            is_joined(&x) ? &m->row : pair);
  }
  pith_i_release(s->env, furthest);
  pith_i_vec_free(s->env, &all);
  return rc;
}

/* ---- which ------------------------------------------------------------- */

static pith_status add_extreme(space *s, choice c) {
  uint32_t at = (uint32_t)s->choices.n;
  assert(c.full == 1 || c.by[0] != c.by[1]);
  c.pred = PITH_NONE;
  c.kind = PITH_I_ABSENT_ATOM;
  c.arity = c.full;
  c.place[1] = 1;
  for (uint32_t i = 0; i < PITH_I_PLACES; i++)
    c.fixed[i] = PITH_NONE;
  if (!pith_i_push(s->env, &s->choices, c) ||
      pith_i_relation_get(&s->store, at, c.full) == NULL)
    return PITH_ENOMEM;
  pith_status rc = fill_extreme(s, at);
  if (rc < 0 || s->store.relations.at[at].rows.n > 0)
    return rc;
  s->choices.n--; /* everything has one value there */
  return PITH_OK;
}

/* Both ways, while there is room. */
static pith_status add_both(space *s, choice c, size_t most) {
  pith_status rc = PITH_OK;
  for (int below = 0; rc >= 0 && below < 2 && s->choices.n < most; below++) {
    c.helper = below ? PITH_I_BELOW : PITH_I_ABOVE;
    rc = add_extreme(s, c);
  }
  return rc;
}

/* Of another target we know too little to deny it. */
static bool may_have_extremes(const space *s, uint32_t c) {
  const choice *x = &s->choices.at[c];
  return x->kind == PITH_I_GIVEN_ATOM && x->helper == PITH_I_NO_HELPER &&
         x->arity == x->full && x->arity >= 2 && !pith_i_is_head_value(x) &&
         s->store.relations.at[c].rows.n < PITH_TUNE_HELPER_BASE_FACTS &&
         !pith_i_has_examples(s->worlds, s->world_count, x->pred, false);
}

static uint8_t order_of(const space *s, uint32_t c, uint32_t place) {
  return s->orders.at[s->choices.at[c].domain[place]];
}

static bool has_order(const space *s, uint32_t c, uint32_t place) {
  return order_of(s, c, place) != PITH_ORDER_NONE;
}

static pith_status add_of_rows(space *s, uint32_t c, size_t most) {
  pith_status rc = PITH_OK;
  uint32_t arity = s->choices.at[c].arity;
  for (uint32_t v = 0; v < arity; v++)
    for (uint32_t k = 0; rc >= 0 && has_order(s, c, v) && k < arity; k++)
      if (!has_order(s, c, k))
        rc = add_both(s,
                      (choice){.full = 2,
                               .of = {(uint16_t)c, (uint16_t)c},
                               .by = {(uint8_t)k, (uint8_t)v}},
                      most);
  return rc;
}

/* Whether the relation gives the rows of things that the examples are about. */
static bool owns_rows(const space *s, uint32_t c) {
  const choice *x = &s->choices.at[c];
  for (uint32_t h = 0; x->one_way && h < s->head; h++)
    if (pith_i_may_meet(s, s->head_domain[h], x->domain[1]))
      return !has_order(s, c, 1);
  return false;
}

static pith_status add_joined(space *s, uint32_t c, size_t given, size_t most) {
  pith_status rc = PITH_OK;
  for (uint32_t v = 0; rc >= 0 && owns_rows(s, c) && v < given; v++) {
    const choice *x = &s->choices.at[v];
    if (v != c && may_have_extremes(s, v) && (x->one_way || x->one_to_one) &&
        has_order(s, v, 1) &&
        pith_i_may_meet(s, s->choices.at[c].domain[0], x->domain[0]))
      rc = add_both(s, (choice){.full = 1, .of = {(uint16_t)c, (uint16_t)v}},
                    most);
  }
  return rc;
}

pith_status pith_i_extremes_deny(pith_i_space *s, size_t most) {
  size_t given = s->choices.n;
  pith_status rc = PITH_OK;
  for (uint32_t c = 0; rc >= 0 && s->value != NULL && c < given; c++) {
    if (!may_have_extremes(s, c))
      continue;
    rc = add_of_rows(s, c, most);
    if (rc >= 0)
      rc = add_joined(s, c, given, most);
  }
  return rc;
}

/* ---- definitions --------------------------------------------------------- */

const char *pith_i_extreme_text(const pith_i_space *s,
                                const pith_i_kind_of_atom *x) {
  bool above = x->helper == PITH_I_ABOVE;
  uint32_t place = is_joined(x) ? 1 : x->by[1];
  return order_of(s, x->of[1], place) == PITH_ORDER_NUMBER
             ? (above ? "_above" : "_below")
             : (above ? "_after" : "_before");
}

uint32_t pith_i_extreme_size(const pith_i_kind_of_atom *x) {
  return is_joined(x) ? 6 : 4;
}

/* The atom behind those of the rule. */
static bool add_atom(pith_i_arena *arena, pith_rule *r, pith_pred pred,
                     uint32_t arity, const pith_term *args) {
  pith_atom *a = (pith_atom *)&r->body[r->body_len++];
  pith_term *own = pith_i_arena_alloc(arena, arity * sizeof *own);
  if (own == NULL)
    return false;
  memcpy(own, args, arity * sizeof *own);
  *a = (pith_atom){.pred = pred, .arity = arity, .args = own};
  return true;
}

/* A row of the relation, of a thing with a value; the other places are open. */
static bool add_row_atom(const space *s, const choice *x, pith_i_arena *arena,
                         pith_rule *r, uint32_t thing, uint32_t value) {
  const choice *of = &s->choices.at[x->of[0]];
  pith_term args[PITH_I_PLACES];
  for (uint32_t i = 0; i < of->full; i++)
    args[i] = PITH_VAR(i == x->by[0]   ? thing
                       : i == x->by[1] ? value
                                       : r->var_count++);
  return add_atom(arena, r, of->pred, of->full, args);
}

/* What has the thing and the value. */
static bool add_owner_atoms(const space *s, const choice *x,
                            pith_i_arena *arena, pith_rule *r, uint32_t owner,
                            uint32_t thing, uint32_t value) {
  pith_term of[] = {PITH_VAR(owner), PITH_VAR(thing)};
  pith_term has[] = {PITH_VAR(owner), PITH_VAR(value)};
  return add_atom(arena, r, s->choices.at[x->of[0]].pred, 2, of) &&
         add_atom(arena, r, s->choices.at[x->of[1]].pred, 2, has);
}

pith_status pith_i_extreme_rule(const pith_i_space *s,
                                const pith_i_kind_of_atom *x, pith_pred h,
                                pith_i_arena *arena, pith_rule **out) {
  enum { MOST_ATOMS = 5 };
  pith_rule *r = pith_i_arena_alloc(arena, sizeof *r);
  pith_atom *body = pith_i_arena_alloc(arena, MOST_ATOMS * sizeof *body);
  pith_term *head = pith_i_arena_alloc(arena, 2 * sizeof *head);
  *out = r;
  if (r == NULL || body == NULL || head == NULL)
    return PITH_ENOMEM;
  bool joined = is_joined(x);
  uint32_t mine = joined ? 2 : 1, other = joined ? 4 : 2;
  head[0] = PITH_VAR(0);
  head[1] = PITH_VAR(1);
  *r = (pith_rule){.head = {.pred = h, .arity = x->full, .args = head},
                   .body = body};
  r->var_count = joined ? 5 : 3;
  r->file = PITH_NONE;
  pith_term values[] = {PITH_VAR(mine), PITH_VAR(other)};
  bool room = joined ? add_owner_atoms(s, x, arena, r, 0, 1, mine) &&
                           add_owner_atoms(s, x, arena, r, 3, 1, other)
                     : add_row_atom(s, x, arena, r, 0, mine) &&
                           add_row_atom(s, x, arena, r, 0, other);
  return room && add_atom(arena, r,
                          x->helper == PITH_I_ABOVE ? PITH_LESS : PITH_GREATER,
                          2, values)
             ? PITH_OK
             : PITH_ENOMEM;
}
