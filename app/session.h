/* One run of one command: its settings, the handle with what was read, and
** where the result goes. The steps are the same for every command:
**
**   session_read    the inputs, with all that is wrong in them
**   session_infer   what follows, unless time or the user ends it
**   session_start   opens the result and says what was read
**   session_finish  puts the result in place and gives the exit code
**
** A step that fails has said why and returns the exit code. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "options.h"
#include "report.h"

typedef enum {
  END_COMPLETE, /* nothing more follows */
  END_STEPS,    /* as many as were asked for */
  END_TIME,
  END_MEMORY,
  END_INTERRUPTED
} ending;

typedef struct session {
  const command *command;
  settings set;
  char **operands; /* after the command's name */
  size_t operand_count;
  pith *p;
  pith_out *out;
  pith_out *events; /* of the report, or the result while it is turned */
  bool reporting;   /* turned to the report: report_events.h */
  const char *result_format; /* while it is                       */
  pith_infer_info info;      /* of the last session_infer */
  ending end;
  bool suspects;      /* examples that go wrong may be wrong     */
  bool for_examples;  /* these alone matter: not all need follow */
  bool partial;       /* not all did: it was too much            */
  const char *world;  /* the operand, where each has a handle; or NULL  */
  const char *did;    /* what took info.seconds; NULL: inferred         */
  uint64_t elsewhere; /* bytes that handles beside p held at most       */
} session;

int session_new(session *s);
/* The bytes that the command may take; 0: no limit. */
size_t session_memory(const session *s);
void session_free(session *s);

/* Reads the operands from number `from` on. */
int session_read(session *s, size_t from);
/* One file, or a folder. */
int session_read_one(session *s, const char *path, pith_format format);
/* A part of a graph's folder, valid or test; where it is not there, s->p is
** freed and NULL. */
int session_read_part(session *s, const char *folder, const char *part);
/* How files are read, as the options say. */
pith_read_options session_reading(const session *s, pith_format format);
/* Warns of predicates that rules use and nothing defines; an exit code. */
int session_warn_undefined(const session *s);
int session_infer(session *s);
/* The same without a word, as a status. Where examples alone matter and all
** that follows would be too much, only what they ask. */
pith_status session_derive(session *s, pith_infer_options *opt);
int session_open(session *s);   /* the first half of session_start */
int session_header(session *s); /* the second: preface.c */
/* The same for what was counted elsewhere; NULL: there is nothing to say. */
void session_preface(const session *s, const pith_estimate *read);
/* The command and its settings, without those that decide only when it ends,
** how the result is written, and where input is that is looked at itself. */
void put_lasting_settings(const session *s, pith_out *o);
int session_start(session *s);
int session_finish(session *s, int code);

/* Long loops of its handle are shared with the other processes of mpirun: for
** one handle of the command, before it computes. An exit code. */
int session_share(session *s);

/* Says a failure; its exit code. */
int session_fail(const session *s, pith_status rc);

/* Says what is wrong with an atom on the command line; EXIT_USE. */
int session_refuse(const session *s, size_t remarks);

bool session_json(const session *s);
bool session_comments(const session *s); /* % lines are welcome */

/* Whether a file can be written that is written only at the end of long work:
** 0, or an exit code after saying why not. */
int session_check_writable(session *s, const char *path);

/* Whether a rule's figures belong behind it: also for another program's format,
** which is written from what was printed (rule_format.h). */
bool session_figures(const session *s);

/* What ended the inference, for a comment and for an event. */
const char *ending_text(ending e);
const char *ending_word(ending e);

/* How the inference's end tells on an exit code that is 0 or 1 otherwise. */
int ending_code(const session *s, int code);

/* {..., "seconds", "peak_bytes"}, and the end of the event. */
void event_end_result(const session *s);

/* What the words of --method and --noise mean to learn and compress. */
pith_method setting_method(const char *word);
pith_noise setting_noise(const char *word);

/* What only the paper's semantics has is refused elsewhere, rather than
** ignored. 0 or EXIT_USE. */
int check_paper(const settings *set);

/* The semantics and its variant that the settings ask for, once checked. Where
** *epochs is 0 it becomes what the schedule of noise is made for. */
pith_semantics take_semantics(const settings *set, pith_variant *v,
                              uint32_t *epochs);

#endif
