/* pith report: a page from a result that was kept as JSON lines. */
#include <string.h>

#include "deadline.h"
#include "json_check.h"
#include "page.h"
#include "session.h"
#include "stream_text.h"

/* Columns are counted in characters. */
static int refuse_line(const char *path, size_t number, const char *line,
                       size_t at) {
  size_t column = 1;
  for (size_t i = 0; i < at; i++)
    column += ((unsigned char)line[i] & 0xc0) != 0x80;
  say_error("%s:%zu:%zu: not JSON; expected one event a line, as --format json "
            "or --report FILE.jsonl writes them",
            path, number, column);
  return EXIT_INPUT;
}

static int check_line(const char *path, size_t number, const char *line,
                      size_t n) {
  const char *name;
  size_t at;
  if (n > 0 && line[n - 1] == '\r')
    n--;
  if (n == 0)
    return 0;
  if (!json_check(line, n, &at))
    return refuse_line(path, number, line, at);
  if (event_name(line, n, &name) > 0)
    return 0;
  say_error("%s:%zu:1: not an event of pith; expected {\"event\": ...}, as "
            "--format json or --report FILE.jsonl writes them",
            path, number);
  return EXIT_INPUT;
}

static int check_lines(const char *path, const char *text, size_t n) {
  int code = 0;
  size_t number = 1;
  for (size_t from = 0; code == 0 && from < n; number++) {
    const char *end = memchr(text + from, '\n', n - from);
    size_t len = end == NULL ? n - from : (size_t)(end - (text + from));
    code = check_line(path, number, text + from, len);
    from += len + 1;
  }
  return code;
}

static int write_kept(session *s, const stream_text *t) {
  deadline_while_writing(s->set.output);
  int code = session_open(s);
  if (code != 0)
    return code;
  pith_status rc = write_page(s->out, t->at == NULL ? "" : t->at, t->n);
  return rc < 0 ? session_fail(s, rc) : session_finish(s, EXIT_FITS);
}

static int run(session *s) {
  stream_text t = {0};
  int code = 0;
  for (size_t i = 0; code == 0 && i < s->operand_count; i++) {
    size_t from = t.n;
    if (stream_text_append(&t, s->operands[i], &code) && t.n > from)
      code = check_lines(s->operands[i], t.at + from, t.n - from);
  }
  if (code == 0)
    code = write_kept(s, &t);
  stream_text_free(&t);
  return code;
}

const command command_report = {
    .name = "report",
    .operands = "JSONLINES...",
    .least = 1,
    .formats = "html",
    .summary = "A page that shows a result kept earlier",
    .about =
        "Makes one HTML file from a result in JSON lines, as --report "
        "FILE.jsonl and --format json write it. The page needs no network and "
        "no other file; any browser shows it.",
    .details =
        "--report FILE.jsonl keeps more than --format json: proofs of the "
        "examples, which rule gives which example, and how training went.",
    .examples = "pith learn --report even.jsonl data/ilp/even-odd\n"
                "pith report even.jsonl -o even.html",
    .run = run,
};
