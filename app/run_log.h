/* What a long call went through, for the report: the spaces that were searched,
** how the best theory became shorter, how the loss fell. Only what the same
** seed gives again is kept, whatever the clock and the number of threads. */
#ifndef APP_RUN_LOG_H
#define APP_RUN_LOG_H

#include "report.h"

enum { LOG_ROOM = 600 };

typedef struct {
  pith_progress at[LOG_ROOM];
  size_t n;
} run_log;

/* NULL where no report is wanted, or memory is short: then there is no log. */
run_log *run_log_new(const char *report);
void run_log_free(run_log *l); /* NULL is fine */

/* Called with every report of progress; keeps those that begin something. What
** finds no room is left out. l may be NULL. */
void run_log_note(run_log *l, const pith_progress *now);

/* The events "space" of learning without templates, and "history" of
** compression. l may be NULL. */
void run_log_put(const run_log *l, pith_out *o);

#endif
