/* The one order of answers: by probability, equally probable ones by score.
** What `infer` lists and what ranks count go by it.
**
** All answers to a question are rated by what is said from the side that is
** asked. The best of them are then asked for from the other side, too, and
** their probabilities are those of both; the others keep theirs, but are never
** more probable than the last of the best. */
#ifndef PITH_GRAPH_ANSWER_RATING_H
#define PITH_GRAPH_ANSWER_RATING_H

#include "graph/answer_odds.h"

typedef struct {
  double probability, score;
  uint32_t entity;
  bool fact; /* the graph has it already */
} pith_i_rating;
typedef PITH_I_VEC(pith_i_rating) pith_i_ratings;

/* What answers are rated by. */
typedef struct {
  const pith_i_scoring *s;
  pith_i_applier *applier;
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

/* Asks for the best of them from the other side: the applier then has the last
** answer to that. Does nothing where the question has one side only: no such
** entity, or a model that does not weigh both. PITH_ENOMEM */
pith_status pith_i_rate_from_both_sides(const pith_i_rater *r,
                                        const pith_i_asked *asked,
                                        pith_i_ratings *ratings);

/* One answer with the clues of both sides. */
typedef struct {
  pith_i_clues clues, back;
  bool joint;    /* both sides were asked                  */
  bool unspoken; /* and nothing speaks for it from the other */
} pith_i_both_sides;
/* The clues of the candidate in that slot, where the applier has just answered
** `asked`; it then has the answer from the other side. PITH_ENOMEM */
pith_status pith_i_find_both_sides(const pith_i_rater *r,
                                   const pith_i_asked *asked, uint32_t slot,
                                   double score, pith_i_both_sides *out);
double pith_i_both_sides_probability(const pith_i_scoring *s, pith_i_way way,
                                     const pith_i_both_sides *b);
/* Whether an answer is among those that are asked for from both sides. */
bool pith_i_is_looked_at(const pith_i_rater *r, const pith_i_asked *asked,
                         const pith_i_ratings *ratings, uint32_t entity);

/* Below 0 where a comes before b. */
static inline int pith_i_rating_compare(const pith_i_rating *a,
                                        const pith_i_rating *b) {
  if (a->probability != b->probability)
    return a->probability < b->probability ? 1 : -1;
  return (a->score < b->score) - (a->score > b->score);
}

#endif
