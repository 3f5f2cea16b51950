/* Questions as anyone might ask them: not only those whose answer was held
** out, but also those of entities that miss nothing. Their best answers show
** how often an answer that is not a known fact turns out to be one.
**
** Of each way that held-out facts ask, we draw entities of three sorts: those
** that miss an answer, those that have known ones, and all others. A drawn one
** stands for as many as were not drawn, so a weighted count is a count over
** all entities. A question that no rule has anything to say about is left
** out. */
#ifndef PITH_GRAPH_OPEN_QUESTIONS_H
#define PITH_GRAPH_OPEN_QUESTIONS_H

#include "graph/answer_odds.h"
#include "graph/held_out.h"

enum { PITH_I_OPEN_ANSWERS = 10 }; /* of a question, the best so many */

typedef struct {
  pith_i_way way;
  bool truth;   /* it was held out                 */
  bool first;   /* the best of its question        */
  bool asked;   /* the question misses an answer   */
  bool itself;  /* the entity that is asked about  */
  float weight; /* answers that it stands for */
  double score;
  uint32_t x, y; /* who is asked about, and the answer */
  pith_i_clues clues;
  bool unspoken;     /* from the other side nothing speaks for it, and    */
  float back_weight; /* answers that it stands for among those that were
                        asked from there too; 0: it was not               */
  pith_i_clues back; /* what is said there */
} pith_i_open_answer;

typedef struct {
  PITH_I_VEC(pith_i_open_answer) answers; /* by way, then question         */
  uint64_t questions;
} pith_i_open_answers;
void pith_i_open_answers_free(pith_i_env *env, pith_i_open_answers *a);

/* folds: a question is scored by the weights that did not see the first fact
** that it asks for; twice the same where they saw none. per_way: entities of
** each sort that are drawn for a way, at most.
**   PITH_STOPPED, PITH_ENOMEM */
pith_status pith_i_ask_openly(pith_i_crew *crew, const pith_i_rule_index *index,
                              const pith_i_held_out *e,
                              const pith_i_scoring *const folds[2],
                              uint64_t seed, uint32_t per_way,
                              pith_i_open_answers *out);

/* Asks from the other side, too: about each answer to questions drawn from
** those in a, so that `most` further questions are asked, or some more. The
** same folds and seed. PITH_STOPPED, PITH_ENOMEM */
pith_status pith_i_ask_back(pith_i_crew *crew, const pith_i_rule_index *index,
                            const pith_i_held_out *e,
                            const pith_i_scoring *const folds[2], uint64_t seed,
                            size_t most, pith_i_open_answers *a);
/* Of an answer that was asked from both sides, as answer_odds.h has it. */
double pith_i_open_sum(const pith_i_scoring *s, const pith_i_open_answer *a);
double pith_i_open_missing(const pith_i_scoring *s,
                           const pith_i_open_answer *a);
double pith_i_open_probability(const pith_i_scoring *s,
                               const pith_i_open_answer *a);

#endif
