/* Reading must not crash, leak or loop; and what it took in must come out as
** text that reads back, without an error, to the same text. */
#ifndef ROUND_H
#define ROUND_H

#include <pith.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bombs are refused by the limit. */
static inline pith *round_handle(void) {
  pith_memory memory = {.limit = (size_t)256 << 20};
  pith *p;
  if (pith_new_with(&memory, &p) < 0)
    abort();
  return p;
}

/* Where files are memory, if there is such a folder. */
static inline const char *round_folder(void) {
  return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

/* Ends a run at the so-manieth look, so that an input takes as long on any
** machine and does the same on all. */
static inline bool round_stop(void *looks) {
  size_t *left = looks;
  return *left == 0 || --*left == 0;
}

static inline void round_limit(pith_run *run, size_t *looks) {
  run->stop = round_stop;
  run->stop_ctx = looks;
}

static inline void round_fail(const pith *p, const char *what,
                              const char *text) {
  fprintf(stderr, "%s: %s\n%s\n", what, pith_error(p), text);
  abort();
}

static inline void round_differ(const pith *p, const char *text,
                                const char *again) {
  fprintf(stderr, "the second text:\n%s\n", again == NULL ? "refused" : again);
  round_fail(p, "reads back to something else", text);
}

/* The text of everything in p, NULL where it is refused. The caller closes
** o. */
static inline const char *round_write(pith *p, pith_format format, pith_out **o,
                                      size_t *n) {
  if (pith_out_memory(p, o) < 0)
    abort();
  pith_status rc = pith_write(p, format, *o);
  if (rc < 0 && rc != PITH_EINPUT && rc != PITH_ENOMEM)
    round_fail(p, "cannot write", "");
  return rc < 0 ? NULL : pith_out_text(*o, n);
}

static inline void round_again(const char *text, size_t n, pith_format format) {
  pith *p = round_handle();
  pith_out *o;
  size_t m = 0;
  pith_status rc = pith_read_text(p, "again", text, n, format);
  if (rc < 0 && rc != PITH_ENOMEM)
    round_fail(p, "does not read back", text);
  const char *again = round_write(p, format, &o, &m);
  if (rc >= 0 && (again == NULL || n != m || memcmp(text, again, n) != 0))
    round_differ(p, text, again);
  pith_out_close(o, false);
  pith_free(p);
}

/* Of what was read: it is written and reads back, and the status says whether
** there were errors. Frees p. */
static inline int round_check(pith *p, pith_status rc, pith_format format) {
  pith_out *o;
  size_t n = 0;
  if (rc == PITH_OK || rc == PITH_EINPUT) {
    const char *text = round_write(p, format, &o, &n);
    if (text != NULL)
      round_again(text, n, format);
    pith_out_close(o, false);
  }
  bool wrong = pith_remark_errors(p) > 0; /* or memory ran out behind it */
  if (rc == PITH_EINPUT ? !wrong : rc >= 0 && wrong)
    round_fail(p, "status and remarks disagree", "");
  pith_free(p);
  return 0;
}

static inline int round_trip(const uint8_t *data, size_t size,
                             pith_format format) {
  pith *p = round_handle();
  pith_status rc = pith_read_text(p, "input", (const char *)data, size, format);
  return round_check(p, rc, format);
}

#endif
