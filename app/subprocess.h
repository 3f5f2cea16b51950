/* Another program, run without a shell: what it prints is read, what it reads
** is nothing. */
#ifndef APP_SUBPROCESS_H
#define APP_SUBPROCESS_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct {
  pid_t child;
  FILE *from; /* what it prints; NULL: it could not be started */
} subprocess;

typedef enum {
  SUBPROCESS_ABSENT,
  SUBPROCESS_STOPPED,
  SUBPROCESS_ENDED
} subprocess_end;

/* argv: the name, looked for on PATH, and the arguments, ended by NULL.
** seconds: of processor time, 0 is no limit. heard: its errors are ours. */
subprocess subprocess_start(const char *const *argv, unsigned seconds,
                            bool heard);

/* Waits for it; *code is its exit code when it ended by itself. */
subprocess_end subprocess_wait(subprocess *w, int *code);

#endif
