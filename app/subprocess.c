#define _DEFAULT_SOURCE /* prctl */
#include "subprocess.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "interrupt.h"
#include "memory_budget.h"

enum { NOT_FOUND = 127 };

/* ---- the child -------------------------------------------------------- */

static bool limit_resource(int what, size_t most) {
  struct rlimit limit;
  if (most == 0)
    return true;
  if (getrlimit(what, &limit) != 0)
    return false;
  if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
    limit.rlim_max = (rlim_t)most;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(what, &limit) == 0;
}

/* Where the system can, the child is told to die with us, even if we are
** killed. */
static bool die_with_parent(pid_t parent) {
#ifdef __linux__
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
    return false;
#endif
  return getppid() == parent;
}

static void become_program(const char *const *argv,
                           const subprocess_limits *limits, int out,
                           pid_t parent) {
  int none = open("/dev/null", O_RDWR);
  bool ready = none >= 0 && dup2(none, STDIN_FILENO) >= 0 &&
               dup2(out, STDOUT_FILENO) >= 0 &&
               (limits->heard || dup2(none, STDERR_FILENO) >= 0);
  ready = ready && setpgid(0, 0) == 0 && die_with_parent(parent) &&
          limit_resource(RLIMIT_CPU, limits->seconds) &&
          limit_resource(RLIMIT_DATA, limits->bytes);
  if (ready)
    execvp(argv[0], (char *const *)(const void *)argv);
  _exit(NOT_FOUND);
}

/* ---- signals that end us end it --------------------------------------- */

enum { SIGNALS = 4 };
static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static struct sigaction before[SIGNALS];
static volatile sig_atomic_t running; /* its process group, or 0 */

static void kill_and_die(int number) {
  if (running > 0)
    kill(-(pid_t)running, SIGKILL);
  signal(number, SIG_DFL);
  raise(number);
}

static void watch_signals(pid_t child) {
  struct sigaction act = {.sa_handler = kill_and_die};
  sigemptyset(&act.sa_mask);
  running = (sig_atomic_t)child;
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(signals[i], &act, NULL);
  }
}

static void forget_signals(void) {
  for (int i = 0; i < SIGNALS; i++)
    sigaction(signals[i], &before[i], NULL);
  running = 0;
}

/* ---- what it prints --------------------------------------------------- */

typedef struct {
  char *text;
  size_t n, room;
  bool late, loud; /* it took too long, printed too much */
} output;

/* Waits for more to read until the time is up. */
static bool is_readable(int fd, double end) {
  for (;;) {
    double left = end - seconds_now();
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int got = left <= 0
                  ? 0
                  : poll(&p, 1, left > 1000 ? 1000000 : (int)(1e3 * left) + 1);
    if (got > 0 || (got == 0 && end - seconds_now() <= 0))
      return got > 0;
    if (got < 0 && errno != EINTR)
      return false;
  }
}

static bool make_output_room(output *o) {
  if (o->room - o->n > 1)
    return true;
  char *more = command_resize(o->text, 2 * o->room);
  if (more == NULL)
    return false;
  o->text = more;
  o->room *= 2;
  return true;
}

/* To its end, or to a limit; false: no memory. */
static bool read_output(int fd, const subprocess_limits *limits, output *o) {
  double end = seconds_now() + 2 * (double)limits->seconds;
  o->room = 1 << 12;
  o->text = command_resize(NULL, o->room);
  for (bool more = o->text != NULL; more;) {
    if (!make_output_room(o))
      return false;
    o->late = !is_readable(fd, end);
    ssize_t got = o->late ? 0 : read(fd, o->text + o->n, o->room - o->n - 1);
    o->n += got > 0 ? (size_t)got : 0;
    o->loud = o->n > limits->output;
    more = !o->loud && (got > 0 || (got < 0 && errno == EINTR));
  }
  if (o->text != NULL)
    o->text[o->n] = '\0';
  return o->text != NULL;
}

/* ---- the whole -------------------------------------------------------- */

static subprocess_end wait_for(pid_t child, const output *o, int *code) {
  int status = 0;
  pid_t ended;
  do
    ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended != child)
    return SUBPROCESS_ABSENT;
  if (o->loud)
    return SUBPROCESS_LOUD;
  if (o->late || !WIFEXITED(status))
    return SUBPROCESS_STOPPED;
  *code = WEXITSTATUS(status);
  return *code == NOT_FOUND ? SUBPROCESS_ABSENT : SUBPROCESS_ENDED;
}

subprocess_end subprocess_run(const char *const *argv,
                              const subprocess_limits *limits, char **text,
                              size_t *n, int *code) {
  assert(argv[0] != NULL);
  assert(limits->seconds > 0 && limits->output > 0);
  output o = {.text = NULL};
  int ends[2];
  pid_t parent = getpid();
  *text = NULL;
  if (pipe(ends) != 0)
    return SUBPROCESS_ABSENT;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    become_program(argv, limits, ends[1], parent);
  close(ends[1]);
  if (child > 0) {
    (void)setpgid(child, child); /* whoever is first, it or we */
    watch_signals(child);
    if (!read_output(ends[0], limits, &o) || o.late || o.loud)
      kill(-child, SIGKILL);
  }
  close(ends[0]);
  subprocess_end end =
      child > 0 ? wait_for(child, &o, code) : SUBPROCESS_ABSENT;
  if (child > 0) {
    kill(-child, SIGKILL); /* what it may have started */
    forget_signals();
  }
  *text = o.text;
  *n = o.n;
  return end;
}
