/* --help, from the table of options; the man page and the completions are made
** beside it from the same table. */
#include "help.h"

#include <assert.h>
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

/* A paragraph that begins with a blank is printed as it is; returns where the
** next word is. */
static const char *put_literal(const char *at) {
  size_t n = strcspn(at, "\n");
  if (*at != ' ')
    return at;
  printf("%.*s\n\n", (int)n, at);
  return at + n;
}

/* Prints text in lines of at most WIDTH, all but the first indented; column is
** where the first begins. A "\n\n" is an empty line; a paragraph that begins
** with a blank is a line that stays as it is. */
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
      at = put_literal(at + 2);
    }
    at += strspn(at, " \n");
  }
  printf("\n");
}

static void put_heading(const char *text) {
  printf(wants_colour(stdout) ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

/* "a (default), b, c" */
static void put_choices(char room[RANGE_ROOM], const char *words,
                        bool has_default) {
  const char *word;
  size_t n, used = 0;
  while (word_next(&words, &word, &n)) {
    const char *mark = used == 0 && has_default ? " (default)" : "";
    assert(used + n + 16 < RANGE_ROOM);
    used += (size_t)snprintf(room + used, RANGE_ROOM - used, "%s%.*s%s",
                             used == 0 ? "" : ", ", (int)n, word, mark);
  }
}

/* Whether the help of this command says the range, being smaller there. */
static bool has_own_range(const option *o, const command *c) {
  char help[HELP_ROOM], from[SIZE_ROOM];
  snprintf(from, sizeof from, "; %.10g to ", o->low);
  return c != NULL && strstr(option_help(help, o, c), from) != NULL;
}

const char *option_range(char room[RANGE_ROOM], const option *o,
                         const command *c) {
  char low[SIZE_ROOM];
  room[0] = '\0';
  if (o->kind == CHOICE)
    put_choices(room, option_choices(o, c), c != NULL);
  enum { TELLING = 100000 }; /* a higher limit is no news */
  if ((o->kind == COUNT || o->kind == REAL) && o->high < TELLING &&
      !has_own_range(o, c))
    snprintf(room, RANGE_ROOM, "%.10g to %.10g", o->low, o->high);
  else if (o->kind == SIZE)
    snprintf(room, RANGE_ROOM, "at least %s", size_text(low, o->low));
  return room;
}

static void put_option(const option *o, const command *c) {
  assert(c == NULL || option_taken(o, c->name));
  char left[64], range[RANGE_ROOM], help[HELP_ROOM];
  char text[HELP_ROOM + RANGE_ROOM + 2];
  char letter[] = {'-', o->letter, ',', ' ', '\0'};
  snprintf(left, sizeof left, "  %s--%s%s%s%s%s", o->letter ? letter : "    ",
           o->name, o->alias != NULL ? ", --" : "",
           o->alias != NULL ? o->alias : "", o->value != NULL ? " " : "",
           o->value != NULL ? o->value : "");
  option_range(range, o, c);
  snprintf(text, sizeof text, "%s%s%s", option_help(help, o, c),
           range[0] != '\0' ? "; " : "", range);
  int column = printf("%s", left);
  if (column >= HELP_COLUMN)
    column = printf("\n") - 1;
  printf("%*s", HELP_COLUMN - column, "");
  put_wrapped(text, HELP_COLUMN, HELP_COLUMN);
}

static const char *section_heading(option_section section) {
  static const char *const headings[SECTIONS] = {
      [MAIN] = "Options",          [LIMITS] = "How rules are found",
      [TRAINING] = "Training",     [GENERAL] = "Input and output",
      [TABLES] = "Reading tables", [PAPER] = "The paper's semantics"};
  assert(section < SECTIONS && headings[section] != NULL);
  return headings[section];
}

/* Commands that do not train have no such section. */
static option_section section_for(const option *o, const char *command_name) {
  bool trains = option_taken(option_find("restarts"), command_name);
  return o->section == TRAINING && !trains ? MAIN : o->section;
}

static void put_section(option_section section, const command *c) {
  const char *name = c == NULL ? "pith" : c->name;
  bool empty = true;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (!option_taken(&options[i], name) ||
        section_for(&options[i], name) != section)
      continue;
    if (empty)
      put_heading(c == NULL ? "Options" : section_heading(section));
    put_option(&options[i], c);
    empty = false;
  }
}

static void put_options(const command *c) {
  for (option_section i = 0; i < SECTIONS; i++)
    put_section(i, c);
}

void put_exit_codes(void) {
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

static void put_topics(void) {
  for (size_t i = 0; i < help_topic_count; i++)
    printf("  %-11s %s\n", help_topics[i].name, help_topics[i].summary);
}

int help_short(void) {
  fprintf(stderr, "pith learns rules from facts and examples, infers what "
                  "follows, and explains why\n\n");
  put_commands(stderr);
  fprintf(stderr, "\nTry pith --help, or pith COMMAND --help.\n");
  return EXIT_USE;
}

static void put_inputs(void) {
  char text[640];
  snprintf(text, sizeof text,
           "An input is %s. The name and the content decide which; pith help "
           "formats lists all.",
           input_kinds);
  printf("  ");
  put_wrapped(text, 2, 2);
}

int help_program(void) {
  printf("Usage: pith COMMAND [OPTIONS] INPUT...\n\n");
  put_wrapped("pith learns rules from facts and examples, infers what follows "
              "from them, explains why, and measures how well they fit.",
              0, 0);
  put_heading("Commands");
  put_commands(stdout);
  put_heading("Inputs");
  put_inputs();
  put_options(NULL);
  put_heading("Topics, for pith help TOPIC");
  put_topics();
  put_heading("Exit codes");
  put_exit_codes();
  printf("\nFor one command: pith COMMAND --help.\n");
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
  printf("Usage: pith %s [OPTIONS] %s\n\n", c->name, c->operands);
  put_wrapped(c->about, 0, 0);
  put_heading("Examples");
  put_lines(c->examples);
  put_options(c);
  if (c->details != NULL) {
    put_heading("Details");
    put_wrapped(c->details, 0, 0);
  }
  printf("\nExit codes: pith help exit-codes.\n");
  return flush_output();
}

/* The name is written as it stands in the table of the library. */
void put_tunables(void) {
  printf("Constants that the learners were tuned with: value, range, meaning. "
         "They\nare fixed when pith is built (src/base/tunables.def).\n\n");
  const pith_tunable *t;
  for (size_t i = 0; (t = pith_tunable_at(i)) != NULL; i++)
    printf("%-28s %10.10g  %.10g to %.10g\n    %s\n", t->name, t->value, t->low,
           t->high, t->meaning);
}

static const char *ways_of(const pith_format_info *f) {
  if (f->reads != 0 && f->writes != 0)
    return "read, written";
  return f->reads != 0 ? "read" : "written";
}

/* Every format of the library's table, also those whose library is missing. */
void put_formats(void) {
  const pith_format_info *f;
  putchar('\n');
  for (size_t i = 0; (f = pith_format_at(i)) != NULL; i++) {
    printf("  %-10s %-14s %-26s %s", f->name, ways_of(f), f->endings, f->title);
    if (!f->built)
      printf("  needs %s", f->library);
    putchar('\n');
  }
}

static int unknown_topic(const char *name) {
  nearest near = {.wanted = name};
  for (size_t i = 0; i < command_count; i++)
    nearest_try(&near, commands[i]->name);
  for (size_t i = 0; i < help_topic_count; i++)
    nearest_try(&near, help_topics[i].name);
  if (near.best != NULL)
    say_error("there is no command or topic %s; did you mean %s?", name,
              near.best);
  else
    say_error("there is no command or topic %s; pith --help lists them", name);
  return EXIT_USE;
}

int help_about(const char *name) {
  const command *c = command_find(name);
  const help_topic *topic = help_topic_find(name);
  if (c != NULL)
    return help_command(c);
  if (topic == NULL)
    return unknown_topic(name);
  if (topic->text != NULL)
    put_wrapped(topic->text, 0, 0);
  if (topic->put_rest != NULL)
    topic->put_rest();
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
#ifdef PITH_HAVE_MPI
  printf("features: %s%smpi\n", features, *features != '\0' ? " " : "");
#else
  printf("features: %s\n", *features != '\0' ? features : "none");
#endif
  return flush_output();
}
