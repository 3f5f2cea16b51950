#include "graph/answer_rating.h"

#include <assert.h>
#include <math.h>

double pith_i_add_logs(double sum, double next) {
  double most = fmax(sum, next);
  return isinf(most) ? most : most + log1p(exp(-fabs(sum - next)));
}

pith_i_asked pith_i_rater_asked(const pith_i_rater *r, uint32_t x,
                                pith_i_way way, double all) {
  const pith_i_graph *g = r->applier->index->g;
  return (pith_i_asked){.g = g,
                        .shapes = &r->applier->index->shapes,
                        .x = x,
                        .way = way,
                        .known =
                            x == PITH_NONE ? 0 : pith_i_graph_degree(g, x, way),
                        .all = all};
}

void pith_i_rater_clues(const pith_i_rater *r, const pith_i_asked *q,
                        const pith_i_link_candidate *c, double score,
                        pith_i_clues *out) {
  pith_i_aggregator method = (pith_i_aggregator)r->s->method[q->way];
  pith_i_find_clues(q, c->entity, pith_i_aggregate_odds(method, score),
                    (double)c->top[0], c->edges_back, out);
}

/* Of a relation without facts the rules are all that is known. */
static bool has_clues(const pith_i_rater *r, const pith_i_asked *q) {
  return r->s->fitted && r->s->method[q->way] != PITH_I_GRADED &&
         q->g->way_edges[q->way] > 0;
}

double pith_i_rater_probability(const pith_i_rater *r, const pith_i_asked *q,
                                const pith_i_link_candidate *c, double score) {
  pith_i_clues clues = {0};
  if (q->x == c->entity && q->shapes->irreflexive[q->way / 2])
    return 0;
  if (q->g->way_edges[q->way] == 0)
    return score;
  if (has_clues(r, q))
    pith_i_rater_clues(r, q, c, score, &clues);
  return pith_i_probability(r->s, q->way, score, &clues);
}

/* Those of the candidates that are facts. */
static void mark_facts(const pith_i_applier *d, uint32_t x, pith_i_way way,
                       pith_i_rating *out) {
  const pith_i_graph *g = d->index->g;
  uint32_t run = x == PITH_NONE ? PITH_NONE : pith_i_graph_run(g, x, way);
  for (uint32_t e = run == PITH_NONE ? 0 : g->run_edge[run];
       run != PITH_NONE && e < g->run_edge[run + 1]; e++)
    if (d->slot[g->target[e]] > 0)
      out[d->slot[g->target[e]] - 1].fact = true;
}

pith_status pith_i_rate_candidates(pith_i_env *env, const pith_i_rater *r,
                                   uint32_t x, pith_i_way way,
                                   pith_i_ratings *out, pith_i_asked *asked) {
  const pith_i_applier *d = r->applier;
  pith_i_aggregator method = (pith_i_aggregator)r->s->method[way];
  const float *weights = pith_i_weights(r->s, way);
  double all = -INFINITY;
  size_t n = d->candidates.n;
  out->n = 0;
  if (!pith_i_room(env, out, n))
    return PITH_ENOMEM;
  for (; out->n < n; out->n++)
    out->at[out->n] = (pith_i_rating){
        .score = pith_i_aggregate(method, weights, &d->candidates.at[out->n])};
  mark_facts(d, x, way, out->at);
  for (size_t i = 0; i < n; i++)
    if (!out->at[i].fact)
      all =
          pith_i_add_logs(all, pith_i_aggregate_odds(method, out->at[i].score));
  *asked = pith_i_rater_asked(r, x, way, all);
  for (size_t i = 0; i < n; i++)
    out->at[i].probability = pith_i_rater_probability(
        r, asked, &d->candidates.at[i], out->at[i].score);
  return PITH_OK;
}
