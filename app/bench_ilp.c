/* The paper's Table 1. Each task is learned in three ways: by single
** initialisations, by single initialisations with the paper's semantics, and
** by whole runs. A task's name is used for nothing but to look up what was
** published. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "bench.h"
#include "find_inputs.h"
#include "interrupt.h"
#include "memory_budget.h"

enum { SEEDS = 20 };
static const double soft_success = 1e-4; /* mean squared error */
static const char default_folder[] = "data/ilp";

/* ---- what was published ----------------------------------------------- */

/* Campero et al. 2018, table 1, in percent. */
static const struct {
  const char *task;
  double dilp, paper;
} published[] = {
    {"predecessor", 100, 100},
    {"even-odd", 100, 100},
    {"even-succ2", 48.5, 100},
    {"less-than", 100, 100},
    {"fizz", 10, 10},
    {"buzz", 35, 70},
    {"member", 100, 100},
    {"length", 92.5, 100},
    {"son", 100, 100},
    {"grandparent", 96.5, 100},
    {"relatedness", 100, 100},
    {"father", 100, 100},
    {"undirected-edge", 100, 100},
    {"adjacent-to-red", 50.5, 100},
    {"two-children", 95, 0},
    {"graph-colouring", 94.5, 0},
    {"connectedness", 100, 100},
    {"cyclic", 100, 100},
};

void bench_published(const char *task, double *dilp, double *paper) {
  *dilp = *paper = NAN;
  for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
    if (strcmp(published[i].task, task) == 0) {
      *dilp = published[i].dilp;
      *paper = published[i].paper;
    }
}

/* ---- measuring -------------------------------------------------------- */

typedef struct {
  uint32_t soft, exact, right; /* of all seeds */
  double seconds;              /* together    */
  uint64_t epochs;
} rates;

typedef struct {
  const char *task;   /* its folder's name */
  double dilp, paper; /* NaN: not published */
  rates one, theirs, whole;
  double median; /* seconds of a whole run */
  bool tested;   /* it has a test folder    */
} row;

typedef struct {
  session *s;
  const char *folder; /* of the task */
  char *test;         /* or NULL */
  double *times;      /* (seeds) */
  uint32_t seeds;
} bench;

/* Without templates there is no row of the paper's. */
static bool is_free(const bench *b) { return b->s->set.templates != NULL; }

/* A handle with what the folder holds; the caller frees part->p. */
static int read_folder(const bench *b, const char *folder, session *part) {
  *part = *b->s;
  part->p = NULL;
  part->out = NULL;
  part->set.quiet = true; /* the same warnings again and again */
  int code = session_new(part);
  if (code == 0)
    code = session_read_one(part, folder, PITH_AUTO);
  if (code == 0 && is_free(b))
    pith_template_clear(part->p);
  return code;
}

static int test_theory(const bench *b, const pith_learned *found, size_t i,
                       bool *right) {
  session part;
  pith_scores f;
  *right = false;
  if (b->test == NULL)
    return 0;
  int code = read_folder(b, b->test, &part);
  if (code == 0) {
    pith_status rc = pith_learned_adopt(found, i, part.p);
    if (rc >= 0)
      rc = pith_infer(part.p, NULL, NULL);
    if (rc >= 0)
      rc = pith_score(part.p, &f);
    if (rc < 0)
      code = session_fail(&part, rc);
    else
      *right = f.fp + f.fn == 0;
  }
  pith_free(part.p);
  return code;
}

static int count_successes(const bench *b, const pith_learned *found,
                           rates *r) {
  int code = 0;
  for (size_t i = 0; code == 0 && i < pith_learned_count(found); i++) {
    const pith_theory_info *info = pith_learned_info(found, i);
    bool right;
    code = test_theory(b, found, i, &right);
    r->soft += info->error < soft_success;
    r->exact += info->solved;
    r->right += right;
  }
  return code;
}

static int learn_and_count(const bench *b, const pith_learn_options *opt,
                           rates *r) {
  session part;
  pith_learned *found = NULL;
  double began = seconds_now();
  int code = read_folder(b, b->folder, &part);
  if (code == 0) {
    pith_status rc = pith_learn(&part.p, 1, opt, &found);
    code = rc < 0 ? session_fail(&part, rc) : 0;
  }
  r->seconds += seconds_now() - began;
  if (code == 0) {
    r->epochs += pith_learned_epochs(found);
    code = count_successes(b, found, r);
  }
  pith_learned_free(found);
  if (part.p != NULL && pith_bytes_peak(part.p) > b->s->elsewhere)
    b->s->elsewhere = pith_bytes_peak(part.p);
  pith_free(part.p);
  return code;
}

/* A run with as many restarts as seeds: each is an initialisation of its
** own. */
static int measure_one(const bench *b, pith_semantics semantics, rates *r) {
  pith_learn_options opt;
  pith_variant variant = {0};
  pith_learn_defaults(&opt);
  opt.restarts = b->seeds;
  opt.variant = &variant;
  opt.each = true;
  opt.search = false;
  opt.semantics = semantics;
  opt.run.jobs = b->s->set.jobs;
  if (semantics != PITH_BEST)
    take_semantics(&b->s->set, &variant, &opt.epochs);
  return learn_and_count(b, &opt, r);
}

static int measure_whole(const bench *b, rates *r, double *median) {
  pith_learn_options opt;
  int code = 0;
  pith_learn_defaults(&opt);
  opt.run.jobs = b->s->set.jobs;
  opt.method = setting_method(b->s->set.method);
  for (uint32_t i = 0; code == 0 && i < b->seeds; i++) {
    double before = r->seconds;
    opt.run.seed = i + 1;
    code = learn_and_count(b, &opt, r);
    b->times[i] = r->seconds - before;
  }
  *median = bench_median(b->times, b->seeds);
  return code;
}

static int measure_task(bench *b, row *r) {
  int code = measure_one(b, PITH_BEST, &r->one);
  if (code == 0 && !is_free(b))
    code = measure_one(b, PITH_PAPER, &r->theirs);
  if (code == 0)
    code = measure_whole(b, &r->whole, &r->median);
  return code;
}

/* ---- printing --------------------------------------------------------- */

enum { CELL = 16 };

static double percent_of_seeds(uint32_t n, const bench *b) {
  return 100.0 * n / b->seeds;
}

static const char *percent_text(char room[CELL], double v) {
  if (isnan(v))
    snprintf(room, CELL, "-");
  else
    snprintf(room, CELL, "%.4g", v);
  return room;
}

static void put_ilp_legend(const session *s) {
  if (s->set.templates != NULL)
    pith_out_print(s->out,
                   "%% without templates; a single initialisation goes through "
                   "the spaces of rules, once\n"
                   "%%   each, from small to large, until its rules fit every "
                   "example\n");
  pith_out_print(
      s->out,
      "%% in percent; dILP, paper: as published\n"
      "%% soft, exact, test: single initialisations without search, at the end "
      "of training:\n"
      "%%   mean squared error below 1e-4; rules fit every example; and the "
      "test folder\n"
      "%% paper's soft, exact: the same in the paper's semantics "
      "(--clamp, ...: its variants)\n"
      "%% run, test, ms: whole runs: rules fit every example; and the test "
      "folder; median time\n"
      "%% us: an epoch of a single initialisation\n");
}

static void put_ilp_head(const session *s) {
  pith_out_print(
      s->out,
      "| task             | dILP | paper |  soft | exact |  test | paper's "
      "soft | exact |   run |  test |      ms |      us |\n"
      "|------------------|-----:|------:|------:|------:|------:|--------"
      "-----:|------:|------:|------:|--------:|--------:|\n");
}

static void put_ilp_line(const bench *b, const row *r) {
  char c[8][CELL];
  double none = r->tested ? 0 : NAN, theirs = is_free(b) ? NAN : 0;
  pith_out_print(
      b->s->out, "| %-16s | %4s | %5s | %5s | %5s | %5s | %12s | %5s |",
      r->task, percent_text(c[0], r->dilp), percent_text(c[1], r->paper),
      percent_text(c[2], percent_of_seeds(r->one.soft, b)),
      percent_text(c[3], percent_of_seeds(r->one.exact, b)),
      percent_text(c[4], percent_of_seeds(r->one.right, b) + none),
      percent_text(c[5], percent_of_seeds(r->theirs.soft, b) + theirs),
      percent_text(c[6], percent_of_seeds(r->theirs.exact, b) + theirs));
  pith_out_print(b->s->out, " %5s | %5s | %7.3f | %7.3f |\n",
                 percent_text(c[0], percent_of_seeds(r->whole.exact, b)),
                 percent_text(c[1], percent_of_seeds(r->whole.right, b) + none),
                 1e3 * r->median, 1e6 * r->one.seconds / (double)r->one.epochs);
}

static void event_rates(const bench *b, const row *r, const char *name,
                        const rates *x) {
  event_key(b->s->out, name);
  pith_out_print(b->s->out, "{\"soft\":%u,\"exact\":%u", x->soft, x->exact);
  event_key(b->s->out, "right");
  pith_out_print(b->s->out, r->tested ? "%u" : "null", x->right);
  event_real(b->s->out, "seconds", x->seconds);
  event_count(b->s->out, "epochs", x->epochs);
  pith_out_print(b->s->out, "}");
}

static void put_ilp_event(const bench *b, const row *r) {
  pith_out *o = b->s->out;
  event_begin(o, "row");
  event_text(o, "task", r->task);
  event_count(o, "seeds", b->seeds);
  event_real(o, "dilp", r->dilp);
  event_real(o, "paper", r->paper);
  event_rates(b, r, "one", &r->one);
  if (!is_free(b))
    event_rates(b, r, "one_paper", &r->theirs);
  event_rates(b, r, "whole", &r->whole);
  event_real(o, "median_seconds", r->median);
  event_end(o);
}

static void put_row(const bench *b, const row *r) {
  if (session_json(b->s))
    put_ilp_event(b, r);
  else
    put_ilp_line(b, r);
  pith_out_flush(b->s->out);
}

/* ---- all tasks -------------------------------------------------------- */

static row row_for(const char *task) {
  row r = {.task = task};
  bench_published(task, &r.dilp, &r.paper);
  return r;
}

static int run_task(bench *b, const char *folder, bool *failed) {
  row r = row_for(path_last(folder));
  b->folder = folder;
  b->test = path_join(folder, "test", "");
  if (b->test == NULL)
    return session_fail(b->s, PITH_ENOMEM);
  r.tested = is_task_folder(b->test);
  if (!r.tested) {
    command_free(b->test);
    b->test = NULL;
  }
  int code = measure_task(b, &r);
  command_free(b->test);
  if (code != 0)
    return code;
  put_row(b, &r);
  *failed = *failed || r.whole.exact < b->seeds ||
            (r.tested && r.whole.right < b->seeds);
  return 0;
}

/* The task folders right below the folder. */
static bool list_tasks(const char *folder, path_list *out) {
  path_list all = {0};
  bool fine = find_inputs(folder, &all);
  size_t n = strlen(folder);
  while (n > 1 && folder[n - 1] == '/')
    n--;
  for (size_t i = 0; fine && i < all.n; i++)
    if (is_task_folder(all.at[i]) && strlen(all.at[i]) > n &&
        strchr(all.at[i] + n + 1, '/') == NULL)
      fine = path_list_add(out, all.at[i]);
  path_list_free(&all);
  return fine;
}

/* Those named, parted by commas. */
static bool name_tasks(const char *folder, const char *names, path_list *out) {
  bool fine = true;
  while (fine && *names != '\0') {
    size_t n = strcspn(names, ",");
    char *name = command_copy(names, n);
    char *path = name == NULL ? NULL : path_join(folder, name, "");
    fine = path != NULL && path_list_add(out, path);
    command_free(path);
    command_free(name);
    names += n + (names[n] == ',');
  }
  return fine;
}

int bench_find_tasks(const session *s, const char *folder, path_list *tasks) {
  folder = s->set.data != NULL ? s->set.data : folder;
  bool fine = s->set.tasks == NULL ? list_tasks(folder, tasks)
                                   : name_tasks(folder, s->set.tasks, tasks);
  if (!fine) {
    say_error("%s: cannot be walked: %s; --data names a folder of tasks",
              folder, strerror(errno));
    return EXIT_INPUT;
  }
  for (size_t i = 0; i < tasks->n; i++)
    if (!is_task_folder(tasks->at[i])) {
      say_error("%s: there is no task here; expected bk.pl and exs.pl",
                tasks->at[i]);
      return EXIT_INPUT;
    }
  if (tasks->n > 0)
    return 0;
  say_error("%s: there are no tasks in this folder", folder);
  return EXIT_INPUT;
}

static int run_tasks(bench *b, const path_list *tasks) {
  bool failed = false;
  double began = seconds_now();
  int code = bench_open(b->s, put_ilp_legend, put_ilp_head);
  for (size_t i = 0; code == 0 && i < tasks->n; i++)
    code = run_task(b, tasks->at[i], &failed);
  return code != 0 ? code : bench_finish(b->s, began, tasks->n, failed);
}

int bench_ilp(session *s) {
  path_list tasks = {0};
  if (s->set.templates != NULL && strcmp(s->set.templates, "none") != 0) {
    say_error("--templates %s: every task has its own; expected none",
              s->set.templates);
    return EXIT_USE;
  }
  if (s->set.seeds == 0)
    s->set.seeds = SEEDS;
  if (s->set.jobs == 0)
    s->set.jobs = 1; /* times are of one core */
  bench b = {.s = s, .seeds = s->set.seeds};
  int code = bench_find_tasks(s, default_folder, &tasks);
  b.times = command_zalloc(b.seeds, sizeof *b.times);
  if (code == 0)
    code =
        b.times == NULL ? session_fail(s, PITH_ENOMEM) : run_tasks(&b, &tasks);
  command_free(b.times);
  path_list_free(&tasks);
  return code;
}
