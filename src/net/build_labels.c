#include "net/net_builder.h"

#include <assert.h>
#include <string.h>

/* A negative example that no choice of predicates can derive has no number
** and needs none: it is right whatever is learned. It is kept with the atom
** PITH_NONE, so that means are over all examples. */
pith_status pith_i_build_labels(pith_i_net_builder *b) {
  pith_i_net *net = b->net;
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_theory *t = b->worlds[w].theory;
    const pith_i_names *names = &t->names;
    for (size_t i = 0; i < t->examples.n; i++) {
      const pith_example *e = t->examples.at[i];
      const pith_i_symbol *name =
          pith_i_sym(names, pith_i_pred(names, e->atom.pred)->name);
      const pith_i_names *first = &b->worlds[0].theory->names;
      pith_sym s = pith_i_sym_find(first, name->text, name->len, PITH_NAME);
      pith_pred pred = pith_i_pred_find(first, s, e->atom.arity);
      assert(pred != PITH_NONE && b->net_pred.at[pred] != PITH_NONE);
      const pith_i_net_pred *p = &net->preds.at[b->net_pred.at[pred]];
      uint32_t atom =
          pith_i_build_atom_number(b, w, e->atom.args, e->atom.arity);
      pith_i_net_example x = {.atom = atom == PITH_NONE ? PITH_NONE
                                                        : p->offset + atom,
                              .world = w,
                              .example = (uint32_t)i,
                              .label = e->positive ? 1.0f : 0.0f,
                              .weight = (float)e->weight};
      if (!pith_i_push(b->env, &net->examples, x))
        return PITH_ENOMEM;
    }
  }
  return PITH_OK;
}

/* ---- the core ---------------------------------------------------------- */

static bool is_observed(const pith_i_net_pred *p) {
  return p->derived && p->fact_count > 0;
}

/* Every atom of an observed predicate is an example. */
static pith_status label_observed(pith_i_net_builder *b,
                                  const pith_i_net_pred *p) {
  pith_i_net *net = b->net;
  size_t first = net->examples.n;
  for (uint32_t a = 0; a < p->size; a++) {
    uint32_t x = p->arity == 1 ? a : net->pair_x[a];
    pith_i_net_example e = {.atom = p->offset + a,
                            .world = net->world_of[x],
                            .example = PITH_NONE,
                            .weight = 1};
    if (!pith_i_push(b->env, &net->examples, e))
      return PITH_ENOMEM;
  }
  for (uint32_t f = 0; f < p->fact_count; f++) {
    assert(p->facts[f] < p->size);
    net->examples.at[first + p->facts[f]].label = 1;
  }
  return PITH_OK;
}

static bool add_core(pith_i_net_builder *b, const pith_i_net_pred *p,
                     uint32_t atom) {
  assert(p->derived && atom < p->size);
  return pith_i_push(b->env, &b->net->core, p->offset + atom);
}

/* Which constants were seen in which place: (constants, 2). */
static void note_places(const pith_i_net *net, const pith_i_net_pred *p,
                        bool *seen) {
  memset(seen, 0, 2 * (size_t)net->constants * sizeof *seen);
  for (uint32_t f = 0; f < p->fact_count; f++) {
    uint32_t a = p->facts[f];
    seen[2 * (p->arity == 1 ? a : net->pair_x[a])] = true;
    if (p->arity == 2)
      seen[2 * net->pair_y[a] + 1] = true;
  }
}

static bool is_of_type(const pith_i_net *net, const pith_i_net_pred *p,
                       uint32_t a, const bool *seen) {
  return p->arity == 1
             ? seen[2 * a]
             : seen[2 * net->pair_x[a]] && seen[2 * net->pair_y[a] + 1];
}

/* In a reference network only atoms of the right types are labelled, as in the
** authors' code. The examples of p are the last ones. */
static void forget_untyped(pith_i_net_builder *b, const pith_i_net_pred *p,
                           const bool *seen) {
  pith_i_net *net = b->net;
  assert(net->examples.n >= p->size);
  for (uint32_t a = 0; a < p->size; a++)
    if (!is_of_type(net, p, a, seen))
      net->examples.at[net->examples.n - p->size + a].weight = 0;
}

static pith_status add_observed(pith_i_net_builder *b, const pith_i_net_pred *p,
                                bool *seen) {
  pith_i_core_kind core = b->net->core_kind;
  bool fine = true;
  note_places(b->net, p, seen);
  if (b->net->types != NULL) {
    size_t first = 2 * (size_t)(p - b->net->preds.at) * b->net->constants;
    for (uint32_t c = 0; c < 2 * b->net->constants; c++)
      seen[2 * (c % b->net->constants) + c / b->net->constants] =
          b->net->types[first + c];
    forget_untyped(b, p, seen);
  }
  for (uint32_t f = 0; fine && core == PITH_I_CORE_SEEN && f < p->fact_count;
       f++)
    fine = add_core(b, p, p->facts[f]);
  for (uint32_t a = 0; fine && core >= PITH_I_CORE_TYPED && a < p->size; a++)
    if (core == PITH_I_CORE_ANY || is_of_type(b->net, p, a, seen))
      fine = add_core(b, p, a);
  return fine ? PITH_OK : PITH_ENOMEM;
}

static pith_status add_invented(pith_i_net_builder *b,
                                const pith_i_net_pred *p) {
  for (uint32_t a = 0; a < p->size; a++)
    if (!add_core(b, p, a))
      return PITH_ENOMEM;
  return PITH_OK;
}

pith_status pith_i_build_core(pith_i_net_builder *b) {
  pith_i_net *net = b->net;
  pith_status rc = PITH_OK;
  bool *seen = pith_i_zalloc(b->env, net->constants + (size_t)1, 2);
  if (seen == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < net->preds.n; i++)
    if (is_observed(&net->preds.at[i])) {
      rc = label_observed(b, &net->preds.at[i]);
      if (rc >= 0)
        rc = add_observed(b, &net->preds.at[i], seen);
    }
  net->observed = (uint32_t)net->core.n;
  for (size_t i = 0; rc >= 0 && i < net->preds.n; i++)
    if (net->preds.at[i].derived && !is_observed(&net->preds.at[i]))
      rc = add_invented(b, &net->preds.at[i]);
  pith_i_release(b->env, seen);
  return rc;
}
