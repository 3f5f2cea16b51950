/* The half of deadline.h that needs a signal. */
#define _DEFAULT_SOURCE /* setitimer */
#include "deadline.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "session.h"

static const double moment = 0.15; /* seconds */

static const char *volatile doing_now;
static volatile sig_atomic_t dying_of; /* a signal, or 0 */

static void write_text(const char *text) {
  ssize_t sent = write(STDERR_FILENO, text, strlen(text));
  (void)sent; /* there is nobody else to tell */
}

/* Calls only what a handler may. */
static void on_alarm(int number) {
  const char *doing = doing_now;
  (void)number;
  if (dying_of != 0) {
    signal(dying_of, SIG_DFL);
    raise(dying_of);
  } else if (doing != NULL) {
    write_text("pith: error: the time was up while ");
    write_text(doing);
    write_text("; raise --timeout\n");
    _exit(EXIT_LIMIT);
  }
}

static void set_alarm(double seconds) {
  struct sigaction act = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  struct itimerval t = {.it_value.tv_sec = (time_t)seconds};
  sigemptyset(&act.sa_mask);
  sigaction(SIGALRM, &act, NULL);
  t.it_value.tv_usec =
      (suseconds_t)(1e6 * (seconds - (double)t.it_value.tv_sec));
  if (t.it_value.tv_sec == 0 && t.it_value.tv_usec == 0)
    t.it_value.tv_usec = 1;
  setitimer(ITIMER_REAL, &t, NULL);
}

void deadline_while(const char *doing) {
  doing_now = doing;
  if (!deadline_is_set() || doing == NULL)
    return;
  double left = deadline_until_end();
  set_alarm(left > moment ? left : moment);
}

void deadline_die_soon(int number) {
  dying_of = number;
  set_alarm(moment);
}
