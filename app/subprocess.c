#include "subprocess.h"

#include <assert.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127 };

static void become_program(const char *const *argv, unsigned seconds,
                           bool heard, int out) {
  int none = open("/dev/null", O_RDWR);
  bool ready = none >= 0 && dup2(none, STDIN_FILENO) >= 0 &&
               dup2(out, STDOUT_FILENO) >= 0 &&
               (heard || dup2(none, STDERR_FILENO) >= 0);
  if (ready && seconds > 0) {
    struct rlimit limit = {.rlim_cur = seconds, .rlim_max = seconds};
    ready = setrlimit(RLIMIT_CPU, &limit) == 0;
  }
  if (ready)
    execvp(argv[0], (char *const *)(const void *)argv);
  _exit(NOT_FOUND);
}

subprocess subprocess_start(const char *const *argv, unsigned seconds,
                            bool heard) {
  assert(argv[0] != NULL);
  subprocess w = {.child = -1};
  int ends[2];
  if (pipe(ends) != 0)
    return w;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  fflush(NULL);
  w.child = fork();
  if (w.child == 0)
    become_program(argv, seconds, heard, ends[1]);
  close(ends[1]);
  w.from = w.child > 0 ? fdopen(ends[0], "r") : NULL;
  if (w.from == NULL)
    close(ends[0]);
  return w;
}

subprocess_end subprocess_wait(subprocess *w, int *code) {
  int status = 0;
  if (w->from != NULL)
    fclose(w->from);
  w->from = NULL;
  if (w->child <= 0 || waitpid(w->child, &status, 0) != w->child)
    return SUBPROCESS_ABSENT;
  if (!WIFEXITED(status))
    return SUBPROCESS_STOPPED;
  *code = WEXITSTATUS(status);
  return *code == NOT_FOUND ? SUBPROCESS_ABSENT : SUBPROCESS_ENDED;
}
