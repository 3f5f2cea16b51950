/* The half of deadline.h that needs a signal. */
#define _DEFAULT_SOURCE /* setitimer */
#include "deadline.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "session.h"

static const double moment = 0.15; /* seconds */
static const double grace = 0.04;  /* more, to give a file up */

/* While a result is written after the end of the time we look so often. Where
** the processor did next to nothing for us eight times in a row, nobody reads
** what we write: a process that only waits for its turn gets some of it
** meanwhile. */
enum { LOOK_MICROSECONDS = 20000, IDLE_LOOKS = 8 };
static const double idle = 0.0005; /* seconds of the processor */

static const char *volatile doing_now;
static volatile sig_atomic_t dying_of; /* a signal, or 0 */
static volatile sig_atomic_t writing, has_reader, writing_over;
/* only the handler uses these */
static double work_at_end, work_before; /* seconds; 0: no look yet */
static int idle_looks;

static void write_text(const char *text) {
  ssize_t sent = write(STDERR_FILENO, text, strlen(text));
  (void)sent; /* there is nobody else to tell */
}

static void end_process(const char *doing) {
  write_text("pith: error: the time was up while ");
  write_text(doing);
  write_text("; raise --timeout\n");
  _exit(EXIT_LIMIT);
}

static double processor_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* First the library is asked to give the file up. */
static void look_at_writing(const char *doing) {
  double work = processor_seconds();
  if (work_before == 0)
    work_at_end = work;
  else
    idle_looks = has_reader && work - work_before < idle ? idle_looks + 1 : 0;
  work_before = work;
  writing_over = work - work_at_end > moment;
  if (idle_looks >= IDLE_LOOKS || work - work_at_end > moment + grace)
    end_process(doing);
}

/* Calls only what a handler may. */
static void on_alarm(int number) {
  const char *doing = doing_now;
  (void)number;
  if (dying_of != 0) {
    signal(dying_of, SIG_DFL);
    raise(dying_of);
  } else if (doing != NULL && writing) {
    look_at_writing(doing);
  } else if (doing != NULL) {
    end_process(doing);
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
  if (writing)
    t.it_interval.tv_usec = LOOK_MICROSECONDS;
  setitimer(ITIMER_REAL, &t, NULL);
}

void deadline_while(const char *doing) {
  writing = 0;
  doing_now = doing;
  if (!deadline_is_set() || doing == NULL)
    return;
  double left = deadline_until_end();
  set_alarm(left > moment ? left : moment);
}

void deadline_while_writing(const char *path) {
  struct stat st;
  int rc = path == NULL ? fstat(STDOUT_FILENO, &st) : stat(path, &st);
  has_reader = rc == 0 && !S_ISREG(st.st_mode);
  doing_now = "writing";
  writing = 1;
  if (!deadline_is_set())
    return;
  double left = deadline_until_end();
  set_alarm(left > 0 ? left : 0);
}

bool deadline_writing_is_over(void *ctx) {
  (void)ctx;
  return writing_over != 0;
}

void deadline_die_soon(int number) {
  dying_of = number;
  set_alarm(moment);
}
