/* Compiling a form into a plan. */
#include "logic/plan.h"

#include <assert.h>
#include <string.h>

#include "logic/plan_order.h"

typedef struct {
  pith_i_arena *arena;
  const pith_i_form *form;
  const pith_i_plan_spec *spec;
  pith_i_plan *plan;
  pith_i_plan_order order;
} planner;

/* ---- steps ----------------------------------------------------------- */

static void *take_from_arena(planner *p, size_t n, size_t size) {
  return pith_i_arena_alloc(p->arena, n * size + 1); /* never nothing */
}

/* Sorts the columns into those whose register is bound and the rest; of the
** rest the first of each register sets it and later ones are checked. */
static bool sort_columns(planner *p, const pith_i_form_atom *a, pith_i_step *s,
                         uint32_t *columns) {
  s->key_regs = take_from_arena(p, a->arity, sizeof *s->key_regs);
  s->key = take_from_arena(p, a->arity, sizeof *s->key);
  s->binds = take_from_arena(p, a->arity, sizeof *s->binds);
  s->checks = take_from_arena(p, a->arity, sizeof *s->checks);
  if (s->key_regs == NULL || s->key == NULL || s->binds == NULL ||
      s->checks == NULL)
    return false;
  for (uint32_t j = 0; j < a->arity; j++)
    if (p->order.bound[a->regs[j]]) {
      columns[s->key_count] = j;
      s->key_regs[s->key_count++] = a->regs[j];
    }
  for (uint32_t j = 0, k = 0; j < a->arity; j++) {
    pith_i_column_reg cell = {j, a->regs[j]};
    if (k < s->key_count && columns[k] == j)
      k++;
    else if (p->order.bound[cell.reg])
      s->checks[s->check_count++] = cell;
    else
      s->binds[s->bind_count++] = cell;
    pith_i_plan_order_bind(&p->order, cell.reg);
  }
  return true;
}

/* The first atom's new rows are few and all looked at, so its bound columns
** are compared rather than looked up. */
static void key_to_checks(pith_i_step *s, const uint32_t *columns) {
  for (uint32_t k = 0; k < s->key_count; k++)
    s->checks[s->check_count++] =
        (pith_i_column_reg){columns[k], s->key_regs[k]};
  s->key_count = 0;
}

static pith_status choose_bits(planner *p, pith_i_step *s,
                               const uint32_t *columns) {
  assert(s->rel->rows.width == 2);
  if (s->key_count == 2)
    s->access = PITH_I_BIT_MEMBER;
  else if (s->key_count == 0)
    s->access = PITH_I_BIT_SCAN;
  else if (columns[0] == 0)
    s->access = PITH_I_BIT_ROW;
  else {
    s->access = PITH_I_BIT_COLUMN;
    return pith_i_bits_columns(p->plan->env, s->rel->bits);
  }
  return PITH_OK;
}

static pith_status choose_access(planner *p, pith_i_step *s,
                                 const uint32_t *columns) {
  if (s->rel->bits != NULL && s->view != PITH_I_GIVEN)
    return choose_bits(p, s, columns);
  if (s->view == PITH_I_NEW)
    key_to_checks(s, columns);
  else if (s->key_count == s->rel->rows.width)
    s->access = PITH_I_MEMBER;
  else if (s->key_count > 0) {
    s->access = PITH_I_CHAIN;
    s->index =
        pith_i_relation_index_on(p->plan->env, s->rel, columns, s->key_count);
    return s->index == NULL ? PITH_ENOMEM : PITH_OK;
  }
  return PITH_OK;
}

/* ---- conditions ------------------------------------------------------ */

static bool add_absent(planner *p, uint32_t number, uint32_t *columns,
                       pith_i_step *s) {
  assert(p->spec->absent != NULL);
  *s = (pith_i_step){.rel = p->spec->absent[number],
                     .atom = number,
                     .view = p->spec->absent_view};
  return sort_columns(p, &p->form->negatives[number], s, columns) &&
         choose_access(p, s, columns) >= 0;
}

/* Takes what became decidable since this was last asked. */
static bool take_conditions(planner *p, uint32_t *columns,
                            pith_i_conditions *out) {
  pith_i_plan_order *o = &p->order;
  const uint32_t tests = p->form->test_count;
  uint32_t i = 0;
  pith_i_plan_order_sort_decided(o);
  out->tests = take_from_arena(p, o->decided_count, sizeof *out->tests);
  out->absent = take_from_arena(p, o->decided_count, sizeof *out->absent);
  if (out->tests == NULL || out->absent == NULL)
    return false;
  for (; i < o->decided_count && o->decided[i] < tests; i++)
    out->tests[out->test_count++] = p->form->tests[o->decided[i]];
  for (; i < o->decided_count; i++)
    if (!add_absent(p, o->decided[i] - tests, columns,
                    &out->absent[out->absent_count++]))
      return false;
  o->decided_count = 0;
  return true;
}

/* ---- the steps in order ---------------------------------------------- */

static bool add_step(planner *p, uint32_t atom, uint32_t *columns) {
  assert(atom < p->form->atom_count);
  pith_i_step *s = &p->plan->steps[p->plan->step_count++];
  *s = (pith_i_step){.rel = p->spec->relations[atom], .atom = atom};
  if (p->spec->views != NULL)
    s->view = p->spec->views[atom];
  return sort_columns(p, &p->form->atoms[atom], s, columns) &&
         choose_access(p, s, columns) >= 0;
}

static void note_head(planner *p) {
  if (!p->spec->every_match && p->plan->head_at == PITH_NONE &&
      pith_i_plan_order_head_bound(&p->order))
    p->plan->head_at = p->plan->step_count;
}

static uint32_t widest_atom(const pith_i_form *f) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->atom_count; i++)
    n = f->atoms[i].arity > n ? f->atoms[i].arity : n;
  for (uint32_t i = 0; i < f->negative_count; i++)
    n = f->negatives[i].arity > n ? f->negatives[i].arity : n;
  return n;
}

static bool add_steps(planner *p) {
  const pith_i_form *f = p->form;
  uint32_t *columns = take_from_arena(p, widest_atom(f), sizeof *columns);
  if (columns == NULL || !take_conditions(p, columns, &p->plan->first))
    return false;
  note_head(p);
  uint32_t first = p->spec->first;
  while (p->plan->step_count < f->atom_count) {
    if (!add_step(p, pith_i_plan_order_take(&p->order, first), columns))
      return false;
    pith_i_step *s = &p->plan->steps[p->plan->step_count - 1];
    if (!take_conditions(p, columns, &s->then))
      return false;
    note_head(p);
    first = PITH_NONE;
  }
  return true;
}

/* ---- the plan -------------------------------------------------------- */

static bool new_empty_plan(planner *p) {
  const pith_i_form *f = p->form;
  pith_i_plan *plan = p->plan = take_from_arena(p, 1, sizeof *plan);
  if (plan == NULL)
    return false;
  *plan = (pith_i_plan){.env = p->arena->env, .form = f, .head_at = PITH_NONE};
  plan->steps = take_from_arena(p, f->atom_count, sizeof *plan->steps);
  plan->regs = take_from_arena(p, f->reg_count, sizeof *plan->regs);
  if (plan->steps == NULL || plan->regs == NULL)
    return false;
  for (uint32_t r = f->var_count; r < f->reg_count; r++)
    plan->regs[r] = f->constants[r - f->var_count];
  return true;
}

static pith_status refresh_step(pith_i_plan *plan, pith_i_step *s,
                                pith_i_run *run) {
  return s->index == NULL
             ? PITH_OK
             : pith_i_relation_index_update(plan->env, s->rel, s->index, run);
}

static pith_status refresh_absent(pith_i_plan *plan, pith_i_conditions *c,
                                  pith_i_run *run) {
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc == PITH_OK && i < c->absent_count; i++)
    rc = refresh_step(plan, &c->absent[i], run);
  return rc;
}

pith_status pith_i_plan_refresh(pith_i_plan *plan, pith_i_run *run) {
  pith_status rc = refresh_absent(plan, &plan->first, run);
  for (uint32_t i = 0; rc == PITH_OK && i < plan->step_count; i++) {
    rc = refresh_step(plan, &plan->steps[i], run);
    if (rc == PITH_OK)
      rc = refresh_absent(plan, &plan->steps[i].then, run);
  }
  return rc;
}

pith_i_plan *pith_i_plan_new(pith_i_arena *arena, const pith_i_form *form,
                             const pith_i_plan_spec *spec) {
  assert(spec->first == PITH_NONE || spec->first < form->atom_count);
  planner p = {.arena = arena, .form = form, .spec = spec};
  if (!new_empty_plan(&p) ||
      !pith_i_plan_order_begin(&p.order, arena, form, spec) || !add_steps(&p))
    return NULL;
  if (p.plan->head_at == PITH_NONE)
    p.plan->head_at = p.plan->step_count;
  return spec->stale || pith_i_plan_refresh(p.plan, NULL) >= 0 ? p.plan : NULL;
}

pith_i_relation **pith_i_plan_absent(pith_i_arena *arena,
                                     const pith_i_store *store,
                                     const pith_i_form *form) {
  pith_i_relation **absent =
      pith_i_arena_alloc(arena, (form->negative_count + 1) * sizeof *absent);
  for (uint32_t i = 0; absent != NULL && i < form->negative_count; i++) {
    assert(form->negatives[i].pred < store->relations.n);
    absent[i] = &store->relations.at[form->negatives[i].pred];
  }
  return absent;
}

pith_i_plan *pith_i_plan_backwards(pith_i_arena *arena,
                                   const pith_i_store *store,
                                   const pith_i_form *form) {
  assert(form->head.arity == 0 || form->head.regs != NULL);
  pith_i_relation **relations =
      pith_i_arena_alloc(arena, (form->atom_count + 1) * sizeof *relations);
  pith_i_relation **absent = pith_i_plan_absent(arena, store, form);
  if (relations == NULL || absent == NULL)
    return NULL;
  for (uint32_t i = 0; i < form->atom_count; i++) {
    relations[i] = &store->relations.at[form->atoms[i].pred];
    relations[i]->end = relations[i]->rows.n;
  }
  return pith_i_plan_new(arena, form,
                         &(pith_i_plan_spec){.relations = relations,
                                             .absent = absent,
                                             .absent_view = PITH_I_WHOLE,
                                             .first = PITH_NONE,
                                             .bound = form->head.regs,
                                             .bound_count = form->head.arity,
                                             .every_match = true});
}

pith_status pith_i_stop_at_first(void *ctx, pith_i_plan *plan) {
  (void)ctx, (void)plan;
  return PITH_STOPPED;
}

bool pith_i_plan_set_head(pith_i_plan *plan, const pith_sym *args) {
  assert(plan->form->head.arity == 0 || args != NULL);
  const pith_i_form_atom *h = &plan->form->head;
  for (uint32_t i = 0; i < h->arity; i++)
    if (!pith_i_is_constant(plan->form, h->regs[i]))
      plan->regs[h->regs[i]] = args[i];
  for (uint32_t i = 0; i < h->arity; i++)
    if (plan->regs[h->regs[i]] != args[i])
      return false;
  return true;
}
