/* How probable an answer is: a logistic function of a few clues.
**
**   own        the log-odds of its score
**   all        those of all answers that are not known, together: the log of
**              the sum of their exponentials
**   share      its exponential divided by that sum
**   best       the log-odds of the confidence of its best rule
**   another    where answers are known: the log-odds that there is one more
**   back       the same for the question asked from the answer
**   back_new   1 where that has no known answer yet
**   mirrored   where the fact holds the other way round: the log-odds that
**              facts of this relation hold both ways
**
** and a bias for each way, one where no answer is known and one where some
** are. What is estimated are the odds that an answer is a fact that is missing
** rather than none: facts are set aside, and of all questions, whether they
** ask for one of them or not, the best answers are counted. An answer that is
** not a fact is therefore improbable where few facts are missing.
**
** Every fact answers two questions, one from either side. Who asks from one
** side alone is misled where nothing is missing: some answer is the best one
** left, however bad. From the other side it rarely is, so the log-odds of both
** are added up, and sides_base and sides_slope turn the sum into the chance p
** that the fact is true, known or not. Of those that are true and not in the
** graph, 1 in 1 + r was held out, where r facts are missing by fact that was;
** so what was not held out is true with the probability p r / (1 + r - p). */
#ifndef PITH_GRAPH_ANSWER_ODDS_H
#define PITH_GRAPH_ANSWER_ODDS_H

#include "graph/aggregate.h"
#include "graph/relation_shape.h"

typedef struct {
  float clue[PITH_I_CLUES];
  bool known; /* the question has known answers */
} pith_i_clues;

/* What the clues of a question have in common. */
typedef struct {
  const pith_i_graph *g;
  const pith_i_relation_shapes *shapes;
  uint32_t x; /* or PITH_NONE */
  pith_i_way way;
  uint64_t known; /* answers */
  double all;
} pith_i_asked;

/* own: the answer's log-odds; best: the confidence of its best rule;
** back_known: answers that are known to the question asked from y. */
void pith_i_find_clues(const pith_i_asked *q, uint32_t y, double own,
                       double best, uint64_t back_known, pith_i_clues *out);

/* The log of the odds of an answer being a held-out fact to its being none, by
** what is said from the side that is asked; and the log of the facts that are
** missing, by fact that was held out. */
double pith_i_side_odds(const pith_i_scoring *s, pith_i_way way,
                        const pith_i_clues *c);
double pith_i_missing_odds(const pith_i_scoring *s, pith_i_way way,
                           const pith_i_clues *c);
/* Both added up: the odds of an answer being true. */
double pith_i_answer_odds(const pith_i_scoring *s, pith_i_way way,
                          const pith_i_clues *c);
/* By what both sides say; back is NULL where nothing speaks for the fact from
** the other side. The sum of the log-odds, log r, and the probability. */
double pith_i_sum_of_sides(const pith_i_scoring *s, pith_i_way way,
                           const pith_i_clues *c, const pith_i_clues *back);
double pith_i_joint_missing(const pith_i_scoring *s, pith_i_way way,
                            const pith_i_clues *c, const pith_i_clues *back);
double pith_i_joint_probability(const pith_i_scoring *s, pith_i_way way,
                                const pith_i_clues *c,
                                const pith_i_clues *back);
/* Visits what adds to the log-odds of the probability: terms that are not 0.
** said: the probability, where answers before this one bound it. */
void pith_i_visit_clues(const pith_i_scoring *s, pith_i_way way,
                        const pith_i_clues *c, double said,
                        pith_clue_visit visit, void *ctx);
void pith_i_visit_joint_clues(const pith_i_scoring *s, pith_i_way way,
                              const pith_i_clues *c, const pith_i_clues *back,
                              pith_clue_visit visit, void *ctx);

/* score: by the method of the way. */
double pith_i_probability(const pith_i_scoring *s, pith_i_way way, double score,
                          const pith_i_clues *c);

#endif
