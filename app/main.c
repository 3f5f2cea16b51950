/* The command pith. It uses the library as any stranger would: through
** pith.h. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "deadline.h"
#include "find_inputs.h"
#include "help.h"
#include "interrupt.h"
#include "memory_budget.h"
#include "process_team.h"
#include "session.h"

/* Progress events are part of a result in JSON, which only the learners write
** while they work. */
static int check_progress(const command *c, const settings *set) {
  if (set->progress == NULL || strcmp(set->progress, "json") != 0)
    return 0;
  bool learner =
      strcmp(c->name, "learn") == 0 || strcmp(c->name, "compress") == 0;
  if (!learner)
    say_error("%s writes no progress events; --progress json is for learn and "
              "compress",
              c->name);
  else if (strcmp(set->format, "json") != 0)
    say_error("--progress json needs --format json");
  else
    return 0;
  return EXIT_USE;
}

/* In one file the later would take the place of the earlier. */
static int check_outputs(const settings *set) {
  const struct {
    const char *option, *path;
  } files[] = {{"--output", set->output},
               {"--report", set->report},
               {"--checkpoint", set->checkpoint},
               {"--certify", set->certify}};
  enum { FILES = sizeof files / sizeof *files };
  for (size_t i = 0; i < FILES; i++)
    for (size_t j = 0; j < i && files[i].path != NULL; j++)
      if (files[j].path != NULL && is_same_file(files[i].path, files[j].path)) {
        say_error("%s and %s are both %s; name two files", files[j].option,
                  files[i].option, files[i].path);
        return EXIT_USE;
      }
  return 0;
}

static int run_session(session *s) {
  int code = session_new(s);
  if (code == 0)
    code = s->command->run(s);
  session_free(s);
  return code;
}

static int run_command(const command *c, settings *set, char **operands,
                       size_t n) {
  if (set->help)
    return help_command(c);
  if (n < c->least) {
    say_error("%s: too few operands; usage: pith %s [OPTIONS] %s", c->name,
              c->name, c->operands);
    return EXIT_USE;
  }
  int refused = check_progress(c, set);
  if (refused != 0)
    return refused;
  refused = check_outputs(set);
  if (refused != 0)
    return refused;
  refused = process_team_start(c, set);
  if (refused != 0)
    return refused;
  session s = {
      .command = c, .set = *set, .operands = operands, .operand_count = n};
  command_memory_limit(session_memory(&s), set->memory > 0);
  deadline_begin(set->timeout);
  deadline_while("reading");
  return process_team_finish(run_session(&s));
}

/* A file that we open must not get the number of a stream that was closed:
** messages would go into the result. What we put there cannot be read as input
** nor written as output, so that no result is lost without a word. */
static void open_standard_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 &&
        open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
}

int main(int argc, char **argv) {
  open_standard_streams();
  /* A line is written as a whole: processes that share it are not mixed up. */
  setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
  interrupt_ignore_file_limit();
  settings set;
  const command *c;
  size_t n;
  int code = options_parse(argc - (argc > 0), argv + (argc > 0), &set, &c, &n);
  if (code != 0)
    return code;
  char **operands = argv + 1;
  if (c != NULL)
    return run_command(c, &set, operands + 1, n - 1);
  if (set.version)
    return print_version();
  if (set.man)
    return print_man();
  if (set.completions != NULL)
    return print_completions(set.completions);
  if (set.help || n > 0)
    return n > 1 ? help_about(operands[1]) : help_program();
  return help_short();
}
