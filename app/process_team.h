/* The processes that mpirun starts work as one: the first reads, writes and
** says what there is to say, the others help it with long loops. Without MPI,
** or without mpirun, a process is alone and nothing here does anything. */
#ifndef APP_PROCESS_TEAM_H
#define APP_PROCESS_TEAM_H

#include "options.h"
#include "pith.h"

/* Before a command: joins the others, and takes from a helper's settings what
** is not for it. 0, or the exit code of a process that cannot go on. */
int process_team_start(const command *c, settings *set);
/* Loops of p, one handle of a process, are shared with the others.
** PITH_ENOMEM */
pith_status process_team_join(pith *p);
/* With --verbose: how far that went. */
void process_team_say(void);
/* The leader has left: for the stop of a helper's run. */
bool process_team_is_over(void);
/* After the last use of p. The exit code, which of a helper is 0. */
int process_team_finish(int code);

#endif
