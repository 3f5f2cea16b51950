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
** not a fact is therefore improbable where few facts are missing. */
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

/* The log of the odds of an answer being true to its not being so. */
double pith_i_answer_odds(const pith_i_scoring *s, pith_i_way way,
                          const pith_i_clues *c);
/* Visits the terms of that sum that are not 0. */
void pith_i_visit_clues(const pith_i_scoring *s, pith_i_way way,
                        const pith_i_clues *c, pith_clue_visit visit,
                        void *ctx);

/* score: by the method of the way. */
double pith_i_probability(const pith_i_scoring *s, pith_i_way way, double score,
                          const pith_i_clues *c);

#endif
