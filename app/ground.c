/* SWI-Prolog is handed a small program and the names of the files. It loads the
** background, collects constants, asks predicates about them and prints facts,
** which are read here like any others. The last line says that it came to the
** end, since a background may halt; a line "!..." says why it did not.
**
** What is asked: the arguments of the examples, and what comes out of that, in
** turn (ground_reach.c). A call is stopped after so many inferences, not
** seconds: the same facts on every machine. */
#include "ground.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "ground_program.h"
#include "memory_budget.h"
#include "subprocess.h"

enum {
  CPU_SECONDS = 300,
  MOST_BYTES = 1 << 30,  /* that it may use   */
  MOST_OUTPUT = 1 << 30, /* that it may print */
  PATH_ROOM = 4096
};

/* ---- the files -------------------------------------------------------- */

/* The folder, with a slash, of a folder or of a file; false: too long. */
static bool folder_of(const char *path, bool folder, char *out) {
  const char *slash = strrchr(path, '/');
  size_t n = folder          ? strlen(path)
             : slash == NULL ? 0
                             : (size_t)(slash - path) + 1;
  return (size_t)snprintf(out, PATH_ROOM, "%.*s%s", (int)n, path,
                          folder ? "/" : "") < PATH_ROOM - 16;
}

static bool is_there(const char *path, bool *folder) {
  struct stat st;
  bool there = stat(path, &st) == 0;
  *folder = there && S_ISDIR(st.st_mode);
  return there;
}

/* ---- what it says ----------------------------------------------------- */

/* Where the last line begins. */
static const char *last_line(const char *text, size_t n) {
  while (n > 0 && text[n - 1] == '\n')
    n--;
  while (n > 0 && text[n - 1] != '\n')
    n--;
  return text + n;
}

static int read_answer(session *s, const char *path, const char *text, size_t n,
                       int code) {
  unsigned long long constants = 0, tuples = 0, endless = 0, limited = 0;
  const char *end = last_line(text, n);
  if (*end == '!') {
    say_error("%s: %.*s", path, (int)strcspn(end + 1, "\n"), end + 1);
    return code; /* the program above knows ours */
  }
  if (sscanf(end, "%%end %llu %llu %llu %llu", &constants, &tuples, &endless,
             &limited) != 4) {
    say_error("%s: SWI-Prolog stopped before the end; see what it said", path);
    return EXIT_INPUT;
  }
  size_t remarks = pith_remark_count(s->p);
  pith_status rc = PITH_OK;
  if (end > text) /* something holds */
    rc = pith_read_text(s->p, path, text, (size_t)(end - text), PITH_PROLOG);
  say_remarks(s->p, remarks, !s->set.quiet);
  if (rc < 0)
    return session_fail(s, rc);
  if (!s->set.quiet)
    say_note("SWI-Prolog was asked %llu tuples of %llu constants", tuples,
             constants);
  if (!s->set.quiet && endless > 0)
    say_note("%llu calls did not end and count as false", endless);
  if (!s->set.quiet && limited > 0)
    say_note("what %llu examples reach was not all asked: a million tuples are "
             "the limit",
             limited);
  return 0;
}

/* What it prints is kept in memory until it is read, so it may take half of
** what we may use. */
static size_t most_output(const session *s) {
  return session_memory(s) / 2 < MOST_OUTPUT ? session_memory(s) / 2
                                             : MOST_OUTPUT;
}

static int ask_swipl(session *s, const char *path, const char *const *argv) {
  const subprocess_limits limits = {.seconds = CPU_SECONDS,
                                    .bytes = MOST_BYTES,
                                    .output = most_output(s),
                                    .heard = true};
  char *text, room[SIZE_ROOM];
  size_t n = 0;
  int code = 0, result = EXIT_LIMIT;
  subprocess_end end = subprocess_run(argv, &limits, &text, &n, &code);
  if (end == SUBPROCESS_ABSENT)
    say_error("--ground needs SWI-Prolog, and swipl is not on PATH; install it "
              "(Debian: apt install swi-prolog-nox)");
  else if (text == NULL)
    say_error("out of memory");
  else if (end == SUBPROCESS_LOUD)
    say_error("%s: SWI-Prolog printed more than %s; name fewer predicates "
              "with --preds, or raise --memory",
              path, size_text(room, (double)limits.output));
  else if (end == SUBPROCESS_STOPPED)
    say_error("%s: SWI-Prolog was stopped after %d s of processor time, twice "
              "that by the clock, or %s; name fewer predicates with --preds",
              path, CPU_SECONDS, size_text(room, (double)limits.bytes));
  else
    result = read_answer(s, path, text, n, code);
  command_free(text);
  return result;
}

/* ---- what to ask ------------------------------------------------------ */

static void put_prolog_name(pith_out *o, const char *name) {
  pith_out_print(o, "'");
  for (; *name != '\0'; name++)
    pith_out_print(o, *name == '\'' || *name == '\\' ? "\\%c" : "%c", *name);
  pith_out_print(o, "'");
}

static void put_place_types(const pith *p, pith_pred pred, pith_out *o) {
  pith_out_print(o, "[");
  for (size_t i = 0; i < pith_pred_arity(p, pred); i++) {
    pith_sym type = pith_pred_type(p, pred, i);
    pith_out_print(o, i == 0 ? "" : ",");
    put_prolog_name(o, type == PITH_NONE ? "any" : pith_sym_text(p, type));
  }
  pith_out_print(o, "]");
}

/* The predicate's places, as [i,o], or u where bias.pl does not say. */
static void put_place_ways(const pith *p, pith_pred pred, pith_out *o) {
  pith_out_print(o, "[");
  for (size_t i = 0; i < pith_pred_arity(p, pred); i++) {
    char way = pith_pred_direction(p, pred, i);
    pith_out_print(o, "%s%c", i == 0 ? "" : ",", way == 0 ? 'u' : way);
  }
  pith_out_print(o, "]");
}

/* A predicate for bodies as s(Name,Arity,Ways,Types), a target as
** t(Name,Ways,Types). */
static void put_predicate(const pith *p, pith_pred pred, bool body,
                          pith_out *o) {
  pith_out_print(o, body ? "s(" : "t(");
  put_prolog_name(o, pith_pred_name(p, pred));
  if (body)
    pith_out_print(o, ",%zu", pith_pred_arity(p, pred));
  pith_out_print(o, ",");
  put_place_ways(p, pred, o);
  pith_out_print(o, ",");
  put_place_types(p, pred, o);
  pith_out_print(o, ")");
}

/* What bias.pl says is to be asked. We read it ourselves, for Popper's (list,)
** is no Prolog. */
static pith_status describe_bias(const char *path, pith *p, pith_out *o) {
  pith_status rc = pith_read(p, path, PITH_BIAS);
  const char *between = "";
  for (pith_pred i = 0; rc >= 0 && i < pith_pred_count(p); i++) {
    unsigned roles = pith_pred_roles(p, i);
    if ((roles & (PITH_BODY | PITH_TARGET)) == 0)
      continue;
    pith_out_print(o, "%s", between);
    between = ",";
    put_predicate(p, i, (roles & PITH_BODY) != 0, o);
  }
  return rc;
}

/* Has SWI-Prolog say what holds; what: which predicates to ask for. */
static int ask_background(session *s, const char *bk, const char *exs,
                          const char *what, bool examples) {
  const char *const argv[] = {"swipl",
                              "-q",
                              "-f",
                              "none",
                              "-g",
                              ground_goal,
                              "-t",
                              "halt(1)",
                              "--",
                              ground_asker,
                              ground_modes,
                              ground_reach,
                              ground_tests,
                              ground_rounds,
                              ground_writer,
                              ground_loader,
                              s->set.trust ? "yes" : "no",
                              bk,
                              exs,
                              what,
                              examples ? "yes" : "no",
                              NULL};
  return ask_swipl(s, bk, argv);
}

static int ask_as_bias_says(session *s, const char *bk, const char *exs,
                            const char *bias, bool examples) {
  pith *p = NULL;
  pith_out *o = NULL;
  pith_status rc = command_handle(&p);
  bool unused;
  if (rc >= 0)
    rc = pith_out_memory(p, &o);
  if (rc >= 0 && is_there(bias, &unused))
    rc = describe_bias(bias, p, o);
  int code = EXIT_INPUT;
  if (rc < 0 && p != NULL)
    say_remarks(p, 0, true);
  else if (rc >= 0)
    code = ask_background(s, bk, exs, pith_out_text(o, NULL), examples);
  if (o != NULL)
    pith_out_close(o, false);
  pith_free(p);
  return code;
}

int ground_read(session *s, bool examples, bool bias) {
  const char *path = s->operands[0];
  char base[PATH_ROOM], file[4][PATH_ROOM + 16];
  static const char *const names[] = {"bk.pl", "exs.pl", "bias.pl",
                                      "templates.txt"};
  bool folder = false, unused = false;
  if (s->operand_count != 1 || !is_there(path, &folder) ||
      !folder_of(path, folder, base)) {
    say_error("--ground takes one Popper folder, or one background file");
    return EXIT_USE;
  }
  for (size_t i = 0; i < 4; i++)
    snprintf(file[i], sizeof file[i], "%s%s", base, names[i]);
  const char *bk = folder ? file[0] : path;
  bool wanted = folder && examples;
  int code = s->set.preds != NULL
                 ? ask_background(s, bk, file[1], s->set.preds, wanted)
                 : ask_as_bias_says(s, bk, file[1], file[2], wanted);
  for (size_t i = 2; code == 0 && folder && bias && i < 4; i++)
    if (is_there(file[i], &unused))
      code = session_read_one(s, file[i], i == 2 ? PITH_BIAS : PITH_TEMPLATES);
  return code;
}
