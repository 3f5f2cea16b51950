/* Held-out facts as questions, and how high their answers are ranked.
**
** Every fact asks twice: (x, likes, ?) and (?, likes, y). The rank of the
** truth is filtered: other answers known to be right, from the graph or from
** any held-out fact, are not counted. It is the mean over ties, one plus those
** that are better plus half of those that are equal, so nobody gains by
** giving the same score to all; entities that nothing speaks for are equal
** and last. All entities are candidates, also those of held-out facts only. */
#ifndef PITH_GRAPH_HELD_OUT_H
#define PITH_GRAPH_HELD_OUT_H

#include "graph/answer_rating.h"

typedef struct {
  uint32_t x, truth; /* entities */
  pith_i_way way;    /* or PITH_NONE: a relation without any fact */
  uint32_t fact;     /* number of the fact that asks */
  bool inverse;      /* it asks for the subject      */
} pith_i_question;

typedef struct {
  PITH_I_VEC(pith_i_question) questions; /* sorted by way, x, truth          */
  PITH_I_VEC(pith_i_question)
  known; /* the same for all known facts beside
            those of the graph                 */
} pith_i_held_out;

/* Facts are (subject, relation, object) in entities; relation PITH_NONE: not
** in the graph. asked: the fact is a question, not only known. */
pith_status pith_i_held_out_add(pith_i_env *env, pith_i_held_out *e, uint32_t x,
                                uint32_t relation, uint32_t y, bool asked);
void pith_i_held_out_sort(pith_i_held_out *e);
void pith_i_held_out_free(pith_i_env *env, pith_i_held_out *e);

/* The held-out facts that answer a question: those that are asked for, or all
** that are known beside the graph. Sorted by truth. */
typedef struct {
  const pith_i_question *at;
  size_t n;
} pith_i_question_range;
pith_i_question_range pith_i_held_out_range(const pith_i_held_out *e,
                                            uint32_t x, pith_i_way way,
                                            bool asked);

/* Weights are fitted twice, each time without the questions of one fold. */
static inline uint32_t pith_i_fold(uint32_t fact) { return fact % 2; }

typedef struct {
  double rank[PITH_I_AGGREGATORS + 1]; /* by the scores of each method, then
                                          as the model lists answers        */
  bool unreached;                      /* nothing speaks for the truth */
} pith_i_rank_record;

/* Ranks in the order of answer_rating.h, question by question: marks has room
** for as many. */
pith_status pith_i_held_out_rank(pith_i_crew *crew,
                                 const pith_i_rule_index *index,
                                 const pith_i_held_out *e,
                                 const pith_i_scoring *s,
                                 pith_i_rank_record *marks);

/* Ranks by the scores of each method with weights that did not see the
** question, those of its fold; of a way with more than per_way questions, about
** as many are asked, and the ranks of the others stay as they are. */
pith_status pith_i_held_out_rank_folds(pith_i_crew *crew,
                                       const pith_i_rule_index *index,
                                       const pith_i_held_out *e,
                                       const pith_i_scoring *const folds[2],
                                       uint64_t seed, uint32_t per_way,
                                       pith_i_rank_record *marks);

/* The questions as samples: the truth and at most `most` of those who compete,
** the strongest by the weights of s, or where s is NULL by noisy-or; of a way
** with more than per_way questions, about as many are taken. Questions
** whose truth nothing speaks for teach nothing and are left out. */
pith_status pith_i_held_out_samples(pith_i_crew *crew,
                                    const pith_i_rule_index *index,
                                    const pith_i_held_out *e,
                                    const pith_i_scoring *s, uint64_t seed,
                                    uint32_t per_way, uint32_t most,
                                    pith_i_samples *out);

#endif
