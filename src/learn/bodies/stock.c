#include "learn/bodies/stock.h"

#include <assert.h>
#include <string.h>

#include "base/tunables.h"
#include "task/shared_places.h"
#include "task/vocabulary.h"

/* ---- which predicates ------------------------------------------------ */

static pith_i_relation *brick_facts(pith_i_stock *s, uint32_t w,
                                    pith_pred pred) {
  pith_pred there = pith_i_pred_in_world(s->worlds, w, pred);
  const pith_i_store *store = s->worlds[w].store;
  if (there == PITH_NONE || there >= store->relations.n)
    return &s->none;
  pith_i_relation *r = &store->relations.at[there];
  r->end = r->rows.n;
  return r;
}

static bool brick_has_facts(pith_i_stock *s, pith_pred pred) {
  for (uint32_t w = 0; w < s->world_count; w++)
    if (brick_facts(s, w, pred)->rows.n > 0)
      return true;
  return false;
}

static bool add_brick(pith_i_stock *s, pith_pred pred, bool defined) {
  assert(pred < s->worlds[0].theory->names.preds.n);
  pith_i_brick *b = &s->bricks[s->count];
  uint32_t arity = pith_i_pred(&s->worlds[0].theory->names, pred)->arity;
  *b = (pith_i_brick){.pred = pred, .arity = arity, .defined = defined};
  b->kind = pith_i_arena_alloc(&s->arena, (arity + 1) * sizeof *b->kind);
  b->rows = pith_i_arena_alloc(&s->arena, s->world_count * sizeof *b->rows);
  if (b->kind == NULL || b->rows == NULL)
    return false;
  for (uint32_t w = 0; w < s->world_count; w++)
    b->rows[w] = brick_facts(s, w, pred);
  s->count++;
  s->defined += defined;
  return true;
}

static pith_status choose_bricks(pith_i_stock *s, const pith_pred *invented,
                                 size_t n) {
  const pith_i_names *names = &s->worlds[0].theory->names;
  bool named = pith_i_bias_names_bodies(names), fine = true;
  s->bricks =
      pith_i_arena_alloc(&s->arena, (names->preds.n + 1) * sizeof *s->bricks);
  if (s->bricks == NULL)
    return PITH_ENOMEM;
  for (pith_pred p = 2; fine && p < names->preds.n; p++)
    if (pith_i_has_examples(s->worlds, s->world_count, p, false))
      fine = add_brick(s, p, true);
  s->targets = s->count;
  for (size_t i = 0; fine && i < n; i++) {
    fine = add_brick(s, invented[i], true);
    if (fine)
      s->bricks[s->count - 1].open = true;
  }
  for (pith_pred p = 2; fine && p < names->preds.n; p++) {
    bool taken = false;
    for (uint32_t i = 0; i < s->defined; i++)
      taken = taken || s->bricks[i].pred == p;
    if (!taken && brick_has_facts(s, p) &&
        pith_i_may_be_in_bodies(names, p, named))
      fine = add_brick(s, p, false);
  }
  return fine ? PITH_OK : PITH_ENOMEM;
}

/* ---- kinds of places -------------------------------------------------- */

/* The constants that stand in the places of a world's facts and examples. */
static void add_places_of_world(const pith_i_stock *s, uint32_t w,
                                pith_i_shared_places *p) {
  const pith_i_theory *t = s->worlds[w].theory;
  for (uint32_t i = 0; i < s->count; i++) {
    const pith_i_brick *b = &s->bricks[i];
    const pith_i_tuples *rows = &b->rows[w]->rows;
    for (uint32_t j = 0; !b->open && rows->n > 0 && j < b->arity; j++)
      pith_i_places_add(p, b->kind[j], rows->at + j, rows->n, b->arity);
    pith_pred there = pith_i_pred_in_world(s->worlds, w, b->pred);
    for (size_t e = 0; b->defined && e < t->examples.n; e++)
      for (uint32_t j = 0;
           t->examples.at[e]->atom.pred == there && j < b->arity; j++)
        pith_i_places_add(p, b->kind[j], &t->examples.at[e]->atom.args[j], 1,
                          1);
  }
}

/* Worlds have symbols of their own, so that each joins kinds by itself. */
static pith_status find_place_kinds(pith_i_stock *s) {
  uint32_t places = 0;
  size_t symbols = 1;
  for (uint32_t i = 0; i < s->count; i++)
    for (uint32_t j = 0; j < s->bricks[i].arity; j++)
      s->bricks[i].kind[j] = places++;
  for (uint32_t w = 0; w < s->world_count; w++) {
    size_t n = s->worlds[w].theory->names.symbols.n;
    symbols = n > symbols ? n : symbols;
  }
  pith_i_shared_places shared;
  uint32_t *up = pith_i_alloc(s->env, (places + 1) * sizeof *up);
  pith_status rc = pith_i_places_init(&shared, s->env, places, symbols);
  rc = up == NULL ? PITH_ENOMEM : rc;
  for (uint32_t i = 0; rc >= 0 && i < places; i++)
    up[i] = i;
  for (uint32_t w = 0; rc >= 0 && w < s->world_count; w++) {
    pith_i_places_clear(&shared);
    add_places_of_world(s, w, &shared);
    pith_i_places_join(&shared, up);
  }
  for (uint32_t i = 0; rc >= 0 && i < s->count; i++)
    for (uint32_t j = 0; j < s->bricks[i].arity; j++)
      s->bricks[i].kind[j] = pith_i_places_kind(up, s->bricks[i].kind[j]);
  pith_i_places_free(&shared);
  pith_i_release(s->env, up);
  return rc;
}

/* ---- atoms that could hold -------------------------------------------- */

/* The constants of a place: rows of width 1. */
static pith_status constants_of(pith_i_stock *s, uint32_t w,
                                const pith_i_brick *to, uint32_t place,
                                pith_i_tuples *out) {
  const pith_i_theory *t = s->worlds[w].theory;
  pith_status rc = PITH_OK;
  out->width = 1;
  for (uint32_t i = 0; i < s->count; i++) {
    const pith_i_brick *b = &s->bricks[i];
    pith_pred there = pith_i_pred_in_world(s->worlds, w, b->pred);
    for (uint32_t j = 0; j < b->arity; j++) {
      if (b->open || (!to->open && b->kind[j] != to->kind[place]))
        continue;
      const pith_i_tuples *rows = &brick_facts(s, w, b->pred)->rows;
      for (size_t r = 0; rc >= 0 && r < rows->n; r++)
        rc = pith_i_tuples_add(s->env, out, rows->at + r * b->arity + j, NULL,
                               NULL);
      for (size_t e = 0; rc >= 0 && b->defined && e < t->examples.n; e++)
        if (t->examples.at[e]->atom.pred == there)
          rc = pith_i_tuples_add(s->env, out, &t->examples.at[e]->atom.args[j],
                                 NULL, NULL);
    }
  }
  return rc;
}

/* All combinations; sets: (arity). */
static pith_status combine_constants(pith_i_stock *s, const pith_i_tuples *sets,
                                     pith_i_tuples *out) {
  assert(out->width <= 8);
  uint32_t arity = out->width, at[8] = {0};
  pith_sym key[8];
  pith_status rc = PITH_OK;
  for (uint32_t j = 0; j < arity; j++)
    if (sets[j].n == 0)
      return PITH_OK;
  for (bool more = true; rc >= 0 && more;) {
    for (uint32_t j = 0; j < arity; j++)
      key[j] = sets[j].at[at[j]];
    rc = pith_i_tuples_add(s->env, out, key, NULL, NULL);
    uint32_t j = arity;
    while (j > 0 && ++at[j - 1] == sets[j - 1].n)
      at[--j] = 0;
    more = j > 0;
  }
  return rc;
}

/* What is given and labelled, in any case. */
static pith_status add_known(pith_i_stock *s, uint32_t w, const pith_i_brick *b,
                             pith_i_tuples *out) {
  const pith_i_theory *t = s->worlds[w].theory;
  pith_pred there = pith_i_pred_in_world(s->worlds, w, b->pred);
  const pith_i_tuples *rows = &brick_facts(s, w, b->pred)->rows;
  pith_status rc = PITH_OK;
  for (size_t r = 0; rc >= 0 && r < rows->n; r++)
    rc = pith_i_tuples_add(s->env, out, rows->at + r * b->arity, NULL, NULL);
  for (size_t e = 0; rc >= 0 && e < t->examples.n; e++)
    if (t->examples.at[e]->atom.pred == there)
      rc = pith_i_tuples_add(s->env, out, t->examples.at[e]->atom.args, NULL,
                             NULL);
  return rc;
}

static pith_status find_atoms(pith_i_stock *s, uint32_t w, pith_i_brick *b,
                              pith_i_relation *r) {
  assert(b->defined);
  pith_i_tuples sets[8] = {{0}};
  double all = 1;
  pith_status rc = b->arity > 8 ? PITH_ELIMIT : PITH_OK;
  r->rows.width = b->arity;
  if (rc >= 0)
    rc = add_known(s, w, b, &r->rows);
  for (uint32_t j = 0; rc >= 0 && j < b->arity; j++) {
    rc = constants_of(s, w, b, j, &sets[j]);
    all *= (double)sets[j].n;
    if (sets[j].n > s->most_constants)
      s->most_constants = (uint32_t)sets[j].n;
  }
  if (rc >= 0 && all <= PITH_TUNE_BODY_ATOMS)
    rc = combine_constants(s, sets, &r->rows);
  else if (rc >= 0 && b->open)
    rc = PITH_ELIMIT; /* none of its atoms is labelled */
  for (uint32_t j = 0; j < b->arity && j < 8; j++)
    pith_i_tuples_free(s->env, &sets[j]);
  r->end = r->rows.n;
  return rc;
}

static pith_status find_all_atoms(pith_i_stock *s) {
  size_t n = (size_t)s->defined * s->world_count;
  uint32_t total = 0;
  s->could = pith_i_zalloc(s->env, n + 1, sizeof *s->could);
  s->first_atom =
      pith_i_arena_alloc(&s->arena, (n + 1) * sizeof *s->first_atom);
  pith_status rc =
      s->could == NULL || s->first_atom == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    uint32_t w = (uint32_t)(i % s->world_count);
    rc = find_atoms(s, w, &s->bricks[i / s->world_count], &s->could[i]);
    s->first_atom[i] = total;
    total += (uint32_t)s->could[i].rows.n;
    if (rc >= 0 && total > PITH_TUNE_BODY_ATOMS)
      rc = PITH_ELIMIT;
  }
  for (size_t i = 0; rc >= 0 && i < n; i++)
    s->bricks[i / s->world_count].rows[i % s->world_count] = &s->could[i];
  if (rc >= 0)
    s->first_atom[n] = total;
  return rc;
}

/* ---- all -------------------------------------------------------------- */

pith_status pith_i_stock_new(pith_i_env *env, const pith_i_world *worlds,
                             size_t world_count, const pith_pred *invented,
                             size_t n, pith_i_stock **out) {
  assert(world_count > 0);
  pith_i_stock *s = pith_i_zalloc(env, 1, sizeof *s);
  if (s == NULL)
    return PITH_ENOMEM;
  s->env = s->arena.env = env;
  s->worlds = worlds;
  s->world_count = (uint32_t)world_count;
  pith_status rc = choose_bricks(s, invented, n);
  if (rc >= 0)
    rc = find_place_kinds(s);
  if (rc >= 0)
    rc = find_all_atoms(s);
  if (rc < 0) {
    pith_i_stock_free(s);
    return rc;
  }
  *out = s;
  return PITH_OK;
}

void pith_i_stock_free(pith_i_stock *s) {
  if (s == NULL)
    return;
  size_t n = (size_t)s->defined * s->world_count;
  for (size_t i = 0; s->could != NULL && i < n; i++)
    pith_i_relation_free(s->env, &s->could[i]);
  pith_i_release(s->env, s->could);
  pith_i_arena_free(&s->arena);
  pith_i_release(s->env, s);
}
