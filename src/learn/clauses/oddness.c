#include "learn/clauses/oddness.h"

#include <assert.h>

#include "learn/clauses/head_values.h"
#include "task/call_order.h"

typedef pith_i_space space;

static const pith_i_kind_of_atom *choice_of(const space *s,
                                            const pith_i_lit *atom) {
  assert(atom->choice < s->choices.n);
  return &s->choices.at[atom->choice];
}

/* ---- head variables that nothing connects -------------------------------- */

/* Head variables that a part connects go into one set. */
static void link_head(const space *s, const pith_i_piece *p, uint8_t *set) {
  uint32_t first = PITH_NONE;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t k = 0; k < choice_of(s, &p->atoms[i])->arity; k++) {
      uint32_t v = p->atoms[i].arg[k];
      if (v >= s->head)
        continue;
      first = first == PITH_NONE ? v : first;
      uint8_t from = set[v], to = set[first];
      for (uint32_t h = 0; h < s->head; h++)
        set[h] = set[h] == from ? to : set[h];
    }
}

/* What has a value of its own needs no link. */
static void link_given(const space *s, uint8_t *set) {
  for (uint32_t h = 0; h < s->head && s->head > 1; h++)
    if (s->given >> h & 1)
      set[h] = set[h == 0 ? 1 : 0];
}

static void link_values(const space *s, const pith_i_piece *p, uint8_t *set) {
  for (uint32_t i = 0; i < p->n; i++)
    if (pith_i_is_head_value(choice_of(s, &p->atoms[i])))
      set[p->atoms[i].arg[0]] = set[p->atoms[i].arg[0] == 0 ? 1 : 0];
}

/* Head variables, as bits, of which atoms say that they are the one thing that
** a predicate holds of: empty(A), zero(B). */
static uint32_t variables_named(const space *s, const pith_i_piece *p) {
  uint32_t named = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    const pith_i_lit *atom = &p->atoms[i];
    const pith_i_kind_of_atom *c = choice_of(s, atom);
    if (c->kind == PITH_I_GIVEN_ATOM && c->full == 1 && c->arity == 1 &&
        atom->arg[0] < s->head &&
        s->store.relations.at[atom->choice].rows.n <= s->world_count)
      named |= UINT32_C(1) << atom->arg[0];
  }
  return named;
}

/* The end of a recursion that computes, where bias.pl says what is input: a
** named input needs no link, f(A,B,B) :- empty(A), list(B), nor does anything
** where all is named, f(A,B) :- empty(A), zero(B). */
static void link_named(const pith_i_growth *g, const uint32_t *part, uint32_t n,
                       uint8_t *set) {
  const space *s = g->m->space;
  uint32_t named = 0;
  for (uint32_t i = 0; i < n; i++)
    named |= variables_named(s, &g->parts.at[part[i]]);
  bool whole = named + 1 == UINT32_C(1) << s->head;
  for (uint32_t h = 0; h < s->head && s->head > 1; h++)
    if (whole || (named >> h & 1 &&
                  pith_i_is_input(&s->worlds[0].theory->names, s->target, h)))
      set[h] = set[h == 0 ? 1 : 0];
}

static bool is_unlinked(const pith_i_growth *g, const uint32_t *part,
                        uint32_t n) {
  const space *s = g->m->space;
  uint8_t set[PITH_I_PLACES];
  for (uint32_t h = 0; h < s->head; h++)
    set[h] = (uint8_t)h;
  for (uint32_t i = 0; i < n; i++)
    link_head(s, &g->parts.at[part[i]], set);
  for (uint32_t i = 0; i < n; i++)
    link_values(s, &g->parts.at[part[i]], set);
  link_given(s, set);
  if (g->directed)
    link_named(g, part, n, set);
  for (uint32_t h = 1; h < s->head; h++)
    if (set[h] != set[0])
      return true;
  return false;
}

/* ---- arguments that change their places ---------------------------------- */

/* Whether an argument of the target hangs on another place of the head. */
static bool is_crossed_part(const space *s, const pith_i_piece *p) {
  uint32_t roots[PITH_I_VARS] = {0}, known = s->head;
  for (uint32_t h = 0; h < s->head; h++)
    roots[h] = UINT32_C(1) << h;
  for (uint32_t i = 0; i < p->n; i++) {
    const pith_i_kind_of_atom *c = choice_of(s, &p->atoms[i]);
    uint32_t all = 0, after = known;
    for (uint32_t k = 0; k < c->arity; k++) {
      uint32_t v = p->atoms[i].arg[k];
      all |= v < known ? roots[v] : 0;
      after = v >= after ? v + 1 : after;
    }
    for (uint32_t k = 0; c->kind == PITH_I_TARGET_ATOM && k < c->arity; k++)
      if (p->atoms[i].arg[k] < known && !(roots[p->atoms[i].arg[k]] >> k & 1))
        return true;
    for (; known < after; known++)
      roots[known] = all;
  }
  return false;
}

/* ---- from a value back to what has it ------------------------------------ */

static uint32_t variables_of(const space *s, const pith_i_lit *atom) {
  uint32_t vars = 0;
  for (uint32_t k = 0; k < choice_of(s, atom)->arity; k++)
    vars |= UINT32_C(1) << atom->arg[k];
  return vars;
}

static bool leads_back(const space *s, const pith_i_lit *atom, uint32_t known) {
  const pith_i_kind_of_atom *c = choice_of(s, atom);
  return c->one_way && c->arity == 2 && (known >> atom->arg[1] & 1) &&
         !(known >> atom->arg[0] & 1);
}

/* Whether a variable stands in a place of a predicate in some atom of which all
** is known. */
static bool is_in_known_row(const space *s, const pith_i_lit *atoms, uint32_t n,
                            const pith_i_kind_of_atom *of, uint32_t place,
                            uint32_t v, uint32_t known) {
  for (uint32_t i = 0; i < n; i++) {
    const pith_i_kind_of_atom *c = choice_of(s, &atoms[i]);
    if (c->pred != of->pred || c->kind != PITH_I_GIVEN_ATOM ||
        (variables_of(s, &atoms[i]) & ~known) != 0)
      continue;
    for (uint32_t k = 0; k < c->arity; k++)
      if (c->place[k] == place && atoms[i].arg[k] == v)
        return true;
  }
  return false;
}

/* Whether the atom is another row of a table that has no more in common with
** what is known than values of a row there: event(A,B,C), event(_,D,C). */
static bool repeats_row(const space *s, const pith_i_lit *atoms, uint32_t n,
                        const pith_i_lit *atom, uint32_t known) {
  const pith_i_kind_of_atom *c = choice_of(s, atom);
  bool shares = false;
  if (c->kind != PITH_I_GIVEN_ATOM || c->full < 3 ||
      c->helper != PITH_I_NO_HELPER)
    return false;
  for (uint32_t k = 0; k < c->arity; k++) {
    uint32_t v = atom->arg[k];
    if ((known >> v & 1) == 0)
      continue;
    if (v < s->head || !is_in_known_row(s, atoms, n, c, c->place[k], v, known))
      return false;
    shares = true;
  }
  return shares;
}

/* All that given atoms reach without a step back, and the first of them that
** would be one. An atom that tests, such as A \= B, reaches nothing. */
static const pith_i_lit *go_forward(const space *s, const pith_i_lit *atoms,
                                    uint32_t n, uint32_t *known) {
  const pith_i_lit *back = NULL;
  for (uint32_t before = 0; before != *known;) {
    before = *known;
    back = NULL;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t vars = variables_of(s, &atoms[i]);
      pith_i_kind kind = choice_of(s, &atoms[i])->kind;
      if ((vars & ~*known) == 0 || kind == PITH_I_TARGET_ATOM ||
          kind > PITH_I_OPEN_ATOM)
        continue;
      if (leads_back(s, &atoms[i], *known) ||
          repeats_row(s, atoms, n, &atoms[i], *known))
        back = back == NULL ? &atoms[i] : back;
      else if ((vars & *known) != 0)
        *known |= vars;
    }
  }
  return back;
}

/* What the target leads to; it could lead anywhere, so it comes last. */
static bool go_by_target(const space *s, const pith_i_lit *atoms, uint32_t n,
                         uint32_t *known) {
  uint32_t before = *known;
  for (uint32_t i = 0; i < n && *known == before; i++) {
    uint32_t vars = variables_of(s, &atoms[i]);
    if (choice_of(s, &atoms[i])->kind == PITH_I_TARGET_ATOM &&
        (vars & *known) != 0)
      *known |= vars;
  }
  return *known != before;
}

/* Whether the thing that a step leads back to has another of the values that
** are known, too. */
static bool shares_another(const space *s, const pith_i_lit *atoms, uint32_t n,
                           const pith_i_lit *back, uint32_t known) {
  for (uint32_t i = 0; i < n; i++)
    if (&atoms[i] != back && atoms[i].arg[0] == back->arg[0] &&
        choice_of(s, &atoms[i])->kind == PITH_I_GIVEN_ATOM &&
        leads_back(s, &atoms[i], known))
      return true;
  return false;
}

uint32_t pith_i_backward_oddness(const pith_i_space *s, const pith_i_lit *atoms,
                                 uint32_t n) {
  uint32_t known = (UINT32_C(1) << s->head) - 1, odd = 0;
  const pith_i_lit *back;
  do
    while ((back = go_forward(s, atoms, n, &known)) != NULL) {
      odd += PITH_I_BACKWARD;
      if (shares_another(s, atoms, n, back, known))
        odd += PITH_I_DESCRIBED;
      known |= variables_of(s, back);
    }
  while (go_by_target(s, atoms, n, &known));
  return odd;
}

static bool names_value(const space *s, const pith_i_piece *p) {
  for (uint32_t i = 0; i < p->n; i++) {
    const pith_i_kind_of_atom *c = choice_of(s, &p->atoms[i]);
    if (c->full > c->arity && !pith_i_is_head_value(c) &&
        c->kind == PITH_I_GIVEN_ATOM)
      return true;
  }
  return false;
}

static uint32_t count_of_variable(const space *s, const pith_i_piece *p,
                                  uint32_t v) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->n; i++)
    for (uint32_t k = 0; k < choice_of(s, &p->atoms[i])->arity; k++)
      count += p->atoms[i].arg[k] == v;
  return count;
}

/* Atoms that only say of a value that something has it, where each thing has a
** number of its own: that it is as small as they are many. */
static uint32_t count_owned(const space *s, const pith_i_piece *p) {
  uint32_t count = 0;
  for (uint32_t i = 0; s->value != NULL && i < p->n; i++) {
    const pith_i_kind_of_atom *c = choice_of(s, &p->atoms[i]);
    const uint8_t *arg = p->atoms[i].arg;
    count += c->one_to_one && s->orders.at[c->domain[0]] == PITH_ORDER_NONE &&
             s->orders.at[c->domain[1]] == PITH_ORDER_NUMBER &&
             arg[0] >= s->head && count_of_variable(s, p, arg[0]) == 1 &&
             count_of_variable(s, p, arg[1]) > 1;
  }
  return count;
}

static uint32_t part_backward_oddness(const space *s, const pith_i_piece *p) {
  uint32_t odd = pith_i_backward_oddness(s, p->atoms, p->n);
  return odd + (odd > 0 && names_value(s, p) ? PITH_I_DESCRIBED : 0);
}

/* ---- all of it ----------------------------------------------------------- */

uint32_t pith_i_oddness_of_atom(const pith_i_space *s, const pith_i_lit *atom) {
  const pith_i_kind_of_atom *c = choice_of(s, atom);
  if (c->kind == PITH_I_ABSENT_ATOM)
    return c->helper == PITH_I_NO_HELPER && c->full == 1 && c->arity == 1
               ? PITH_I_DENIED_PROPERTY
               : PITH_I_DENIED;
  if (c->names_example)
    return PITH_I_NAMES_EXAMPLE;
  uint32_t places = PITH_I_PLACES * (uint32_t)atom->arg[0] + atom->arg[1];
  bool unseen = c->kind == PITH_I_EQUAL_ATOM && !(s->head_twice >> places & 1);
  return unseen ? PITH_I_UNSEEN_EQUAL : 0;
}

/* What is less odd than by itself, as it denies a predicate that another atom
** of the parts denies. */
static uint32_t denied_again(const pith_i_growth *g, const uint32_t *part,
                             uint32_t part_count) {
  const space *s = g->m->space;
  pith_pred denied[PITH_I_ATOMS];
  uint32_t n = 0, less = 0;
  for (uint32_t i = 0; i < part_count; i++) {
    const pith_i_piece *p = &g->parts.at[part[i]];
    for (uint32_t k = 0; k < p->n; k++) {
      const pith_i_kind_of_atom *c = choice_of(s, &p->atoms[k]);
      uint32_t before = 0;
      if (c->kind != PITH_I_ABSENT_ATOM || c->helper != PITH_I_NO_HELPER ||
          c->arity < c->full)
        continue;
      while (before < n && denied[before] != c->pred)
        before++;
      if (before < n)
        less += pith_i_oddness_of_atom(s, &p->atoms[k]) - PITH_I_DENIED_AGAIN;
      denied[n++] = c->pred;
    }
  }
  return less;
}

uint32_t pith_i_oddness(const pith_i_growth *g, const uint32_t *part,
                        uint32_t part_count) {
  const space *s = g->m->space;
  uint32_t odd = is_unlinked(g, part, part_count) ? PITH_I_UNLINKED : 0;
  bool crossed = false;
  for (uint32_t i = 0; i < part_count; i++) {
    const pith_i_piece *p = &g->parts.at[part[i]];
    crossed = crossed || (p->targets > 0 && is_crossed_part(s, p));
    odd += part_backward_oddness(s, p) + PITH_I_BACKWARD * count_owned(s, p);
    for (uint32_t k = 0; k < p->n; k++)
      odd += pith_i_oddness_of_atom(s, &p->atoms[k]);
  }
  odd -= denied_again(g, part, part_count);
  return odd + (crossed ? PITH_I_CROSSED : 0);
}

/* The choice that this one is with open places, or PITH_NONE. */
static uint32_t open_choice(const space *s, const pith_i_kind_of_atom *c) {
  for (uint32_t i = 0; i < s->choices.n; i++) {
    const pith_i_kind_of_atom *o = &s->choices.at[i];
    if (o->pred == c->pred && o->kind == c->kind && o->arity == o->full)
      return i;
  }
  return PITH_NONE;
}

/* Whether the atom is about a number that few things have, in a place where a
** rule could compare. What many have is a sort of thing, as 1 is of 0 and 1. */
static bool picks_number(const space *s, const pith_i_lit *atom) {
  const pith_i_kind_of_atom *c = choice_of(s, atom);
  enum { SORTS = 8 };
  if (c->kind != PITH_I_GIVEN_ATOM || c->arity == c->full ||
      pith_i_is_head_value(c))
    return false;
  uint32_t base = open_choice(s, c);
  if (base == PITH_NONE)
    return false;
  size_t all = s->store.relations.at[base].rows.n;
  if (SORTS * s->store.relations.at[atom->choice].rows.n >= all)
    return false;
  bool number = false;
  for (uint32_t k = 0; k < c->full; k++)
    number = number ||
             (c->fixed[k] != PITH_NONE &&
              s->orders.at[s->choices.at[base].domain[k]] != PITH_ORDER_NONE);
  return number;
}

static bool denies_value(const space *s, const pith_i_lit *atom) {
  const pith_i_kind_of_atom *c = choice_of(s, atom);
  bool some = false;
  for (uint32_t k = 0; k < c->full; k++)
    some = some || c->fixed[k] != PITH_NONE;
  return c->kind == PITH_I_ABSENT_ATOM && some;
}

/* Whether the atom only says of a quantity that something has it, too, or that
** nothing of some kind has: which is chance where it could be compared. */
static bool shares_quantity(const space *s, const pith_i_piece *p,
                            const pith_i_lit *atom) {
  const pith_i_kind_of_atom *c = choice_of(s, atom);
  bool absent = c->kind == PITH_I_ABSENT_ATOM &&
                c->helper != PITH_I_NO_HELPER && c->arity == 1;
  bool quantity = false;
  if (!absent && (c->kind != PITH_I_GIVEN_ATOM || c->arity < 2 ||
                  c->helper != PITH_I_NO_HELPER))
    return false;
  for (uint32_t k = 0; k < c->arity; k++) {
    uint32_t uses = count_of_variable(s, p, atom->arg[k]);
    bool ordered = s->orders.at[c->domain[k]] != PITH_ORDER_NONE;
    if (ordered && uses > 1)
      quantity = true;
    else if (ordered || atom->arg[k] < s->head || uses > 1)
      return false;
  }
  return quantity;
}

uint32_t pith_i_count_exceptions(const pith_i_growth *g, const uint32_t *part,
                                 uint32_t part_count) {
  const space *s = g->m->space;
  uint32_t count = 0;
  for (uint32_t i = 0; i < part_count; i++) {
    const pith_i_piece *p = &g->parts.at[part[i]];
    for (uint32_t k = 0; k < p->n; k++)
      count += denies_value(s, &p->atoms[k]) || picks_number(s, &p->atoms[k]) ||
               shares_quantity(s, p, &p->atoms[k]);
  }
  return count;
}
