#include "logic/plan_order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
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

/* ---- items ----------------------------------------------------------- */

static uint32_t condition_count(const pith_i_form *f) {
  return f->test_count + f->negative_count;
}

static uint32_t head_item(const pith_i_form *f) { return condition_count(f); }

static uint32_t atom_item(const pith_i_form *f, uint32_t atom) {
  return condition_count(f) + 1 + atom;
}

/* What visits every argument place that has to be bound. The value of a local
** variable does not matter: its place does not have to. */
typedef void place_visitor(pith_i_plan_order *o, uint32_t item, uint32_t reg,
                           double divisor);

static void visit_atom(pith_i_plan_order *o, const pith_i_form_atom *a,
                       uint32_t item, place_visitor *visit) {
  const pith_i_form *f = o->form;
  for (uint32_t j = 0; j < a->arity; j++)
    if (pith_i_is_constant(f, a->regs[j]) || !f->local[a->regs[j]])
      visit(o, item, a->regs[j], 1);
}

static void visit_conditions(pith_i_plan_order *o, place_visitor *visit) {
  const pith_i_form *f = o->form;
  for (uint32_t i = 0; i < f->test_count; i++) {
    visit(o, i, f->tests[i].left, 1);
    visit(o, i, f->tests[i].right, 1);
  }
  for (uint32_t i = 0; i < f->negative_count; i++)
    visit_atom(o, &f->negatives[i], f->test_count + i, visit);
  visit_atom(o, &f->head, head_item(f), visit);
}

static void count_place(pith_i_plan_order *o, uint32_t item, uint32_t reg,
                        double divisor) {
  (void)divisor;
  o->missing[item]++;
  o->begins[reg]++;
}

/* Fills the places of each register from behind, so that begins, which was
** where they end, becomes where they begin. */
static void fill_place(pith_i_plan_order *o, uint32_t item, uint32_t reg,
                       double divisor) {
  assert(o->begins[reg] > 0);
  o->places[--o->begins[reg]] = (pith_i_item_place){item, divisor};
}

/* A relation that is being computed says little while it is small; it is
** taken for a large one over a thousand constants. */
static void fill_atom(pith_i_plan_order *o, const pith_i_plan_spec *spec,
                      uint32_t i) {
  assert(spec->relations[i] != NULL);
  const pith_i_relation *r = spec->relations[i];
  const pith_i_form_atom *a = &o->form->atoms[i];
  const bool growing = spec->growing != NULL && spec->growing[i];
  const double big = 1e6;
  double rows = r->bits != NULL ? (double)r->bits->count : (double)r->rows.n;
  bool unknown = growing && rows < 1000;
  o->rows[i] = unknown ? big : rows;
  for (uint32_t j = 0; j < a->arity; j++) {
    double spread = unknown ? sqrt(big) : estimate_distinct(r, j);
    fill_place(o, atom_item(o->form, i), a->regs[j], spread > 1 ? spread : 1);
  }
}

/* ---- the heap -------------------------------------------------------- */

static bool comes_before(const pith_i_plan_order *o, uint32_t a, uint32_t b) {
  return o->rows[a] < o->rows[b] || (o->rows[a] == o->rows[b] && a < b);
}

static void put_at(pith_i_plan_order *o, uint32_t at, uint32_t atom) {
  o->heap[at] = atom;
  o->where[atom] = at;
}

static void move_up(pith_i_plan_order *o, uint32_t atom) {
  uint32_t at = o->where[atom];
  for (; at > 0 && comes_before(o, atom, o->heap[(at - 1) / 2]);
       at = (at - 1) / 2)
    put_at(o, at, o->heap[(at - 1) / 2]);
  put_at(o, at, atom);
}

static void move_down(pith_i_plan_order *o, uint32_t atom) {
  uint32_t at = o->where[atom];
  for (;;) {
    uint32_t child = 2 * at + 1;
    if (child + 1 < o->heap_count &&
        comes_before(o, o->heap[child + 1], o->heap[child]))
      child++;
    if (child >= o->heap_count || !comes_before(o, o->heap[child], atom))
      break;
    put_at(o, at, o->heap[child]);
    at = child;
  }
  put_at(o, at, atom);
}

static void add_to_heap(pith_i_plan_order *o, uint32_t atom) {
  o->where[atom] = o->heap_count++;
  move_up(o, atom);
}

uint32_t pith_i_plan_order_take(pith_i_plan_order *o, uint32_t atom) {
  assert(o->heap_count > 0);
  if (atom == PITH_NONE)
    atom = o->heap[0];
  uint32_t at = o->where[atom], last = o->heap[--o->heap_count];
  assert(at != PITH_NONE);
  o->where[atom] = PITH_NONE;
  if (last != atom) {
    o->where[last] = at;
    move_up(o, last);
    move_down(o, last);
  }
  return atom;
}

/* ---- binding --------------------------------------------------------- */

/* A test costs nothing and may end the search: always next. */
static void note_complete(pith_i_plan_order *o, uint32_t item) {
  if (item < condition_count(o->form))
    o->decided[o->decided_count++] = item;
  else if (item != head_item(o->form))
    o->rows[item - atom_item(o->form, 0)] = -1;
}

static void note_bound_place(pith_i_plan_order *o, const pith_i_item_place *p) {
  assert(o->missing[p->item] > 0);
  bool is_atom = p->item > head_item(o->form);
  uint32_t atom = is_atom ? p->item - atom_item(o->form, 0) : 0;
  if (is_atom)
    o->rows[atom] /= p->divisor;
  if (--o->missing[p->item] == 0)
    note_complete(o, p->item);
  if (is_atom && o->where[atom] != PITH_NONE)
    move_up(o, atom);
}

void pith_i_plan_order_bind(pith_i_plan_order *o, uint32_t reg) {
  assert(reg < o->form->reg_count);
  if (o->bound[reg])
    return;
  o->bound[reg] = true;
  for (uint32_t k = o->begins[reg]; k < o->begins[reg + 1]; k++)
    note_bound_place(o, &o->places[k]);
}

bool pith_i_plan_order_head_bound(const pith_i_plan_order *o) {
  return o->missing[head_item(o->form)] == 0;
}

static int compare_numbers(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

void pith_i_plan_order_sort_decided(pith_i_plan_order *o) {
  if (o->decided_count > 1)
    qsort(o->decided, o->decided_count, sizeof *o->decided, compare_numbers);
}

/* ---- the order ------------------------------------------------------- */

static void *take_zeroed(pith_i_arena *arena, size_t n, size_t size) {
  void *block = pith_i_arena_alloc(arena, n * size + 1);
  return block == NULL ? NULL : memset(block, 0, n * size);
}

static bool make_order_room(pith_i_plan_order *o, pith_i_arena *arena) {
  const pith_i_form *f = o->form;
  o->bound = take_zeroed(arena, f->reg_count, sizeof *o->bound);
  o->rows = take_zeroed(arena, f->atom_count, sizeof *o->rows);
  o->heap = take_zeroed(arena, f->atom_count, sizeof *o->heap);
  o->where = take_zeroed(arena, f->atom_count, sizeof *o->where);
  o->missing =
      take_zeroed(arena, atom_item(f, f->atom_count), sizeof(uint32_t));
  o->begins = take_zeroed(arena, f->reg_count + 1, sizeof *o->begins);
  o->decided = take_zeroed(arena, condition_count(f), sizeof *o->decided);
  return o->bound != NULL && o->rows != NULL && o->heap != NULL &&
         o->where != NULL && o->missing != NULL && o->begins != NULL &&
         o->decided != NULL;
}

/* Counts the places, and sets begins to where those of each register end. */
static uint32_t count_places(pith_i_plan_order *o) {
  const pith_i_form *f = o->form;
  visit_conditions(o, count_place);
  for (uint32_t i = 0; i < f->atom_count; i++)
    for (uint32_t j = 0; j < f->atoms[i].arity; j++)
      count_place(o, atom_item(f, i), f->atoms[i].regs[j], 1);
  for (uint32_t r = 0; r < f->reg_count; r++)
    o->begins[r + 1] += o->begins[r];
  return o->begins[f->reg_count];
}

static void bind_first_registers(pith_i_plan_order *o,
                                 const pith_i_plan_spec *spec) {
  const pith_i_form *f = o->form;
  for (uint32_t i = 0; i < atom_item(f, f->atom_count); i++)
    if (o->missing[i] == 0)
      note_complete(o, i);
  for (uint32_t r = f->var_count; r < f->reg_count; r++)
    pith_i_plan_order_bind(o, r);
  for (uint32_t i = 0; i < spec->bound_count; i++)
    pith_i_plan_order_bind(o, spec->bound[i]);
}

bool pith_i_plan_order_begin(pith_i_plan_order *o, pith_i_arena *arena,
                             const pith_i_form *form,
                             const pith_i_plan_spec *spec) {
  *o = (pith_i_plan_order){.form = form};
  if (!make_order_room(o, arena))
    return false;
  o->places = take_zeroed(arena, count_places(o), sizeof *o->places);
  if (o->places == NULL)
    return false;
  for (uint32_t i = form->atom_count; i-- > 0;)
    fill_atom(o, spec, i);
  visit_conditions(o, fill_place);
  for (uint32_t i = 0; i < form->atom_count; i++)
    o->where[i] = PITH_NONE;
  bind_first_registers(o, spec);
  for (uint32_t i = 0; i < form->atom_count; i++)
    add_to_heap(o, i);
  return true;
}
