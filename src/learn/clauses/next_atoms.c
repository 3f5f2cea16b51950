#include "learn/clauses/next_atoms.h"
#include "learn/clauses/head_values.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "learn/clauses/cut_points.h"
#include "learn/clauses/part_calls.h"

typedef pith_i_growth growth;
typedef pith_i_piece part;

/* ---- all atoms ---------------------------------------------------------- */

/* Whether the atom hangs on what is there: on a variable of the part that is
** not the head's, or, for the first atom, on one of the head's. */
static bool is_connected_atom(const pith_i_attempt *a, uint32_t arity) {
  const pith_i_lit *atom = &a->atoms[a->n - 1];
  uint32_t head = a->g->m->space->head;
  bool found = arity == 0 && a->from == NULL;
  for (uint32_t k = 0; k < arity; k++)
    found = found || (atom->arg[k] < a->vars &&
                      (a->from == NULL || atom->arg[k] >= head));
  return found;
}

/* A new variable twice in one atom: only where some fact has that. */
static bool may_repeat(const pith_i_kind_of_atom *c, const pith_i_lit *atom,
                       uint32_t place, uint32_t v) {
  for (uint32_t i = 0; i < place; i++)
    if (atom->arg[i] == v && !(c->twice >> (PITH_I_PLACES * i + place) & 1))
      return false;
  return true;
}

/* Choices may move on the way, when values are proposed. */
static pith_status fill_places(pith_i_attempt *a, uint32_t place,
                               uint32_t fresh) {
  growth *g = a->g;
  const pith_i_space *s = g->m->space;
  pith_i_lit *atom = &a->atoms[a->n - 1];
  uint32_t arity = s->choices.at[atom->choice].arity;
  if (place == arity) {
    bool counts = is_connected_atom(a, arity) && !pith_i_is_useless_atom(a);
    if (counts)
      pith_i_count_next_atom(a);
    return counts && (fresh == 0) == a->tests ? pith_i_try_atom(a, fresh)
                                              : PITH_OK;
  }
  uint32_t end = a->vars + fresh,
           domain = s->choices.at[atom->choice].domain[place];
  uint32_t only = pith_i_only_variable(s, domain);
  bool in_head = pith_i_is_head_value(&s->choices.at[atom->choice]);
  bool more = end < PITH_I_VARS && end < s->head + g->limits.vars && !in_head &&
              s->choices.at[atom->choice].kind != PITH_I_ABSENT_ATOM;
  pith_status rc = PITH_OK;
  for (uint32_t v = 0; rc >= 0 && v < (in_head ? s->head : end + more); v++) {
    if (only != PITH_NONE && v != only)
      continue;
    if (v < end && !pith_i_may_meet(s, a->domain[v], domain))
      continue;
    if (v >= a->vars && v < end &&
        !may_repeat(&s->choices.at[atom->choice], atom, place, v))
      continue;
    atom->arg[place] = (uint8_t)v;
    if (v == end)
      a->domain[v] = domain;
    rc = fill_places(a, place + 1, fresh + (v == end));
  }
  return rc;
}

/* ---- atoms with many places ------------------------------------------- */

/* The variables that an atom must have one of: those of the part, or, for the
** first atom, the head's. */
static bool is_linking_variable(const pith_i_attempt *a, uint32_t v) {
  return v < a->vars && (a->from == NULL || v >= a->g->m->space->head);
}

static bool fits_place(const pith_i_attempt *a, uint32_t v, uint32_t place) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_kind_of_atom *c = &s->choices.at[a->atoms[a->n - 1].choice];
  uint32_t only = pith_i_only_variable(s, c->domain[place]);
  return (only == PITH_NONE || only == v) &&
         pith_i_may_meet(s, a->domain[v], c->domain[place]);
}

/* What stands in a place that nobody asked for: the one variable that may, or
** a new one. */
static uint8_t variable_elsewhere(const pith_i_attempt *a, uint32_t place) {
  const pith_i_space *s = a->g->m->space;
  uint32_t only = pith_i_only_variable(
      s, s->choices.at[a->atoms[a->n - 1].choice].domain[place]);
  return (uint8_t)(only != PITH_NONE ? only : PITH_I_VARS + place);
}

/* A variable in one place, perhaps another in a second one (PITH_NONE: none),
** and new ones elsewhere. */
static pith_status try_bound(pith_i_attempt *a, uint32_t place, uint32_t v,
                             uint32_t second, uint32_t w) {
  pith_i_lit *atom = &a->atoms[a->n - 1];
  uint32_t arity = a->g->m->space->choices.at[atom->choice].arity;
  pith_i_count_next_atom(a);
  if ((second != PITH_NONE) != a->tests || a->vars + arity > PITH_I_VARS)
    return PITH_OK;
  for (uint32_t i = 0; i < arity; i++)
    atom->arg[i] = (uint8_t)(i == place    ? v
                             : i == second ? w
                                           : variable_elsewhere(a, i));
  a->refine = 0;
  return pith_i_try_atom(a, pith_i_number_new(a));
}

/* Bound in one place; and, with the tests, for then there are few matches,
** also by the head: another cell of the same board. */
static pith_status fill_wide(pith_i_attempt *a) {
  const pith_i_space *s = a->g->m->space;
  uint32_t arity = s->choices.at[a->atoms[a->n - 1].choice].arity;
  uint32_t heads = a->from == NULL ? 0 : s->head;
  pith_status rc = PITH_OK;
  for (uint32_t k = 0; k < arity; k++)
    for (uint32_t v = 0; rc >= 0 && v < a->vars; v++) {
      if (!is_linking_variable(a, v) || !fits_place(a, v, k))
        continue;
      rc = try_bound(a, k, v, PITH_NONE, 0);
      for (uint32_t i = 0; i < arity; i++)
        for (uint32_t h = 0; rc >= 0 && h < heads && i != k; h++)
          if (fits_place(a, h, i))
            rc = try_bound(a, k, v, i, h);
    }
  a->refine = PITH_I_PLACES;
  return rc;
}

bool pith_i_is_free_place(const pith_i_attempt *a, uint32_t place) {
  assert(place < PITH_I_PLACES);
  const pith_i_lit *atom = &a->atoms[a->n - 1];
  uint32_t n = a->g->m->space->choices.at[atom->choice].arity, times = 0;
  for (uint32_t k = 0; k < n; k++)
    times += atom->arg[k] == atom->arg[place];
  return atom->arg[place] >= a->vars && times == 1;
}

/* A variable that may be put in a place: one that was there before, or a new
** one of the atom. Before the first place that links none that does, for that
** way to write it is another's. */
static bool may_be_there(const pith_i_attempt *a, uint32_t place, uint32_t v) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_kind_of_atom *c = &s->choices.at[atom->choice];
  uint32_t first = 0;
  while (first < c->arity && !is_linking_variable(a, atom->arg[first]))
    first++;
  if ((place < first && is_linking_variable(a, v)) ||
      (v < s->head && pith_i_is_apart(a)))
    return false;
  if (!pith_i_may_meet(s, a->domain[v], c->domain[place]))
    return false;
  if (v < a->vars)
    return true;
  for (uint32_t k = 0; k < place; k++)
    if (atom->arg[k] == v)
      return c->twice >> (PITH_I_PLACES * k + place) & 1;
  return false;
}

pith_status pith_i_refine_by_variables(pith_i_attempt *a, uint32_t place,
                                       uint32_t end) {
  pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_lit was = *atom;
  uint32_t domain[PITH_I_VARS];
  pith_status rc = PITH_OK;
  memcpy(domain, a->domain, sizeof domain);
  for (uint32_t v = 0; rc >= 0 && v < end; v++) {
    if (!may_be_there(a, place, v))
      continue;
    pith_i_count_next_atom(a);
    atom->arg[place] = (uint8_t)v;
    a->refine = (uint8_t)(place + 1);
    uint32_t fresh = pith_i_number_new(a);
    if (!pith_i_is_useless_atom(a))
      rc = pith_i_try_atom(a, fresh);
    *atom = was;
    memcpy(a->domain, domain, sizeof domain);
  }
  return rc;
}

pith_status pith_i_refine_by_values(pith_i_attempt *a, uint32_t place,
                                    uint32_t *count) {
  growth *g = a->g;
  pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_lit was = *atom;
  uint32_t first, domain[PITH_I_VARS];
  pith_status rc =
      pith_i_space_fix(g->m->space, atom->choice, place, &first, count);
  memcpy(domain, a->domain, sizeof domain);
  for (uint32_t i = 0; rc >= 0 && i < *count; i++) {
    atom->choice = (uint16_t)(first + i);
    memmove(&atom->arg[place], &atom->arg[place + 1],
            PITH_I_PLACES - 1 - place);
    a->refine = (uint8_t)place;
    rc = pith_i_try_atom(a, pith_i_number_new(a));
    *atom = was;
    memcpy(a->domain, domain, sizeof domain);
  }
  return rc;
}

/* Whether two variables can be compared in this way at all. */
static bool are_comparable(const pith_i_attempt *a, pith_i_kind kind,
                           uint32_t v, uint32_t w) {
  const pith_i_space *s = a->g->m->space;
  if (kind != PITH_I_COMPARED_ATOM)
    return pith_i_may_meet(s, a->domain[v], a->domain[w]);
  uint8_t order = s->orders.at[a->domain[v]];
  return order != PITH_ORDER_NONE && order == s->orders.at[a->domain[w]];
}

/* Two bound variables, the first before the second; = only in the head. */
static pith_status fill_comparison(pith_i_attempt *a, pith_i_kind kind) {
  growth *g = a->g;
  pith_i_lit *atom = &a->atoms[a->n - 1];
  pith_status rc = PITH_OK;
  uint32_t end = kind == PITH_I_EQUAL_ATOM ? g->m->space->head : a->vars;
  for (uint32_t v = 0; rc >= 0 && v < end; v++)
    for (uint32_t w = v + 1; rc >= 0 && w < end; w++) {
      if (!are_comparable(a, kind, v, w))
        continue;
      atom->arg[0] = (uint8_t)v;
      atom->arg[1] = (uint8_t)w;
      bool counts = is_connected_atom(a, 2) && !pith_i_is_useless_atom(a);
      if (counts)
        pith_i_count_next_atom(a);
      if (counts && a->tests)
        rc = pith_i_try_atom(a, 0);
    }
  return rc;
}

/* Of a narrow atom with a value, later places may have one too. */
static uint8_t later_places(const pith_i_kind_of_atom *c) {
  uint32_t fixed = 0, k = c->arity;
  while (fixed < c->full && c->fixed[fixed] == PITH_NONE)
    fixed++;
  while (k > 0 && c->place[k - 1] > fixed)
    k--;
  return (uint8_t)k;
}

static pith_status try_choice(pith_i_attempt *a, uint16_t choice) {
  const pith_i_kind_of_atom *c = &a->g->m->space->choices.at[choice];
  if (c->kind == PITH_I_OPEN_ATOM || c->derived)
    return PITH_OK;
  a->atoms[a->n - 1].choice = choice;
  a->refine = c->arity < c->full ? later_places(c) : PITH_I_PLACES;
  if (c->kind >= PITH_I_EQUAL_ATOM)
    return fill_comparison(a, c->kind);
  return c->arity > PITH_I_NARROW ? fill_wide(a) : fill_places(a, 0, 0);
}

/* ---- thresholds -------------------------------------------------------- */

/* The symbol for a cut: a round number or date in it, else the value itself
** that is kept. */
static pith_status name_cut(pith_i_space *s, pith_i_cut cut, bool below,
                            uint8_t order, pith_sym *out) {
  char text[PITH_I_CUT_TEXT];
  double low = s->value[cut.low], high = s->value[cut.high];
  size_t n = pith_i_cut_text((pith_order)order, low, high, below, text);
  *out = pith_i_space_symbol(s, below ? cut.low : cut.high);
  if (n == 0)
    return PITH_OK;
  return pith_i_sym_add(&s->worlds[0].theory->names, text, n,
                        order == PITH_ORDER_NUMBER ? PITH_NUMBER : PITH_NAME,
                        out);
}

/* Whether an atom compares the variable with a value in this direction; one
** more would make it needless. */
static bool is_cut_already(const pith_i_attempt *a, uint32_t v, bool below) {
  pith_pred op = below ? PITH_LESS_EQUAL : PITH_GREATER_EQUAL;
  for (uint32_t i = 0; i + 1 < a->n; i++) {
    const pith_i_kind_of_atom *c =
        &a->g->m->space->choices.at[a->atoms[i].choice];
    if (c->kind == PITH_I_COMPARED_ATOM && c->arity == 1 && c->pred == op &&
        a->atoms[i].arg[0] == v)
      return true;
  }
  return false;
}

/* The atom that compares with a cut; PITH_NONE: there is no room for it. */
static pith_status find_threshold(pith_i_space *s, const pith_i_cuts *cuts,
                                  pith_i_cut cut, bool below, uint8_t order,
                                  uint32_t *choice) {
  pith_sym value = PITH_NONE;
  *choice = PITH_NONE;
  pith_status rc = name_cut(s, cut, below, order, &value);
  if (rc < 0 || value == PITH_NONE)
    return rc;
  double at = pith_i_sym(&s->worlds[0].theory->names, value)->value;
  return pith_i_space_threshold(
      s, below ? PITH_LESS_EQUAL : PITH_GREATER_EQUAL, value,
      pith_i_cut_choices(cuts, (pith_order)order, at), choice);
}

static bool is_among(const uint16_t *choices, uint32_t n, uint32_t choice) {
  for (uint32_t i = 0; i < n; i++)
    if (choices[i] == choice)
      return true;
  return false;
}

static pith_status try_cuts(pith_i_attempt *a, uint32_t v, bool below) {
  growth *g = a->g;
  pith_i_space *s = g->m->space;
  pith_i_cuts cuts;
  uint16_t tried[PITH_I_CUTS + 1 + PITH_I_WIDENED];
  uint32_t n = 0;
  if (is_cut_already(a, v, below))
    return PITH_OK;
  uint8_t order = s->orders.at[a->domain[v]];
  pith_status rc =
      g->limits.open
          ? pith_i_find_open_cuts(g->m, &a->table, v, below, g->limits.bad,
                                  g->limits.bad_count, &cuts)
          : pith_i_find_cuts(g->m, &a->table, v, below, g->limits.noisy, &cuts);
  for (uint32_t i = 0; rc >= 0 && i < cuts.n; i++) {
    uint32_t choice;
    rc = find_threshold(s, &cuts, cuts.at[i], below, order, &choice);
    if (rc < 0 || choice == PITH_NONE || is_among(tried, n, choice))
      continue;
    tried[n++] = (uint16_t)choice;
    a->atoms[a->n - 1].choice = (uint16_t)choice;
    a->atoms[a->n - 1].arg[0] = (uint8_t)v;
    if (!pith_i_is_useless_atom(a))
      rc = pith_i_try_atom(a, 0);
  }
  return rc;
}

/* Comparisons of the part's variables with values that the examples propose.
** Hidden atoms have no labels to cut between, but some must not hold. */
static pith_status try_thresholds(pith_i_attempt *a) {
  const pith_i_space *s = a->g->m->space;
  pith_status rc = PITH_OK;
  bool blind = a->g->limits.open && a->g->limits.bad_count == 0;
  if (s->value == NULL || blind || !a->tests)
    return PITH_OK;
  a->refine = PITH_I_PLACES;
  for (uint32_t v = a->from == NULL ? 0 : s->head; rc >= 0 && v < a->vars; v++)
    if (s->orders.at[a->domain[v]] != PITH_ORDER_NONE) {
      a->tried += 2;
      rc = try_cuts(a, v, false);
      if (rc >= 0)
        rc = try_cuts(a, v, true);
    }
  return rc;
}

pith_status pith_i_try_choices(pith_i_attempt *a) {
  growth *g = a->g;
  pith_status rc = PITH_OK;
  size_t before = g->parts.n;
  double bits = a->from == NULL ? 0 : a->from->bits;
  a->n++;
  for (uint16_t c = 0; rc >= 0 && c < g->m->space->choices.n; c++) {
    if (g->m->work > g->limits.work || pith_i_stop_requested(g->limits.run)) {
      g->cut = true;
      break;
    }
    rc = try_choice(a, c);
  }
  if (rc >= 0)
    rc = try_thresholds(a);
  a->n--;
  pith_i_price_new_parts(a, before, bits);
  return rc;
}

/* ---- another thing of the same kind -------------------------------------- */

/* Whether an atom may relate things of two parts: a comparison; a test, whose
** places bias.pl calls inputs, both; or a value that the second is to have as
** well, from which a step back would lead to whatever has it anywhere. */
static bool may_relate(const growth *g, const pith_i_kind_of_atom *c) {
  return c->arity == 2 &&
         (c->kind >= PITH_I_DIFFERENT_ATOM ||
          (c->kind == PITH_I_GIVEN_ATOM &&
           (c->one_way || (g->directed && pith_i_is_test(g->m->space, c)))));
}

/* Whether the choice may relate a variable of the part to one of the other. */
static bool fits_both(const pith_i_attempt *a, const pith_i_kind_of_atom *c,
                      uint32_t v, uint32_t w) {
  const pith_i_space *s = a->g->m->space;
  return c->kind != PITH_I_GIVEN_ATOM
             ? are_comparable(a, c->kind, v, w)
             : pith_i_may_meet(s, a->domain[w], c->domain[0]) &&
                   pith_i_may_meet(s, a->domain[v], c->domain[1]);
}

static pith_status try_relation(pith_i_attempt *a, uint32_t first,
                                uint32_t second) {
  a->atoms[a->n - 1].arg[0] = (uint8_t)first;
  a->atoms[a->n - 1].arg[1] = (uint8_t)second;
  a->tried++;
  return pith_i_try_atom(a, 0);
}

/* The two variables that the last atom relates, each of one part. */
static pith_status relate_variables(pith_i_attempt *a, uint32_t vars) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_kind_of_atom c = s->choices.at[a->atoms[a->n - 1].choice];
  bool given = c.kind == PITH_I_GIVEN_ATOM;
  bool test = given && a->g->directed && pith_i_is_test(s, &c);
  pith_status rc = PITH_OK;
  for (uint32_t v = s->head; rc >= 0 && v < vars; v++)
    for (uint32_t w = vars; rc >= 0 && w < a->vars; w++) {
      if (fits_both(a, &c, v, w))
        rc = try_relation(a, given ? w : v, given ? v : w);
      if (rc >= 0 && test && fits_both(a, &c, w, v))
        rc = try_relation(a, v, w);
    }
  return rc;
}

/* Has the part two of something, one less than another, or two with one value?
** An atom on the head alone with a variable that differs from one of the part,
** has_car(A,C), B \= C, compares with it, spent(A,C), B > C, or shares a value
** with it, piece(A,C), colour(C,B). */
static pith_status try_other(pith_i_attempt *a, const part *one) {
  growth *g = a->g;
  const pith_i_space *s = g->m->space;
  const pith_i_kind_of_atom c = s->choices.at[one->atoms[0].choice];
  uint32_t vars = a->vars, shift = vars - s->head;
  pith_i_table before = a->table;
  bool full = true;
  pith_i_lit *atom = &a->atoms[a->n++];
  *atom = one->atoms[0];
  for (uint32_t k = 0; k < c.arity; k++)
    if (atom->arg[k] >= s->head) {
      atom->arg[k] = (uint8_t)(atom->arg[k] + shift);
      a->domain[atom->arg[k]] = c.domain[k];
    }
  pith_status rc =
      pith_i_table_join(g->m, &before, atom, one->vars, g->limits.rows,
                        &a->scratch, a->cover, &full);
  a->n++;
  a->table = a->scratch;
  a->vars += one->vars;
  for (uint32_t i = 0; rc >= 0 && full && i < s->choices.n; i++) {
    if (!may_relate(g, &s->choices.at[i]))
      continue;
    a->atoms[a->n - 1].choice = (uint16_t)i;
    rc = relate_variables(a, vars);
  }
  a->scratch = a->table;
  a->table = before;
  a->vars = vars;
  a->n -= 2;
  return rc;
}

static bool has_relating_choice(const growth *g) {
  const pith_i_space *s = g->m->space;
  bool some = false;
  for (uint32_t i = 0; i < s->choices.n && !some; i++)
    some = may_relate(g, &s->choices.at[i]);
  return some;
}

pith_status pith_i_try_others(pith_i_attempt *a) {
  growth *g = a->g;
  const pith_i_space *s = g->m->space;
  pith_status rc = PITH_OK;
  size_t before = g->parts.n;
  double bits = a->from->bits;
  if (!has_relating_choice(g) || a->n + 2 > g->limits.atoms)
    return PITH_OK;
  size_t n = g->level[1].n;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    const part one = g->parts.at[g->level[1].at[i].part];
    if (one.vars > 0 && a->vars + one.vars <= s->head + g->limits.vars &&
        g->m->work < g->limits.work)
      rc = try_other(a, &one);
  }
  pith_i_price_new_parts(a, before, bits + log2(1.0 + a->tried));
  return rc;
}
