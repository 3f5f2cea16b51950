/* Everything printed from the table of options: help, version, man page and
** completions. Each returns the exit code. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "options.h"

int help_short(void); /* on standard error: EXIT_USE */
int help_program(void);
int help_command(const command *c);
int print_version(void);
int print_man(void);
int print_completions(const char *shell);

/* 0 when all of standard output could be written. */
int flush_output(void);

/* "a whole number from 1 to 10", "one of: a b; default a", or "". */
enum { RANGE_ROOM = 160 };
const char *option_range(char room[RANGE_ROOM], const option *o,
                         const command *c);

#endif
