#include "graph/answer_odds.h"

#include <assert.h>
#include <math.h>

void pith_i_find_clues(const pith_i_asked *q, uint32_t y, double own,
                       double best, uint64_t back_known, pith_i_clues *out) {
  const double edge = 1e-3;
  assert(q->way < q->g->ways);
  bool mirrored = q->x != PITH_NONE &&
                  pith_i_graph_has(q->g, q->x, PITH_I_OPPOSITE(q->way), y);
  *out = (pith_i_clues){.known = q->known > 0};
  out->clue[PITH_I_CLUE_OWN] = (float)own;
  out->clue[PITH_I_CLUE_ALL] = (float)q->all;
  out->clue[PITH_I_CLUE_SHARE] = (float)exp(own - q->all);
  out->clue[PITH_I_CLUE_BEST] = (float)log((best + edge) / (1 - best + edge));
  if (q->known > 0)
    out->clue[PITH_I_CLUE_ANOTHER] =
        (float)pith_i_another(q->shapes, q->way, q->known);
  if (back_known > 0)
    out->clue[PITH_I_CLUE_BACK] =
        (float)pith_i_another(q->shapes, PITH_I_OPPOSITE(q->way), back_known);
  out->clue[PITH_I_CLUE_BACK_NEW] = back_known == 0;
  if (mirrored)
    out->clue[PITH_I_CLUE_MIRRORED] = q->shapes->mirrored[q->way / 2];
}

double pith_i_answer_odds(const pith_i_scoring *s, pith_i_way way,
                          const pith_i_clues *c) {
  double z = (double)s->bias[2 * way + c->known];
  for (int k = 0; k < PITH_I_CLUES; k++)
    z += s->slope[k] * (double)c->clue[k];
  return z;
}

void pith_i_visit_clues(const pith_i_scoring *s, pith_i_way way,
                        const pith_i_clues *c, pith_clue_visit visit,
                        void *ctx) {
  static const char *const names[PITH_I_CLUES] = {
      [PITH_I_CLUE_OWN] = "what its rules say together",
      [PITH_I_CLUE_ALL] = "what speaks for all answers together",
      [PITH_I_CLUE_SHARE] = "its share of that",
      [PITH_I_CLUE_BEST] = "the confidence of its best rule",
      [PITH_I_CLUE_ANOTHER] = "how often there is one answer more",
      [PITH_I_CLUE_BACK] = "how often it answers one question more",
      [PITH_I_CLUE_BACK_NEW] = "it answers no question of this kind yet",
      [PITH_I_CLUE_MIRRORED] = "the fact holds the other way round"};
  pith_clue bias = {.what = c->known ? "other answers are known"
                                     : "no answer is known yet",
                    .value = 1,
                    .adds = (double)s->bias[2 * way + c->known]};
  bool more = visit(ctx, &bias) == 0;
  for (int k = 0; more && k < PITH_I_CLUES; k++) {
    double value = (double)c->clue[k];
    pith_clue clue = {names[k], value, s->slope[k] * value};
    more = clue.adds == 0 || visit(ctx, &clue) == 0;
  }
}

double pith_i_probability(const pith_i_scoring *s, pith_i_way way, double score,
                          const pith_i_clues *c) {
  const double most = 0.999; /* nothing is certain */
  pith_i_aggregator m = (pith_i_aggregator)s->method[way];
  if (m == PITH_I_GRADED)
    return score; /* it is one already */
  if (!s->fitted)
    return 1 / (1 + exp(-pith_i_aggregate_odds(m, score)));
  return fmin(exp(pith_i_answer_odds(s, way, c)), most);
}
