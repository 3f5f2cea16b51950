/* An interrupt is caught only while there is something to save: during a
** computation, and afterwards while a file is being written. At all other
** times it ends the process at once, as a user expects. */
#include "live.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double live_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- interrupts ------------------------------------------------------- */

static volatile sig_atomic_t interrupted;
static double interrupted_at; /* the handler's alone */
static const int signals[2] = {SIGINT,
                               SIGTERM}; /* timeout(1) sends the latter */
static struct sigaction before[2];

/* The first Ctrl-C asks, a later one kills. What comes within a second of the
** first is the same one, sent to the process and to its group. */
static void on_interrupt(int number) {
  if (!interrupted) {
    interrupted = 1;
    interrupted_at = live_now();
  } else if (live_now() - interrupted_at > 1) {
    signal(number, SIG_DFL);
    raise(number);
  }
}

/* A process that was started to ignore interrupts goes on ignoring them. */
static void catch_interrupts(void) {
  struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigemptyset(&act.sa_mask);
  for (int i = 0; i < 2; i++) {
    sigaction(signals[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(signals[i], &act, NULL);
  }
}

bool live_stop(void *ctx) {
  (void)ctx;
  return interrupted != 0;
}

bool live_interrupted(void) { return interrupted != 0; }

/* ---- the line --------------------------------------------------------- */

void live_begin(live *l, bool quiet, bool forced) {
  bool terminal = isatty(STDERR_FILENO) != 0;
  *l = (live){.next = live_now() + 0.3, /* nothing flashes up for a short run */
              .wanted = forced || (terminal && !quiet),
              .terminal = terminal};
  catch_interrupts();
}

bool live_due(live *l) {
  double t = live_now();
  if (t < l->next)
    return false;
  l->next = t + (l->terminal ? 0.1 : 1.0);
  return true;
}

void live_line(live *l, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs(l->terminal ? "\r\033[K" : "pith: ", stderr);
  vfprintf(stderr, format, args);
  if (!l->terminal)
    fputc('\n', stderr);
  va_end(args);
  fflush(stderr);
  l->shown = true;
}

void live_end(const live *l, bool saving) {
  for (int i = 0; i < 2 && !saving; i++)
    sigaction(signals[i], &before[i], NULL);
  if (l->shown && l->terminal)
    fputs("\r\033[K", stderr);
}
