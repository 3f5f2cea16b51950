/* Makes a call of the C library fail, for tests: a library to preload.
**
**   PITH_FAULT="write 3 ENOSPC"   the third call of write fails so
**   PITH_FAULT_COUNT=FILE         at the end, how often each was called, and
**                                 the longest time of the processor between
**                                 two looks at the clock, in microseconds
**   PITH_FAULT_CLOCK=20           a clock that goes 20 ms on with every look
**
** What happens is short (half is read or written), kill (the process is gone
** before the call), or the name of an error. Standard error is left alone.
** A clock that counts makes what depends on time depend on work instead.
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { READ, WRITE, OPEN, CLOSE, FSYNC, RENAME, CLOCK, LOAD, KINDS };
static const char *const kinds[KINDS] = {"read",  "write",  "open",  "close",
                                         "fsync", "rename", "clock", "load"};

enum { NOTHING, SHORT, KILL, FAIL };

static const struct {
  const char *name;
  int code;
} errors[] = {{"EINTR", EINTR},
              {"ENOSPC", ENOSPC},
              {"EIO", EIO},
              {"EACCES", EACCES},
              {"EMFILE", EMFILE}};

static struct {
  int kind, what, code;
  long nth;
  long clock_step; /* in milliseconds; 0: the real clock */
} fault = {.kind = -1};

static atomic_long calls[KINDS];
static atomic_long last_look, longest; /* microseconds of the processor */

static long processor_time(void) {
  struct timespec t;
  (void)syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &t);
  return (long)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* The start, a look at the clock, or the end. */
static void note_look(void) {
  long now = processor_time(), since = now - atomic_load(&last_look);
  if (since > atomic_load(&longest))
    atomic_store(&longest, since);
  atomic_store(&last_look, now);
}

static void set_what(const char *what) {
  if (strcmp(what, "short") == 0)
    fault.what = SHORT;
  else if (strcmp(what, "kill") == 0)
    fault.what = KILL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (strcmp(what, errors[i].name) == 0) {
      fault.what = FAIL;
      fault.code = errors[i].code;
    }
}

__attribute__((constructor)) static void read_settings(void) {
  const char *text = getenv("PITH_FAULT"), *step = getenv("PITH_FAULT_CLOCK");
  char kind[16], what[16];
  long nth;
  fault.clock_step = step != NULL ? atol(step) : 0;
  if (text == NULL || sscanf(text, "%15s %ld %15s", kind, &nth, what) != 3)
    return;
  for (int i = 0; i < KINDS; i++)
    if (strcmp(kind, kinds[i]) == 0)
      fault.kind = i;
  fault.nth = nth;
  set_what(what);
}

__attribute__((destructor)) static void write_counts(void) {
  const char *path = getenv("PITH_FAULT_COUNT");
  if (path == NULL)
    return;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path,
                        O_WRONLY | O_CREAT | O_TRUNC, 0666);
  char line[64];
  note_look();
  for (int i = 0; i < KINDS && fd >= 0; i++) {
    int n = snprintf(line, sizeof line, "%s %ld\n", kinds[i],
                     atomic_load(&calls[i]));
    (void)syscall(SYS_write, fd, line, n);
  }
  int n = snprintf(line, sizeof line, "longest %ld\n", atomic_load(&longest));
  if (fd >= 0)
    (void)syscall(SYS_write, fd, line, n);
  if (fd >= 0)
    (void)syscall(SYS_close, fd);
}

/* Counts a call, and says what is to happen to it. */
static int count_call(int kind) {
  long n = atomic_fetch_add(&calls[kind], 1) + 1;
  if (kind != fault.kind || n != fault.nth)
    return NOTHING;
  if (fault.what == KILL)
    (void)syscall(SYS_kill, getpid(), SIGKILL);
  if (fault.what == FAIL)
    errno = fault.code;
  return fault.what;
}

static size_t half(size_t n) { return n > 1 ? n / 2 : n; }

ssize_t read(int fd, void *to, size_t n) {
  int what = count_call(READ);
  if (what == FAIL)
    return -1;
  return syscall(SYS_read, fd, to, what == SHORT ? half(n) : n);
}

ssize_t write(int fd, const void *from, size_t n) {
  int what = fd == STDERR_FILENO ? NOTHING : count_call(WRITE);
  if (what == FAIL)
    return -1;
  return syscall(SYS_write, fd, from, what == SHORT ? half(n) : n);
}

int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  int mode = (flags & O_CREAT) != 0 ? va_arg(args, int) : 0;
  va_end(args);
  if (count_call(OPEN) == FAIL)
    return -1;
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* Where close fails, the descriptor is closed all the same, as on Linux. */
int close(int fd) {
  int what = count_call(CLOSE), code = errno;
  int rc = (int)syscall(SYS_close, fd);
  if (what != FAIL)
    return rc;
  errno = code;
  return -1;
}

/* No test here cuts the power, so nothing has to reach the disk. */
int fsync(int fd) {
  (void)fd;
  return count_call(FSYNC) == FAIL ? -1 : 0;
}

int rename(const char *from, const char *to) {
  if (count_call(RENAME) == FAIL)
    return -1;
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/* A library that is not there: the loader is asked for one that never is, so
** that dlerror has something to say. */
void *dlopen(const char *name, int mode) {
  void *(*next)(const char *, int);
  *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
  return next(count_call(LOAD) == FAIL ? "libpith-absent.so" : name, mode);
}

int clock_gettime(clockid_t id, struct timespec *now) {
  (void)count_call(CLOCK);
  note_look();
  if (fault.clock_step == 0)
    return (int)syscall(SYS_clock_gettime, id, now);
  long long ms = (long long)atomic_load(&calls[CLOCK]) * fault.clock_step;
  now->tv_sec = (time_t)(ms / 1000);
  now->tv_nsec = (long)(ms % 1000) * 1000000;
  return 0;
}
