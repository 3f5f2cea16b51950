#include "learn/clauses/body_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"
#include "learn/clauses/next_atoms.h"
#include "learn/clauses/part_calls.h"

typedef pith_i_growth growth;
typedef pith_i_piece part;

void pith_i_growth_init(pith_i_growth *g, pith_i_sample *m,
                        const pith_i_grow_limits *limits) {
  *g = (pith_i_growth){.m = m, .limits = *limits};
  g->arena.env = m->space->env;
  g->tables.width = g->covers.width = 2;
  g->directed = pith_i_space_has_directions(m->space);
}

void pith_i_growth_free(pith_i_growth *g) {
  if (g->m == NULL)
    return;
  pith_i_env *env = g->arena.env;
  pith_i_arena_free(&g->arena);
  pith_i_vec_free(env, &g->parts);
  for (uint32_t i = 0; i <= PITH_I_ATOMS; i++)
    pith_i_vec_free(env, &g->level[i]);
  pith_i_tuples_free(env, &g->tables);
  pith_i_vec_free(env, &g->owner);
  pith_i_vec_free(env, &g->again);
  pith_i_vec_free(env, &g->order[0]);
  pith_i_vec_free(env, &g->order[1]);
  pith_i_tuples_free(env, &g->covers);
}

PITH_I_FOR_EACH_MACHINE
uint32_t pith_i_count_bits(const uint64_t *bits, size_t words) {
  uint32_t n = 0;
  for (size_t i = 0; i < words; i++)
    n += (uint32_t)__builtin_popcountll(bits[i]);
  return n;
}

static uint64_t lesser_work(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- going on from a part ----------------------------------------------- */

static void find_domains(pith_i_attempt *a) {
  const pith_i_space *s = a->g->m->space;
  memcpy(a->domain, s->head_domain, s->head * sizeof *a->domain);
  uint32_t known = s->head;
  for (uint32_t i = 0; i < a->n; i++) {
    const pith_i_kind_of_atom *c = &s->choices.at[a->atoms[i].choice];
    for (uint32_t k = 0; k < c->arity; k++)
      if (a->atoms[i].arg[k] == known)
        a->domain[known++] = c->domain[k];
  }
}

/* The attempt stands at a part without its last `less` atoms. */
static pith_status start_from_part(pith_i_attempt *a, const part *from,
                                   uint32_t less, bool *full) {
  assert(less <= from->n);
  growth *g = a->g;
  a->from = from->n > less ? from : NULL;
  a->n = from->n - less;
  a->vars =
      g->m->space->head + pith_i_lits_vars(g->m->space, from->atoms, a->n);
  a->refine = PITH_I_PLACES;
  memcpy(a->atoms, from->atoms, from->n * sizeof *a->atoms);
  find_domains(a);
  *full = true;
  return pith_i_table_body(g->m, from->cover, a->atoms, a->n, g->limits.rows,
                           &a->table, &a->scratch, full);
}

/* Parts move when more are kept, so the attempt has copies. */
static pith_status grow_part(pith_i_attempt *a, uint32_t number) {
  const part from = a->g->parts.at[number];
  bool full;
  pith_status rc = start_from_part(a, &from, 0, &full);
  a->last = from.n + 1 >= a->g->limits.atoms;
  if (rc >= 0 && full)
    rc = pith_i_try_choices(a);
  a->last = from.n + 2 >= a->g->limits.atoms;
  if (rc >= 0 && full && !a->tests)
    rc = pith_i_try_others(a);
  a->from = NULL;
  return rc;
}

/* One more place of the last atom settled, in each way. */
static pith_status refine_part(pith_i_attempt *a, uint32_t number) {
  growth *g = a->g;
  const part from = g->parts.at[number];
  const pith_i_space *s = g->m->space;
  uint32_t places = s->choices.at[from.atoms[from.n - 1].choice].arity;
  bool wide = s->choices.at[from.atoms[from.n - 1].choice].full > PITH_I_NARROW;
  bool full;
  pith_status rc = start_from_part(a, &from, 1, &full);
  a->n++;
  a->last = from.n >= g->limits.atoms;
  uint32_t end = s->head + from.vars;
  pith_i_number_new(a); /* for the domains */
  for (uint32_t k = from.refine; rc >= 0 && full && k < places; k++) {
    size_t before = g->parts.n;
    uint32_t values = 0;
    if (!pith_i_is_free_place(a, k))
      continue;
    if (wide)
      rc = pith_i_refine_by_variables(a, k, end);
    double bits = from.bits + log2(places);
    pith_i_price_new_parts(a, before, bits);
    before = g->parts.n;
    if (rc >= 0)
      rc = pith_i_refine_by_values(a, k, &values);
    pith_i_price_new_parts(a, before, bits + 1 + log2(values + 1));
  }
  a->from = NULL;
  return rc;
}

/* ---- a level ------------------------------------------------------------ */

static int by_part_score(const void *x, const void *y) {
  const pith_i_rank *a = x, *b = y;
  return a->score != b->score ? (a->score < b->score) - (a->score > b->score)
                              : (a->part > b->part) - (a->part < b->part);
}

/* The shortest to say is first. Where small tables come first, one to be grown
** of as many bits less as its table is larger in doublings comes at the same
** time, as in Levin's search: parts that are short since they say little match
** the most, and a few of them use up the work of all. */
static double shortness_of(const part *p, bool small_first) {
  return -p->bits - (small_first ? log2(1.0 + (double)p->rows) : 0) -
         (p->apart ? PITH_TUNE_PART_WIDE_BITS : 0);
}

/* The parts of a level from `first` to `end`, in two orders: those that tell
** the most first, and those that are said the shortest. */
static pith_status put_in_order(growth *g, uint32_t level, size_t first,
                                size_t end, bool small_first) {
  for (int i = 0; i < 2; i++) {
    g->order[i].n = 0;
    if (!pith_i_room(g->arena.env, &g->order[i], end - first + 1))
      return PITH_ENOMEM;
    for (size_t k = first; k < end; k++) {
      pith_i_rank r = g->level[level].at[k];
      if (i == 1)
        r.score = shortness_of(&g->parts.at[r.part], small_first);
      g->order[i].at[g->order[i].n++] = r;
    }
    if (g->order[i].n > 1)
      qsort(g->order[i].at, g->order[i].n, sizeof *g->order[i].at,
            by_part_score);
  }
  g->pass++;
  return PITH_OK;
}

static bool used_up(growth *g) {
  bool up = g->m->work > g->limits.work ||
            pith_i_stop_requested(g->limits.run) ||
            g->parts.n * g->m->words * 8 > PITH_TUNE_PART_COVER_BYTES;
  g->cut = g->cut || up;
  return up;
}

static pith_status grow_once(pith_i_attempt *a, uint32_t number, bool refine) {
  part *p = &a->g->parts.at[number];
  if (p->pass == a->g->pass ||
      (refine ? !pith_i_is_refinable(a->g, p, p->atoms) : p->closed) ||
      (a->g->limits.bits > 0 && p->bits > a->g->limits.bits))
    return PITH_OK;
  p->pass = a->g->pass;
  if (used_up(a->g))
    return PITH_OK;
  return refine ? refine_part(a, number) : grow_part(a, number);
}

/* Takes from both orders in turn, so that work that runs out is least missed:
** what tells nothing yet may be half of what tells all. */
static pith_status grow_in_turn(pith_i_attempt *a, uint32_t level, size_t first,
                                size_t end, bool refine) {
  growth *g = a->g;
  pith_status rc =
      put_in_order(g, level, first, end, g->limits.small_first && !refine);
  for (size_t i = 0; rc >= 0 && i < end - first; i++)
    for (int k = 0; rc >= 0 && k < 2; k++)
      rc = grow_once(a, g->order[k].at[i].part, refine);
  return rc;
}

static pith_status start_parts(pith_i_attempt *a) {
  a->vars = a->g->m->space->head;
  a->last = a->g->limits.atoms <= 1;
  a->refine = PITH_I_PLACES;
  find_domains(a);
  pith_status rc = pith_i_table_start(a->g->m, NULL, &a->table);
  return rc < 0 ? rc : pith_i_try_choices(a);
}

/* Tests may take half of the work, new variables and each generation of
** refinements half of what is left. */
static pith_status grow_level(pith_i_attempt *a, uint32_t n) {
  growth *g = a->g;
  uint64_t most = g->limits.work;
  size_t from = g->level[n].n;
  pith_status rc = PITH_OK;
  for (int tests = 1; rc >= 0 && tests >= 0; tests--) {
    a->tests = tests;
    g->limits.work = g->m->work + (most - lesser_work(g->m->work, most)) / 2;
    rc = n == 1 ? start_parts(a)
                : grow_in_turn(a, n - 1, 0, g->level[n - 1].n, false);
  }
  while (rc >= 0 && from < g->level[n].n) {
    size_t end = g->level[n].n;
    g->limits.work = g->m->work + (most - lesser_work(g->m->work, most)) / 2;
    rc = grow_in_turn(a, n, from, end, true);
    from = end;
  }
  g->limits.work = most;
  return rc;
}

pith_status pith_i_growth_level(pith_i_growth *g, uint32_t n) {
  assert(n > 0 && n <= PITH_I_ATOMS);
  pith_i_env *env = g->arena.env;
  pith_i_attempt a = {.g = g};
  a.cover = pith_i_alloc(env, (g->m->words + 1) * sizeof *a.cover);
  a.known = g->m->space->choices.n;
  a.calls = pith_i_zalloc(env, a.known + 1, sizeof *a.calls);
  pith_status rc =
      a.cover == NULL || a.calls == NULL ? PITH_ENOMEM : grow_level(&a, n);
  if (rc >= 0 && g->level[n].n > 1)
    qsort(g->level[n].at, g->level[n].n, sizeof *g->level[n].at, by_part_score);
  pith_i_table_free(env, &a.table);
  pith_i_table_free(env, &a.next);
  pith_i_table_free(env, &a.scratch);
  pith_i_release(env, a.cover);
  pith_i_release(env, a.calls);
  return rc;
}
