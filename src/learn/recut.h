/* Thresholds of a whole theory once more. A cut was placed between the labels
** that one condition has to tell apart; the other conditions of the rule leave
** fewer of them, and the gap between these may have a rounder number in it:
**
**   fit(A) :- heat(A,X), X =< 37.8, pulse(A,Y), Y =< 91.
**
** Y =< 100 does as well if nobody with less heat has a pulse between 91 and
** 100. */
#ifndef PITH_LEARN_RECUT_H
#define PITH_LEARN_RECUT_H

#include "task/best.h"

/* The best theory, with the same verdict on every sign's count of examples. */
pith_status pith_i_recut_thresholds(const pith_i_task *task, pith_i_run *run,
                                    pith_i_best *best);

/* Where both bounds of a variable are one value, X >= 2 and X =< 2, the best
** theory names the value instead. */
pith_status pith_i_name_values(const pith_i_task *task, pith_i_best *best);

#endif
