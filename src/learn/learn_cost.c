/* The figures were fitted to tasks of up to a million facts:
** docs/results.md. */
#include "learn/learn_cost.h"

#include <assert.h>

#include "base/tunables.h"
#include "learn/bodies/stock.h"
#include "learn/clauses/clause_language.h"
#include "learn/clauses/clause_search.h"
#include "score/score.h"

/* Of the facts in the search: their copies, with an index or two. */
static double copied_bytes(const pith_i_world *w) {
  double bytes = 0;
  for (pith_pred i = 0; i < w->theory->names.preds.n; i++)
    bytes += (double)pith_i_fact_count(w->store, i, PITH_GIVEN) *
             (8 + 4.0 * pith_i_pred(&w->theory->names, i)->arity);
  return bytes;
}

static pith_pred find_wide(const pith_i_world *w) {
  pith_pred wide = PITH_NONE;
  for (pith_pred i = 0; i < w->theory->names.preds.n; i++)
    if (pith_i_pred(&w->theory->names, i)->arity > PITH_I_PLACES &&
        pith_i_fact_count(w->store, i, PITH_GIVEN) > 0)
      wide = i;
  return wide;
}

void pith_i_learn_cost(const pith_i_world *worlds, size_t world_count,
                       pith_estimate *out) {
  assert(world_count > 0);
  *out = (pith_estimate){.wide = find_wide(&worlds[0])};
  for (size_t w = 0; w < world_count; w++) {
    const pith_i_world *at = &worlds[w];
    pith_estimate e;
    if (pith_i_estimate(at->theory, at->store, &e) >= 0)
      out->constants += e.constants;
    out->facts += pith_i_fact_count(at->store, PITH_NONE, PITH_GIVEN);
    out->examples += at->theory->examples.n;
    out->least_bytes += (double)at->theory->env->used + copied_bytes(at);
  }
  out->least_bytes += 24.0 * (double)out->examples;
  out->recursion = out->examples <= PITH_TUNE_SEARCH_RECURSIVE_EXAMPLES;
  out->gradient = out->constants <= PITH_TUNE_BODY_ATOMS;
  out->bytes = out->least_bytes + pith_i_reals.LEARN_TABLE_BYTES;
  out->seconds = 15 + 5e-5 * (double)out->examples + 5e-6 * (double)out->facts;
}
