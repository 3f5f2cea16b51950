#include "learn/clauses/recursion_finder.h"

#include <assert.h>
#include <string.h>

#include "learn/clauses/oddness.h"
#include "learn/clauses/part_calls.h"

/* The filter's atoms behind the step's, its variables after them. */
static uint32_t append_filter(const pith_i_recursion_finder *f,
                              const pith_i_recursive_program *c,
                              pith_i_lit *out) {
  const pith_i_recursive_step *s = &f->graph.steps.at[c->step];
  const pith_i_piece *p = &f->growth.parts.at[c->filter];
  uint32_t head = f->s->head;
  assert(s->n + p->n < PITH_I_ATOMS);
  for (uint32_t i = 0; i < p->n; i++) {
    out[i] = p->atoms[i];
    for (uint32_t k = 0; k < f->s->choices.at[out[i].choice].arity; k++) {
      uint8_t *v = &out[i].arg[k];
      *v = (uint8_t)(*v >= head                     ? *v + s->vars
                     : c->place == PITH_I_FILTER_TO ? s->goal[*v]
                                                    : *v);
    }
  }
  return p->n;
}

/* Whether b says what a does but for one variable, from `fresh` on, which then
** is *which and has another in a. */
static bool says_same(const pith_i_lit *a, const pith_i_lit *b, uint32_t arity,
                      uint32_t fresh, uint32_t *which, uint32_t *as) {
  uint32_t differ = 0;
  for (uint32_t k = 0; k < arity; k++)
    if (a->arg[k] != b->arg[k]) {
      differ++;
      *which = b->arg[k];
      *as = a->arg[k];
    }
  return a->choice == b->choice &&
         (differ == 0 || (differ == 1 && arity > 1 && *which >= fresh));
}

static void replace_variable(const pith_i_recursion_finder *f,
                             pith_i_lit *atoms, uint32_t n, uint32_t which,
                             uint32_t as) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < f->s->choices.at[atoms[i].choice].arity; k++) {
      uint8_t *v = &atoms[i].arg[k];
      *v = (uint8_t)(*v == which ? as : *v > which ? *v - 1u : *v);
    }
}

/* Leaves out the j-th atom if one before it says the same. */
static bool merge_atom(const pith_i_recursion_finder *f, pith_i_lit *atoms,
                       uint32_t *n, uint32_t j, uint32_t fresh) {
  for (uint32_t i = 0; i < j; i++) {
    uint32_t which = PITH_NONE, as = 0;
    uint32_t arity = f->s->choices.at[atoms[j].choice].arity;
    if (!says_same(&atoms[i], &atoms[j], arity, fresh, &which, &as))
      continue;
    memmove(&atoms[j], &atoms[j + 1], (*n - j - 1) * sizeof *atoms);
    --*n;
    if (which != PITH_NONE)
      replace_variable(f, atoms, *n, which, as);
    return true;
  }
  return false;
}

uint32_t pith_i_recursion_put_together(const pith_i_recursion_finder *f,
                                       const pith_i_recursive_program *c,
                                       pith_i_lit *out) {
  const pith_i_recursive_step *s = &f->graph.steps.at[c->step];
  uint32_t n = s->n, fresh = f->s->head + s->vars;
  memcpy(out, s->atoms, s->n * sizeof *out);
  if (c->place == PITH_I_NO_FILTER)
    return n;
  n += append_filter(f, c, out + n);
  for (uint32_t j = s->n; !c->apart && j < n; j++)
    if (merge_atom(f, out, &n, j, fresh))
      j = s->n - 1; /* what was different may be the same now */
  return n;
}

/* Whether atoms and the next goal bind all of the head's variables. */
static bool binds_head(const pith_i_recursion_finder *f,
                       const pith_i_recursive_step *s, const pith_i_lit *atoms,
                       uint32_t n) {
  uint64_t bound = 0;
  for (uint32_t p = 0; p < f->s->head; p++)
    bound |= UINT64_C(1) << s->goal[p];
  for (uint32_t i = 0; i < n; i++)
    bound |= pith_i_variables_bound(f->s, &atoms[i]);
  uint64_t all = (UINT64_C(1) << f->s->head) - 1;
  return (bound & all) == all;
}

bool pith_i_recursion_is_allowed(const pith_i_recursion_finder *f,
                                 const pith_i_recursive_step *s,
                                 const pith_i_lit *atoms, uint32_t n) {
  const pith_i_exact_limits *l = f->limits;
  uint32_t vars = f->s->head + pith_i_lits_vars(f->s, atoms, n);
  return (l->max_body == 0 || n + 1 <= l->max_body) &&
         (l->max_vars == 0 || vars <= l->max_vars) && vars < PITH_I_VARS &&
         binds_head(f, s, atoms, n) &&
         pith_i_rule_can_be_called(f->s, atoms, n, s->goal);
}

/* ---- as rules ---------------------------------------------------------- */

pith_status pith_i_recursion_add_target(pith_i_recursion_finder *f) {
  pith_i_kind_of_atom c = {.pred = f->s->target, .kind = PITH_I_TARGET_ATOM};
  c.full = c.arity = f->s->head;
  for (uint32_t i = 0; i < PITH_I_PLACES; i++) {
    c.place[i] = (uint8_t)i;
    c.fixed[i] = PITH_NONE;
  }
  f->target = (uint16_t)f->s->choices.n;
  return pith_i_push(f->s->env, &f->s->choices, c) ? PITH_OK : PITH_ENOMEM;
}

/* A recursive rule as a clause of one part. */
static pith_status rule_clause(pith_i_recursion_finder *f,
                               const pith_i_recursive_program *c,
                               pith_i_clause *out) {
  pith_i_growth *g = &f->growth;
  const pith_i_recursive_step *s = &f->graph.steps.at[c->step];
  pith_i_piece p = {
      .atoms = pith_i_arena_alloc(&g->arena, PITH_I_ATOMS * sizeof *p.atoms)};
  if (p.atoms == NULL)
    return PITH_ENOMEM;
  p.n = pith_i_recursion_put_together(f, c, p.atoms);
  pith_i_lit *goal = &p.atoms[p.n++];
  goal->choice = f->target;
  memcpy(goal->arg, s->goal, sizeof goal->arg);
  p.vars = pith_i_lits_vars(f->s, p.atoms, p.n);
  p.targets = 1;
  *out = (pith_i_clause){.part_count = 1, .atoms = p.n, .vars = p.vars};
  out->targets = 1;
  out->part[0] = (uint32_t)g->parts.n;
  return pith_i_push(g->arena.env, &g->parts, p) ? PITH_OK : PITH_ENOMEM;
}

/* The program's i-th recursive rule, as if it were the only one; false: it has
** fewer. */
static bool take_recursive_rule(const pith_i_recursive_program *c, uint32_t i,
                                pith_i_recursive_program *one) {
  *one = *c;
  if (i == 1) {
    one->step = c->other;
    one->filter = c->other_filter;
    one->place = c->other_place;
  } else if (i > 1) {
    one->step = i - 2 < c->further_count ? c->further[i - 2] : PITH_NONE;
    one->place = PITH_I_NO_FILTER;
  }
  return one->step != PITH_NONE;
}

pith_status pith_i_recursion_write(pith_i_recursion_finder *f,
                                   pith_i_arena *arena, pith_i_rules *out) {
  pith_i_set set = {.n = 0};
  pith_i_clause recursive[2 + PITH_I_FURTHER_STEPS];
  pith_i_recursive_program one;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; i < f->best.base_count; i++)
    set.clause[set.n++] = &f->bases.at[f->best.bases[i]].clause;
  for (uint32_t i = 0; rc >= 0 && take_recursive_rule(&f->best, i, &one); i++) {
    rc = rule_clause(f, &one, &recursive[i]);
    set.clause[set.n++] = &recursive[i];
  }
  return rc < 0 ? rc : pith_i_set_rules(&f->growth, &set, arena, out);
}

uint32_t pith_i_recursion_oddness(const pith_i_recursion_finder *f) {
  const pith_i_recursive_program *all = &f->best;
  pith_i_recursive_program one;
  uint32_t odd = 0;
  if (all->base_count == 0)
    return 0;
  if (all->other != PITH_NONE &&
      (all->place != PITH_I_NO_FILTER || all->other_place != PITH_I_NO_FILTER))
    odd += PITH_I_TWO_FILTERED;
  for (uint32_t i = 0; i < all->base_count; i++)
    odd += f->bases.at[all->bases[i]].clause.odd;
  for (uint32_t i = 0; take_recursive_rule(all, i, &one); i++) {
    pith_i_lit atoms[PITH_I_ATOMS];
    uint32_t n = pith_i_recursion_put_together(f, &one, atoms);
    odd += pith_i_recursion_atoms_oddness(f, atoms, n);
    odd += f->graph.steps.at[one.step].crossed ? PITH_I_CROSSED : 0;
  }
  return odd;
}
