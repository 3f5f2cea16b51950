/* The paper's Table 2. For each split and each of S1, S2 and S3: learn from the
** facts, choose by the pairs of valid.pl, score those of test.pl. The names of
** the tasks serve to find the files and what was published, and the rule that
** the task was made for is looked for in what was learned; the learner knows
** none of them. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "find_inputs.h"
#include "interrupt.h"
#include "memory_budget.h"
#include "model_commands.h"

enum { SEEDS = 10, TASKS = 3, SPLITS = 2 };
static const char default_folder[] = "data/countries";
static const char target[] = "locatedIn";

/* Campero et al. 2018, table 2: the area under the precision-recall curve in
** percent, and its deviation. All are for the first split. */
typedef struct {
  double mean, deviation;
} figure;

static const struct {
  const char *task, *intended;
  figure ntp, ntp_lambda, paper;
} published[TASKS] = {
    {"S1",
     "locatedIn(A,B) :- locatedIn(A,C), locatedIn(C,B).",
     {90.83, 15.4},
     {100, 0},
     {91.15, 15.4}},
    {"S2",
     "locatedIn(A,B) :- neighborOf(A,C), locatedIn(C,B).",
     {87.40, 11.7},
     {94.04, 0.4},
     {86.87, 3.2}},
    {"S3",
     "locatedIn(A,B) :- neighborOf(A,C), locatedIn(C,D), locatedIn(D,B).",
     {56.68, 17.6},
     {77.26, 17.0},
     {63.08, 28.2}},
};

static const struct {
  const char *name, *facts, *pairs; /* below the folder; facts: + the task */
  const char *end;
} splits[SPLITS] = {
    {"main", "", "", ".tsv"},
    {"alt", "alt_split/", "alt_split/", "/train.tsv"},
};

/* ---- measuring -------------------------------------------------------- */

typedef struct {
  double *precision; /* (seeds) */
  figure average_precision;
  double least;             /* average precision of the worst seed */
  double calibration_error; /* mean */
  double brier;             /* mean */
  uint32_t right;           /* seeds that found the intended rule  */
  double seconds;           /* mean, reading included              */
} row;

typedef struct {
  session *s;
  uint32_t seeds;
  size_t split, task;
  bool paper;                             /* the paper's semantics */
  char *facts, *valid, *test, *templates; /* files     */
  pith_out *rules;                        /* of the first seed */
  bool missed;                            /* the intended rule, somewhere */
} bench;

/* Others may use the machine too. */
static double processor_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static int read_files(const bench *b, session *part, const char *one,
                      const char *two) {
  *part = *b->s;
  part->p = NULL;
  part->out = NULL;
  part->set.quiet = true;
  int code = session_new(part);
  if (code == 0)
    code = session_read_one(part, one, PITH_AUTO);
  if (code == 0 && two != NULL)
    code = session_read_one(part, two, PITH_AUTO);
  return code;
}

static pith_status rank_pairs(pith *p, pith_model *m, const pith *test,
                              pith_ranking *out) {
  size_t n = pith_example_count(test);
  pith_prediction *v = command_zalloc(n + 1, sizeof *v);
  double *probability = command_zalloc(n + 1, sizeof *probability);
  pith_status rc = v == NULL || probability == NULL
                       ? PITH_ENOMEM
                       : pith_model_grade(m, test, probability);
  for (size_t i = 0; rc >= 0 && i < n; i++)
    v[i] =
        (pith_prediction){probability[i], pith_example_at(test, i)->positive};
  if (rc >= 0)
    rc = pith_ranking_of(p, v, n, out);
  command_free(v);
  command_free(probability);
  return rc;
}

/* Whether the rule is the one the task was made for; the first seed's rules
** are kept to be shown, with the weight or similarity. */
static pith_status look_at(bench *b, pith *p, const pith_rule *rule,
                           double figure, bool first, bool *intended) {
  pith_out *memory = NULL;
  pith_status rc = pith_out_memory(p, &memory);
  if (rc >= 0)
    rc = pith_rule_write(p, rule, memory);
  if (rc >= 0) {
    const char *text = pith_out_text(memory, NULL);
    *intended = *intended || strcmp(text, published[b->task].intended) == 0;
    if (b->rules != NULL && session_json(b->s)) {
      pith_out_print(b->rules, first ? "" : ",");
      pith_out_quote(b->rules, text);
    } else if (b->rules != NULL) {
      pith_out_print(b->rules, "%% %s %s: %s  %% %s %.2f\n",
                     splits[b->split].name, published[b->task].task, text,
                     b->paper ? "similarity" : "weight", figure);
    }
  }
  pith_out_close(memory, false);
  return rc;
}

static void add_seed_figures(const bench *b, row *r, uint32_t seed,
                             const pith_ranking *f, bool intended) {
  r->precision[seed] = 100 * f->average_precision;
  r->calibration_error += f->calibration_error / b->seeds;
  r->brier += f->brier / b->seeds;
  r->right += intended;
}

static pith_status look_at_rules(bench *b, pith *p, pith_model *m,
                                 bool *intended) {
  pith_model_info info;
  pith_status rc = PITH_OK;
  info = *pith_model_info_of(m);
  for (size_t i = 0; rc >= 0 && i < info.rules; i++) {
    const pith_model_rule *r = pith_model_rule_at(m, i);
    if (r == NULL)
      return PITH_ENOMEM;
    pith_rule plain = *r->rule;
    plain.probability = 0;
    rc = look_at(b, p, &plain, b->paper ? r->rule->probability : r->weight,
                 i == 0, intended);
  }
  return rc;
}

/* How well the model of a seed ranks, and whether it has the rule. */
static pith_status measure_model(bench *b, pith *p, pith_model *m,
                                 const pith *test, uint32_t seed, row *r) {
  pith_ranking f;
  bool intended = false;
  pith_status rc = rank_pairs(p, m, test, &f);
  if (rc >= 0)
    rc = look_at_rules(b, p, m, &intended);
  if (rc >= 0)
    add_seed_figures(b, r, seed, &f, intended);
  return rc;
}

static pith_status run_seed(bench *b, pith *p, const pith *test, uint32_t seed,
                            row *r) {
  pith_model_options opt;
  pith_model *m = NULL;
  pith_model_defaults(&opt);
  opt.run.seed = seed + 1;
  opt.target = pith_pred_find(p, target, 2);
  pith_status rc = pith_model_learn(p, NULL, &opt, &m);
  if (rc >= 0)
    rc = measure_model(b, p, m, test, seed, r);
  pith_model_free(m);
  return rc;
}

static void note_peak(const bench *b, const pith *p) {
  if (p != NULL && pith_bytes_peak(p) > b->s->elsewhere)
    b->s->elsewhere = pith_bytes_peak(p);
}

static int measure_seed(bench *b, uint32_t seed, row *r) {
  session part, test = {0};
  double began = processor_now();
  int code = read_files(b, &part, b->facts, b->valid);
  if (code == 0)
    code = read_files(b, &test, b->test, NULL);
  if (code == 0) {
    pith_status rc = run_seed(b, part.p, test.p, seed, r);
    code = rc < 0 ? session_fail(&part, rc) : 0;
  }
  r->seconds += (processor_now() - began) / b->seeds;
  note_peak(b, part.p);
  pith_free(test.p);
  pith_free(part.p);
  return code;
}

/* ---- the paper's way -------------------------------------------------- */

/* A seed is a training with sections of its own; its first restart counts. */
static pith_status train_paper(bench *b, pith *p, const pith *test,
                               uint32_t seed, row *r) {
  pith_model_options opt;
  pith_variant variant;
  pith_model *m = NULL;
  pith_model_defaults(&opt);
  soft_options(&b->s->set, &variant, &opt);
  opt.method = PITH_MODEL_SOFT;
  opt.target = pith_pred_find(p, target, 2);
  opt.run.seed = seed + 1;
  opt.run.stop = interrupt_requested;
  pith_status rc = pith_model_learn(p, NULL, &opt, &m);
  if (m == NULL)
    return rc < 0 ? rc : PITH_ELIMIT;
  if (rc >= 0)
    rc = pith_model_use(m, 0);
  if (rc >= 0)
    rc = measure_model(b, p, m, test, seed, r);
  pith_model_free(m);
  return rc;
}

static int measure_paper(bench *b, row *r) {
  session part, test = {0};
  double began = processor_now();
  int code = read_files(b, &part, b->facts, b->valid);
  if (code == 0)
    code = session_read_one(&part, b->templates, PITH_TEMPLATES);
  if (code == 0)
    code = read_files(b, &test, b->test, NULL);
  pith_out *rules = b->rules;
  for (uint32_t i = 0; code == 0 && i < b->seeds; i++) {
    b->rules = i == 0 ? rules : NULL;
    pith_status rc = train_paper(b, part.p, test.p, i, r);
    code = rc < 0 ? session_fail(&part, rc) : 0;
  }
  b->rules = rules;
  r->seconds = (processor_now() - began) / b->seeds;
  note_peak(b, part.p);
  pith_free(test.p);
  pith_free(part.p);
  return code;
}

/* The deviation is that of the seeds at hand, as in the paper. */
static figure mean_of(const double *v, uint32_t n) {
  figure f = {0, 0};
  for (uint32_t i = 0; i < n; i++)
    f.mean += v[i] / n;
  for (uint32_t i = 0; i < n; i++)
    f.deviation += (v[i] - f.mean) * (v[i] - f.mean) / n;
  f.deviation = sqrt(f.deviation);
  return f;
}

static int measure_split(bench *b, row *r) {
  int code = b->paper ? measure_paper(b, r) : 0;
  r->least = INFINITY;
  for (uint32_t i = 0; code == 0 && !b->paper && i < b->seeds; i++) {
    pith_out *rules = b->rules;
    b->rules = i == 0 ? rules : NULL;
    code = measure_seed(b, i, r);
    b->rules = rules;
  }
  for (uint32_t i = 0; i < b->seeds; i++)
    r->least = fmin(r->least, r->precision[i]);
  r->average_precision = mean_of(r->precision, b->seeds);
  b->missed = b->missed || r->right < b->seeds;
  return code;
}

/* ---- printing --------------------------------------------------------- */

enum { CELL = 24 };

static const char *figure_text(char room[CELL], figure f) {
  snprintf(room, CELL, "%.2f ± %.2f", f.mean, f.deviation);
  return room;
}

/* Published figures are for the first split alone. */
static const char *published_text(char room[CELL], const bench *b, figure f) {
  if (b->split > 0)
    snprintf(room, CELL, "-");
  else
    figure_text(room, f);
  return room;
}

static void put_countries_head(const session *s) {
  if (session_comments(s))
    pith_out_print(
        s->out,
        "%% average precision x 100 of locatedIn(country, region): 24 test "
        "countries x 5 regions,\n"
        "%%   equal scores taken together; mean and deviation over the seeds; "
        "the paper's figures are for main\n"
        "%% rule: seeds that found the rule the task was made for; ECE, Brier: "
        "of the probabilities;\n"
        "%%   seconds: of the processor, for a seed\n"
        "%% the model is chosen by the pairs of valid.pl; those of test.pl are "
        "only scored\n");
  pith_out_print(
      s->out,
      "| split | task | NTP           | NTP-lambda    | paper         | ours"
      "          | least  | rule  | ECE   | Brier  | seconds |\n"
      "|-------|------|--------------:|--------------:|--------------:|-----"
      "---------:|-------:|------:|------:|-------:|--------:|\n");
}

/* A cell of its width on the screen: "±" is two bytes. */
static void put_cell(pith_out *o, const char *text) {
  int wide = strstr(text, "±") == NULL ? 13 : 14;
  pith_out_print(o, " %*s |", wide, text);
}

static void put_countries_line(const bench *b, const row *r) {
  char c[CELL];
  pith_out *o = b->s->out;
  pith_out_print(o, "| %-5s | %-4s |", splits[b->split].name,
                 published[b->task].task);
  put_cell(o, published_text(c, b, published[b->task].ntp));
  put_cell(o, published_text(c, b, published[b->task].ntp_lambda));
  put_cell(o, published_text(c, b, published[b->task].paper));
  put_cell(o, figure_text(c, r->average_precision));
  pith_out_print(o, " %6.2f | %2u/%-2u | %.3f | %.4f | %7.3f |\n", r->least,
                 r->right, b->seeds, r->calibration_error, r->brier,
                 r->seconds);
}

static void event_figure(pith_out *o, const char *name, figure f) {
  event_key(o, name);
  pith_out_print(o, "{\"mean\":%.6g,\"deviation\":%.6g}", f.mean, f.deviation);
}

static void put_countries_event(const bench *b, const row *r) {
  pith_out *o = b->s->out;
  event_begin(o, "row");
  event_text(o, "split", splits[b->split].name);
  event_text(o, "task", published[b->task].task);
  event_text(o, "semantics", b->s->set.semantics);
  event_count(o, "seeds", b->seeds);
  if (b->split == 0) {
    event_figure(o, "ntp", published[b->task].ntp);
    event_figure(o, "ntp_lambda", published[b->task].ntp_lambda);
    event_figure(o, "paper", published[b->task].paper);
  }
  event_figure(o, "average_precision", r->average_precision);
  event_real(o, "least", r->least);
  event_count(o, "right", r->right);
  event_real(o, "calibration_error", r->calibration_error);
  event_real(o, "brier", r->brier);
  event_real(o, "mean_seconds", r->seconds);
  event_key(o, "rules");
  pith_out_print(o, "[%s]", pith_out_text(b->rules, NULL));
  event_end(o);
}

/* ---- all of them ------------------------------------------------------ */

/* The text of three parts; to be freed. */
static char *path_of(const char *folder, const char *part, const char *name,
                     const char *end) {
  size_t n = strlen(folder) + strlen(part) + strlen(name) + strlen(end) + 2;
  char *path = command_resize(NULL, n);
  if (path != NULL)
    snprintf(path, n, "%s/%s%s%s", folder, part, name, end);
  return path;
}

static void free_paths(bench *b) {
  command_free(b->facts);
  command_free(b->valid);
  command_free(b->test);
  command_free(b->templates);
}

static int make_paths(bench *b) {
  const char *folder = b->s->set.data != NULL ? b->s->set.data : default_folder;
  b->facts = path_of(folder, splits[b->split].facts, published[b->task].task,
                     splits[b->split].end);
  b->valid = path_of(folder, splits[b->split].pairs, "valid", ".pl");
  b->test = path_of(folder, splits[b->split].pairs, "test", ".pl");
  b->templates = path_of(folder, "templates_", published[b->task].task, ".txt");
  if (b->facts == NULL || b->valid == NULL || b->test == NULL ||
      b->templates == NULL)
    return session_fail(b->s, PITH_ENOMEM);
  return 0;
}

static bool is_wanted(const bench *b) {
  const char *names = b->s->set.tasks, *task = published[b->task].task;
  while (names != NULL && *names != '\0') {
    size_t n = strcspn(names, ",");
    if (n == strlen(task) && memcmp(names, task, n) == 0)
      return true;
    names += n + (names[n] == ',');
  }
  return b->s->set.tasks == NULL;
}

static int run_one(bench *b, pith_out *shown) {
  row r = {.precision = command_zalloc(b->seeds, sizeof(double))};
  int code = r.precision == NULL ? session_fail(b->s, PITH_ENOMEM) : 0;
  if (code == 0)
    code = make_paths(b);
  b->rules = shown;
  if (code == 0)
    code = measure_split(b, &r);
  if (code == 0 && session_json(b->s))
    put_countries_event(b, &r);
  else if (code == 0)
    put_countries_line(b, &r);
  pith_out_flush(b->s->out);
  free_paths(b);
  command_free(r.precision);
  return code;
}

/* In JSON each row has its rules; in text they follow the table. */
static int run_all(bench *b, size_t *rows) {
  pith_out *shown = NULL;
  pith_status rc = pith_out_memory(b->s->p, &shown);
  int code = rc < 0 ? session_fail(b->s, rc) : 0;
  for (b->split = 0; code == 0 && b->split < SPLITS; b->split++)
    for (b->task = 0; code == 0 && b->task < TASKS; b->task++) {
      if (!is_wanted(b))
        continue;
      if (session_json(b->s)) {
        pith_out_close(shown, false);
        shown = NULL;
        rc = pith_out_memory(b->s->p, &shown);
      }
      code = rc < 0 ? session_fail(b->s, rc) : run_one(b, shown);
      *rows += 1;
    }
  if (code == 0 && session_comments(b->s))
    pith_out_print(b->s->out, "%% the rules of seed 1:\n%s",
                   pith_out_text(shown, NULL));
  pith_out_close(shown, false);
  return code;
}

int bench_countries(session *s) {
  double began = seconds_now();
  size_t rows = 0;
  if (s->set.seeds == 0)
    s->set.seeds = SEEDS;
  bench b = {.s = s,
             .seeds = s->set.seeds,
             .paper = strcmp(s->set.semantics, "best") != 0};
  int code = bench_open(s, NULL, put_countries_head);
  if (code == 0)
    code = run_all(&b, &rows);
  if (code != 0)
    return code;
  if (rows == 0) {
    say_error("--tasks: '%s' names none of: S1,S2,S3", s->set.tasks);
    return EXIT_USE;
  }
  return bench_finish(s, began, rows, b.missed);
}
