/* Another program, run without a shell: what it prints is read, what it reads
** is nothing. It has a process group of its own, which ends with us: when we
** are interrupted, or have waited long enough. */
#ifndef APP_SUBPROCESS_H
#define APP_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
  unsigned seconds; /* of processor time, and twice that by the clock */
  size_t bytes;     /* of memory                                      */
  size_t output;    /* bytes that it may print                        */
  bool heard;       /* its errors are ours; else they are dropped     */
} subprocess_limits;

typedef enum {
  SUBPROCESS_ABSENT,  /* could not be started        */
  SUBPROCESS_STOPPED, /* by a limit on time or memory */
  SUBPROCESS_LOUD,    /* printed too much            */
  SUBPROCESS_ENDED
} subprocess_end;

/* Runs it to its end. argv: the name, looked for on PATH, and the arguments,
** ended by NULL. *text is what it printed, with a NUL behind it, to be freed,
** or NULL: no memory. *code: its exit code when it ended by itself. */
subprocess_end subprocess_run(const char *const *argv,
                              const subprocess_limits *limits, char **text,
                              size_t *n, int *code);

#endif
