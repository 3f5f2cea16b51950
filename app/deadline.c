#include "deadline.h"

#include "interrupt.h"

static const double least_share = 0.001; /* of the time, for a late run */
static double limit, began;              /* limit 0: none */

void deadline_begin(double seconds) {
  began = seconds_now();
  limit = seconds;
}

bool deadline_is_set(void) { return limit > 0; }

double deadline_until_end(void) { return began + limit - seconds_now(); }

double deadline_left(void) {
  double left = deadline_until_end(), least = limit * least_share;
  return limit == 0 ? 0 : left > least ? left : least;
}
