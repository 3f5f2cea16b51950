#include "api/pairs.h"

static bool is_asked(const pith_example *e, pith_pred target) {
  return e->atom.pred == target;
}

/* The symbols of the examples, beside those that are there, each once: some
** may be in no fact. */
static pith_status list_symbols(pith *p, pith_pred target,
                                pith_i_symbols *out) {
  uint8_t *seen = pith_i_zalloc(&p->env, p->theory.names.symbols.n, 1);
  pith_status rc = seen == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < out->n; i++)
    seen[out->at[i]] = 1;
  for (size_t i = 0; rc >= 0 && i < p->theory.examples.n; i++)
    for (int k = 0; rc >= 0 && k < 2; k++) {
      const pith_example *e = p->theory.examples.at[i];
      if (!is_asked(e, target) || seen[e->atom.args[k]])
        continue;
      seen[e->atom.args[k]] = 1;
      if (!pith_i_push(&p->env, out, e->atom.args[k]))
        rc = PITH_ENOMEM;
    }
  pith_i_release(&p->env, seen);
  return rc;
}

pith_status pith_i_pairs_list(pith *p, const pith_i_graph *g, pith_pred target,
                              pith_i_pairs *out) {
  size_t n = g->entities;
  uint32_t *first = pith_i_zalloc(&p->env, n + 2, sizeof *first);
  if (first == NULL)
    return PITH_ENOMEM;
  size_t all = 0;
  for (size_t i = 0; i < p->theory.examples.n; i++) {
    const pith_example *e = p->theory.examples.at[i];
    if (is_asked(e, target)) {
      first[g->entity[e->atom.args[0]] + 2]++;
      all++;
    }
  }
  for (size_t i = 0; i < n; i++)
    first[i + 2] += first[i + 1];
  bool fine = pith_i_room(&p->env, out, all);
  for (size_t i = 0; fine && i < p->theory.examples.n; i++) {
    const pith_example *e = p->theory.examples.at[i];
    if (!is_asked(e, target))
      continue;
    uint32_t x = g->entity[e->atom.args[0]];
    out->at[first[x + 1]++] =
        (pith_i_pair){x, g->entity[e->atom.args[1]], e->positive};
  }
  out->n = fine ? all : 0;
  pith_i_release(&p->env, first);
  return fine ? PITH_OK : PITH_ENOMEM;
}

pith_status pith_i_pairs_graph(pith *p, pith_pred target, pith_i_symbols *extra,
                               pith_i_graph **out) {
  const pith_i_names *names = &p->theory.names;
  pith_status rc = list_symbols(p, target, extra);
  if (rc >= 0)
    rc = pith_i_graph_new(&p->store, names->symbols.n, names->preds.n,
                          extra->at, extra->n, out);
  if (rc >= 0 && (*out)->relation[target] == PITH_NONE)
    rc = pith_i_fail(&p->env, PITH_EINPUT, "%s/2 has no facts to learn from",
                     pith_i_pred_text(names, target));
  return rc;
}

bool pith_i_is_binary(const pith *p, pith_pred q) {
  const pith_i_names *names = &p->theory.names;
  return q < names->preds.n && !pith_i_is_builtin(q) &&
         pith_i_pred(names, q)->arity == 2;
}
