#include "rule_format.h"

#include <assert.h>
#include <string.h>

#include "memory_budget.h"

bool has_rule_format(const session *s) {
  return s->command != NULL && word_in(s->command->formats, "rules") &&
         strcmp(s->set.format, "prolog") != 0 &&
         strcmp(s->set.format, "json") != 0;
}

/* Facts that say how a model weighs its rules are of no use elsewhere. */
static void copy_without_model_facts(const char *text, size_t n, pith_out *o) {
  for (const char *line = text, *end = text + n; line < end;) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t length = (size_t)((stop == NULL ? end : stop + 1) - line);
    if (strncmp(line, "pith_", 5) != 0)
      pith_out_write(o, line, length);
    line += length;
  }
}

/* Reads what a command printed, text[0..n). */
static pith_status read_result(pith *p, const char *text, size_t n) {
  pith_out *o = NULL;
  pith_status rc = pith_out_memory(p, &o);
  if (rc < 0)
    return rc;
  copy_without_model_facts(text, n, o);
  const char *kept = pith_out_text(o, &n);
  rc = kept == NULL ? PITH_ENOMEM
                    : pith_read_text(p, "result", kept, n, PITH_PROLOG);
  pith_out_close(o, false);
  return rc;
}

static void say_left_out(const session *s, uint64_t dropped, pith_format f) {
  if (dropped > 0 && !s->set.quiet)
    say_warning("left out %llu %s that %s cannot hold",
                (unsigned long long)dropped,
                plural(dropped, "fact or rule", "facts and rules"),
                pith_format_of(f)->title);
}

static pith_status write_result(const session *s, pith *p) {
  pith_write_options opt;
  uint64_t dropped = 0;
  pith_out *o = NULL;
  pith_status rc =
      pith_out_file(p, s->set.output != NULL ? s->set.output : "-", &o);
  if (rc < 0)
    return rc;
  pith_write_defaults(&opt);
  opt.format = pith_format_named(s->set.format);
  opt.drop = true;
  rc = pith_write_with(p, &opt, o, &dropped);
  pith_status closed = pith_out_close(o, rc >= 0);
  if ((pith_format_of(opt.format)->writes & PITH_HOLDS_FACTS) == 0)
    dropped += pith_fact_count(p, PITH_NONE, PITH_GIVEN);
  say_left_out(s, dropped, opt.format);
  return rc < 0 ? rc : closed;
}

int put_rule_format(session *s) {
  assert(has_rule_format(s) && s->out != NULL);
  size_t n;
  const char *text = pith_out_text(s->out, &n);
  pith *p = NULL;
  pith_status rc = text == NULL ? PITH_ENOMEM : command_handle(&p);
  if (rc >= 0)
    rc = read_result(p, text, n);
  if (rc >= 0)
    rc = write_result(s, p);
  if (rc < 0)
    say_error("%s", p != NULL && *pith_error(p) != '\0' ? pith_error(p)
                                                        : pith_status_text(rc));
  pith_free(p);
  pith_out_close(s->out, false);
  s->out = NULL;
  return rc >= 0 ? 0 : rc == PITH_EINPUT ? EXIT_INPUT : EXIT_LIMIT;
}
