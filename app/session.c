#include "session.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "deadline.h"
#include "find_inputs.h"
#include "lint.h"
#include "memory_budget.h"
#include "process_team.h"
#include "progress.h"
#include "report_events.h"
#include "rule_format.h"

/* The library may know what it was that did not fit. */
static int out_of_memory(const session *s) {
  static const char plain[] = "out of memory";
  char room[SIZE_ROOM];
  const char *text = s->p == NULL ? "" : pith_error(s->p);
  if (*text != '\0' && strncmp(text, plain, sizeof plain - 1) != 0)
    say_error("%s", text);
  else if (s->set.memory > 0)
    say_error("%s: %s were not enough; raise --memory", plain,
              size_text(room, (double)s->set.memory));
  else
    say_error("%s", plain);
  return EXIT_LIMIT;
}

/* What was asked for, or most of the machine: a clear end is better than
** being killed by the system. */
size_t session_memory(const session *s) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (s->set.memory > 0 || pages <= 0 || size <= 0)
    return (size_t)s->set.memory;
  return (size_t)pages / 10 * 9 * (size_t)size;
}

int session_new(session *s) {
  return command_handle(&s->p) < 0 ? out_of_memory(s) : 0;
}

void session_free(session *s) {
  pith_out_close(s->out, false);
  pith_out_close(s->events, false);
  pith_free(s->p);
}

int session_fail(const session *s, pith_status rc) {
  if (rc == PITH_ENOMEM)
    return out_of_memory(s);
  if (rc == PITH_ELIMIT && deadline_writing_is_over(NULL)) {
    say_error("the time was up while writing; raise --timeout");
    return EXIT_LIMIT;
  }
  const char *text = pith_error(s->p);
  say_error("%s", *text != '\0' ? text : pith_status_text(rc));
  return rc == PITH_EIO || rc == PITH_ELIMIT ? EXIT_LIMIT : EXIT_INPUT;
}

int session_refuse(const session *s, size_t remarks) {
  if (pith_remark_count(s->p) > remarks)
    say_remarks(s->p, remarks, false);
  else
    say_error("%s", pith_error(s->p));
  return EXIT_USE;
}

bool session_json(const session *s) {
  return strcmp(s->set.format, "json") == 0;
}

bool session_comments(const session *s) {
  return !s->set.quiet && (strcmp(s->set.format, "prolog") == 0 ||
                           strcmp(s->set.format, "text") == 0);
}

bool session_figures(const session *s) {
  return session_comments(s) || has_rule_format(s);
}

/* ---- reading ---------------------------------------------------------- */

pith_read_options session_reading(const session *s, pith_format format) {
  const settings *set = &s->set;
  pith_read_options opt;
  pith_read_defaults(&opt);
  opt.format = format;
  opt.relation = set->relation;
  opt.key = set->key;
  opt.columns = set->columns;
  opt.label = set->label;
  opt.query = set->sql;
  opt.several = s->operand_count > 1;
  opt.header = set->header      ? PITH_HEADER_YES
               : set->no_header ? PITH_HEADER_NO
                                : PITH_HEADER_AUTO;
  return opt;
}

/* What a file was taken for is said where its name alone does not say it. */
static void say_taken(const session *s, const char *path) {
  bool by_content;
  pith_format format = pith_read_format(s->p, &by_content);
  const pith_format_info *f = pith_format_of(format);
  const char *more = pith_read_summary(s->p);
  if (f == NULL || s->set.quiet || is_folder(path) ||
      !(by_content || s->set.verbose ||
        (format == PITH_CSV && s->set.key == NULL)))
    return;
  say_note("%s: read as %s%s%s",
           strcmp(path, "-") == 0 ? "standard input" : path, f->title,
           *more != '\0' ? ": " : "", more);
}

/* An unreadable file is bad input; one error is said once, as a remark when
** there is a place for it. */
typedef struct {
  size_t remarks, errors;
} before;

static before remember_remarks(const session *s) {
  return (before){pith_remark_count(s->p), pith_remark_errors(s->p)};
}

/* Says what came of reading path; 0 or an exit code. */
static int say_reading(const session *s, const char *path, pith_status rc,
                       before b) {
  if (rc >= 0)
    say_taken(s, path);
  say_remarks(s->p, b.remarks, !s->set.quiet);
  size_t more = pith_remark_errors(s->p) - b.errors, shown = 0;
  for (size_t i = b.remarks; i < pith_remark_count(s->p); i++)
    shown += !pith_remark_at(s->p, i)->warning;
  if (more > shown)
    say_error("%s: %zu more errors are not shown", path, more - shown);
  if (rc == PITH_ENOMEM)
    return out_of_memory(s);
  if (rc < 0 && shown == 0)
    say_error("%s", pith_error(s->p));
  return rc < 0 ? EXIT_INPUT : 0;
}

int session_read_one(session *s, const char *path, pith_format format) {
  pith_read_options opt = session_reading(s, format);
  before b = remember_remarks(s);
  return say_reading(s, path, pith_read_with(s->p, path, &opt), b);
}

int session_read_part(session *s, const char *folder, const char *part) {
  pith_read_options opt = session_reading(s, pith_format_named(s->set.from));
  before b = remember_remarks(s);
  bool found;
  pith_status rc = pith_read_part(s->p, folder, part, &opt, &found);
  if (found || rc < 0)
    return say_reading(s, folder, rc, b);
  pith_free(s->p);
  s->p = NULL;
  return 0;
}

/* In quotes as a shell reads them. */
static void quote_for_shell(const char *path, char *room, size_t n) {
  size_t used = 0;
  room[used++] = '\'';
  for (; *path != '\0' && used + 6 < n; path++)
    if (*path == '\'') {
      memcpy(room + used, "'\\''", 4);
      used += 4;
    } else {
      room[used++] = *path;
    }
  room[used++] = '\'';
  room[used] = '\0';
}

/* Not Datalog, but perhaps Prolog. */
static void say_ground(const session *s, const char *path, size_t from) {
  char room[1024];
  bool plain =
      path[strspn(path, "abcdefghijklmnopqrstuvwxyz"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")] == '\0';
  if (!plain)
    quote_for_shell(path, room, sizeof room);
  for (size_t i = from; i < pith_remark_count(s->p); i++) {
    const pith_remark *r = pith_remark_at(s->p, i);
    if (!r->warning && strstr(r->text, " not supported") != NULL) {
      say_note("SWI-Prolog can compute the facts of such a background; it runs "
               "the background as a program: pith convert --ground %s --to "
               "popper -o FOLDER",
               plain ? path : room);
      return;
    }
  }
}

static void say_read(const session *s) {
  char room[SIZE_ROOM];
  say_note("read %llu facts, %zu rules, %zu examples; %s",
           (unsigned long long)pith_fact_count(s->p, PITH_NONE, PITH_GIVEN),
           pith_rule_count(s->p), pith_example_count(s->p),
           size_text(room, (double)pith_bytes(s->p)));
}

/* Standard input is there once: read again it would look empty. */
static bool names_twice(const session *s, size_t from) {
  size_t n = 0;
  for (size_t i = from; i < s->operand_count; i++)
    n += strcmp(s->operands[i], "-") == 0;
  return n > 1;
}

int session_read(session *s, size_t from) {
  int code = 0;
  if (names_twice(s, from)) {
    say_error("standard input, -, is named twice; it can be read once");
    return EXIT_USE;
  }
  for (size_t i = from; i < s->operand_count && code != EXIT_LIMIT; i++) {
    size_t remarks = pith_remark_count(s->p);
    int failed =
        session_read_one(s, s->operands[i], pith_format_named(s->set.from));
    if (failed == EXIT_INPUT && !s->set.quiet && is_folder(s->operands[i]))
      say_ground(s, s->operands[i], remarks);
    if (failed != 0)
      code = failed;
  }
  if (code == 0 && s->set.label != NULL && pith_example_count(s->p) == 0) {
    say_error("--label: no table has a column %s with anything in it",
              s->set.label);
    code = EXIT_INPUT;
  }
  if (code == 0 && pith_rules_check(s->p) < 0)
    code = session_fail(s, PITH_EINPUT);
  if (code == 0 && s->set.verbose)
    say_read(s);
  return code;
}

static void warn_of(void *ctx, const char *kind, const char *text) {
  (void)ctx, (void)kind;
  say_warning("%s", text);
}

int session_warn_undefined(const session *s) {
  if (s->set.quiet)
    return 0;
  size_t found = lint_undefined(s->p, warn_of, NULL);
  return found == SIZE_MAX ? session_fail(s, PITH_ENOMEM) : 0;
}

/* ---- inferring -------------------------------------------------------- */

static void show_progress(void *ctx, const pith_progress *now) {
  if (progress_due(ctx))
    progress_say(ctx, "%llu facts in round %u", (unsigned long long)now->facts,
                 now->steps);
}

static ending ending_of(const session *s) {
  if (s->info.complete)
    return END_COMPLETE;
  if (interrupted())
    return END_INTERRUPTED;
  return s->set.steps > 0 && s->info.steps >= s->set.steps ? END_STEPS
                                                           : END_TIME;
}

pith_status session_derive(session *s, pith_infer_options *opt) {
  const uint64_t many = 2000000;
  s->partial = false;
  if (s->for_examples && opt->steps == 0)
    opt->facts = many + 4 * pith_fact_count(s->p, PITH_NONE, PITH_GIVEN);
  pith_status rc = pith_infer(s->p, opt, &s->info);
  bool much = rc == PITH_ENOMEM ||
              (rc == PITH_STOPPED &&
               pith_fact_count(s->p, PITH_NONE, PITH_ALL) > opt->facts);
  if (opt->facts == 0 || !much)
    return rc;
  opt->facts = 0;
  opt->examples = s->partial = true;
  return pith_infer(s->p, opt, &s->info);
}

/* Of the time, for printing what follows. */
static const double for_printing = 0.25;

int session_infer(session *s) {
  pith_infer_options opt;
  progress_line line;
  pith_infer_defaults(&opt);
  opt.steps = s->set.steps;
  bool prints_all = strcmp(s->command->name, "infer") == 0 && !s->set.count;
  opt.run.seconds = (prints_all ? 1 - for_printing : 1) * deadline_left();
  opt.run.stop = interrupt_requested;
  progress_begin(&line, &s->set);
  if (line.wanted) {
    opt.run.progress = show_progress;
    opt.run.progress_ctx = &line;
  }
  pith_status rc = session_derive(s, &opt);
  /* From here on there is nothing more to save but a half-written file. */
  progress_end(&line, &s->set);
  if (rc < 0)
    return session_fail(s, rc);
  s->end = ending_of(s);
  return 0;
}

static const struct {
  const char *word, *text;
} endings[] = {
    [END_COMPLETE] = {"complete", "nothing more follows"},
    [END_STEPS] = {"steps", "stopped at the step limit; more may follow"},
    [END_TIME] = {"timeout", "stopped by the timeout; more may follow"},
    [END_MEMORY] = {"memory", "memory ran out; more may follow"},
    [END_INTERRUPTED] = {"interrupted", "interrupted; more may follow"},
};
const char *ending_text(ending e) {
  assert((size_t)e < sizeof endings / sizeof endings[0]);
  return endings[e].text;
}
const char *ending_word(ending e) {
  assert((size_t)e < sizeof endings / sizeof endings[0]);
  return endings[e].word;
}

int ending_code(const session *s, int code) {
  if (s->end == END_INTERRUPTED)
    return EXIT_INTERRUPTED;
  if (s->end != END_TIME)
    return code;
  if (s->info.derived > 0)
    return EXIT_MISFIT;
  say_error("the time was up before anything followed; raise --timeout");
  return EXIT_LIMIT;
}

/* ---- the result ------------------------------------------------------- */

/* A pipe would see it; that is found out at the end. */
int session_check_writable(session *s, const char *path) {
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return 0;
  pith_out *o = NULL;
  pith_status rc = pith_out_file(s->p, path, &o);
  pith_out_close(o, false);
  return rc < 0 ? session_fail(s, rc) : 0;
}

int session_open(session *s) {
  const pith_run until = {.stop = deadline_writing_is_over};
  pith_limit_calls(s->p, &until);
  const char *path = s->set.output != NULL ? s->set.output : "-";
  int code = has_rule_format(s) && s->set.output != NULL
                 ? session_check_writable(s, path)
                 : 0;
  if (code != 0)
    return code;
  pith_status rc = has_rule_format(s) ? pith_out_memory(s->p, &s->out)
                                      : pith_out_file(s->p, path, &s->out);
  return rc < 0 ? session_fail(s, rc) : report_open(s);
}

/* Whoever names a result m.json cannot read it back unless it is JSON. */
static void warn_of_name(const session *s) {
  const pith_format_info *f =
      s->set.output == NULL || !text_is(s->set.format, "prolog")
          ? NULL
          : format_by_name(path_last(s->set.output));
  if (f != NULL && f->format != PITH_PROLOG && f->format != PITH_PROBLOG &&
      !s->set.quiet)
    say_warning("%s: this is Prolog text, and pith reads a file of that name "
                "as %s; call it .pl, or add --format %s where it is offered",
                s->set.output, f->title, f->name);
}

int session_start(session *s) {
  assert(s->p != NULL && s->out == NULL);
  warn_of_name(s);
  int code = session_open(s);
  return code == 0 ? session_header(s) : code;
}

static uint64_t peak_bytes(const session *s) {
  return pith_bytes_peak(s->p) + s->elsewhere;
}

void event_end_result(const session *s) {
  if (!s->reporting) { /* the same result, the same report */
    event_real(s->out, "seconds", s->info.seconds);
    event_count(s->out, "peak_bytes", peak_bytes(s));
  }
  event_end(s->out);
}

static void say_cost(const session *s) {
  char size[SIZE_ROOM], seconds[SIZE_ROOM];
  say_note("%s in %s; %s at most", s->did != NULL ? s->did : "inferred",
           seconds_text(seconds, s->info.seconds),
           size_text(size, (double)peak_bytes(s)));
}

static int close_result(session *s) {
  pith_status rc = pith_out_close(s->out, true);
  s->out = NULL;
  return rc < 0 ? session_fail(s, rc) : 0;
}

int session_share(session *s) {
  pith_status rc = process_team_join(s->p);
  return rc < 0 ? session_fail(s, rc) : 0;
}

int session_finish(session *s, int code) {
  assert(s->out != NULL);
  if (s->set.verbose) {
    say_cost(s);
    process_team_say();
  }
  int failed = has_rule_format(s) ? put_rule_format(s) : close_result(s);
  if (failed == 0)
    failed = report_finish(s);
  return failed != 0 ? failed : code;
}

/* ---- words as options --------------------------------------------------- */

pith_method setting_method(const char *word) {
  return text_is(word, "search")     ? PITH_METHOD_SEARCH
         : text_is(word, "gradient") ? PITH_METHOD_GRADIENT
                                     : PITH_METHOD_AUTO;
}

pith_noise setting_noise(const char *word) {
  return text_is(word, "on")    ? PITH_NOISE_ON
         : text_is(word, "off") ? PITH_NOISE_OFF
                                : PITH_NOISE_AUTO;
}

/* ---- the paper's semantics ---------------------------------------------- */

/* The first setting that the semantics has no use for, or NULL. */
static const char *unused_setting(const settings *set) {
  bool paper = strcmp(set->semantics, "paper") == 0;
  bool text = strcmp(set->semantics, "text") == 0;
  if (!paper && !text && strcmp(set->embeddings, "trained") != 0)
    return "--embeddings is for --semantics paper or text";
  if (text && strcmp(set->embeddings, "onehot-start") == 0)
    return "--embeddings onehot-start is for --semantics paper";
  if (!paper && set->core_half)
    return "--core-half is for --semantics paper; text has it always";
  if (!paper && !text && strcmp(set->conjunction, "auto") != 0)
    return "--conjunction is for --semantics paper or text";
  if (!text && set->clamp)
    return "--clamp is for --semantics text; paper has it always";
  if (!paper && set->schedule != NULL)
    return "--schedule is for --semantics paper";
  return NULL;
}

/* The schedules of the authors' scripts, and the one that gives the rates that
** they published (docs/paper.md). */
static const struct {
  const char *word;
  double start, factor;
  uint32_t every, epochs;
  bool held;
} schedules[] = {{"slow", 0.7125, 0.95, 60, 3000, false},
                 {"a", 1.05, 0.7, 60, 1200, false},
                 {"b", 1.2, 0.8, 60, 1201, true},
                 {"none", -1, 1, 60, 1200, false}};

/* False: it is not a schedule. */
static bool read_schedule(const char *text, pith_variant *v, uint32_t *epochs) {
  for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++)
    if (strcmp(schedules[i].word, text) == 0) {
      v->noise_start = schedules[i].start;
      v->noise_factor = schedules[i].factor;
      v->noise_every = schedules[i].every;
      v->noise_held = schedules[i].held;
      if (*epochs == 0)
        *epochs = schedules[i].epochs;
      return true;
    }
  char held[8] = "";
  int n = sscanf(text, "%lf,%lf,%u,%7s", &v->noise_start, &v->noise_factor,
                 &v->noise_every, held);
  v->noise_held = n == 4;
  return n >= 3 && v->noise_start > 0 && v->noise_factor > 0 &&
         v->noise_factor <= 1 && v->noise_every > 0 &&
         (n == 3 || strcmp(held, "held") == 0);
}

int check_paper(const settings *set) {
  const char *unused = unused_setting(set);
  pith_variant v;
  uint32_t epochs = 0;
  if (unused != NULL) {
    say_error("%s", unused);
    return EXIT_USE;
  }
  if (set->schedule == NULL || read_schedule(set->schedule, &v, &epochs))
    return 0;
  say_error("--schedule %s: not a schedule; expected slow, a, b, none, or "
            "START,FACTOR,EVERY such as 1.05,0.7,60",
            set->schedule);
  return EXIT_USE;
}

static pith_semantics semantics_of(const char *word) {
  return word == NULL                 ? PITH_BEST
         : strcmp(word, "paper") == 0 ? PITH_PAPER
         : strcmp(word, "text") == 0  ? PITH_TEXT
                                      : PITH_BEST;
}

pith_semantics take_semantics(const settings *set, pith_variant *v,
                              uint32_t *epochs) {
  *v = (pith_variant){.onehot = strcmp(set->embeddings, "onehot") == 0,
                      .onehot_start =
                          strcmp(set->embeddings, "onehot-start") == 0,
                      .core_half = set->core_half,
                      .clamp = set->clamp};
  if (strcmp(set->conjunction, "product") == 0)
    v->conjunction = PITH_AND_PRODUCT;
  else if (strcmp(set->conjunction, "minimum") == 0)
    v->conjunction = PITH_AND_MINIMUM;
  if (set->schedule != NULL)
    read_schedule(set->schedule, v, epochs);
  return semantics_of(set->semantics);
}
