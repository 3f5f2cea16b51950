/* clingo runs as a subprocess: a file goes in, lines come out. Its result is
** compared with ours. That it is not installed is not a failure. */
#include "certificate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_budget.h"
#include "subprocess.h"

typedef struct {
  bool ran, proved, found;
  double best, bound; /* of the optimum; bound: it is at least this */
} verdict;

enum { SECONDS_CORE = 60, SECONDS_ALL = 20 };

/* ---- running ---------------------------------------------------------- */

/* "Optimization: 9", "OPTIMUM FOUND", "Progression : [7;9]". */
static void read_line(const char *line, verdict *v) {
  const char *colon = strchr(line, ':');
  if (strncmp(line, "Optimization", 12) == 0 && colon != NULL) {
    v->best = strtod(colon + 1, NULL);
    v->found = true;
  } else if (strncmp(line, "OPTIMUM FOUND", 13) == 0) {
    v->proved = true;
  } else if (strncmp(line, "Progression", 11) == 0 && colon != NULL) {
    const char *open = strchr(colon, '[');
    v->bound = fmax(v->bound, open == NULL ? 0 : strtod(open + 1, NULL));
  }
}

/* A path that begins with a dash would be taken for an option. */
static verdict run_clingo(const char *path, unsigned seconds) {
  static const size_t most_bytes = (size_t)4 << 30, most_output = 1 << 24;
  verdict v = {.ran = false};
  char limit[32], file[4096], *text = NULL;
  size_t n = 0;
  int code = 0;
  snprintf(limit, sizeof limit, "--time-limit=%u", seconds);
  snprintf(file, sizeof file, "%s%s", path[0] == '-' ? "./" : "", path);
  const char *const argv[] = {"clingo", "-V2", "-q1", "--opt-strategy=usc,k",
                              limit,    file,  NULL};
  v.ran = subprocess_run(argv,
                         &(subprocess_limits){.seconds = seconds + 5,
                                              .bytes = most_bytes,
                                              .output = most_output},
                         &text, &n, &code) == SUBPROCESS_ENDED &&
          text != NULL;
  for (char *line = text; v.ran && line != NULL;) {
    char *end = strchr(line, '\n');
    if (end != NULL)
      *end = '\0';
    read_line(line, &v);
    line = end == NULL ? NULL : end + 1;
  }
  command_free(text);
  if (v.proved)
    v.bound = v.best;
  return v;
}

/* ---- telling ---------------------------------------------------------- */

static pith_status write_program(const session *s, const pith_compressed *found,
                                 bool all, const char *path) {
  pith_out *o = NULL;
  pith_status rc = pith_out_file(s->p, path, &o);
  if (rc >= 0)
    rc = pith_compressed_certify(found, all, o);
  pith_status closed = pith_out_close(o, rc >= 0);
  return rc < 0 ? rc : closed;
}

static void put_event(const session *s, const char *path, bool all,
                      const verdict *v, double ours) {
  pith_out *o = s->out;
  event_begin(o, "certificate");
  event_text(o, "of", all ? "theory" : "core");
  event_text(o, "file", path);
  event_flag(o, "ran", v->ran);
  event_flag(o, "proved", v->ran && v->proved && v->best >= ours);
  event_real(o, "bound", v->ran ? v->bound : NAN);
  event_real(o, "found", v->ran && v->found ? v->best : NAN);
  event_end(o);
}

static void put_comment(const session *s, const char *path, bool all,
                        const verdict *v, double ours) {
  pith_out *o = s->out;
  double unit = all ? 10 : 1; /* tenths of bits */
  const char *what = all ? "bits" : "facts";
  pith_out_print(o, "%% ");
  put_safe(o, path);
  if (!v->ran)
    pith_out_print(o, ": clingo is not installed; run it on this file\n");
  else if (v->proved && v->best >= ours)
    pith_out_print(o, ": clingo proved %s minimal\n",
                   all ? "rules and core" : "the core");
  else if (v->proved || (v->found && v->best < ours))
    pith_out_print(o, ": clingo found %.0f %s, fewer than here%s\n",
                   v->best / unit, what, v->proved ? ", and proved it" : "");
  else
    pith_out_print(o, ": clingo was stopped: at least %.0f %s are needed\n",
                   v->bound / unit, what);
}

static pith_status run_and_compare(const session *s,
                                   const pith_compressed *found, bool all,
                                   const char *path) {
  const pith_compress_info *i = pith_compressed_info(found);
  pith_status rc = write_program(s, found, all, path);
  if (rc < 0)
    return rc;
  verdict v = run_clingo(path, all ? SECONDS_ALL : SECONDS_CORE);
  /* rounded to tenths for each atom */
  double ours = all ? floor(10 * i->bits_after) - i->rules - (double)i->core
                    : (double)i->core;
  if (session_json(s))
    put_event(s, path, all, &v, ours);
  else if (session_comments(s))
    put_comment(s, path, all, &v, ours);
  return PITH_OK;
}

pith_status put_certificate(const session *s, const pith_compressed *found) {
  const char *path = s->set.certify;
  char *other = command_resize(NULL, strlen(path) + sizeof ".all");
  if (other == NULL)
    return PITH_ENOMEM;
  strcpy(other, path);
  strcat(other, ".all");
  pith_status rc = run_and_compare(s, found, false, path);
  if (rc >= 0) { /* too many rules to choose from: nothing to say */
    pith_status all = run_and_compare(s, found, true, other);
    rc = all < 0 && all != PITH_ELIMIT ? all : rc;
  }
  command_free(other);
  return rc;
}
