/* What learning without templates will take, before it starts. The figures were
** fitted to tasks of up to a million facts: docs/results.md. */
#include "api/handle.h"
#include "learn/bodies/stock.h"
#include "learn/clauses/clause_language.h"
#include "learn/clauses/clause_search.h"

/* Of a fact in the search: its copy, with an index or two. */
static double copied(const pith *p) {
  double bytes = 0;
  for (pith_pred i = 0; i < p->theory.names.preds.n; i++)
    bytes += (double)pith_i_fact_count(&p->store, i, PITH_GIVEN) *
             (8 + 4.0 * pith_i_pred(&p->theory.names, i)->arity);
  return bytes;
}

static void find_wide(const pith *p, pith_learn_cost *out) {
  for (pith_pred i = 0; i < p->theory.names.preds.n; i++)
    if (pith_i_pred(&p->theory.names, i)->arity > PITH_I_PLACES &&
        pith_i_fact_count(&p->store, i, PITH_GIVEN) > 0)
      out->wide = i;
}

void pith_estimate_learn(pith *const *worlds, size_t world_count,
                         pith_learn_cost *out) {
  const double tables = 100e6; /* of a search to its end */
  *out = (pith_learn_cost){.wide = PITH_NONE};
  for (size_t w = 0; w < world_count; w++) {
    const pith *p = worlds[w];
    pith_estimate e;
    if (pith_estimate_infer(p, &e) >= 0)
      out->constants += e.constants;
    out->facts += pith_i_fact_count(&p->store, PITH_NONE, PITH_GIVEN);
    out->examples += p->theory.examples.n;
    out->least_bytes += (double)pith_bytes(p) + copied(p);
  }
  find_wide(worlds[0], out);
  out->least_bytes += 24.0 * (double)out->examples;
  out->recursion = out->examples <= PITH_I_RECURSIVE;
  out->gradient = out->constants <= PITH_I_MAX_ATOMS;
  out->bytes = out->least_bytes + tables;
  out->seconds = 15 + 5e-5 * (double)out->examples + 5e-6 * (double)out->facts;
}
