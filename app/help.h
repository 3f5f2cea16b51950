/* Everything printed from the tables of options, commands and topics: help,
** version, man page and completions. Each function returns the exit code. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "options.h"

int help_short(void); /* on standard error: EXIT_USE */
int help_program(void);
int help_command(const command *c);
int help_about(const char *name); /* a command or a topic */
int print_version(void);
int print_man(void);
int print_completions(const char *shell);

typedef struct {
  const char *name, *summary;
  const char *text;       /* paragraphs, separated by "\n\n"; or NULL */
  void (*put_rest)(void); /* prints what follows the text; or NULL    */
} help_topic;
extern const help_topic help_topics[];
extern const size_t help_topic_count;
const help_topic *help_topic_find(const char *name); /* or NULL */

/* 0 when all of standard output could be written. */
int flush_output(void);

/* What the topics print besides their text. */
void put_formats(void);
void put_tunables(void);
void put_exit_codes(void);

extern const char input_kinds[]; /* what an input may be, a sentence */

/* "1 to 10", "a (default), b, c", or "". */
enum { RANGE_ROOM = 256 };
const char *option_range(char room[RANGE_ROOM], const option *o,
                         const command *c);

#endif
