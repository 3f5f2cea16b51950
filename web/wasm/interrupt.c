/* app/interrupt.h in a browser: whoever runs us is asked whether to stop. The
** question gives way to the messages that wait there, where the browser can
** suspend us, so it is put a few times a second and not at every look. */
#include "interrupt.h"

#include <time.h>

__attribute__((import_module("pith"), import_name("stop"))) int
pith_wasm_stop(void);

static const double ask_every = 0.03;
static double asked_at;
static bool was_interrupted;

double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void interrupt_catch(void) { asked_at = seconds_now(); }
void interrupt_finish(void) {}
void interrupt_release(void) {}
void interrupt_ignore_file_limit(void) {}

bool interrupted(void) {
  double now = seconds_now();
  if (!was_interrupted && now - asked_at >= ask_every) {
    was_interrupted = pith_wasm_stop() != 0;
    asked_at = seconds_now();
  }
  return was_interrupted;
}

bool interrupt_requested(void *ctx) {
  (void)ctx;
  return interrupted();
}
