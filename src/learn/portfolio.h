/* Which learner is asked, for how long, and when: the order of all ways to
** learn rules. */
#ifndef PITH_LEARN_PORTFOLIO_H
#define PITH_LEARN_PORTFOLIO_H

#include "task/best.h"

/* Fills the list. *stopped: a learner was cut short by time or by the caller.
**   PITH_ENOMEM  and nothing was found; else as the learners */
pith_status pith_i_portfolio(const pith_i_task *task, pith_i_run *run,
                             pith_i_best *best, bool *stopped);

#endif
