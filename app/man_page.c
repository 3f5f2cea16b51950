/* The man page, from the same table as --help. In roff a backslash, a hyphen
** and a full stop at the start of a line mean something: put_roff takes their
** meaning away, so texts in the table are plain. */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "report.h"

static void put_roff(const char *text) {
  bool start = true;
  for (const char *s = text; *s != '\0'; s++) {
    if (strncmp(s, "\n\n", 2) == 0) {
      printf("\n.PP\n");
      s++;
      start = true;
      continue;
    }
    if (start && (*s == '.' || *s == '\''))
      printf("\\&");
    start = *s == '\n';
    if (*s == '\\')
      printf("\\e");
    else if (*s == '-')
      printf("\\-");
    else if (*s == '\'')
      printf("\\(aq");
    else
      putchar(*s);
  }
}

static void put_paragraph(const char *text) {
  put_roff(text);
  putchar('\n');
}

static void put_option(const option *o, const command *c) {
  char range[RANGE_ROOM], help[HELP_ROOM];
  printf(".TP\n");
  if (o->letter != 0)
    printf("\\fB\\-%c\\fR, ", o->letter);
  printf("\\fB\\-\\-");
  put_roff(o->name);
  printf("\\fR");
  if (o->alias != NULL) {
    printf(", \\fB\\-\\-");
    put_roff(o->alias);
    printf("\\fR");
  }
  if (o->value != NULL)
    printf(" \\fI%s\\fR", o->value);
  putchar('\n');
  put_roff(option_help(help, o, c));
  if (option_range(range, o, c)[0] != '\0') {
    printf("; ");
    put_roff(range);
  }
  printf(".\n");
}

/* An operand's line has capitals for names and brackets for what may be left
** out; they stand as they are. */
static void put_synopsis(void) {
  printf(".SH SYNOPSIS\n");
  for (size_t i = 0; i < command_count; i++) {
    printf("%s.B pith %s\n[\\fIOPTIONS\\fR] \\fI", i == 0 ? "" : ".br\n",
           commands[i]->name);
    put_roff(commands[i]->operands);
    printf("\\fR\n");
  }
}

static void put_examples(const char *text) {
  printf(".PP\n.nf\n.RS\n");
  while (*text != '\0') {
    char line[256];
    size_t n = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)n, text);
    put_paragraph(line);
    text += n + (text[n] == '\n');
  }
  printf(".RE\n.fi\n");
}

static void put_command(const command *c) {
  printf(".SS pith %s [OPTIONS] ", c->name);
  put_paragraph(c->operands);
  put_roff(c->summary);
  printf(".\n.PP\n");
  put_paragraph(c->about);
  if (c->details != NULL) {
    printf(".PP\n");
    put_paragraph(c->details);
  }
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (option_taken(&options[i], c->name))
      put_option(&options[i], c);
  put_examples(c->examples);
}

static void put_exit_status(void) {
  printf(".SH EXIT STATUS\n");
  for (size_t i = 0; i < exit_text_count; i++) {
    printf(".TP\n.B %d\n", exit_texts[i].code);
    put_paragraph(exit_texts[i].text);
  }
}

static void put_topics(void) {
  for (size_t i = 0; i < help_topic_count; i++) {
    if (help_topics[i].text == NULL)
      continue;
    printf(".SS ");
    put_paragraph(help_topics[i].summary);
    put_paragraph(help_topics[i].text);
  }
}

static void put_description(void) {
  char text[1024];
  snprintf(text, sizeof text,
           "pith learns rules from facts and examples, infers what follows "
           "from them, explains why, and measures how well they fit. The "
           "result on standard output is a Prolog program whose other lines "
           "are comments; --format json gives one JSON object per line. "
           "Warnings and errors go to standard error.\n\n"
           "An input is %s.\n\n"
           "Options may come anywhere; after -- everything is an operand.",
           input_kinds);
  put_paragraph(text);
}

int print_man(void) {
  printf(".TH PITH 1 \"\" \"pith %s\" \"User Commands\"\n", pith_version());
  printf(".SH NAME\npith \\- learns rules from facts and examples, infers, "
         "explains, measures\n");
  put_synopsis();
  printf(".SH DESCRIPTION\n");
  put_description();
  printf(".SH COMMANDS\n");
  for (size_t i = 0; i < command_count; i++)
    put_command(commands[i]);
  printf(".SH OPTIONS\n");
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (option_taken(&options[i], "pith"))
      put_option(&options[i], NULL);
  printf(".SH TOPICS\n");
  put_topics();
  put_exit_status();
  printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n");
  put_paragraph("When set and not empty, no colour is used on a terminal.");
  printf(".SH SEE ALSO\n.BR swipl (1),\n.BR clingo (1)\n");
  return flush_output();
}
