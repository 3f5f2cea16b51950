/* While something takes long: Ctrl-C asks it to end, and a line on standard
** error says how far it is. */
#ifndef APP_LIVE_H
#define APP_LIVE_H

#include <stdbool.h>

#include "pith.h"

typedef struct {
  double next; /* when a line is due */
  bool wanted;
  bool terminal; /* one line that changes, else a new one each time */
  bool shown;
} live;

/* From here on an interrupt is caught. A line is wanted on a terminal unless
** quiet, and elsewhere when forced. */
void live_begin(live *l, bool quiet, bool forced);

/* Whether it is time to say something again. */
bool live_due(live *l);
void live_line(live *l, const char *format, ...) PITH_PRINTF(2, 3);

/* Takes the line away. saving: interrupts stay caught, as a half-written file
** would be lost. */
void live_end(const live *l, bool saving);

bool live_stop(void *ctx); /* what the library asks */
bool live_interrupted(void);
double live_now(void); /* seconds on a clock that only goes forward */

#endif
