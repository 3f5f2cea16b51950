/* Training once more, to be watched: the group of restarts that one restart
** belongs to, from the same seeds, so that every number is what it was. */
#ifndef PITH_LEARN_TEMPLATES_TEMPLATE_TRACE_H
#define PITH_LEARN_TEMPLATES_TEMPLATE_TRACE_H

#include "task/task.h"

/* Visits at most `points` epochs, evenly spread over 0 .. epochs. See
** pith_learn_trace.
**   PITH_STOPPED  the run or visit ended it
**   PITH_EARG     no such restart */
pith_status pith_i_trace_templates(const pith_i_task *task, pith_i_run *run,
                                   const pith_trace_options *opt,
                                   pith_trace_visit visit, void *ctx);

#endif
