#include "learn/bodies/body_space.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "task/vocabulary.h"

/* From pools to a network. Atoms have the stock's numbers until those that
** matter are known: an atom matters if something can derive it and an example
** or another that matters may need it. */
typedef struct {
  pith_i_env *env;
  const pith_i_theory_space *space;
  const pith_i_stock *stock;
  const pith_i_menu *menu;
  pith_i_net *net;
  uint32_t atoms;    /* of the stock            */
  bool *given;       /* (atoms) facts           */
  bool *could;       /* (atoms) derivable       */
  bool *needed;      /* (atoms)                 */
  uint32_t *number;  /* (atoms) in a valuation  */
  uint32_t *example; /* (examples) atoms        */
  void *block;
  pith_i_tuples prints;
  PITH_I_VEC(uint32_t) first_body; /* (defined + 1) */
} assembler;

/* ---- which atoms matter ----------------------------------------------- */

static const uint32_t *outcome_rows(const assembler *a,
                                    const pith_i_outcome *o) {
  assert(o->first + o->count * o->width <= a->menu->rows.n);
  return a->menu->rows.at + o->first;
}

static bool row_could_hold(const assembler *a, const uint32_t *row,
                           uint32_t width) {
  for (uint32_t i = 1; i < width; i++)
    if (!a->could[row[i]])
      return false;
  return true;
}

static void find_derivable(assembler *a) {
  memcpy(a->could, a->given, a->atoms * sizeof *a->could);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < a->menu->bodies.n; i++) {
      const pith_i_outcome *o = &a->menu->bodies.at[i];
      const uint32_t *row = outcome_rows(a, o);
      for (size_t r = 0; r < o->count; r++, row += o->width)
        if (!a->could[row[0]] && row_could_hold(a, row, o->width))
          a->could[row[0]] = changed = true;
    }
  }
}

static void find_needed(assembler *a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < a->menu->bodies.n; i++) {
      const pith_i_outcome *o = &a->menu->bodies.at[i];
      const uint32_t *row = outcome_rows(a, o);
      for (size_t r = 0; o->width > 1 && r < o->count; r++, row += o->width) {
        if (!a->needed[row[0]] || !row_could_hold(a, row, o->width))
          continue;
        for (uint32_t j = 1; j < o->width; j++) {
          changed = changed || !a->needed[row[j]];
          a->needed[row[j]] = true;
        }
      }
    }
  }
}

/* ---- facts and examples ------------------------------------------------ */

static void find_given(assembler *a) {
  const pith_i_stock *s = a->stock;
  for (uint32_t d = 0; d < s->targets; d++)
    for (uint32_t w = 0; w < s->world_count; w++) {
      pith_pred there = pith_i_pred_in_world(s->worlds, w, s->bricks[d].pred);
      const pith_i_store *store = s->worlds[w].store;
      const pith_i_tuples *could = &s->bricks[d].rows[w]->rows;
      const uint32_t first = s->first_atom[(size_t)d * s->world_count + w];
      for (size_t r = 0; there != PITH_NONE && r < could->n; r++)
        a->given[first + r] =
            there < store->relations.n &&
            pith_i_tuples_find(&store->relations.at[there].rows,
                               could->at + r * could->width) != PITH_NONE;
    }
}

static size_t count_stock_examples(const pith_i_stock *s) {
  size_t n = 0;
  for (uint32_t w = 0; w < s->world_count; w++)
    n += s->worlds[w].theory->examples.n;
  return n;
}

static uint32_t example_atom(const pith_i_stock *s, uint32_t w,
                             const pith_atom *atom) {
  for (uint32_t d = 0; d < s->targets; d++)
    if (pith_i_pred_in_world(s->worlds, w, s->bricks[d].pred) == atom->pred)
      return s->first_atom[(size_t)d * s->world_count + w] +
             pith_i_tuples_find(&s->bricks[d].rows[w]->rows, atom->args);
  return PITH_NONE; /* every example's predicate is a target */
}

static void find_example_atoms(assembler *a) {
  const pith_i_stock *s = a->stock;
  uint32_t *next = a->example;
  for (uint32_t w = 0; w < s->world_count; w++)
    for (size_t i = 0; i < s->worlds[w].theory->examples.n; i++) {
      uint32_t atom =
          example_atom(s, w, &s->worlds[w].theory->examples.at[i]->atom);
      a->needed[atom] = true;
      *next++ = atom;
    }
}

/* A negative example that nothing derives needs no number. */
static pith_status label_atoms(assembler *a) {
  const pith_i_stock *s = a->stock;
  const uint32_t *next = a->example;
  for (uint32_t w = 0; w < s->world_count; w++)
    for (size_t i = 0; i < s->worlds[w].theory->examples.n; i++, next++) {
      const pith_example *e = s->worlds[w].theory->examples.at[i];
      pith_i_net_example x = {.atom = a->number[*next],
                              .world = w,
                              .example = (uint32_t)i,
                              .label = e->positive ? 1.0f : 0.0f,
                              .weight = (float)e->weight};
      if (!pith_i_push(a->env, &a->net->examples, x))
        return PITH_ENOMEM;
    }
  return PITH_OK;
}

/* ---- numbers ----------------------------------------------------------- */

static void keep_positives(assembler *a) {
  const pith_i_stock *s = a->stock;
  const uint32_t *next = a->example;
  for (uint32_t w = 0; w < s->world_count; w++)
    for (size_t i = 0; i < s->worlds[w].theory->examples.n; i++, next++)
      if (s->worlds[w].theory->examples.at[i]->positive)
        a->could[*next] = true;
}

static pith_status number_atoms(assembler *a) {
  const pith_i_stock *s = a->stock;
  pith_i_net *net = a->net;
  keep_positives(a);
  for (uint32_t d = 0; d < s->defined; d++) {
    uint32_t from = s->first_atom[(size_t)d * s->world_count];
    uint32_t end = s->first_atom[(size_t)(d + 1) * s->world_count];
    pith_i_net_pred p = {.pred = s->bricks[d].pred,
                         .arity = s->bricks[d].arity,
                         .derived = true,
                         .offset = net->atoms};
    uint32_t *facts =
        pith_i_arena_alloc(&net->arena, (end - from + 1) * sizeof *facts);
    if (facts == NULL)
      return PITH_ENOMEM;
    for (uint32_t i = from; i < end; i++) {
      a->number[i] = PITH_NONE;
      if (!a->could[i] || !a->needed[i])
        continue;
      if (a->given[i])
        facts[p.fact_count++] = p.size;
      a->number[i] = p.offset + p.size++;
    }
    p.facts = facts;
    net->atoms += p.size;
    if (!pith_i_push(a->env, &net->preds, p))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* ---- bodies ------------------------------------------------------------ */

/* The rows of which all atoms matter, with the numbers of a valuation. */
static uint32_t *useful_rows(assembler *a, const pith_i_outcome *o,
                             uint32_t *count) {
  const uint32_t *row = outcome_rows(a, o);
  uint32_t *rows = pith_i_arena_alloc(&a->net->arena,
                                      (o->count * o->width + 1) * sizeof *rows);
  uint32_t *next = rows;
  *count = 0;
  for (size_t r = 0; rows != NULL && r < o->count; r++, row += o->width) {
    uint32_t j = 0;
    while (j < o->width && a->number[row[j]] != PITH_NONE)
      next[j] = a->number[row[j]], j++;
    if (j < o->width || a->given[row[0]])
      continue;
    next += o->width;
    ++*count;
  }
  return rows;
}

/* One element for each atom of the head; rows are sorted by it. */
static bool make_join(assembler *a, pith_i_body *b, const uint32_t *rows,
                      uint32_t count, uint32_t width, uint32_t offset) {
  pith_i_net *net = a->net;
  uint32_t *start =
      pith_i_arena_alloc(&net->arena, (count + 2) * sizeof *start);
  uint32_t *atoms =
      pith_i_arena_alloc(&net->arena, (count + 1) * sizeof *atoms);
  uint32_t *left = pith_i_arena_alloc(&net->arena, (count + 1) * sizeof *left);
  uint32_t *right =
      width < 3 ? NULL
                : pith_i_arena_alloc(&net->arena, (count + 1) * sizeof *right);
  if (start == NULL || atoms == NULL || left == NULL ||
      (width == 3 && right == NULL))
    return false;
  pith_i_join j = {.b = width < 3 ? PITH_NONE : 0,
                   .out = (uint32_t)net->joins.n, /* made good in lay_out */
                   .start = start,
                   .left = left,
                   .right = right};
  for (uint32_t r = 0; r < count; r++, rows += width) {
    if (j.size == 0 || atoms[j.size - 1] != rows[0] - offset) {
      start[j.size] = r;
      atoms[j.size++] = rows[0] - offset;
    }
    left[r] = rows[1];
    if (width == 3)
      right[r] = rows[2];
  }
  start[j.size] = count;
  net->joined += count;
  b->join = (uint32_t)net->joins.n;
  b->atoms = atoms;
  return pith_i_push(a->env, &net->joins, j);
}

static pith_status add_outcome(assembler *a, const pith_i_outcome *o) {
  pith_i_net *net = a->net;
  uint32_t offset = net->preds.at[o->head].offset, count;
  uint32_t *rows = useful_rows(a, o, &count);
  if (rows == NULL)
    return PITH_ENOMEM;
  uint64_t hash =
      pith_i_hash_bytes(rows, (size_t)count * o->width * sizeof *rows);
  uint32_t print[5] = {o->head, o->width, count, (uint32_t)hash,
                       (uint32_t)(hash >> 32)};
  bool added;
  pith_status rc = pith_i_tuples_add(a->env, &a->prints, print, NULL, &added);
  if (rc < 0 || !added || count == 0)
    return rc;
  pith_i_body b = {.rule = o->rule, .pred = o->head, .join = PITH_NONE};
  if (o->width > 1 && !make_join(a, &b, rows, count, o->width, offset))
    return PITH_ENOMEM;
  if (o->width == 1) {
    for (uint32_t i = 0; i < count; i++)
      rows[i] -= offset;
    b.facts = rows;
    b.fact_count = count;
  }
  return pith_i_push(a->env, &net->bodies, b) ? PITH_OK : PITH_ENOMEM;
}

/* The bodies of each predicate in a row, no body at all first. */
static pith_status add_bodies(assembler *a) {
  pith_i_net *net = a->net;
  pith_status rc = PITH_OK;
  bool any = false;
  a->prints.width = 5;
  for (uint32_t d = 0; rc >= 0 && d < a->stock->defined; d++) {
    pith_i_body none = {.pred = d, .join = PITH_NONE};
    if (!pith_i_push(a->env, &a->first_body, (uint32_t)net->bodies.n) ||
        !pith_i_push(a->env, &net->bodies, none))
      return PITH_ENOMEM;
    for (size_t i = 0; rc >= 0 && i < a->menu->bodies.n; i++)
      if (a->menu->bodies.at[i].head == d)
        rc = add_outcome(a, &a->menu->bodies.at[i]);
    any = any || net->bodies.n > a->first_body.at[d] + 1;
  }
  if (rc >= 0 && !pith_i_push(a->env, &a->first_body, (uint32_t)net->bodies.n))
    rc = PITH_ENOMEM;
  return rc >= 0 && !any ? PITH_EINPUT : rc;
}

/* ---- slots ------------------------------------------------------------- */

static bool add_rule_slot(assembler *a, uint32_t d) {
  pith_i_net *net = a->net;
  pith_i_net_slot s = {.arity = a->stock->bricks[d].arity,
                       .size = net->preds.at[d].size,
                       .first = (uint32_t)net->candidates.n,
                       .in_body = true,
                       .in_head = true};
  for (uint32_t b = a->first_body.at[d]; b < a->first_body.at[d + 1]; b++) {
    pith_i_slot_candidate c = {.pred = d, .body = b};
    if (!pith_i_push(a->env, &net->candidates, c))
      return false;
    s.count++;
  }
  pith_i_net_rule r = {.head = (uint32_t)net->slots.n, .size = s.size};
  return pith_i_push(a->env, &net->slots, s) &&
         pith_i_push(a->env, &net->rules, r);
}

static bool add_tensor(assembler *a, uint32_t size) {
  bool fine = pith_i_push(a->env, &a->net->tensor_offset, a->net->tensors);
  a->net->tensors += size;
  return fine;
}

static pith_status lay_out_slots(assembler *a) {
  pith_i_net *net = a->net;
  for (uint32_t d = 0; d < a->stock->defined; d++) {
    uint32_t rules =
        d < a->stock->targets ? a->space->rules : a->space->invented_rules;
    for (uint32_t i = 0; i < rules; i++)
      if (!add_rule_slot(a, d))
        return PITH_ENOMEM;
  }
  for (size_t s = 0; s < net->slots.n; s++)
    if (!add_tensor(a, net->slots.at[s].size))
      return PITH_ENOMEM;
  net->slot_tensors = net->tensors;
  for (size_t j = 0; j < net->joins.n; j++) {
    net->joins.at[j].out = (uint32_t)net->tensor_offset.n;
    if (!add_tensor(a, net->joins.at[j].size))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* Rules that only look at the background are done in a step, and each invented
** predicate takes one more; those that use what they define need as many as
** there are things to go through. */
static uint32_t count_steps(const assembler *a) {
  uint32_t most = a->stock->most_constants;
  if (a->net->joins.n == 0)
    return 1;
  if (!a->space->recursive)
    return 1 + a->space->invented;
  return most < 2                      ? 2
         : most < PITH_TUNE_BODY_STEPS ? most
                                       : PITH_TUNE_BODY_STEPS;
}

/* ---- all --------------------------------------------------------------- */

static pith_status alloc_assembler(assembler *a) {
  a->atoms = a->stock->first_atom[a->stock->defined * a->stock->world_count];
  size_t words = a->atoms + count_stock_examples(a->stock);
  a->block = pith_i_zalloc(a->env, 1,
                           words * sizeof(uint32_t) + 3 * (size_t)a->atoms + 1);
  if (a->block == NULL)
    return PITH_ENOMEM;
  a->number = a->block;
  a->example = a->number + a->atoms;
  a->given = (bool *)(a->number + words);
  a->could = a->given + a->atoms;
  a->needed = a->could + a->atoms;
  return PITH_OK;
}

static pith_status assemble_net(assembler *a) {
  pith_status rc = alloc_assembler(a);
  if (rc < 0)
    return rc;
  find_given(a);
  find_example_atoms(a);
  find_derivable(a);
  find_needed(a);
  rc = number_atoms(a);
  if (rc >= 0)
    rc = add_bodies(a);
  if (rc >= 0)
    rc = lay_out_slots(a);
  if (rc >= 0)
    rc = label_atoms(a);
  a->net->steps = count_steps(a);
  return rc;
}

static pith_status fill_menu(pith_i_menu *menu,
                             const pith_i_theory_space *space,
                             pith_i_run *run) {
  const pith_i_stock *s = menu->stock;
  pith_status rc = PITH_OK;
  for (uint32_t d = 0; rc >= 0 && d < s->defined; d++) {
    bool target = d < s->targets;
    pith_i_measure m = {.atoms = target ? space->atoms : space->invented_atoms,
                        .vars = space->vars,
                        .itself = space->recursive,
                        .targets =
                            space->mutual || (target && space->recursive),
                        .from = space->mutual ? 0
                                : target      ? s->targets
                                              : d + 1,
                        .pairs = 2};
    rc = pith_i_menu_add(menu, d, &m, run);
  }
  return rc;
}

static pith_status net_from_menu(pith_i_menu *menu,
                                 const pith_i_theory_space *space,
                                 pith_i_net **out) {
  pith_i_env *env = menu->env;
  pith_i_net *net = pith_i_zalloc(env, 1, sizeof *net);
  if (net == NULL)
    return PITH_ENOMEM;
  net->arena.env = env;
  net->theory = menu->stock->worlds[0].theory;
  net->pooled = true;
  net->worlds = menu->stock->world_count;
  assembler a = {.env = env,
                 .space = space,
                 .stock = menu->stock,
                 .menu = menu,
                 .net = net};
  pith_status rc = assemble_net(&a);
  pith_i_vec_free(env, &a.first_body);
  pith_i_tuples_free(env, &a.prints);
  pith_i_release(env, a.block);
  if (rc < 0) {
    pith_i_net_free(net);
    return rc;
  }
  *out = net;
  return PITH_OK;
}

/* The network borrows the rules of the menu: its arena is handed over. */
static void hand_over_rules(pith_i_menu *menu, pith_i_net *net) {
  net->rule_arena = menu->arena;
  menu->arena = (pith_i_arena){.env = menu->env};
}

pith_status pith_i_theory_space_net(pith_i_env *env, const pith_i_world *worlds,
                                    size_t world_count,
                                    const pith_i_theory_space *space,
                                    const pith_pred *invented, pith_i_run *run,
                                    double *work, pith_i_net **out) {
  assert(space->rules > 0 && space->invented <= PITH_I_MAX_INVENTED);
  pith_i_stock *stock = NULL;
  pith_i_menu menu;
  const double body = 500, match = 5;
  *work = body;
  pith_status rc = pith_i_stock_new(env, worlds, world_count, invented,
                                    space->invented, &stock);
  if (rc < 0)
    return rc;
  pith_i_menu_init(&menu, env, stock);
  rc = fill_menu(&menu, space, run);
  *work += body * (double)menu.tried + match * (double)menu.work;
  if (rc >= 0)
    rc = net_from_menu(&menu, space, out);
  if (rc >= 0)
    hand_over_rules(&menu, *out);
  pith_i_menu_free(&menu);
  pith_i_stock_free(stock);
  return rc;
}
