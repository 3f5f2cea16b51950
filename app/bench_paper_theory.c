/* The paper's Table 3 in the paper's own semantics: single initialisations as
** the authors' scripts train them, and a few ways in which text and scripts
** leave a choice. Each is counted in both ways: facts and cells above 0.1, of
** all cells, as the scripts count; and above 1/2, of the atoms whose constants
** were seen in their places, as we count elsewhere. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "interrupt.h"
#include "memory_budget.h"
#include "theory_data.h"

enum { SEEDS = 20 };

typedef struct {
  const char *word, *about;
  pith_semantics semantics;
  bool core_half, onehot_start;
} training_way;

static const training_way ways[] = {
    {"code", "as the code", PITH_PAPER, false, false},
    {"half", "core values from 1/2", PITH_PAPER, true, false},
    {"onehot", "predicates one-hot at first", PITH_PAPER, false, true},
    {"text", "as the text", PITH_TEXT, false, false}};

typedef struct {
  double mean, deviation;
} spread;

typedef struct {
  spread tenth_core, tenth_accuracy; /* above 0.1, of all cells */
  spread half_core, half_accuracy;   /* above 1/2, of all cells */
  double seen_accuracy;              /* above 1/2, of atoms seen in place  */
  double rules;   /* share of runs whose rules are those meant; NaN: unknown */
  double seconds; /* of one initialisation */
} figures;

typedef struct {
  session *s;
  const char *facts, *name;
  char *templates, *meant;
  uint64_t observed;
  double atoms;
} paper_bench;

/* ---- figures ---------------------------------------------------------- */

static double accuracy_of(const pith_worth *w, double cells) {
  return 100 * (1 - (double)(w->wrong + w->missing) / cells);
}

typedef double measure(const pith_restart_info *r);

static double tenth_core(const pith_restart_info *r) {
  return (double)r->tenth.core;
}
static double half_core(const pith_restart_info *r) {
  return (double)r->soft.core;
}
static double tenth_accuracy(const pith_restart_info *r) {
  return accuracy_of(&r->tenth, (double)r->cells);
}
static double half_accuracy(const pith_restart_info *r) {
  return accuracy_of(&r->soft, (double)r->cells);
}

static spread spread_of(const pith_compressed *c, measure *value) {
  size_t n = pith_compressed_restarts(c);
  spread s = {0};
  double squares = 0;
  for (size_t i = 0; i < n; i++)
    s.mean += value(pith_compressed_restart(c, i)) / (double)n;
  for (size_t i = 0; i < n; i++) {
    double d = value(pith_compressed_restart(c, i)) - s.mean;
    squares += d * d;
  }
  s.deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
  return s;
}

static void take_figures(const paper_bench *b, const pith_compressed *c,
                         figures *f) {
  size_t n = pith_compressed_restarts(c);
  f->tenth_core = spread_of(c, tenth_core);
  f->half_core = spread_of(c, half_core);
  f->tenth_accuracy = spread_of(c, tenth_accuracy);
  f->half_accuracy = spread_of(c, half_accuracy);
  f->seen_accuracy = f->rules = 0;
  for (size_t i = 0; i < n; i++) {
    const pith_restart_info *r = pith_compressed_restart(c, i);
    f->seen_accuracy += accuracy_of(&r->soft, b->atoms) / (double)n;
    f->rules += isnan(r->likeness) ? NAN : r->likeness > 0.5;
  }
  f->rules *= 100 / (double)n;
}

/* ---- one way ---------------------------------------------------------- */

/* The rules that the paper means, where they are beside the observations. */
static int read_meant(const paper_bench *b, session *meant) {
  meant->p = NULL;
  return is_file(b->meant) ? read_theory_data(b->s, b->meant, NULL, meant) : 0;
}

/* The options refer to the variant. */
static pith_compress_options
options_of(const paper_bench *b, const training_way *w, pith_variant *variant) {
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  opt.each = true;
  opt.restarts = b->s->set.seeds;
  take_semantics(&b->s->set, variant, &opt.epochs);
  opt.semantics = w->semantics;
  variant->core_half = w->core_half;
  variant->onehot_start = w->onehot_start;
  opt.variant = variant;
  return opt;
}

static int measure_way(const paper_bench *b, const training_way *w,
                       figures *f) {
  session part, meant;
  pith_variant variant;
  pith_compressed *found = NULL;
  pith_compress_options opt = options_of(b, w, &variant);
  int code = read_theory_data(b->s, b->facts, b->templates, &part);
  if (code == 0)
    code = read_meant(b, &meant);
  opt.meant = code == 0 ? meant.p : NULL;
  double began = bench_processor_seconds();
  pith_status rc = code == 0 ? pith_compress(part.p, &opt, &found) : PITH_OK;
  f->seconds = (bench_processor_seconds() - began) / b->s->set.seeds;
  if (rc < 0)
    code = session_fail(&part, rc);
  else if (code == 0)
    take_figures(b, found, f);
  pith_compressed_free(found);
  pith_free(part.p);
  pith_free((pith *)opt.meant);
  return code;
}

/* ---- printing --------------------------------------------------------- */

static void put_way_legend(const session *s) {
  pith_out_print(
      s->out,
      "%% core facts and accuracy in percent, mean and deviation of single "
      "initialisations\n"
      "%% above .1: as the authors count, of all cells of the observed "
      "predicates\n"
      "%% above .5: the same at one half; seen: of atoms whose constants were "
      "seen in their places,\n"
      "%%   as other tables count\n"
      "%% rules: initialisations whose rules are those of the paper, each with "
      "a product of similarities above .5\n"
      "%% ms: processor time of an initialisation\n");
}

static void put_way_head(const session *s) {
  pith_out_print(
      s->out,
      "| data                  | training                         | facts "
      "above .1 | accuracy     | facts above .5 | accuracy     |  seen | rules "
      "|    ms |\n"
      "|-----------------------|----------------------------------|-----"
      "----------:|-------------:|---------------:|-------------:|------:|-----"
      "-"
      ":|------:|\n");
}

static void put_cell(const session *s, int width, double v) {
  if (isnan(v))
    pith_out_print(s->out, " %*s |", width, "-");
  else
    pith_out_print(s->out, " %*.4g |", width, v);
}

static void put_way_line(const paper_bench *b, const char *about,
                         const figures *f) {
  pith_out *o = b->s->out;
  pith_out_print(o,
                 "| %-21s | %-32s | %6.1f ± %-5.1f | %5.1f ± %-4.1f | %6.1f "
                 "± %-5.1f | %5.1f ± %-4.1f |",
                 b->name, about, f->tenth_core.mean, f->tenth_core.deviation,
                 f->tenth_accuracy.mean, f->tenth_accuracy.deviation,
                 f->half_core.mean, f->half_core.deviation,
                 f->half_accuracy.mean, f->half_accuracy.deviation);
  put_cell(b->s, 5, f->seen_accuracy);
  put_cell(b->s, 5, f->rules);
  pith_out_print(o, " %5.1f |\n", 1e3 * f->seconds);
}

static void put_published_line(const paper_bench *b,
                               const published_theory *p) {
  pith_out_print(b->s->out,
                 "| %-21s | %-32s | %14.1f | %12.1f | %14s | %12s | %5s | "
                 "%5.4g | %5s |\n",
                 b->name, "published", p->core, p->accuracy, "-", "-", "-",
                 p->success, "-");
}

static void event_spread(pith_out *o, const char *mean, const char *deviation,
                         spread s) {
  event_real(o, mean, s.mean);
  event_real(o, deviation, s.deviation);
}

static void put_way_event(const paper_bench *b, const training_way *w,
                          const figures *f) {
  pith_out *o = b->s->out;
  event_begin(o, "training");
  event_text(o, "data", b->name);
  event_count(o, "facts", b->observed);
  event_count(o, "seeds", b->s->set.seeds);
  event_text(o, "training", w->word);
  event_spread(o, "core", "core_deviation", f->tenth_core);
  event_spread(o, "accuracy", "accuracy_deviation", f->tenth_accuracy);
  event_spread(o, "half_core", "half_core_deviation", f->half_core);
  event_spread(o, "half_accuracy", "half_accuracy_deviation", f->half_accuracy);
  event_real(o, "seen_accuracy", f->seen_accuracy);
  event_real(o, "rules", f->rules);
  event_real(o, "cpu_seconds", f->seconds);
  event_end(o);
}

/* ---- all -------------------------------------------------------------- */

static bool is_wanted(const paper_bench *b, const training_way *w) {
  return w->semantics == PITH_TEXT || strcmp(b->s->set.semantics, "paper") == 0;
}

static int run_ways(const paper_bench *b) {
  published_theory known;
  int code = 0;
  if (!session_json(b->s) && find_published_theory(b->name, &known))
    put_published_line(b, &known);
  for (size_t i = 0; code == 0 && i < sizeof ways / sizeof ways[0]; i++) {
    figures f;
    if (!is_wanted(b, &ways[i]))
      continue;
    code = measure_way(b, &ways[i], &f);
    if (code == 0 && session_json(b->s))
      put_way_event(b, &ways[i], &f);
    else if (code == 0)
      put_way_line(b, ways[i].about, &f);
    pith_out_flush(b->s->out);
  }
  return code;
}

static int run_observations(session *s, const char *path) {
  char *name = theory_data_name(path);
  paper_bench b = {.s = s,
                   .facts = path,
                   .name = name,
                   .templates = path_beside(path, "templates.txt"),
                   .meant = path_beside(path, "paper.pl")};
  int code = name == NULL || b.templates == NULL || b.meant == NULL
                 ? session_fail(s, PITH_ENOMEM)
                 : count_theory_atoms(s, path, &b.observed, &b.atoms);
  if (code == 0)
    code = run_ways(&b);
  command_free(name);
  command_free(b.templates);
  command_free(b.meant);
  return code;
}

int bench_paper_theory(session *s) {
  path_list data = {0};
  double began = seconds_now();
  s->set.method = NULL; /* is of other tables */
  if (s->set.seeds == 0)
    s->set.seeds = SEEDS;
  int code = check_paper(&s->set);
  if (code == 0 && s->set.schedule != NULL) {
    say_error("--schedule is for rules; theories are trained without noise");
    code = EXIT_USE;
  }
  if (code == 0)
    code = find_theory_data(s, &data);
  if (code == 0)
    code = bench_open(s, put_way_legend, put_way_head);
  for (size_t i = 0; code == 0 && i < data.n; i++)
    code = run_observations(s, data.at[i]);
  size_t rows = data.n;
  path_list_free(&data);
  return code != 0 ? code : bench_finish(s, began, rows, false);
}
