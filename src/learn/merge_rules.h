/* Two rules as one. A set of rules is chosen from clauses that were grown for
** the examples at large, and the one clause that says what two of the set say
** may be longer than any of these. It is looked for by itself: among rules that
** cover every positive example which the rest of the theory leaves to the two,
** there are few parts to grow, so that it may be long. */
#ifndef PITH_LEARN_MERGE_RULES_H
#define PITH_LEARN_MERGE_RULES_H

#include "task/best.h"

/* Offers the best theory so, where it fits all examples and gets shorter. */
pith_status pith_i_merge_rules(const pith_i_task *task, pith_i_run *run,
                               pith_i_best *best);

#endif
