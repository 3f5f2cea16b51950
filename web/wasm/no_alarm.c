/* app/deadline_alarm.c in a browser: no signal can end a call, but a run looks
** at the clock itself, and Stop ends everything. */
#include "deadline.h"

void deadline_while(const char *doing) { (void)doing; }
void deadline_while_writing(const char *path) { (void)path; }
bool deadline_writing_is_over(void *ctx) {
  (void)ctx;
  return false;
}
void deadline_die_soon(int number) { (void)number; }
