/* Four things take memory: what a thread keeps for each entity; the counts of
** chains of two; rules with constants, of which each head keeps a few; and the
** samples, a row of numbers for the truth and each of its rivals. The first,
** third and fourth are bounded by counts. Of the second there are at most half
** the cube of the ways, and no more than there are paths of two edges whose
** ends are joined, were edges spread by chance; on real graphs it is less, and
** two in five is between those seen. Growing vectors hold up to twice what is
** in them, which is in the bytes below. Bytes and seconds of each were fitted
** to umls, nations, family, wn18rr and fb15k-237. */
#include "graph/graph_cost.h"

#include <math.h>

#include "graph/tune.h"

static double degree_of(const pith_i_graph *g, uint32_t node) {
  return g->run_edge[g->node_run[node + 1]] - g->run_edge[g->node_run[node]];
}

/* Paths of two edges. */
static double count_pairs(const pith_i_graph *g) {
  double n = 0;
  for (uint32_t a = 0; a < g->entities; a++)
    n += degree_of(g, a) * degree_of(g, a);
  return n;
}

static double count_chains(const pith_i_graph *g, const pith_i_mining *m,
                           double pairs) {
  double ways = g->ways, heads = m->target == PITH_NONE ? ways : 2;
  double density = g->edges / ((double)g->entities * g->entities);
  if (m->length < 2)
    return ways * heads;
  return 0.4 * fmin(ways * ways * heads / 2, pairs * density / 2);
}

/* A body must be met by two members of its head at least. */
static double count_items(const pith_i_graph *g, const pith_i_mining *m) {
  double n = 0;
  for (uint32_t r = 0; r < g->runs; r++) {
    double met = 0;
    if (pith_i_run_size(g, r) < m->support ||
        (m->target != PITH_NONE && g->run_way[r] / 2 != m->target))
      continue;
    for (uint32_t e = g->run_edge[r]; e < g->run_edge[r + 1]; e++)
      met += degree_of(g, g->target[e]);
    n += fmin(met / m->support, m->keep_item);
  }
  return n;
}

static double count_rows(const pith_i_graph *g, const uint64_t *held) {
  double samples = 0;
  for (uint32_t r = 0; r < g->relations; r++)
    samples += 2 * fmin((double)held[r], PITH_I_SAMPLES);
  return samples * fmin(g->entities, PITH_I_RIVALS + 1);
}

void pith_i_mining_cost(const pith_i_graph *g, const pith_i_mining *m,
                        const uint64_t *held, uint32_t jobs, pith_i_cost *out) {
  double pairs = count_pairs(g), chains = count_chains(g, m, pairs);
  double items = count_items(g, m), rows = count_rows(g, held);
  double row = 4.0 * PITH_I_FEATURES;
  double longer = (m->length > 3 ? m->length - 3 : 0) * (double)m->long_bodies *
                  (m->target == PITH_NONE ? g->relations : 1);
  double counting = chains * (130 + 50.0 * jobs);
  double weighing = 2 * items * sizeof(pith_i_path) + 2 * rows * row;
  out->bytes = 40.0 * g->entities * jobs + fmax(counting, weighing) +
               fmin(counting, weighing) / 2;
  out->seconds = 1.5e-7 * pairs + 5e-5 * chains + 4e-5 * items + 2.1e-5 * rows +
                 9e-4 * longer;
}
