#include "interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "deadline.h"
#include "process_team.h"

/* Ctrl-C, timeout(1), a terminal that is closed, and what ulimit -t sends. A
** write beyond ulimit -f then fails as on a full disk: it is ignored below. */
enum { SIGNALS = 4 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
static struct sigaction before[SIGNALS];
static volatile sig_atomic_t was_interrupted;
static volatile sig_atomic_t finishing;
static double interrupted_at; /* only the handler uses it */

double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A signal within a second of the first is the same one, sent both to the
** process and to its group. */
static void on_interrupt(int number) {
  if (finishing && !was_interrupted) {
    was_interrupted = 1;
    interrupted_at = seconds_now();
    deadline_die_soon(number);
  } else if (!was_interrupted) {
    was_interrupted = 1;
    interrupted_at = seconds_now();
  } else if (seconds_now() - interrupted_at > 1) {
    signal(number, SIG_DFL);
    raise(number);
  }
}

/* A process that was started to ignore interrupts goes on ignoring them. */
void interrupt_catch(void) {
  struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigemptyset(&act.sa_mask);
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(signals[i], &act, NULL);
  }
}

void interrupt_ignore_file_limit(void) { signal(SIGXFSZ, SIG_IGN); }

void interrupt_finish(void) { finishing = 1; }

void interrupt_release(void) {
  for (int i = 0; i < SIGNALS; i++)
    sigaction(signals[i], &before[i], NULL);
}

bool interrupted(void) { return was_interrupted != 0; }

bool interrupt_requested(void *ctx) {
  (void)ctx;
  return interrupted() || process_team_is_over();
}
