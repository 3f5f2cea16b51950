/* The first lines of every result: the command, what was read and the options
** that were given, as comments or as the start event. Options that were not
** given are not printed: version, operands and given options determine the
** result, and a new option changes no output. They come from the table of
** options, so a new option needs no code here. */
#include <assert.h>
#include <stdio.h>

#include "report_events.h"

/* Whether it was given and the result depends on it: not on the number of
** threads, nor on where a run is saved. */
static bool is_reported(const session *s, size_t i) {
  static const char others[] =
      "output report quiet verbose help jobs checkpoint progress";
  assert(i < OPTION_COUNT);
  return s->set.given[i] && option_taken(&options[i], s->command->name) &&
         !word_in(others, options[i].name);
}

static void put_setting(pith_out *out, const option *o, const void *field) {
  char room[SIZE_ROOM];
  pith_out_print(out, o->kind == FLAG ? " %s" : " %s ", o->name);
  if (o->kind == COUNT)
    pith_out_print(out, "%u", *(const uint32_t *)field);
  else if (o->kind == REAL)
    pith_out_print(out, "%g", *(const double *)field);
  else if (o->kind == DURATION)
    pith_out_print(out, "%g s", *(const double *)field);
  else if (o->kind == SIZE)
    put_safe(out, size_text(room, (double)*(const uint64_t *)field));
  else if (o->kind != FLAG)
    put_safe(out, *(const char *const *)field);
}

/* But for those named in `without`. */
static void put_given(const session *s, const char *without, pith_out *o) {
  const char *separator = "% settings:", *end = "";
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (!is_reported(s, i) || word_in(without, options[i].name))
      continue;
    pith_out_print(o, "%s", separator);
    put_setting(o, &options[i], (const char *)&s->set + options[i].place);
    separator = ",";
    end = "\n";
  }
  pith_out_print(o, "%s", end);
}

void put_lasting_settings(const session *s, pith_out *o) {
  pith_out_print(o, "%s\n", s->command->name);
  put_given(s, "timeout memory format queries", o);
}

static void put_settings(const session *s) { put_given(s, "", s->out); }

static void put_read(pith_out *o, const pith_estimate *e) {
  pith_out_print(o, "%% read: ");
  put_number(o, e->constants, "constant", "constants");
  pith_out_print(o, ", ");
  put_number(o, e->facts, "fact", "facts");
  pith_out_print(o, ", ");
  put_number(o, e->rules, "rule", "rules");
  pith_out_print(o, ", ");
  put_number(o, e->examples, "example", "examples");
  pith_out_print(o, "\n");
}

static void put_header(const session *s, const pith_estimate *e) {
  pith_out_print(s->out, "%% pith %s %s:", pith_version(), s->command->name);
  for (size_t i = 0; i < s->operand_count; i++) {
    pith_out_print(s->out, " ");
    put_safe(s->out, s->operands[i]);
  }
  pith_out_print(s->out, "\n");
  if (e != NULL)
    put_read(s->out, e);
  put_settings(s);
}

static void event_setting(pith_out *o, const option *opt, const void *field) {
  switch (opt->kind) {
  case FLAG:
    event_flag(o, opt->name, *(const bool *)field);
    return;
  case COUNT:
    event_count(o, opt->name, *(const uint32_t *)field);
    return;
  case REAL: /* the library keeps fewer digits than a double has */
    event_key(o, opt->name);
    pith_out_print(o, "%g", *(const double *)field);
    return;
  case DURATION:
    event_real(o, opt->name, *(const double *)field);
    return;
  case SIZE:
    event_count(o, opt->name, *(const uint64_t *)field);
    return;
  case CHOICE:
  case TEXT:
  case PATH:
    event_text(o, opt->name, *(const char *const *)field);
  }
}

static void event_start(const session *s, const pith_estimate *e) {
  event_begin(s->out, "start");
  event_count(s->out, "schema", 2);
  event_text(s->out, "pith", pith_version());
  event_text(s->out, "command", s->command->name);
  event_key(s->out, "operands");
  for (size_t i = 0; i < s->operand_count; i++) {
    pith_out_print(s->out, i == 0 ? "[" : ",");
    pith_out_quote(s->out, s->operands[i]);
  }
  pith_out_print(s->out, "]");
  event_key(s->out, "settings"); /* --format json, the first, was given */
  pith_out_print(s->out, "{\"format\":\"%s\"", s->set.format);
  for (size_t i = 1; i < OPTION_COUNT; i++)
    if (is_reported(s, i))
      event_setting(s->out, &options[i],
                    (const char *)&s->set + options[i].place);
  pith_out_print(s->out, "}");
  if (e != NULL) {
    event_count(s->out, "constants", e->constants);
    event_count(s->out, "facts", e->facts);
    event_count(s->out, "rules", e->rules);
    event_count(s->out, "examples", e->examples);
  }
  event_end(s->out);
}

void session_preface(const session *s, const pith_estimate *read) {
  assert(s->out != NULL);
  if (session_json(s))
    event_start(s, read);
  else if (session_comments(s))
    put_header(s, read);
}

int session_header(session *s) {
  pith_estimate e;
  pith_status rc = pith_infer_cost(s->p, &e);
  if (rc < 0)
    return session_fail(s, rc);
  session_preface(s, &e);
  if (report_turn(s)) {
    session_preface(s, &e);
    report_turn(s);
  }
  return 0;
}
