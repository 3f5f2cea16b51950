/* app/deadline.h in a browser: no signal can end a call, but a run looks at the
** clock itself, and Stop ends everything. */
#include "deadline.h"

#include "interrupt.h"

static const double least_share = 0.001; /* of the time, for a late run */
static double limit, began;              /* limit 0: none */

void deadline_begin(double seconds) {
  began = seconds_now();
  limit = seconds;
}

double deadline_left(void) {
  double left = began + limit - seconds_now(), least = limit * least_share;
  return limit == 0 ? 0 : left > least ? left : least;
}

void deadline_while(const char *doing) { (void)doing; }
void deadline_die_soon(int number) { (void)number; }
