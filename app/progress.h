/* The line on standard error that says how far a long computation is. On a
** terminal it is one line that changes, never wider than the terminal;
** elsewhere each report is a line of its own. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include "interrupt.h"
#include "options.h"
#include "pith.h"

typedef struct {
  double began, limit; /* seconds; limit 0: none */
  double next;         /* when a report is due */
  bool wanted;         /* on standard error */
  bool terminal;
  bool shown;
} progress_line;

/* From here on an interrupt is caught. Standard error gets reports if it is a
** terminal, unless --quiet or --progress says otherwise. */
void progress_begin(progress_line *l, const settings *set);

/* Whether it is time for a report; if so, the next one is due a while later. */
bool progress_due(progress_line *l);

/* The time so far, then the text. What matters most comes first: a terminal
** that is too narrow shows the beginning. */
void progress_say(progress_line *l, const char *format, ...) PITH_PRINTF(2, 3);

/* Takes the line away. With --output interrupts stay caught: all that is left
** to do is to write the file, which must not stay half written. */
void progress_end(const progress_line *l, const settings *set);

#endif
