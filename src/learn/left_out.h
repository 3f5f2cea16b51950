/* Whether a theory that fits was learned by heart: where it has about as many
** rules as there are positive examples, or takes far more bits than the labels,
** some examples are left out, the rest is learned from anew, and those left out
** are predicted. */
#ifndef PITH_LEARN_LEFT_OUT_H
#define PITH_LEARN_LEFT_OUT_H

#include "task/best.h"

/* Fills in what the best theory's info says about examples left out. The
** examples of the worlds are as before when it returns. */
pith_status pith_i_check_left_out(const pith_i_task *task, pith_i_run *run,
                                  pith_i_best *best);

#endif
