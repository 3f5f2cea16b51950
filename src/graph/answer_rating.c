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
        .score = pith_i_aggregate(method, weights, &d->candidates.at[out->n]),
        .entity = d->candidates.at[out->n].entity};
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

/* ---- from both sides -------------------------------------------------- */

enum { LOOKED_AT = 10 }; /* answers to a question */

/* An answer behind the last of those is less probable by this at least, so that
** it stays behind. */
static const double behind = 1 - 1e-9;

static bool has_two_sides(const pith_i_rater *r, const pith_i_asked *q) {
  return q->x != PITH_NONE && r->s->two_sided && has_clues(r, q) &&
         r->s->method[PITH_I_OPPOSITE(q->way)] != PITH_I_GRADED;
}

static bool is_before(const pith_i_rating *a, const pith_i_rating *b) {
  int order = pith_i_rating_compare(a, b);
  return order < 0 || (order == 0 && a->entity < b->entity);
}

/* Places in ratings, the best first. */
static size_t pick_best(const pith_i_ratings *ratings, size_t *best) {
  size_t n = 0;
  for (size_t i = 0; i < ratings->n; i++) {
    const pith_i_rating *a = &ratings->at[i];
    if (a->fact || a->probability == 0 ||
        (n == LOOKED_AT && !is_before(a, &ratings->at[best[n - 1]])))
      continue;
    size_t at = n < LOOKED_AT ? n++ : n - 1;
    for (; at > 0 && is_before(a, &ratings->at[best[at - 1]]); at--)
      best[at] = best[at - 1];
    best[at] = i;
  }
  return n;
}

bool pith_i_is_looked_at(const pith_i_rater *r, const pith_i_asked *asked,
                         const pith_i_ratings *ratings, uint32_t entity) {
  size_t best[LOOKED_AT];
  size_t n = has_two_sides(r, asked) ? pick_best(ratings, best) : 0;
  for (size_t i = 0; i < n; i++)
    if (ratings->at[best[i]].entity == entity)
      return true;
  return false;
}

/* The log of the sum of the exponentials of the odds of the candidates that are
** no facts, and of x, which is asked for. */
static double add_open(const pith_i_rater *r, uint32_t y, pith_i_way way,
                       uint32_t x) {
  const pith_i_applier *d = r->applier;
  const pith_i_graph *g = d->index->g;
  pith_i_aggregator m = (pith_i_aggregator)r->s->method[way];
  const float *weights = pith_i_weights(r->s, way);
  double all = -INFINITY;
  for (size_t i = 0; i < d->candidates.n; i++) {
    const pith_i_link_candidate *c = &d->candidates.at[i];
    if (c->entity == x || !pith_i_graph_has(g, y, way, c->entity))
      all = pith_i_add_logs(
          all, pith_i_aggregate_odds(m, pith_i_aggregate(m, weights, c)));
  }
  return all;
}

/* What is said for x as an answer to (y, way, ?). */
static pith_status find_back(const pith_i_rater *r, uint32_t y, pith_i_way way,
                             uint32_t x, pith_i_both_sides *out) {
  pith_i_applier *d = r->applier;
  pith_status rc = pith_i_apply_rules(d, y, way);
  uint32_t slot = rc < 0 ? 0 : d->slot[x];
  out->joint = true;
  out->unspoken = slot == 0;
  if (slot == 0)
    return rc;
  const pith_i_link_candidate *c = &d->candidates.at[slot - 1];
  pith_i_asked asked = pith_i_rater_asked(r, y, way, add_open(r, y, way, x));
  pith_i_rater_clues(r, &asked, c,
                     pith_i_aggregate((pith_i_aggregator)r->s->method[way],
                                      pith_i_weights(r->s, way), c),
                     &out->back);
  return rc;
}

pith_status pith_i_find_both_sides(const pith_i_rater *r,
                                   const pith_i_asked *asked, uint32_t slot,
                                   double score, pith_i_both_sides *out) {
  const pith_i_link_candidate *c = &r->applier->candidates.at[slot - 1];
  uint32_t y = c->entity;
  *out = (pith_i_both_sides){.joint = false};
  pith_i_rater_clues(r, asked, c, score, &out->clues);
  return has_two_sides(r, asked)
             ? find_back(r, y, PITH_I_OPPOSITE(asked->way), asked->x, out)
             : PITH_OK;
}

double pith_i_both_sides_probability(const pith_i_scoring *s, pith_i_way way,
                                     const pith_i_both_sides *b) {
  assert(b->joint);
  return pith_i_joint_probability(s, way, &b->clues,
                                  b->unspoken ? NULL : &b->back);
}

pith_status pith_i_rate_from_both_sides(const pith_i_rater *r,
                                        const pith_i_asked *asked,
                                        pith_i_ratings *ratings) {
  pith_i_both_sides found[LOOKED_AT];
  size_t best[LOOKED_AT];
  size_t n = has_two_sides(r, asked) ? pick_best(ratings, best) : 0;
  double least = 1;
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < n; i++)
    pith_i_rater_clues(r, asked, &r->applier->candidates.at[best[i]],
                       ratings->at[best[i]].score, &found[i].clues);
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    pith_i_rating *a = &ratings->at[best[i]];
    rc = find_back(r, a->entity, PITH_I_OPPOSITE(asked->way), asked->x,
                   &found[i]);
    if (rc < 0)
      break;
    a->probability = pith_i_both_sides_probability(r->s, asked->way, &found[i]);
    least = fmin(least, a->probability * behind);
  }
  for (size_t i = 0, k; rc >= 0 && n > 0 && i < ratings->n; i++) {
    for (k = 0; k < n && best[k] != i;)
      k++;
    if (k == n && !ratings->at[i].fact)
      ratings->at[i].probability = fmin(ratings->at[i].probability, least);
  }
  return rc;
}
