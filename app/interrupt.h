/* Ctrl-C and SIGTERM while something takes long: the first asks the library to
** stop, a later one kills. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* Between these two an interrupt is caught; at all other times it ends the
** process at once, as a user expects. */
void interrupt_catch(void);
void interrupt_release(void);

/* All that is left is to write a file: from now on an interrupt ends the
** process unless the file is whole in a moment. */
void interrupt_finish(void);

/* For the whole of a run: a file that may not grow further is an error of the
** write, which says so and cleans up, and no signal. */
void interrupt_ignore_file_limit(void);

bool interrupted(void);
bool interrupt_requested(void *ctx); /* the same, as the library asks it */

double seconds_now(void); /* on a clock that only goes forward */

#endif
