#include "net/net_builder.h"

#include <assert.h>
#include <string.h>

uint32_t pith_i_build_candidate_arity(const pith_i_net_builder *b, uint32_t c) {
  assert(c < b->net->candidates.n);
  return b->net->preds.at[b->net->candidates.at[c].pred].arity;
}

static bool add_pair(pith_i_net_builder *b, uint32_t x, uint32_t y) {
  assert(x < b->net->constants && y < b->net->constants);
  return pith_i_push(b->env, &b->fact_pairs, x) &&
         pith_i_push(b->env, &b->fact_pairs, y);
}

static bool add_diagonal(pith_i_net_builder *b) {
  for (uint32_t c = 0; c < b->net->constants; c++)
    if (!add_pair(b, c, c))
      return false;
  return true;
}

static bool add_different(pith_i_net_builder *b) {
  for (uint32_t x = 0; x < b->net->constants; x++) {
    const uint32_t *world = b->first.at + b->net->world_of[x];
    for (uint32_t y = world[0]; y < world[1]; y++)
      if (x != y && !add_pair(b, x, y))
        return false;
  }
  return true;
}

/* p(X,X) may be a unary p(X): the diagonal is needed whole. */
static bool needs_diagonal(const pith_i_net_builder *b) {
  for (size_t i = 0; i < b->net->slots.n; i++) {
    const pith_i_net_slot *s = &b->net->slots.at[i];
    for (uint32_t c = s->first; c < s->first + s->count; c++)
      if (pith_i_build_candidate_arity(b, c) != s->arity)
        return true;
  }
  return false;
}

static bool add_fact_pairs(pith_i_net_builder *b, pith_pred pred) {
  if (pred == PITH_EQUAL)
    return add_diagonal(b);
  if (pred == PITH_DIFFERENT)
    return add_different(b);
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = pith_i_build_facts_in(b, w, pred);
    for (size_t i = 0; rows != NULL && i < rows->n; i++)
      if (!add_pair(b, pith_i_build_constant(b, w, rows->at[2 * i]),
                    pith_i_build_constant(b, w, rows->at[2 * i + 1])))
        return false;
  }
  return true;
}

/* A positive example needs a number even if nothing derives it. */
static bool add_example_pairs(pith_i_net_builder *b) {
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_theory *t = b->worlds[w].theory;
    for (size_t i = 0; i < t->examples.n; i++) {
      const pith_atom *a = &t->examples.at[i]->atom;
      if (a->arity == 2 && t->examples.at[i]->positive &&
          !add_pair(b, pith_i_build_constant(b, w, a->args[0]),
                    pith_i_build_constant(b, w, a->args[1])))
        return false;
    }
  }
  return true;
}

/* The pairs of constants that were seen in the places of a predicate. seen:
** (constants, 2). */
static bool add_typed_pairs(pith_i_net_builder *b, pith_pred pred, bool *seen) {
  memset(seen, 0, 2 * (size_t)b->net->constants * sizeof *seen);
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = pith_i_build_facts_in(b, w, pred);
    for (size_t i = 0; rows != NULL && i < 2 * rows->n; i++)
      seen[2 * pith_i_build_constant(b, w, rows->at[i]) + i % 2] = true;
  }
  for (uint32_t x = 0; x < b->net->constants; x++) {
    const uint32_t *world = b->first.at + b->net->world_of[x];
    for (uint32_t y = world[0]; seen[2 * x] && y < world[1]; y++)
      if (seen[2 * y + 1] && !add_pair(b, x, y))
        return false;
  }
  return true;
}

static bool find_typed_pairs(pith_i_net_builder *b) {
  bool *seen = pith_i_alloc(b->env, 2 * (size_t)b->net->constants + 1);
  bool fine = seen != NULL;
  for (size_t p = 0; fine && p < b->net->preds.n; p++)
    if (b->net->preds.at[p].arity == 2)
      fine = add_typed_pairs(b, b->net->preds.at[p].pred, seen);
  pith_i_release(b->env, seen);
  return fine;
}

/* ---- types, in a reference network ------------------------------------- */

/* Joins the kinds of two places that share a constant; whether that changed
** something. a, b: (n). */
static bool join_kinds(bool *a, bool *b, size_t n) {
  bool share = false, changed = false;
  for (size_t c = 0; c < n; c++)
    share = share || (a[c] && b[c]);
  for (size_t c = 0; share && c < n; c++) {
    changed = changed || a[c] != b[c];
    a[c] = b[c] = a[c] || b[c];
  }
  return changed;
}

/* The constants in the facts of a predicate: (2, constants). */
static void note_seen(const pith_i_net_builder *b, uint32_t pred, bool *seen) {
  uint32_t arity = b->net->preds.at[pred].arity;
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows =
        pith_i_build_facts_in(b, w, b->net->preds.at[pred].pred);
    for (size_t i = 0; rows != NULL && i < rows->n * arity; i++)
      seen[i % arity * b->net->constants +
           pith_i_build_constant(b, w, rows->at[i])] = true;
  }
}

/* Which constants fit the places of each predicate: those seen there, and in
** places that share some with it. */
static pith_status find_types(pith_i_net_builder *b) {
  pith_i_net *net = b->net;
  size_t n = net->constants, places = 2 * net->preds.n;
  bool *all = pith_i_arena_alloc(&net->arena, places * n + 1);
  if (all == NULL)
    return PITH_ENOMEM;
  memset(all, 0, places * n);
  for (size_t p = 0; p < net->preds.n; p++)
    note_seen(b, (uint32_t)p, all + 2 * p * n);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < places; i++)
      for (size_t j = 0; j < i; j++)
        changed = join_kinds(all + i * n, all + j * n, n) || changed;
  }
  net->types = all;
  return PITH_OK;
}

/* The pairs of constants that fit a predicate. */
static bool add_kind_pairs(pith_i_net_builder *b, uint32_t pred) {
  const pith_i_net *net = b->net;
  const bool *x_fits = net->types + 2 * (size_t)pred * net->constants;
  const bool *y_fits = x_fits + net->constants;
  for (uint32_t x = 0; x < net->constants; x++) {
    const uint32_t *world = b->first.at + net->world_of[x];
    for (uint32_t y = world[0]; x_fits[x] && y < world[1]; y++)
      if (y_fits[y] && !add_pair(b, x, y))
        return false;
  }
  return true;
}

static bool find_kind_pairs(pith_i_net_builder *b) {
  bool fine = find_types(b) >= 0;
  for (uint32_t p = 0; fine && p < b->net->preds.n; p++)
    if (b->net->preds.at[p].arity == 2)
      fine = add_kind_pairs(b, p);
  return fine;
}

bool pith_i_build_pairs(pith_i_net_builder *b) {
  for (size_t p = 0; p < b->net->preds.n; p++)
    if (b->net->preds.at[p].arity == 2 &&
        !add_fact_pairs(b, b->net->preds.at[p].pred))
      return false;
  if (b->net->core_kind == PITH_I_CORE_TYPED &&
      !(b->net->reference ? find_kind_pairs(b) : find_typed_pairs(b)))
    return false;
  return (!needs_diagonal(b) || add_diagonal(b)) && add_example_pairs(b);
}

/* ---- facts ------------------------------------------------------------- */

uint32_t pith_i_build_atom_number(const pith_i_net_builder *b, uint32_t w,
                                  const pith_sym *args, uint32_t arity) {
  uint32_t xy[2];
  for (uint32_t i = 0; i < arity; i++)
    xy[i] = pith_i_build_constant(b, w, args[i]);
  return arity == 1 ? xy[0] : pith_i_net_pair(b->net, xy[0], xy[1]);
}

/* The pairs of = or \\= among all. */
static uint32_t built_in_facts(const pith_i_net *net, pith_pred pred,
                               uint32_t *facts) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < net->pairs; i++)
    if ((net->pair_x[i] == net->pair_y[i]) == (pred == PITH_EQUAL))
      facts[n++] = i;
  return n;
}

static uint32_t stored_facts(const pith_i_net_builder *b,
                             const pith_i_net_pred *p, uint32_t *facts) {
  uint32_t n = 0;
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = pith_i_build_facts_in(b, w, p->pred);
    for (size_t r = 0; rows != NULL && r < rows->n; r++)
      facts[n++] =
          pith_i_build_atom_number(b, w, rows->at + r * p->arity, p->arity);
  }
  return n;
}

static size_t count_facts(const pith_i_net_builder *b,
                          const pith_i_net_pred *p) {
  size_t n = pith_i_is_builtin(p->pred) ? b->net->pairs : 0;
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = pith_i_build_facts_in(b, w, p->pred);
    n += rows == NULL ? 0 : rows->n;
  }
  return n;
}

pith_status pith_i_build_facts(pith_i_net_builder *b) {
  pith_i_net *net = b->net;
  for (size_t i = 0; i < net->preds.n; i++) {
    pith_i_net_pred *p = &net->preds.at[i];
    uint32_t *facts = pith_i_arena_alloc(&net->arena, (count_facts(b, p) + 1) *
                                                          sizeof *facts);
    if (facts == NULL)
      return PITH_ENOMEM;
    p->facts = facts;
    p->fact_count = pith_i_is_builtin(p->pred)
                        ? built_in_facts(net, p->pred, facts)
                        : stored_facts(b, p, facts);
    p->size = p->arity == 1 ? net->constants : net->pairs;
    p->offset = net->atoms;
    if (p->derived && p->size > UINT32_MAX - 1 - net->atoms)
      return pith_i_fail(b->env, PITH_ENOMEM,
                         "the network is too large: more than 4 billion atoms");
    net->atoms += p->derived ? p->size : 0;
  }
  return PITH_OK;
}
