/* Compiling a form into a plan. */
#include "logic/plan.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"

/* ---- how selective an argument is ------------------------------------ */

enum { SAMPLE = 256 };

/* Counts the values seen once and the different ones in a sample of the
** column. */
static void sample_column(const pith_i_tuples *t, uint32_t column, size_t *once,
                          size_t *different) {
  enum { ROOM = 2 * SAMPLE };
  uint32_t value[ROOM];
  uint8_t seen[ROOM] = {0};
  size_t n = t->n < SAMPLE ? t->n : SAMPLE;
  *once = *different = 0;
  for (size_t i = 0; i < n; i++) {
    uint32_t v = t->at[t->n * i / n * t->width + column];
    size_t s = pith_i_mix(0, v) % ROOM;
    while (seen[s] != 0 && value[s] != v)
      s = (s + 1) % ROOM;
    *different += seen[s] == 0;
    *once += seen[s] == 0;
    *once -= seen[s] == 1;
    value[s] = v;
    seen[s] += seen[s] < 2;
  }
}

/* How many different values the column has, told from a sample (Charikar and
** others 2000): those seen once stand for sqrt(rows / sample) each. */
static double estimate_distinct(const pith_i_relation *r, uint32_t column) {
  if (r->bits != NULL)
    return (double)r->bits->n;
  for (const pith_i_index *x = r->indexes; x != NULL; x = x->after)
    if (x->key_width == 1 && x->columns[0] == column && x->built == r->rows.n)
      return (double)x->keys;
  size_t once, different;
  sample_column(&r->rows, column, &once, &different);
  double scale = r->rows.n > SAMPLE ? sqrt((double)r->rows.n / SAMPLE) : 1;
  return scale * (double)once + (double)(different - once);
}

/* ---- the order ------------------------------------------------------- */

typedef struct {
  pith_i_arena *arena;
  const pith_i_form *form;
  const pith_i_plan_spec *spec;
  pith_i_plan *plan;
  bool *bound;     /* (reg_count)  */
  bool *used;      /* (atom_count) */
  double *rows;    /* (atom_count) how many rows the atom has      */
  double **spread; /* (atom_count) different values by argument     */
} planner;

/* A relation that is being computed says little while it is small; it is
** taken for a large one over a thousand constants. */
static void guess_rows(planner *p, uint32_t i) {
  assert(p->spec->relations[i] != NULL);
  const pith_i_relation *r = p->spec->relations[i];
  const bool growing = p->spec->growing != NULL && p->spec->growing[i];
  const double big = 1e6;
  double rows = r->bits != NULL ? (double)r->bits->count : (double)r->rows.n;
  bool unknown = growing && rows < 1000;
  p->rows[i] = unknown ? big : rows;
  for (uint32_t j = 0; j < p->form->atoms[i].arity; j++)
    p->spread[i][j] = unknown ? sqrt(big) : estimate_distinct(r, j);
}

/* How many rows will match the atom, by what is bound. */
static double fan_out(const planner *p, uint32_t i) {
  const pith_i_form_atom *a = &p->form->atoms[i];
  double rows = p->rows[i];
  for (uint32_t j = 0; j < a->arity && rows > 0; j++)
    if (p->bound[a->regs[j]] && p->spread[i][j] > 1)
      rows /= p->spread[i][j];
  return rows;
}

static bool all_bound(const planner *p, const pith_i_form_atom *a) {
  for (uint32_t j = 0; j < a->arity; j++)
    if (!p->bound[a->regs[j]])
      return false;
  return true;
}

/* A test costs nothing and may end the search: always next. */
static uint32_t choose_next_atom(const planner *p) {
  assert(p->plan->step_count < p->form->atom_count);
  uint32_t best = PITH_NONE;
  double least = INFINITY;
  for (uint32_t i = 0; i < p->form->atom_count; i++) {
    if (p->used[i])
      continue;
    double rows = all_bound(p, &p->form->atoms[i]) ? -1 : fan_out(p, i);
    if (rows < least) {
      least = rows;
      best = i;
    }
  }
  return best;
}

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
    if (p->bound[a->regs[j]]) {
      columns[s->key_count] = j;
      s->key_regs[s->key_count++] = a->regs[j];
    }
  for (uint32_t j = 0, k = 0; j < a->arity; j++) {
    pith_i_column_reg cell = {j, a->regs[j]};
    if (k < s->key_count && columns[k] == j)
      k++;
    else if (p->bound[cell.reg])
      s->checks[s->check_count++] = cell;
    else
      s->binds[s->bind_count++] = cell;
    p->bound[cell.reg] = true;
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
    return pith_i_relation_index(p->plan->env, s->rel, columns, s->key_count,
                                 &s->index);
  }
  return PITH_OK;
}

/* ---- conditions ------------------------------------------------------ */

/* What is not decidable yet. */
typedef struct {
  pith_i_form_test *tests; /* (test_count) */
  uint32_t test_count;
  uint32_t *negatives; /* (negative_count) by number */
  uint32_t negative_count;
} undecided;

static bool begin_undecided(planner *p, undecided *u) {
  const pith_i_form *f = p->form;
  u->test_count = f->test_count;
  u->negative_count = f->negative_count;
  u->tests = take_from_arena(p, f->test_count, sizeof *u->tests);
  u->negatives = take_from_arena(p, f->negative_count, sizeof *u->negatives);
  if (u->tests == NULL || u->negatives == NULL)
    return false;
  if (f->test_count > 0)
    memcpy(u->tests, f->tests, f->test_count * sizeof *u->tests);
  for (uint32_t i = 0; i < f->negative_count; i++)
    u->negatives[i] = i;
  return true;
}

static bool take_tests(planner *p, undecided *u, pith_i_conditions *out) {
  uint32_t kept = 0;
  out->tests = take_from_arena(p, u->test_count, sizeof *out->tests);
  if (out->tests == NULL)
    return false;
  for (uint32_t i = 0; i < u->test_count; i++)
    if (p->bound[u->tests[i].left] && p->bound[u->tests[i].right])
      out->tests[out->test_count++] = u->tests[i];
    else
      u->tests[kept++] = u->tests[i];
  u->test_count = kept;
  return true;
}

static bool is_decidable(const planner *p, const pith_i_form_atom *a) {
  for (uint32_t j = 0; j < a->arity; j++) {
    uint32_t reg = a->regs[j];
    bool local = !pith_i_is_constant(p->form, reg) && p->form->local[reg];
    if (!p->bound[reg] && !local)
      return false;
  }
  return true;
}

static bool add_absent(planner *p, uint32_t number, uint32_t *columns,
                       pith_i_step *s) {
  assert(p->spec->absent != NULL);
  *s = (pith_i_step){.rel = p->spec->absent[number],
                     .atom = number,
                     .view = p->spec->absent_view};
  return sort_columns(p, &p->form->negatives[number], s, columns) &&
         choose_access(p, s, columns) >= 0;
}

static bool take_absent(planner *p, undecided *u, uint32_t *columns,
                        pith_i_conditions *out) {
  uint32_t kept = 0;
  out->absent = take_from_arena(p, u->negative_count, sizeof *out->absent);
  if (out->absent == NULL)
    return false;
  for (uint32_t i = 0; i < u->negative_count; i++) {
    uint32_t number = u->negatives[i];
    if (!is_decidable(p, &p->form->negatives[number]))
      u->negatives[kept++] = number;
    else if (!add_absent(p, number, columns, &out->absent[out->absent_count++]))
      return false;
  }
  u->negative_count = kept;
  return true;
}

static bool take_conditions(planner *p, undecided *u, uint32_t *columns,
                            pith_i_conditions *out) {
  return take_tests(p, u, out) && take_absent(p, u, columns, out);
}

/* ---- the steps in order ---------------------------------------------- */

static bool add_step(planner *p, uint32_t atom, uint32_t *columns) {
  assert(atom < p->form->atom_count && !p->used[atom]);
  pith_i_step *s = &p->plan->steps[p->plan->step_count++];
  *s = (pith_i_step){.rel = p->spec->relations[atom], .atom = atom};
  if (p->spec->views != NULL)
    s->view = p->spec->views[atom];
  p->used[atom] = true;
  return sort_columns(p, &p->form->atoms[atom], s, columns) &&
         choose_access(p, s, columns) >= 0;
}

static void note_head(planner *p) {
  if (!p->spec->every_match && p->plan->head_at == PITH_NONE &&
      all_bound(p, &p->form->head))
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
  undecided left;
  uint32_t *columns = take_from_arena(p, widest_atom(f), sizeof *columns);
  if (columns == NULL || !begin_undecided(p, &left) ||
      !take_conditions(p, &left, columns, &p->plan->first))
    return false;
  note_head(p);
  uint32_t next = p->spec->first;
  while (p->plan->step_count < f->atom_count) {
    if (!add_step(p, next != PITH_NONE ? next : choose_next_atom(p), columns))
      return false;
    pith_i_step *s = &p->plan->steps[p->plan->step_count - 1];
    if (!take_conditions(p, &left, columns, &s->then))
      return false;
    note_head(p);
    next = PITH_NONE;
  }
  return true;
}

/* ---- the plan -------------------------------------------------------- */

static bool make_planner(planner *p) {
  const pith_i_form *f = p->form;
  p->bound = take_from_arena(p, f->reg_count, sizeof *p->bound);
  p->used = take_from_arena(p, f->atom_count, sizeof *p->used);
  p->rows = take_from_arena(p, f->atom_count, sizeof *p->rows);
  p->spread = take_from_arena(p, f->atom_count, sizeof *p->spread);
  if (p->bound == NULL || p->used == NULL || p->rows == NULL ||
      p->spread == NULL)
    return false;
  for (uint32_t r = 0; r < f->reg_count; r++)
    p->bound[r] = pith_i_is_constant(f, r);
  for (uint32_t i = 0; i < p->spec->bound_count; i++)
    p->bound[p->spec->bound[i]] = true;
  memset(p->used, 0, f->atom_count * sizeof *p->used);
  for (uint32_t i = 0; i < f->atom_count; i++) {
    p->spread[i] = take_from_arena(p, f->atoms[i].arity, sizeof **p->spread);
    if (p->spread[i] == NULL)
      return false;
    guess_rows(p, i);
  }
  return true;
}

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

pith_i_plan *pith_i_plan_new(pith_i_arena *arena, const pith_i_form *form,
                             const pith_i_plan_spec *spec) {
  assert(spec->first == PITH_NONE || spec->first < form->atom_count);
  planner p = {.arena = arena, .form = form, .spec = spec};
  if (!new_empty_plan(&p) || !make_planner(&p) || !add_steps(&p))
    return NULL;
  if (p.plan->head_at == PITH_NONE)
    p.plan->head_at = p.plan->step_count;
  return p.plan;
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

pith_status pith_i_plan_refresh(pith_i_plan *plan) {
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < plan->step_count; i++) {
    pith_i_step *s = &plan->steps[i];
    if (s->index != NULL)
      rc = pith_i_index_update(plan->env, s->index, &s->rel->rows);
  }
  return rc;
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
