/* The paper's Table 3. The observations of each file are compressed in several
** ways: by single initialisations and by whole runs. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "interrupt.h"
#include "memory_budget.h"
#include "theory_data.h"

enum { SEEDS = 20 };

/* ---- rows ------------------------------------------------------------- */

/* success, accuracy: in percent. NaN: not told. */
typedef struct {
  const char *way, *about;
  double success, accuracy, core, seconds;
} row;

typedef struct {
  session *s;
  uint32_t seeds;
  char *facts, *templates; /* files             */
  const char *name;        /* of the data       */
  uint64_t observed;       /* facts             */
  double atoms;            /* that could hold   */
  uint64_t target;    /* core facts of the theory that is meant, or the fewest
                         that any way with the templates has found */
  pith_worth *worths; /* (3, seeds) decoded, pruned, repaired */
  pith_worth *runs;   /* (2, seeds) whole runs: with types, without */
  double *times;      /* (seeds) */
  bool failed;
} bench;

static bool is_exact(const pith_worth *w) { return w->wrong + w->missing == 0; }

static double accuracy_of(const bench *b, const pith_worth *w) {
  return 100 * (1 - (double)(w->wrong + w->missing) / b->atoms);
}

/* The share of the seeds that are exact with so many facts at most; mean
** accuracy and facts. */
static row summarise_runs(const bench *b, const pith_worth *w, uint64_t most) {
  row r = {.seconds = NAN};
  for (uint32_t i = 0; i < b->seeds; i++) {
    r.success += is_exact(&w[i]) && w[i].core <= most;
    r.accuracy += accuracy_of(b, &w[i]) / b->seeds;
    r.core += (double)w[i].core / b->seeds;
  }
  r.success *= 100.0 / b->seeds;
  return r;
}

/* ---- printing --------------------------------------------------------- */

enum { CELL = 16 };

static const char *figure_text(char room[CELL], const char *format, double v) {
  if (isnan(v))
    snprintf(room, CELL, "-");
  else
    snprintf(room, CELL, format, v);
  return room;
}

static void put_row(const bench *b, const row *r) {
  pith_out *o = b->s->out;
  char c[4][CELL];
  if (session_json(b->s)) {
    event_begin(o, "way");
    event_text(o, "data", b->name);
    event_count(o, "facts", b->observed);
    event_count(o, "target", b->target);
    event_count(o, "seeds", b->seeds);
    event_text(o, "way", r->way);
    event_real(o, "success", r->success);
    event_real(o, "accuracy", r->accuracy);
    event_real(o, "core", r->core);
    event_real(o, "cpu_seconds", r->seconds);
    event_end(o);
  } else {
    pith_out_print(
        o, "| %-21s | %5llu | %6llu | %-39s | %7s | %8s | %6s | %7s |\n",
        b->name, (unsigned long long)b->observed, (unsigned long long)b->target,
        r->about, figure_text(c[0], "%.4g", r->success),
        figure_text(c[1], "%.4g", r->accuracy),
        figure_text(c[2], "%.4g", r->core),
        figure_text(c[3], "%.1f", 1e3 * r->seconds));
  }
  pith_out_flush(o);
}

static void put_way(const bench *b, row r, const char *way, const char *about,
                    double seconds) {
  r.way = way;
  r.about = about;
  r.seconds = seconds;
  put_row(b, &r);
}

static void put_theory_legend(const session *s) {
  pith_out_print(
      s->out,
      "%% success: published as it is; as decoded and without templates, what "
      "follows is what was\n"
      "%%   observed; else also that no more facts are needed than in the "
      "theory that is meant\n"
      "%% accuracy: of all atoms whose constants were seen in their places; "
      "core: mean facts\n"
      "%% ms: processor time, of an initialisation; of a run the median\n");
}

static void put_theory_head(const session *s) {
  pith_out_print(s->out,
                 "| data                  | facts | target | way               "
                 "            "
                 "          | success | accuracy |   core |      ms |\n"
                 "|-----------------------|------:|-------:|-------------------"
                 "------------"
                 "----------|--------:|---------:|-------:|--------:|\n");
}

/* ---- compressing ------------------------------------------------------ */

typedef int (*look)(bench *b, const pith_compressed *found, void *ctx);

static int compress_once(bench *b, bool bare, const pith_compress_options *opt,
                         look visit, void *ctx) {
  session part;
  pith_compressed *found = NULL;
  int code =
      read_theory_data(b->s, b->facts, bare ? NULL : b->templates, &part);
  if (code == 0) {
    pith_status rc = pith_compress(part.p, opt, &found);
    code = rc < 0 ? session_fail(&part, rc) : 0;
  }
  if (code == 0)
    code = visit(b, found, ctx);
  pith_compressed_free(found);
  if (part.p != NULL && pith_bytes_peak(part.p) > b->s->elsewhere)
    b->s->elsewhere = pith_bytes_peak(part.p);
  pith_free(part.p);
  return code;
}

/* ---- single initialisations ------------------------------------------- */

static int take_restarts(bench *b, const pith_compressed *found, void *ctx) {
  (void)ctx;
  for (uint32_t i = 0; i < b->seeds; i++) {
    const pith_restart_info *r = pith_compressed_restart(found, i);
    b->worths[i] = r->decoded;
    b->worths[b->seeds + i] = r->pruned;
    b->worths[2 * b->seeds + i] = r->repaired;
  }
  return 0;
}

/* A run with as many restarts as seeds, each an initialisation of its own;
** the seconds of one. */
static int measure_one(bench *b, double *seconds) {
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  opt.each = true;
  opt.restarts = b->seeds;
  double began = bench_processor_seconds();
  int code = compress_once(b, false, &opt, take_restarts, NULL);
  *seconds = (bench_processor_seconds() - began) / b->seeds;
  return code;
}

/* ---- whole runs ------------------------------------------------------- */

static int take_run(bench *b, const pith_compressed *found, void *ctx) {
  const pith_compress_info *i = pith_compressed_info(found);
  (void)b;
  *(pith_worth *)ctx = (pith_worth){i->extra, i->missing, i->core};
  return 0;
}

static int measure_runs(bench *b, bool bare, bool types, pith_worth *w,
                        double *median) {
  pith_compress_options opt;
  int code = 0;
  pith_compress_defaults(&opt);
  opt.types = types;
  opt.run.jobs = b->s->set.jobs;
  for (uint32_t i = 0; code == 0 && i < b->seeds; i++) {
    double began = bench_processor_seconds();
    opt.run.seed = i + 1;
    code = compress_once(b, bare, &opt, take_run, &w[i]);
    b->times[i] = bench_processor_seconds() - began;
    b->failed = b->failed || (code == 0 && !is_exact(&w[i]));
  }
  *median = bench_median(b->times, b->seeds);
  return code;
}

/* ---- what is meant ---------------------------------------------------- */

static void note_fewest(bench *b, const pith_worth *w, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (is_exact(&w[i]) && w[i].core < b->target)
      b->target = w[i].core;
}

/* Two handles; unknown: predicates of which the other has nothing do not
** count. */
typedef struct {
  const pith *from, *to;
  bool unknown;
} comparison;

static int visit_missing_fact(void *ctx, pith_pred pred, const pith_sym *args,
                              size_t n) {
  const comparison *c = ctx;
  pith_sym there[2];
  pith_pred p = pith_pred_find(c->to, pith_pred_name(c->from, pred), n);
  if (p == PITH_NONE || pith_fact_count(c->to, p, PITH_ALL) == 0)
    return !c->unknown;
  for (size_t i = 0; i < n && n <= 2; i++) {
    const char *text = pith_sym_text(c->from, args[i]);
    there[i] = pith_sym_find(c->to, text, strlen(text),
                             pith_sym_kind_of(c->from, args[i]));
    if (there[i] == PITH_NONE)
      return 1;
  }
  return n > 2 || !pith_fact_holds(c->to, p, there, n);
}

/* Whether exactly the facts follow from what p holds, concepts that were not
** observed aside. */
static bool entails_the_same(const pith *facts, pith *p) {
  comparison missing = {facts, p, false}, extra = {p, facts, true};
  return pith_infer(p, NULL, NULL) == PITH_OK &&
         pith_fact_each(facts, PITH_NONE, PITH_GIVEN, visit_missing_fact,
                        &missing) == 0 &&
         pith_fact_each(p, PITH_NONE, PITH_ALL, visit_missing_fact, &extra) ==
             0;
}

/* Notes the facts of a core*.pl beside the observations, if with rules.pl it
** means just these. */
static int try_core(bench *b, const session *facts, const char *rules,
                    const char *core) {
  session part = *facts;
  part.p = NULL;
  int code = session_new(&part);
  if (code == 0)
    code = session_read_one(&part, rules, PITH_PROLOG);
  if (code == 0)
    code = session_read_one(&part, core, PITH_PROLOG);
  uint64_t n = code == 0 ? pith_fact_count(part.p, PITH_NONE, PITH_GIVEN) : 0;
  if (code == 0 && n < b->target && entails_the_same(facts->p, part.p))
    b->target = n;
  pith_free(part.p);
  return code;
}

static int find_target(bench *b) {
  char *rules = path_beside(b->facts, "rules.pl"),
       *folder = path_beside(b->facts, "");
  session facts;
  path_list all = {0};
  int code = read_theory_data(b->s, b->facts, NULL, &facts);
  b->target = UINT64_MAX;
  if (code == 0 &&
      (rules == NULL || folder == NULL || !find_inputs(folder, &all)))
    code = session_fail(b->s, PITH_ENOMEM);
  for (size_t i = 0; code == 0 && i < all.n; i++)
    if (is_file(rules) && strncmp(path_last(all.at[i]), "core", 4) == 0)
      code = try_core(b, &facts, rules, all.at[i]);
  path_list_free(&all);
  pith_free(facts.p);
  command_free(rules);
  command_free(folder);
  return code;
}

/* ---- one set of observations ------------------------------------------ */

/* Those at the end of their training, and what becomes of them. */
static int put_single(bench *b, double seconds) {
  const pith_worth *w = b->worths;
  put_way(b, summarise_runs(b, w, UINT64_MAX), "decoded",
          "one initialisation, gradient as decoded", NAN);
  put_way(b, summarise_runs(b, w + b->seeds, b->target), "pruned",
          "one initialisation, pruned", NAN);
  put_way(b, summarise_runs(b, w + 2 * (size_t)b->seeds, b->target), "repaired",
          "one initialisation, pruned and repaired", seconds);
  return 0;
}

/* Everything with our semantics first: it tells how few facts are enough. */
static int measure_facts(bench *b) {
  pith_worth *typed = b->runs, *untyped = b->runs + b->seeds;
  double one, run, free_run, bare;
  int code = measure_one(b, &one);
  if (code == 0)
    code = measure_runs(b, false, true, typed, &run);
  if (code == 0)
    code = measure_runs(b, false, false, untyped, &free_run);
  if (code != 0)
    return code;
  if (b->target == UINT64_MAX) {
    note_fewest(b, b->worths, 3 * (size_t)b->seeds);
    note_fewest(b, b->runs, 2 * (size_t)b->seeds);
  }
  published_theory known;
  if (find_published_theory(b->name, &known))
    put_way(b,
            (row){.success = known.success,
                  .accuracy = known.accuracy,
                  .core = known.core},
            "published", "published", NAN);
  put_single(b, one);
  put_way(b, summarise_runs(b, typed, b->target), "run", "whole run", run);
  put_way(b, summarise_runs(b, untyped, b->target), "run_untyped",
          "whole run, types off", free_run);
  code = measure_runs(b, true, true, b->runs, &bare);
  if (code == 0)
    put_way(b, summarise_runs(b, b->runs, UINT64_MAX), "run_bare",
            "whole run, no templates", bare);
  return code;
}

static int run_data(bench *b, char *path) {
  char *name = theory_data_name(path);
  b->facts = path;
  b->name = name;
  b->templates = path_beside(path, "templates.txt");
  int code = name == NULL || b->templates == NULL
                 ? session_fail(b->s, PITH_ENOMEM)
                 : count_theory_atoms(b->s, b->facts, &b->observed, &b->atoms);
  if (code == 0)
    code = find_target(b);
  if (code == 0)
    code = measure_facts(b);
  command_free(name);
  command_free(b->templates);
  return code;
}

/* ---- all -------------------------------------------------------------- */

static int run_all(bench *b, const path_list *data) {
  double began = seconds_now();
  int code = bench_open(b->s, put_theory_legend, put_theory_head);
  for (size_t i = 0; code == 0 && i < data->n; i++)
    code = run_data(b, data->at[i]);
  return code != 0 ? code : bench_finish(b->s, began, data->n, b->failed);
}

int bench_theory(session *s) {
  path_list data = {0};
  if (s->set.seeds == 0)
    s->set.seeds = SEEDS;
  if (s->set.jobs == 0)
    s->set.jobs = 1; /* times are of one core */
  bench b = {.s = s, .seeds = s->set.seeds};
  int code = find_theory_data(s, &data);
  b.worths = command_zalloc(3 * (size_t)b.seeds, sizeof *b.worths);
  b.runs = command_zalloc(2 * (size_t)b.seeds, sizeof *b.runs);
  b.times = command_zalloc(b.seeds, sizeof *b.times);
  if (code == 0)
    code = b.worths == NULL || b.runs == NULL || b.times == NULL
               ? session_fail(s, PITH_ENOMEM)
               : run_all(&b, &data);
  command_free(b.worths);
  command_free(b.runs);
  command_free(b.times);
  path_list_free(&data);
  return code;
}
