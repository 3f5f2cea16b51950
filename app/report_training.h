/* How learning with templates went, for the report. */
#ifndef APP_REPORT_TRAINING_H
#define APP_REPORT_TRAINING_H

#include "print_learned.h"

/* Trains the restart that the best theory is from once more, and writes the
** event "slots", what may stand where, and an "epoch" for each point in time:
** losses, wrong examples, and how much each slot is like each predicate. The
** theory is not adopted yet. Where the time is over, what there is stays. */
pith_status put_training(const learning *l);

#endif
