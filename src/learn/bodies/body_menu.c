/* Bodies grow by an atom at a time. Each is a sorted set of atoms over
** numbered variables; two that differ only in the names of variables are the
** same, and the least of all renamings stands for them. A body without a match
** is dropped with all that would grow from it. */
#include "learn/bodies/body_menu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "logic/plan.h"

enum { MAX_ARITY = 8 };

void pith_i_menu_init(pith_i_menu *p, pith_i_env *env,
                      const pith_i_stock *stock) {
  memset(p, 0, sizeof *p);
  p->env = p->arena.env = env;
  p->stock = stock;
  p->prints.width = 5;
}

void pith_i_menu_free(pith_i_menu *p) {
  pith_i_vec_free(p->env, &p->bodies);
  pith_i_vec_free(p->env, &p->rows);
  pith_i_tuples_free(p->env, &p->prints);
  pith_i_arena_free(&p->arena);
}

/* ---- atoms ------------------------------------------------------------ */

typedef struct {
  uint32_t brick;
  uint8_t args[MAX_ARITY];
  uint32_t vars; /* a bit for each variable */
} atom;

typedef struct {
  pith_i_menu *menu;
  const pith_i_stock *stock;
  const pith_i_brick *head;
  uint32_t number; /* of the head's brick */
  pith_i_measure measure;
  pith_i_run *run;
  uint32_t vars; /* in use: the head's first, then the others */
  PITH_I_VEC(atom) atoms;
  uint16_t *renamed; /* (renamings, atoms) */
  uint32_t renamings;
  pith_i_tuples seen;                              /* of the present size */
  PITH_I_VEC(uint32_t) level[PITH_I_MAX_BODY + 1]; /* (n, size) that match  */
  pith_i_tuples found; /* rows of the body at hand */
} grower;

static bool add_atoms(grower *g, uint32_t brick) {
  const pith_i_brick *b = &g->stock->bricks[brick];
  atom a = {.brick = brick};
  for (bool more = true; more;) {
    a.vars = 0;
    for (uint32_t j = 0; j < b->arity; j++)
      a.vars |= UINT32_C(1) << a.args[j];
    bool itself = brick == g->number;
    for (uint32_t j = 0; itself && j < b->arity; j++)
      itself = a.args[j] == j;
    if (!itself && !pith_i_push(g->menu->env, &g->atoms, a))
      return false;
    uint32_t j = b->arity;
    while (j > 0 && ++a.args[j - 1] == g->vars)
      a.args[--j] = 0;
    more = j > 0;
  }
  return true;
}

static bool may_use(const grower *g, uint32_t defined) {
  const pith_i_measure *m = &g->measure;
  return (m->itself && defined == g->number) ||
         (m->targets && defined < g->stock->targets) || defined >= m->from;
}

/* A brick's atoms, unless they are too many. */
static pith_status make_brick_atoms(grower *g, uint32_t brick) {
  const pith_i_brick *b = &g->stock->bricks[brick];
  double ways = 1;
  for (uint32_t j = 0; j < b->arity; j++)
    ways *= g->vars;
  if (b->defined && !may_use(g, brick))
    return PITH_OK;
  if ((double)g->atoms.n + ways > PITH_TUNE_MENU_ATOMS) {
    g->menu->cut = true;
    return PITH_OK;
  }
  return add_atoms(g, brick) ? PITH_OK : PITH_ENOMEM;
}

/* Those with few arguments first: of bodies with one outcome the first that
** is met stands for all. */
static pith_status make_atoms(grower *g) {
  pith_status rc = PITH_OK;
  for (uint32_t arity = 0; arity <= MAX_ARITY; arity++)
    for (uint32_t i = 0; rc >= 0 && i < g->stock->count; i++)
      if (g->stock->bricks[i].arity == arity)
        rc = make_brick_atoms(g, i);
  return rc;
}

/* ---- renamings -------------------------------------------------------- */

static uint16_t rename_atom(const grower *g, const atom *a, const uint8_t *to) {
  for (size_t i = 0; i < g->atoms.n; i++) {
    const atom *b = &g->atoms.at[i];
    uint32_t arity = g->stock->bricks[a->brick].arity, j = 0;
    if (b->brick != a->brick)
      continue;
    while (j < arity && b->args[j] == to[a->args[j]])
      j++;
    if (j == arity)
      return (uint16_t)i;
  }
  return UINT16_MAX; /* the head itself: no body has it */
}

static bool next_permutation(uint8_t *at, uint32_t n) {
  uint32_t i = n;
  while (i > 1 && at[i - 2] >= at[i - 1])
    i--;
  if (i <= 1)
    return false;
  uint32_t j = n;
  while (at[j - 1] <= at[i - 2])
    j--;
  uint8_t t = at[i - 2];
  at[i - 2] = at[j - 1];
  at[j - 1] = t;
  for (uint32_t a = i - 1, b = n - 1; a < b; a++, b--) {
    t = at[a];
    at[a] = at[b];
    at[b] = t;
  }
  return true;
}

static pith_status make_renamings(grower *g) {
  uint32_t fixed = g->head->arity, n = g->vars - fixed;
  uint8_t to[PITH_I_MAX_VARS + MAX_ARITY];
  g->renamings = 1;
  for (uint32_t i = 2; i <= n; i++)
    g->renamings *= i;
  g->renamed = pith_i_alloc(g->menu->env, (g->renamings * g->atoms.n + 1) *
                                              sizeof *g->renamed);
  if (g->renamed == NULL)
    return PITH_ENOMEM;
  for (uint8_t i = 0; i < g->vars && i < sizeof to; i++)
    to[i] = i;
  for (uint32_t r = 0; r < g->renamings; r++) {
    for (size_t i = 0; i < g->atoms.n; i++)
      g->renamed[r * g->atoms.n + i] = rename_atom(g, &g->atoms.at[i], to);
    next_permutation(to + fixed, n);
  }
  return PITH_OK;
}

static void sort_set(uint32_t *set, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t j = i; j > 0 && set[j] < set[j - 1]; j--) {
      uint32_t t = set[j];
      set[j] = set[j - 1];
      set[j - 1] = t;
    }
}

static void least_renaming(const grower *g, uint32_t *set, uint32_t n) {
  uint32_t best[PITH_I_MAX_BODY], other[PITH_I_MAX_BODY];
  memcpy(best, set, n * sizeof *set);
  sort_set(best, n);
  for (uint32_t r = 1; r < g->renamings; r++) {
    for (uint32_t i = 0; i < n; i++)
      other[i] = g->renamed[r * g->atoms.n + set[i]];
    sort_set(other, n);
    for (uint32_t i = 0; i < n && other[i] <= best[i]; i++)
      if (other[i] < best[i]) {
        memcpy(best, other, n * sizeof *best);
        break;
      }
  }
  memcpy(set, best, n * sizeof *set);
}

/* ---- which atoms go together ------------------------------------------ */

typedef struct {
  uint32_t vars, defined;
  uint32_t kind[PITH_I_MAX_VARS + MAX_ARITY]; /* of a variable, or NONE */
  pith_sym type[PITH_I_MAX_VARS + MAX_ARITY];
} shape;

/* False: a variable would be of two kinds. */
static bool note_atom(const grower *g, const pith_i_brick *b,
                      const uint8_t *args, shape *s) {
  const pith_i_predicate *p =
      pith_i_pred(&g->stock->worlds[0].theory->names, b->pred);
  for (uint32_t j = 0; j < b->arity; j++) {
    uint32_t v = args[j];
    s->vars |= UINT32_C(1) << v;
    if (b->open)
      continue;
    if (s->kind[v] != PITH_NONE && s->kind[v] != b->kind[j])
      return false;
    s->kind[v] = b->kind[j];
    if (p->types == NULL || p->types[j] == PITH_NONE)
      continue;
    if (s->type[v] != PITH_NONE && s->type[v] != p->types[j])
      return false;
    s->type[v] = p->types[j];
  }
  return true;
}

static bool find_shape(const grower *g, const uint32_t *set, uint32_t n,
                       shape *s) {
  uint8_t args[MAX_ARITY] = {0, 1, 2, 3, 4, 5, 6, 7};
  memset(s->kind, 0xff, sizeof s->kind);
  memset(s->type, 0xff, sizeof s->type);
  s->vars = s->defined = 0;
  bool fits = note_atom(g, g->head, args, s);
  for (uint32_t i = 0; fits && i < n; i++) {
    const atom *a = &g->atoms.at[set[i]];
    s->defined += g->stock->bricks[a->brick].defined;
    fits = note_atom(g, &g->stock->bricks[a->brick], a->args, s);
  }
  return fits && s->defined <= (n <= g->measure.pairs ? 2u : 1u);
}

/* The others are used in their order: no gap below. */
static bool uses_variables_in_order(const grower *g, uint32_t vars) {
  uint32_t others = vars >> g->head->arity;
  return (others & (others + 1)) == 0;
}

static uint32_t bound_vars(const grower *g, const uint32_t *set, uint32_t n) {
  uint32_t vars = 0;
  for (uint32_t i = 0; i < n; i++)
    vars |= g->atoms.at[set[i]].vars;
  return vars;
}

static bool is_safe(const grower *g, const uint32_t *set, uint32_t n) {
  uint32_t all = (UINT32_C(1) << g->head->arity) - 1;
  return (bound_vars(g, set, n) & all) == all;
}

/* ---- joining ---------------------------------------------------------- */

/* The set as a rule; its variables are renumbered without gaps. */
static pith_rule *make_body_rule(const grower *g, const uint32_t *set,
                                 uint32_t n, pith_i_arena *arena) {
  pith_rule *rule = pith_i_arena_alloc(arena, sizeof *rule);
  pith_atom *body = pith_i_arena_alloc(arena, (n + 1) * sizeof *body);
  pith_term *args =
      pith_i_arena_alloc(arena, (n + 1) * MAX_ARITY * sizeof *args);
  if (rule == NULL || body == NULL || args == NULL)
    return NULL;
  uint32_t arity = g->head->arity;
  for (uint32_t j = 0; j < arity; j++)
    args[j] = PITH_VAR(j);
  *rule =
      (pith_rule){.head = {.pred = g->head->pred, .arity = arity, .args = args},
                  .body = body,
                  .body_len = n,
                  .file = PITH_NONE};
  uint32_t vars = (UINT32_C(1) << arity) - 1;
  for (uint32_t i = 0; i < n; i++) {
    const atom *a = &g->atoms.at[set[i]];
    const pith_i_brick *b = &g->stock->bricks[a->brick];
    args += MAX_ARITY;
    for (uint32_t j = 0; j < b->arity; j++)
      args[j] = PITH_VAR(a->args[j]);
    body[i] = (pith_atom){.pred = b->pred, .arity = b->arity, .args = args};
    vars |= a->vars;
  }
  rule->var_count = (uint32_t)__builtin_popcount(vars);
  return rule;
}

typedef struct {
  grower *g;
  uint32_t world;
  const uint32_t *set;
  bool any;                             /* one match is enough */
  uint32_t step_of[PITH_I_MAX_DEFINED]; /* of each defined atom */
  uint32_t brick_of[PITH_I_MAX_DEFINED];
  uint32_t defined;
  bool matched;
} matcher;

static uint32_t number_of(const grower *g, uint32_t brick, uint32_t world,
                          uint32_t row) {
  const pith_i_stock *s = g->stock;
  return s->first_atom[(size_t)brick * s->world_count + world] + row;
}

static pith_status on_match(void *ctx, pith_i_plan *plan) {
  matcher *m = ctx;
  grower *g = m->g;
  pith_sym key[MAX_ARITY];
  uint32_t row[1 + PITH_I_MAX_DEFINED];
  g->menu->work++;
  m->matched = true;
  if (m->any)
    return PITH_STOPPED;
  for (uint32_t j = 0; j < g->head->arity; j++)
    key[j] = plan->regs[plan->form->head.regs[j]];
  uint32_t h = pith_i_tuples_find(&g->head->rows[m->world]->rows, key);
  if (h == PITH_NONE)
    return PITH_OK;
  row[0] = number_of(g, g->number, m->world, h);
  for (uint32_t i = 0; i < m->defined; i++) {
    row[1 + i] =
        number_of(g, m->brick_of[i], m->world, plan->steps[m->step_of[i]].row);
    if (row[1 + i] == row[0])
      return PITH_OK; /* from itself: says nothing */
  }
  if (m->defined == 2 && row[1] > row[2]) {
    uint32_t t = row[1];
    row[1] = row[2];
    row[2] = t;
  }
  pith_status rc = pith_i_tuples_add(g->menu->env, &g->found, row, NULL, NULL);
  return rc < 0                                ? rc
         : g->menu->work > PITH_TUNE_MENU_WORK ? PITH_STOPPED
                                               : PITH_OK;
}

static void find_steps(matcher *m, const pith_i_plan *plan) {
  m->defined = 0;
  for (uint32_t i = 0; i < plan->form->atom_count; i++) {
    uint32_t brick = m->g->atoms.at[m->set[plan->form->atoms[i].place]].brick;
    if (!m->g->stock->bricks[brick].defined)
      continue;
    m->brick_of[m->defined] = brick;
    for (uint32_t s = 0; s < plan->step_count; s++)
      if (plan->steps[s].atom == i)
        m->step_of[m->defined] = s;
    m->defined++;
  }
}

static pith_status join_world(matcher *m, const pith_i_form *form,
                              pith_i_arena *arena) {
  const grower *g = m->g;
  pith_i_relation *relations[PITH_I_MAX_BODY];
  for (uint32_t i = 0; i < form->atom_count; i++) {
    uint32_t brick = g->atoms.at[m->set[form->atoms[i].place]].brick;
    relations[i] = g->stock->bricks[brick].rows[m->world];
    if (relations[i]->rows.n == 0)
      return PITH_OK;
  }
  pith_i_plan *plan = pith_i_plan_new(
      arena, form,
      &(pith_i_plan_spec){
          .relations = relations, .first = PITH_NONE, .every_match = true});
  if (plan == NULL)
    return PITH_ENOMEM;
  find_steps(m, plan);
  pith_i_hooks hooks = {.found = on_match, .ctx = m, .countdown = UINT32_MAX};
  return pith_i_plan_run(plan, &hooks);
}

/* Joins a set of atoms in all worlds: fills g->found if it is safe. */
static pith_status join_set(grower *g, const uint32_t *set, uint32_t n,
                            uint32_t defined, bool any, bool *matched) {
  pith_i_arena arena = {.env = g->menu->env};
  matcher m = {.g = g, .set = set, .any = any};
  pith_status rc = PITH_OK;
  pith_i_tuples_free(g->menu->env, &g->found);
  g->found.width = 1 + defined;
  pith_rule *rule = make_body_rule(g, set, n, &arena);
  pith_i_form *form =
      rule == NULL
          ? NULL
          : pith_i_form_new(&arena, &g->stock->worlds[0].theory->names, rule);
  if (form == NULL)
    rc = PITH_ENOMEM;
  for (m.world = 0; rc == PITH_OK && m.world < g->stock->world_count; m.world++)
    rc = join_world(&m, form, &arena);
  pith_i_arena_free(&arena);
  *matched = m.matched;
  return rc < 0 ? rc : PITH_OK;
}

/* ---- keeping ---------------------------------------------------------- */

static int by_rows(const void *a, const void *b, uint32_t width) {
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < width; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}
static int by_one(const void *a, const void *b) { return by_rows(a, b, 1); }
static int by_two(const void *a, const void *b) { return by_rows(a, b, 2); }
static int by_three(const void *a, const void *b) { return by_rows(a, b, 3); }

static pith_status keep_outcome(grower *g, const uint32_t *set, uint32_t n) {
  assert(n > 0 && n <= PITH_I_MAX_BODY);
  assert(g->found.width > 0 && g->found.width <= 3);
  static int (*const order[])(const void *, const void *) = {by_one, by_two,
                                                             by_three};
  pith_i_menu *p = g->menu;
  pith_i_tuples *t = &g->found;
  size_t words = t->n * t->width;
  if (t->n > 0)
    qsort(t->at, t->n, t->width * sizeof *t->at, order[t->width - 1]);
  uint64_t hash = pith_i_hash_bytes(t->at, words * sizeof *t->at);
  uint32_t print[5] = {g->number, t->width, (uint32_t)t->n, (uint32_t)hash,
                       (uint32_t)(hash >> 32)};
  bool added;
  pith_status rc = pith_i_tuples_add(p->env, &p->prints, print, NULL, &added);
  if (rc < 0 || !added)
    return rc;
  pith_i_outcome o = {.rule = make_body_rule(g, set, n, &p->arena),
                      .head = g->number,
                      .width = t->width,
                      .first = p->rows.n,
                      .count = t->n};
  if (o.rule == NULL || !pith_i_room(p->env, &p->rows, words) ||
      !pith_i_push(p->env, &p->bodies, o))
    return PITH_ENOMEM;
  memcpy(p->rows.at + p->rows.n, t->at, words * sizeof *t->at);
  p->rows.n += words;
  return PITH_OK;
}

/* ---- growing ---------------------------------------------------------- */

/* A set that is new: joined, and kept if it is whole. */
static pith_status join_new_set(grower *g, uint32_t *set, uint32_t n) {
  shape s;
  bool added = false, matched = false;
  if (!find_shape(g, set, n, &s) || !uses_variables_in_order(g, s.vars))
    return PITH_OK;
  least_renaming(g, set, n);
  bool safe = is_safe(g, set, n), last = n == g->measure.atoms;
  if (last && !safe)
    return PITH_OK;
  pith_i_env *env = g->menu->env;
  pith_status rc = pith_i_tuples_add(env, &g->seen, set, NULL, &added);
  if (rc < 0 || !added)
    return rc;
  g->menu->tried++;
  rc = join_set(g, set, n, s.defined, !safe, &matched);
  for (uint32_t i = 0; rc >= 0 && matched && i < n; i++)
    if (!pith_i_push(env, &g->level[n], set[i]))
      rc = PITH_ENOMEM;
  if (rc >= 0 && safe && g->found.n > 0)
    rc = keep_outcome(g, set, n);
  return rc;
}

static bool is_menu_full(grower *g) {
  pith_i_menu *p = g->menu;
  if (p->tried > PITH_TUNE_MENU_TRIED || p->work > PITH_TUNE_MENU_WORK ||
      p->bodies.n > PITH_TUNE_MENU_BODIES || pith_i_stop_requested(g->run))
    p->cut = true;
  return p->cut;
}

static bool set_contains(const uint32_t *set, uint32_t n, uint32_t a) {
  for (uint32_t i = 0; i < n; i++)
    if (set[i] == a)
      return true;
  return false;
}

static pith_status grow_sets(grower *g, uint32_t n) {
  assert(n > 0 && n <= PITH_I_MAX_BODY);
  uint32_t heads = (UINT32_C(1) << g->head->arity) - 1;
  uint32_t set[PITH_I_MAX_BODY], at[PITH_I_MAX_BODY] = {0};
  pith_status rc = PITH_OK;
  size_t count = n == 1 ? 1 : g->level[n - 1].n / (n - 1);
  for (size_t i = 0; i < count; i++) {
    if (n > 1)
      memcpy(at, g->level[n - 1].at + i * (n - 1), (n - 1) * sizeof *at);
    uint32_t near = heads | bound_vars(g, at, n - 1);
    for (uint32_t a = 0; a < g->atoms.n; a++) {
      bool joins =
          near == 0 || g->atoms.at[a].vars & near || g->atoms.at[a].vars == 0;
      if (!joins || set_contains(at, n - 1, a))
        continue;
      if (is_menu_full(g))
        return PITH_OK;
      memcpy(set, at, (n - 1) * sizeof *set);
      set[n - 1] = a;
      rc = join_new_set(g, set, n);
      if (rc < 0)
        return rc;
    }
  }
  return rc;
}

pith_status pith_i_menu_add(pith_i_menu *p, uint32_t head,
                            const pith_i_measure *m, pith_i_run *run) {
  assert(head < p->stock->defined);
  grower g = {.menu = p,
              .stock = p->stock,
              .head = &p->stock->bricks[head],
              .number = head,
              .measure = *m,
              .run = run};
  g.vars = m->vars > g.head->arity ? m->vars : g.head->arity;
  if (g.vars > g.head->arity + 4)
    g.vars = g.head->arity + 4;
  if (g.measure.atoms > PITH_I_MAX_BODY)
    g.measure.atoms = PITH_I_MAX_BODY;
  pith_status rc = make_atoms(&g);
  if (rc >= 0)
    rc = make_renamings(&g);
  for (uint32_t n = 1; rc >= 0 && n <= g.measure.atoms; n++) {
    g.seen.width = n;
    rc = grow_sets(&g, n);
    pith_i_tuples_free(p->env, &g.seen);
  }
  for (uint32_t n = 1; n <= PITH_I_MAX_BODY; n++)
    pith_i_vec_free(p->env, &g.level[n]);
  pith_i_tuples_free(p->env, &g.found);
  pith_i_vec_free(p->env, &g.atoms);
  pith_i_release(p->env, g.renamed);
  return rc;
}
