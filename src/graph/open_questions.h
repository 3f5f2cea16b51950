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
  pith_i_clues clues;
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

#endif
