/* The one order of answers: by probability, equally probable ones by score.
** What `infer` lists and what ranks count go by it. */
#ifndef PITH_GRAPH_ANSWER_RATING_H
#define PITH_GRAPH_ANSWER_RATING_H

#include "graph/answer_odds.h"

typedef struct {
  double probability, score;
  bool fact; /* the graph has it already */
} pith_i_rating;
typedef PITH_I_VEC(pith_i_rating) pith_i_ratings;

/* What answers are rated by. */
typedef struct {
  const pith_i_scoring *s;
  const pith_i_applier *applier;
} pith_i_rater;

/* Of a question that the applier has just answered. all: the log-odds of all
** its answers together. */
pith_i_asked pith_i_rater_asked(const pith_i_rater *r, uint32_t x,
                                pith_i_way way, double all);
/* The clues of a candidate with this score, and what they make of it. */
void pith_i_rater_clues(const pith_i_rater *r, const pith_i_asked *q,
                        const pith_i_link_candidate *c, double score,
                        pith_i_clues *out);
double pith_i_rater_probability(const pith_i_rater *r, const pith_i_asked *q,
                                const pith_i_link_candidate *c, double score);

/* log(exp(sum) + exp(next)), kept from overflow. */
double pith_i_add_logs(double sum, double next);

/* Rates all candidates of (x, way, ?), in their order; asked has what the
** answers that are no facts have in common. PITH_ENOMEM */
pith_status pith_i_rate_candidates(pith_i_env *env, const pith_i_rater *r,
                                   uint32_t x, pith_i_way way,
                                   pith_i_ratings *out, pith_i_asked *asked);

/* Below 0 where a comes before b. */
static inline int pith_i_rating_compare(const pith_i_rating *a,
                                        const pith_i_rating *b) {
  if (a->probability != b->probability)
    return a->probability < b->probability ? 1 : -1;
  return (a->score < b->score) - (a->score > b->score);
}

#endif
