/* Runs the command many times in one process, for tests: a library to preload.
**
**   PITH_COUNTED=FILE   a line for each run: + or -, and the words of the
**                       command, divided by tabs
**
** valgrind takes longer to start, and to translate what it meets for the first
** time, than a small input takes to read. Here it starts once. A run with - is
** of the process itself, which holds the translations from then on. A run with
** + is of a child, whose end valgrind reports: what it counts there is what the
** process had done before the fork, and that run.
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 16, TEXT = 1 << 16 };

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void),
                           void (*)(void), void (*)(void), void *);

static main_function *pith_main;

/* The command's own name stands where the line has its sign. */
static int run_line(char *line, char **env) {
  static char name[] = "pith";
  char *words[WORDS + 1] = {name}, *rest;
  int n = 1;
  (void)strtok_r(line, "\t", &rest);
  while (n < WORDS && (words[n] = strtok_r(NULL, "\t", &rest)) != NULL)
    n++;
  return pith_main(n, words, env);
}

static int run_in_child(char *line, char **env) {
  int status;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0)
    exit(run_line(line, env));
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
    return -1;
  return WEXITSTATUS(status);
}

/* The file is read at once: a child that ends would move its place in it. */
static bool read_text(const char *path, char *text) {
  FILE *f = fopen(path, "re");
  size_t n = f != NULL ? fread(text, 1, TEXT, f) : TEXT;
  if (f != NULL)
    (void)fclose(f);
  text[n < TEXT ? n : 0] = '\0';
  return n < TEXT;
}

/* valgrind's own main, which this is loaded into as well, has arguments. */
static int run_all(int argc, char **argv, char **env) {
  static char text[TEXT];
  const char *path = getenv("PITH_COUNTED");
  char *rest;
  if (path == NULL || argc > 1)
    return pith_main(argc, argv, env);
  if (!read_text(path, text))
    return 3;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    int code = *line == '+' ? run_in_child(line, env) : run_line(line, env);
    if (code != 0 && code != 1)
      return 3;
  }
  return 0;
}

int __libc_start_main(main_function *given, int argc, char **argv,
                      void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end) {
  start_function *next;
  *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
  pith_main = given;
  return next(run_all, argc, argv, init, fini, rtld_fini, stack_end);
}
