/* The paper's Table 1 in the paper's own semantics: single initialisations, no
** search, on the facts and examples of the authors where ours differ, and on
** ours. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "bench.h"
#include "find_inputs.h"
#include "interrupt.h"
#include "memory_budget.h"

enum { WORLDS = 2 };
static const double soft_success = 1e-4; /* mean squared error */
static const char our_folder[] = "data/ilp", their_folder[] = "data/authors";
static const char *const world_names[WORLDS] = {"a", "b"};

typedef struct {
  const char *folder;
  bool theirs; /* two worlds of the authors */
} task;

typedef struct {
  uint32_t soft, exact;
  double seconds;
  uint64_t epochs;
} result;

/* ---- learning --------------------------------------------------------- */

static int read_world(const session *s, const char *folder, session *part) {
  *part = *s;
  part->p = NULL;
  part->out = NULL;
  part->set.quiet = true; /* the same warnings again and again */
  int code = session_new(part);
  return code == 0 ? session_read_one(part, folder, PITH_AUTO) : code;
}

/* part: (WORLDS); *n of them were begun. */
static int read_task(const session *s, const task *t, session *part,
                     size_t *n) {
  int code = 0;
  *n = 0;
  if (!t->theirs)
    return read_world(s, t->folder, &part[(*n)++]);
  for (size_t w = 0; code == 0 && w < WORLDS; w++) {
    char *folder = path_join(t->folder, world_names[w], "");
    if (folder == NULL)
      return EXIT_LIMIT;
    code = read_world(s, folder, &part[(*n)++]);
    command_free(folder);
  }
  return code;
}

static void take_options(const session *s, pith_learn_options *opt,
                         pith_variant *variant) {
  pith_learn_defaults(opt);
  opt->restarts = s->set.seeds;
  opt->each = true;
  opt->search = false;
  opt->run.jobs = s->set.jobs;
  opt->semantics = take_semantics(&s->set, variant, &opt->epochs);
  opt->variant = variant;
}

static void count_successes(const pith_learned *found, result *r) {
  r->epochs = pith_learned_epochs(found);
  for (size_t i = 0; i < pith_learned_count(found); i++) {
    const pith_theory_info *info = pith_learned_info(found, i);
    r->soft += info->error < soft_success;
    r->exact += info->solved;
  }
}

static int learn_task(const session *s, const task *t, result *r) {
  session part[WORLDS];
  pith *worlds[WORLDS];
  pith_learn_options opt;
  pith_variant variant;
  pith_learned *found = NULL;
  size_t n;
  *r = (result){0};
  int code = read_task(s, t, part, &n);
  for (size_t w = 0; w < n; w++)
    worlds[w] = part[w].p;
  take_options(s, &opt, &variant);
  double began = bench_processor_seconds();
  pith_status rc = code == 0 ? pith_learn(worlds, n, &opt, &found) : PITH_OK;
  r->seconds = bench_processor_seconds() - began;
  if (rc < 0)
    code = session_fail(&part[0], rc);
  else if (code == 0)
    count_successes(found, r);
  pith_learned_free(found);
  for (size_t w = n; w-- > 0;)
    pith_free(part[w].p);
  return code;
}

/* ---- printing --------------------------------------------------------- */

static void put_paper_legend(const session *s) {
  pith_out_print(
      s->out,
      "%% in percent; dILP, paper: as published\n"
      "%% soft: single initialisations whose mean squared error is below 1e-4 "
      "at the end of training,\n"
      "%%   and where their share lies with a probability of 0.95; exact: "
      "whose "
      "rules fit every example\n"
      "%% data: ours, or the authors' where these differ; us: processor time "
      "of an epoch of one initialisation\n");
}

static void put_paper_head(const session *s) {
  pith_out_print(s->out,
                 "| task             | data    | dILP | paper |  soft | from  "
                 "to    | exact |      us |\n"
                 "|------------------|---------|-----:|------:|------:|------"
                 "-------|------:|--------:|\n");
}

static void put_published(const session *s, double percent) {
  if (isnan(percent))
    pith_out_print(s->out, "    - |");
  else
    pith_out_print(s->out, " %4.4g |", percent);
}

static double epoch_microseconds(const result *r) {
  return r->epochs > 0 ? 1e6 * r->seconds / (double)r->epochs : NAN;
}

static void put_paper_line(const session *s, const task *t, const result *r) {
  double dilp, paper, low, high, all = s->set.seeds;
  const char *name = path_last(t->folder);
  bench_published(name, &dilp, &paper);
  pith_interval(r->soft, s->set.seeds, 0.95, &low, &high);
  pith_out_print(s->out, "| %-16s | %-7s |", name,
                 t->theirs ? "authors" : "ours");
  put_published(s, dilp);
  pith_out_print(s->out, " ");
  put_published(s, paper);
  pith_out_print(s->out, " %5.4g | %5.1f %5.1f | %5.4g | %7.3f |\n",
                 100 * r->soft / all, 100 * low, 100 * high,
                 100 * r->exact / all, epoch_microseconds(r));
}

static void put_paper_event(const session *s, const task *t, const result *r) {
  pith_out *o = s->out;
  double dilp, paper, low, high;
  const char *name = path_last(t->folder);
  bench_published(name, &dilp, &paper);
  pith_interval(r->soft, s->set.seeds, 0.95, &low, &high);
  event_begin(o, "row");
  event_text(o, "task", name);
  event_text(o, "data", t->theirs ? "authors" : "ours");
  event_count(o, "seeds", s->set.seeds);
  event_real(o, "dilp", dilp);
  event_real(o, "paper", paper);
  event_count(o, "soft", r->soft);
  event_real(o, "low", low);
  event_real(o, "high", high);
  event_count(o, "exact", r->exact);
  event_real(o, "seconds", r->seconds);
  event_count(o, "epochs", r->epochs);
  event_end(o);
}

static void put_result(const session *s, const task *t, const result *r) {
  if (session_json(s))
    put_paper_event(s, t, r);
  else
    put_paper_line(s, t, r);
  pith_out_flush(s->out);
}

/* ---- all tasks -------------------------------------------------------- */

static int run_task(session *s, const char *folder, bool theirs) {
  task t = {.folder = folder, .theirs = theirs};
  result r;
  int code = learn_task(s, &t, &r);
  if (code == 0)
    put_result(s, &t, &r);
  return code;
}

/* The authors' task of the same name first, if there is one. */
static int run_both(session *s, const char *folder, size_t *rows) {
  char *theirs = path_join(their_folder, path_last(folder), "");
  int code = theirs == NULL ? session_fail(s, PITH_ENOMEM) : 0;
  if (code == 0 && s->set.data == NULL && is_folder(theirs)) {
    code = run_task(s, theirs, true);
    ++*rows;
  }
  command_free(theirs);
  ++*rows;
  return code == 0 ? run_task(s, folder, false) : code;
}

int bench_paper(session *s) {
  path_list tasks = {0};
  size_t rows = 0;
  double began = seconds_now();
  if (s->set.seeds == 0)
    s->set.seeds = 20;
  if (s->set.jobs == 0)
    s->set.jobs = 1; /* times are of one core */
  int code = check_paper(&s->set);
  if (code == 0)
    code = bench_find_tasks(s, our_folder, &tasks);
  if (code == 0)
    code = bench_open(s, put_paper_legend, put_paper_head);
  for (size_t i = 0; code == 0 && i < tasks.n; i++)
    code = run_both(s, tasks.at[i], &rows);
  path_list_free(&tasks);
  return code != 0 ? code : bench_finish(s, began, rows, false);
}
