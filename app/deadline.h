/* --timeout counts from the start of the command. A long call of the library
** looks at the clock itself and gives what it has; whatever else takes long
** before there is a result (reading, checking, proving, scoring) is ended by a
** signal. So is writing what was found, where it takes more than a moment of
** the processor's time after the end, or waits for somebody to read it. Disks
** are waited for: half a result is none. */
#ifndef APP_DEADLINE_H
#define APP_DEADLINE_H

#include <stdbool.h>

/* Starts the clock; 0 seconds: no limit. */
void deadline_begin(double seconds);

bool deadline_is_set(void);
double deadline_until_end(void); /* below 0 behind it */

/* What is left, for the seconds of a run: a thousandth of all at least; 0: no
** limit. */
double deadline_left(void);

/* The rest is in deadline_alarm.c, for systems that have signals.
**
** From here on the end of the time ends the process, which says what it was
** doing; after that end there is a moment still. NULL: it does not. */
void deadline_while(const char *doing);

/* From here on the result is written: to a file, or NULL: to the standard
** output. */
void deadline_while_writing(const char *path);

/* Whether writing has had its moment: a file is given up then, and the old one
** stays. As the library asks it. */
bool deadline_writing_is_over(void *ctx);

/* The process ends by the signal unless it is done in a moment. */
void deadline_die_soon(int number);

#endif
