/* --help, from the table of options; the man page and the completions are made
** beside it from the same table. */
#include "help.h"

#include <stdio.h>
#include <string.h>

#include "report.h"

enum { WIDTH = 80, HELP_COLUMN = 26 };

int flush_output(void) {
  if (fflush(stdout) == 0 && !ferror(stdout))
    return EXIT_FITS;
  perror("pith: error: standard output");
  return EXIT_LIMIT;
}

/* Prints text in lines up to WIDTH, all but the first indented; column is
** where the first begins. A "\n\n" is an empty line. */
static void put_wrapped(const char *text, int column, int indent) {
  for (const char *at = text; *at != '\0';) {
    int n = (int)strcspn(at, " \n");
    if (column > indent && column + 1 + n > WIDTH) {
      printf("\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      column += printf(" ");
    }
    column += printf("%.*s", n, at);
    at += n;
    if (strncmp(at, "\n\n", 2) == 0) {
      printf("\n\n%*s", indent, "");
      column = indent;
    }
    at += strspn(at, " \n");
  }
  printf("\n");
}

static void put_heading(const char *text) {
  printf(wants_colour(stdout) ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

const char *option_range(char room[RANGE_ROOM], const option *o,
                         const command *c) {
  char low[SIZE_ROOM];
  room[0] = '\0';
  if (o->kind == CHOICE) {
    const char *at = option_choices(o, c), *first;
    size_t n;
    int used = snprintf(room, RANGE_ROOM, "one of: %s", at);
    if (c != NULL && word_next(&at, &first, &n))
      snprintf(room + used, (size_t)(RANGE_ROOM - used), "; default %.*s",
               (int)n, first);
  }
  if (o->kind == COUNT)
    snprintf(room, RANGE_ROOM, "a whole number from %.0f to %.0f", o->low,
             o->high);
  else if (o->kind == SECONDS || o->kind == REAL)
    snprintf(room, RANGE_ROOM, "from %.10g to %.10g", o->low, o->high);
  else if (o->kind == SIZE)
    snprintf(room, RANGE_ROOM, "at least %s", size_text(low, o->low));
  return room;
}

static void put_option(const option *o, const command *c) {
  char left[64], range[RANGE_ROOM], text[512];
  char letter[] = {'-', o->letter, ',', ' ', '\0'};
  snprintf(left, sizeof left, "  %s--%s%s%s%s%s", o->letter ? letter : "    ",
           o->name, o->alias != NULL ? ", --" : "",
           o->alias != NULL ? o->alias : "", o->value != NULL ? " " : "",
           o->value != NULL ? o->value : "");
  option_range(range, o, c);
  snprintf(text, sizeof text, "%s%s%s", o->help, range[0] != '\0' ? "; " : "",
           range);
  int column = printf("%s", left);
  if (column >= HELP_COLUMN)
    column = printf("\n") - 1;
  printf("%*s", HELP_COLUMN - column, "");
  put_wrapped(text, HELP_COLUMN, HELP_COLUMN);
}

static void put_options(const command *c) {
  put_heading("Options");
  for (size_t i = 0; i < option_count; i++)
    if (option_taken(&options[i], c == NULL ? "pith" : c->name))
      put_option(&options[i], c);
}

static void put_exit_codes(void) {
  put_heading("Exit codes");
  for (size_t i = 0; i < exit_text_count; i++) {
    printf("  %3d  ", exit_texts[i].code);
    put_wrapped(exit_texts[i].text, 7, 7);
  }
}

static void put_commands(FILE *f) {
  for (size_t i = 0; i < command_count; i++)
    fprintf(f, "  %-8s %-23s %s\n", commands[i]->name, commands[i]->operands,
            commands[i]->summary);
}

int help_short(void) {
  fprintf(stderr, "pith: rules and facts: learned, what follows, why, how "
                  "well it fits\n\n");
  put_commands(stderr);
  fprintf(stderr, "\npith --help says more; pith COMMAND --help all about one "
                  "command.\n");
  return EXIT_USE;
}

int help_program(void) {
  printf("Usage: pith COMMAND [OPTIONS] INPUT...\n\n");
  put_wrapped("pith reads facts, rules and examples, learns rules, and says "
              "what follows, why, and how well the rules fit.",
              0, 0);
  put_heading("Commands");
  put_commands(stdout);
  put_heading("Inputs");
  printf("  ");
  put_wrapped(
      "A file or a folder; - is standard input. Prolog facts and rules with "
      "pos(..) and neg(..) examples; a Popper folder (bk.pl, exs.pl, bias.pl); "
      "templates; triples parted by tabs. Files may be packed (.gz, .xz, "
      ".zst).",
      2, 2);
  put_options(NULL);
  put_exit_codes();
  printf("\npith COMMAND --help says more about one command.\n");
  return flush_output();
}

static void put_lines(const char *text) {
  while (*text != '\0') {
    int n = (int)strcspn(text, "\n");
    printf("  %.*s\n", n, text);
    text += n + (text[n] == '\n');
  }
}

int help_command(const command *c) {
  printf("Usage: pith %s [OPTIONS] %s\n\n%s.\n\n", c->name, c->operands,
         c->summary);
  put_wrapped(c->about, 0, 0);
  put_options(c);
  put_heading("Examples");
  put_lines(c->examples);
  put_exit_codes();
  return flush_output();
}

int print_version(void) {
  const char *features = pith_features();
  printf("pith %s\n", pith_version());
#if defined(__clang__)
  printf("compiler: clang %d.%d.%d\n", __clang_major__, __clang_minor__,
         __clang_patchlevel__);
#elif defined(__GNUC__)
  printf("compiler: gcc %d.%d.%d\n", __GNUC__, __GNUC_MINOR__,
         __GNUC_PATCHLEVEL__);
#else
  printf("compiler: unknown\n");
#endif
  printf("features: %s\n", *features != '\0' ? features : "none");
  return flush_output();
}
