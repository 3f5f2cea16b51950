/* Graded answers: pith learn --target and what pith score and pith infer
** make of it. */
#ifndef APP_GRADE_H
#define APP_GRADE_H

#include "session.h"

/* All operands are one world: a graph, and examples to choose a model by. */
int learn_graded(session *s);

/* The binary predicate that --target names; or EXIT_INPUT, said. */
int find_target(const session *s, pith_pred *out);

/* Whether what was read has weights for rules that were so learned. */
bool is_graded(const session *s);
/* Scores the examples with them. */
int score_graded(session *s);
/* The likeliest answers to likes(ann,X) among the model's candidates. */
int infer_graded(session *s, const pith_atom *query);

#endif
