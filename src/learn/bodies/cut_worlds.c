#include "learn/bodies/cut_worlds.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"

void pith_i_cut_init(pith_i_cut_worlds *c, pith_i_env *env,
                     const pith_i_world *worlds, size_t world_count) {
  memset(c, 0, sizeof *c);
  c->env = env;
  c->worlds = worlds;
  c->world_count = world_count;
}

static void free_world(pith_i_cut_worlds *c, uint32_t b) {
  if (c->store[b].env != NULL)
    pith_i_store_free(&c->store[b]);
  pith_i_vec_free(c->env, &c->theory[b].examples);
  memset(&c->store[b], 0, sizeof c->store[b]);
}

void pith_i_cut_free(pith_i_cut_worlds *c) {
  for (uint32_t b = 0; b < c->balls; b++) {
    free_world(c, b);
    pith_i_release(c->env, c->in[b]);
  }
  c->balls = 0;
}

/* ---- facts and constants ---------------------------------------------- */

static const pith_i_tuples *world_rows(const pith_i_world *t, size_t pred) {
  return &t->store->relations.at[pred].rows;
}

static bool all_in(const bool *in, const pith_sym *args, uint32_t n) {
  for (uint32_t j = 0; j < n; j++)
    if (!in[args[j]])
      return false;
  return true;
}

static bool any_in(const bool *in, const pith_sym *args, uint32_t n) {
  for (uint32_t j = 0; j < n; j++)
    if (in[args[j]])
      return true;
  return false;
}

size_t pith_i_constant_count(const pith_i_world *worlds, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count +=
        worlds[i].theory->names.symbols.n - worlds[i].theory->names.by_name.n;
  return count;
}

/* ---- growing a ball --------------------------------------------------- */

typedef struct {
  const pith_i_world *world;
  size_t symbols;
  uint32_t *facts; /* (symbols) that each is in                         */
  bool *in;        /* (symbols)                                         */
  bool *through;   /* (symbols) in it, and so are those next to it: not
                      those that nearly everything is next to           */
  uint32_t *ring;  /* those next to it; (symbols)                       */
  uint32_t ring_count, count, size;
  void *block;
} ball;

static bool ball_new(pith_i_env *env, const pith_i_world *t, uint32_t size,
                     ball *b) {
  size_t n = t->theory->names.symbols.n;
  *b = (ball){.world = t, .symbols = n, .size = size};
  b->block = pith_i_zalloc(env, n + 1, 2 * sizeof(uint32_t) + 2 * sizeof(bool));
  if (b->block == NULL)
    return false;
  b->facts = b->block;
  b->ring = b->facts + n;
  b->in = (bool *)(b->ring + n);
  b->through = b->in + n;
  for (size_t p = 0; p < t->store->relations.n; p++) {
    const pith_i_tuples *rows = world_rows(t, p);
    for (size_t i = 0; i < rows->n * rows->width; i++)
      b->facts[rows->at[i]]++;
  }
  return true;
}

static void take_constant(ball *b, pith_sym s) {
  assert(s < b->symbols);
  if (b->in[s])
    return;
  b->in[s] = true;
  b->count++;
}

static void take_rare_constants(ball *b) {
  for (size_t p = 0; p < b->world->store->relations.n; p++) {
    const pith_i_tuples *rows = world_rows(b->world, p);
    for (size_t i = 0;
         rows->n <= PITH_TUNE_CUT_RARE && i < rows->n * rows->width; i++)
      take_constant(b, rows->at[i]);
  }
}

/* What is next to those in the ball, each once. */
static void find_ring(ball *b) {
  b->ring_count = 0;
  for (size_t p = 0; p < b->world->store->relations.n; p++) {
    const pith_i_tuples *rows = world_rows(b->world, p);
    const pith_sym *args = rows->at;
    for (size_t i = 0; i < rows->n; i++, args += rows->width)
      for (uint32_t j = 0;
           any_in(b->through, args, rows->width) && j < rows->width; j++)
        if (!b->in[args[j]]) {
          b->in[args[j]] = true; /* for now */
          b->ring[b->ring_count++] = args[j];
        }
  }
  for (uint32_t i = 0; i < b->ring_count; i++)
    b->in[b->ring[i]] = false;
}

/* Ring by ring; of the last as many as there is room for, drawn. */
static void grow_ball(ball *b, uint64_t seed) {
  for (uint32_t round = 0; b->count < b->size; round++) {
    for (size_t s = 0; s < b->symbols; s++)
      b->through[s] = b->in[s] && b->facts[s] <= PITH_TUNE_CUT_HUB;
    find_ring(b);
    if (b->ring_count == 0)
      return;
    for (uint32_t n = b->ring_count; n > 0 && b->count < b->size; n--) {
      uint32_t i = (uint32_t)(pith_i_random(seed, round, n) % n);
      take_constant(b, b->ring[i]);
      b->ring[i] = b->ring[n - 1];
    }
  }
}

/* The examples about it: as many of one label as of the other count most. */
static uint32_t score_examples(const ball *b) {
  const pith_i_theory *t = b->world->theory;
  uint32_t n[2] = {0, 0};
  for (size_t i = 0; i < t->examples.n; i++) {
    const pith_example *e = t->examples.at[i];
    n[e->positive] += all_in(b->in, e->atom.args, e->atom.arity);
  }
  return n[0] + n[1] + 3 * (n[0] < n[1] ? n[0] : n[1]);
}

static uint32_t draw_positive(const pith_i_theory *t, uint64_t seed,
                              uint64_t i) {
  uint32_t count = 0;
  for (size_t e = 0; e < t->examples.n; e++)
    count += t->examples.at[e]->positive;
  if (count == 0)
    return PITH_NONE;
  uint32_t left = (uint32_t)(pith_i_random(seed, 1, i) % count);
  for (uint32_t e = 0;; e++)
    if (t->examples.at[e]->positive && left-- == 0)
      return e;
}

static void start_ball(ball *b, uint32_t example, uint64_t seed) {
  memset(b->in, 0, b->symbols * sizeof *b->in);
  b->count = 0;
  if (example != PITH_NONE) {
    const pith_atom *a = &b->world->theory->examples.at[example]->atom;
    for (uint32_t j = 0; j < a->arity; j++)
      take_constant(b, a->args[j]);
  }
  take_rare_constants(b);
  grow_ball(b, seed);
}

pith_status pith_i_cut_add(pith_i_cut_worlds *c, uint32_t world,
                           uint32_t example, uint32_t size, uint64_t seed) {
  assert(world < c->world_count);
  const pith_i_world *t = &c->worlds[world];
  uint32_t draws = example == PITH_NONE ? PITH_TUNE_CUT_DRAWS : 1, most = 0;
  ball b;
  if (c->balls == PITH_I_MAX_BALLS)
    return PITH_OK;
  bool *best = pith_i_zalloc(c->env, t->theory->names.symbols.n + 1, 1);
  if (best == NULL || !ball_new(c->env, t, size, &b)) {
    pith_i_release(c->env, best);
    return PITH_ENOMEM;
  }
  for (uint32_t i = 0; i < draws; i++) {
    uint32_t e = draws > 1 ? draw_positive(t->theory, seed, i) : example;
    start_ball(&b, e, pith_i_random(seed, 2, i));
    uint32_t examples = score_examples(&b);
    if (i > 0 && examples <= most)
      continue;
    most = examples;
    memcpy(best, b.in, b.symbols * sizeof *best);
  }
  pith_i_release(c->env, b.block);
  c->world_of[c->balls] = world;
  c->in[c->balls++] = best;
  return PITH_OK;
}

/* ---- worlds ----------------------------------------------------------- */

/* Of the facts about each constant, how many are there: facts, then those in
** the cut; (2, symbols). */
static uint32_t *count_facts_inside(const pith_i_cut_worlds *c, uint32_t b) {
  const pith_i_world *t = &c->worlds[c->world_of[b]];
  size_t symbols = t->theory->names.symbols.n;
  uint32_t *all = pith_i_zalloc(c->env, symbols + 1, 2 * sizeof *all);
  for (size_t p = 0; all != NULL && p < t->store->relations.n; p++) {
    const pith_i_tuples *rows = world_rows(t, p);
    const pith_sym *args = rows->at;
    for (size_t i = 0; i < rows->n; i++, args += rows->width) {
      bool inside = all_in(c->in[b], args, rows->width);
      for (uint32_t j = 0; j < rows->width; j++) {
        all[args[j]]++;
        all[symbols + args[j]] += inside;
      }
    }
  }
  return all;
}

/* A positive example counts if most of what is known about its constants is
** there, so that its proof may well be too; one about everything's neighbour
** as well. */
static bool is_supported(const pith_i_cut_worlds *c, uint32_t b,
                         const pith_example *e, const uint32_t *facts) {
  size_t symbols = c->worlds[c->world_of[b]].theory->names.symbols.n;
  double share = 1;
  for (uint32_t j = 0; j < e->atom.arity; j++) {
    uint32_t all = facts[e->atom.args[j]];
    if (all > 0 && all <= PITH_TUNE_CUT_HUB)
      share *= (double)facts[symbols + e->atom.args[j]] / all;
  }
  return share >= pith_i_reals.CUT_KNOWN_SHARE;
}

static pith_status make_world(pith_i_cut_worlds *c, uint32_t b) {
  assert(b < c->balls && c->in[b] != NULL);
  const pith_i_world *t = &c->worlds[c->world_of[b]];
  pith_i_theory *theory = &c->theory[b];
  pith_status rc = PITH_OK;
  uint32_t *about = count_facts_inside(c, b);
  if (about == NULL)
    return PITH_ENOMEM;
  free_world(c, b);
  *theory = *t->theory;
  memset(&theory->examples, 0, sizeof theory->examples);
  pith_i_store_init(&c->store[b], c->env);
  for (size_t p = 0; p < t->store->relations.n; p++) {
    const pith_i_tuples *rows = world_rows(t, p);
    const pith_sym *args = rows->at;
    for (size_t i = 0; rc >= 0 && i < rows->n; i++, args += rows->width)
      if (all_in(c->in[b], args, rows->width))
        rc = pith_i_fact_give(&c->store[b], (pith_pred)p, rows->width, args);
  }
  for (size_t i = 0; rc >= 0 && i < t->theory->examples.n; i++) {
    pith_example *e = t->theory->examples.at[i];
    if (all_in(c->in[b], e->atom.args, e->atom.arity) &&
        (!e->positive || is_supported(c, b, e, about)) &&
        !pith_i_push(c->env, &theory->examples, e))
      rc = PITH_ENOMEM;
  }
  pith_i_release(c->env, about);
  c->cut[b] = (pith_i_world){.theory = theory, .store = &c->store[b]};
  return rc;
}

pith_status pith_i_cut_make(pith_i_cut_worlds *c) {
  pith_status rc = PITH_OK;
  for (uint32_t b = 0; rc >= 0 && b < c->balls; b++)
    rc = make_world(c, b);
  return rc;
}
