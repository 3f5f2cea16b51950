/* A clock that stands still while other processes have the core.
**
** bench/anytime.py preloads this into the programs that it compares, so that a
** busy machine does not decide how far they get: the clock that is defined as
** CLOCK (CLOCK_MONOTONIC for pith, CLOCK_REALTIME for Java) shows the time that
** the process has had of the processor, and an alarm goes off after so much of
** it. The kernel is asked at most once a millisecond, as that takes far longer
** than the real clock, which needs no kernel. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>
#include <time.h>

typedef int clock_function(clockid_t, struct timespec *);

static double seconds(const struct timespec *t) {
  return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *to) {
  static _Thread_local clock_function *real;
  static _Thread_local struct timespec asked, had;
  struct timespec now;
  if (real == NULL)
    real = (clock_function *)dlsym(RTLD_NEXT, "clock_gettime");
  if (clock != CLOCK)
    return real(clock, to);
  real(CLOCK, &now);
  if (seconds(&now) - seconds(&asked) > 1e-3) {
    asked = now;
    real(CLOCK_PROCESS_CPUTIME_ID, &had);
  }
  *to = had;
  return 0;
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict after,
              struct itimerval *restrict before) {
  static timer_t timer;
  static bool made;
  struct sigevent to = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  struct itimerspec spec = {
      .it_value = {after->it_value.tv_sec, 1000 * after->it_value.tv_usec},
      .it_interval = {after->it_interval.tv_sec,
                      1000 * after->it_interval.tv_usec}};
  (void)which, (void)before;
  if (!made && timer_create(CLOCK_PROCESS_CPUTIME_ID, &to, &timer) != 0)
    return -1;
  made = true;
  return timer_settime(timer, 0, &spec, NULL);
}
