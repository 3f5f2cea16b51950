/* Where examples may be wrong: which condition or rule the labels hardly
** decide. A longer theory is printed when it saves more bits than it takes, but
** two or three wrong labels can save the bits of one condition by chance. */
#ifndef PITH_LEARN_WEAKEST_H
#define PITH_LEARN_WEAKEST_H

#include "task/best.h"

/* Notes it with the best theory. */
pith_status pith_i_find_weakest(const pith_i_task *task, pith_i_run *run,
                                pith_i_best *best);

#endif
