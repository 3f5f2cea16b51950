/* Slopes and biases of answer_odds.h, from the answers to open questions.
**
** Logistic regression gives the odds of an answer being a fact that was set
** aside. Where nobody said how many facts are missing beside those, we bound
** it: among the answers that look best, those that are no facts are missing
** facts or mistakes, so no more can be missing than there are of them; we
** believe that bound as far as many answers are as good as the best. A
** relation whose best answers are all known facts is complete, and then hardly
** any new answer is true. Questions without a known answer are bounded apart,
** since all facts of an entity may be missing together; but no more can be
** missing there than such entities would have, were they like the others. */
#ifndef PITH_GRAPH_FIT_ODDS_H
#define PITH_GRAPH_FIT_ODDS_H

#include "graph/open_questions.h"

/* PITH_ENOMEM */
pith_status pith_i_fit_odds(pith_i_env *env, const pith_i_open_answers *a,
                            uint32_t ways, pith_i_scoring *s);

/* What the log-odds of both sides mean together, from the answers that were
** asked from both, where biases and slopes are fitted. */
void pith_i_fit_sides(const pith_i_open_answers *a, pith_i_scoring *s);

/* Facts that are missing from the graph, by fact that was set aside: bounds it
** for each relation; s->missing gets its logarithm. *missing: the ratio
** taken for most relations. PITH_ENOMEM */
pith_status pith_i_bound_missing(pith_i_env *env, const pith_i_open_answers *a,
                                 const pith_i_graph *g, pith_i_scoring *s,
                                 double *missing);

#endif
