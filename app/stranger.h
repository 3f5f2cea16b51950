/* Another program, run without a shell: what it prints is read, what it reads
** is nothing. */
#ifndef APP_STRANGER_H
#define APP_STRANGER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct {
  pid_t child;
  FILE *from; /* what it prints; NULL: it could not be started */
} stranger;

typedef enum { STRANGER_ABSENT, STRANGER_STOPPED, STRANGER_ENDED } stranger_end;

/* argv: the name, looked for on PATH, and the arguments, ended by NULL.
** seconds: of processor time, 0 is no limit. heard: its errors are ours. */
stranger stranger_start(const char *const *argv, unsigned seconds, bool heard);

/* Waits for it; *code is its exit code when it ended by itself. */
stranger_end stranger_wait(stranger *w, int *code);

#endif
