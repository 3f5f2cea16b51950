#include "net/net_builder.h"

#include <assert.h>
#include <string.h>

static bool add_constant(pith_i_net_builder *b, uint32_t world, pith_sym s) {
  assert(world < b->world_start.n);
  assert(b->world_start.at[world] + s < b->constant_of.n);
  uint32_t *c = &b->constant_of.at[b->world_start.at[world] + s];
  if (*c != PITH_NONE)
    return true;
  *c = b->net->constants++;
  return pith_i_push(b->env, &b->world_of, world) &&
         pith_i_push(b->env, &b->symbol, s);
}

uint32_t pith_i_build_constant(const pith_i_net_builder *b, uint32_t world,
                               pith_sym s) {
  assert(world < b->world_start.n);
  assert(b->world_start.at[world] + s < b->constant_of.n);
  return b->constant_of.at[b->world_start.at[world] + s];
}

pith_pred pith_i_build_pred_in(const pith_i_net_builder *b, uint32_t w,
                               pith_pred pred) {
  assert(w < b->world_count);
  if (w == 0)
    return pred;
  const pith_i_names *from = &b->worlds[0].theory->names;
  const pith_i_names *to = &b->worlds[w].theory->names;
  const pith_i_symbol *name = pith_i_sym(from, pith_i_pred(from, pred)->name);
  pith_sym s = pith_i_sym_find(to, name->text, name->len, PITH_NAME);
  return s == PITH_NONE
             ? PITH_NONE
             : pith_i_pred_find(to, s, pith_i_pred(from, pred)->arity);
}

const pith_i_tuples *pith_i_build_facts_in(const pith_i_net_builder *b,
                                           uint32_t w, pith_pred pred) {
  pith_pred there = pith_i_build_pred_in(b, w, pred);
  const pith_i_store *s = b->worlds[w].store;
  if (there == PITH_NONE || there >= s->relations.n ||
      s->relations.at[there].rows.n == 0)
    return NULL;
  return &s->relations.at[there].rows;
}

static bool add_world(pith_i_net_builder *b, uint32_t w) {
  size_t n = b->worlds[w].theory->names.symbols.n;
  if (!pith_i_push(b->env, &b->world_start, b->constant_of.n) ||
      !pith_i_room(b->env, &b->constant_of, n))
    return false;
  memset(b->constant_of.at + b->constant_of.n, 0xff,
         n * sizeof *b->constant_of.at);
  b->constant_of.n += n;
  return true;
}

bool pith_i_build_constants(pith_i_net_builder *b) {
  for (uint32_t w = 0; w < b->world_count; w++) {
    if (!add_world(b, w) || !pith_i_push(b->env, &b->first, b->net->constants))
      return false;
    for (size_t p = 0; p < b->net->preds.n; p++) {
      const pith_i_tuples *rows =
          pith_i_build_facts_in(b, w, b->net->preds.at[p].pred);
      for (size_t i = 0; rows != NULL && i < rows->n * rows->width; i++)
        if (!add_constant(b, w, rows->at[i]))
          return false;
    }
    const pith_i_theory *t = b->worlds[w].theory;
    for (size_t i = 0; i < t->examples.n; i++)
      for (uint32_t j = 0; j < t->examples.at[i]->atom.arity; j++)
        if (!add_constant(b, w, t->examples.at[i]->atom.args[j]))
          return false;
  }
  b->net->world_of = b->world_of.at;
  if (!pith_i_push(b->env, &b->first, b->net->constants))
    return false;
  b->net->first_constant = b->first.at;
  b->net->worlds = (uint32_t)b->world_count;
  return true;
}
