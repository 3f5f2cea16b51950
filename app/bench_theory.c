/* The paper's Table 3. The observations of each file are compressed in several
** ways: by single initialisations with the paper's semantics and with ours,
** and by whole runs. A folder's name is used for nothing but to look up what
** was published. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "find_inputs.h"
#include "interrupt.h"

enum { SEEDS = 20 };
static const char default_folder[] = "data/theory";

/* ---- what was published ----------------------------------------------- */

/* Campero et al. 2018, table 3. */
static const struct {
  const char *folder;
  double success, accuracy, core;
} published[] = {{"taxonomy", 70, 99, 69}, {"kinship", 100, 96, 30.8}};

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
  pith_worth *worths; /* (4, seeds) decoded, pruned, repaired, soft */
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

static void put_legend(const session *s) {
  pith_out_print(
      s->out,
      "%% success: published as it is; as decoded and without templates, what "
      "follows is what was\n"
      "%%   observed; else also that no more facts are needed than in the "
      "theory that is meant,\n"
      "%%   in the paper's semantics by the rules alone\n"
      "%% accuracy: of all atoms whose constants were seen in their places; "
      "core: mean facts;\n"
      "%%   in the paper's semantics what holds by more than a half\n"
      "%% ms: processor time, of an initialisation; of a run the median\n");
}

static void put_head(const session *s) {
  pith_out_print(s->out,
                 "| data                  | facts | target | way               "
                 "            "
                 "          | success | accuracy |   core |      ms |\n"
                 "|-----------------------|------:|-------:|-------------------"
                 "------------"
                 "----------|--------:|---------:|-------:|--------:|\n");
}

/* ---- files ------------------------------------------------------------ */

static char *path_beside(const char *path, const char *name) {
  size_t folder = (size_t)(strrchr(path, '/') - path);
  char *dir = strndup(path, folder);
  char *file = dir == NULL ? NULL : path_join(dir, name, "");
  free(dir);
  return file;
}

static bool is_file(const char *path) {
  FILE *f = fopen(path, "r");
  if (f != NULL)
    fclose(f);
  return f != NULL;
}

/* ---- compressing ------------------------------------------------------ */

static double processor_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

/* A handle with the facts and, unless bare, the templates; part->p is the
** caller's. */
static int read_data(const bench *b, bool bare, session *part) {
  *part = *b->s;
  part->p = NULL;
  part->out = NULL;
  part->set.quiet = true;
  int code = session_new(part);
  if (code == 0)
    code = session_read_one(part, b->facts, PITH_PROLOG);
  if (code == 0 && !bare)
    code = session_read_one(part, b->templates, PITH_TEMPLATES);
  return code;
}

typedef int (*look)(bench *b, const pith_compressed *found, void *ctx);

static int compress_once(bench *b, bool bare, const pith_compress_options *opt,
                         look visit, void *ctx) {
  session part;
  pith_compressed *found = NULL;
  int code = read_data(b, bare, &part);
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
    b->worths[3 * b->seeds + i] = r->soft;
  }
  return 0;
}

/* A run with as many restarts as seeds, each an initialisation of its own;
** the seconds of one. */
static int measure_one(bench *b, pith_semantics semantics, double *seconds) {
  const settings *set = &b->s->set;
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  opt.each = true;
  opt.restarts = b->seeds;
  opt.semantics = semantics;
  if (semantics != PITH_BEST)
    take_semantics(set, &opt.variant, &opt.epochs);
  double began = processor_seconds();
  int code = compress_once(b, false, &opt, take_restarts, NULL);
  *seconds = (processor_seconds() - began) / b->seeds;
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
    double began = processor_seconds();
    opt.run.seed = i + 1;
    code = compress_once(b, bare, &opt, take_run, &w[i]);
    b->times[i] = processor_seconds() - began;
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
  int code = read_data(b, true, &facts);
  b->target = UINT64_MAX;
  if (code == 0 &&
      (rules == NULL || folder == NULL || !find_inputs(folder, &all)))
    code = session_fail(b->s, PITH_ENOMEM);
  for (size_t i = 0; code == 0 && i < all.n; i++)
    if (is_file(rules) && strncmp(path_last(all.at[i]), "core", 4) == 0)
      code = try_core(b, &facts, rules, all.at[i]);
  path_list_free(&all);
  pith_free(facts.p);
  free(rules);
  free(folder);
  return code;
}

/* ---- one set of observations ------------------------------------------ */

static void put_published(const bench *b) {
  for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
    size_t n = strlen(published[i].folder);
    if (strncmp(b->name, published[i].folder, n) == 0 && b->name[n] == '/') {
      row r = {.success = published[i].success,
               .accuracy = published[i].accuracy,
               .core = published[i].core};
      put_way(b, r, "published", "published", NAN);
    }
  }
}

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

/* In the paper rules are right or not, and accuracy and facts are soft. */
static int put_paper(bench *b) {
  double seconds;
  int code = measure_one(b, PITH_PAPER, &seconds);
  if (code != 0)
    return code;
  row r = summarise_runs(b, b->worths + 3 * (size_t)b->seeds, UINT64_MAX);
  r.success = summarise_runs(b, b->worths + b->seeds, b->target).success;
  put_way(b, r, "paper", "one initialisation, paper's semantics", seconds);
  return 0;
}

/* Everything with our semantics first: it tells how few facts are enough. */
static int measure_facts(bench *b) {
  pith_worth *typed = b->runs, *untyped = b->runs + b->seeds;
  double one, run, free_run, bare;
  int code = measure_one(b, PITH_BEST, &one);
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
  put_published(b);
  put_single(b, one);
  put_way(b, summarise_runs(b, typed, b->target), "run", "whole run", run);
  put_way(b, summarise_runs(b, untyped, b->target), "run_untyped",
          "whole run, types off", free_run);
  code = measure_runs(b, true, true, b->runs, &bare);
  if (code == 0)
    put_way(b, summarise_runs(b, b->runs, UINT64_MAX), "run_bare",
            "whole run, no templates", bare);
  return code == 0 ? put_paper(b) : code;
}

/* ---- what there is to compress ---------------------------------------- */

typedef struct {
  size_t symbols;
  bool *seen; /* (2, symbols) */
} places;

static int note_places(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  places *p = ctx;
  (void)pred;
  for (size_t i = 0; i < n && i < 2; i++)
    p->seen[i * p->symbols + args[i]] = true;
  return 0;
}

static double count_seen(const places *p, size_t place) {
  double n = 0;
  for (size_t i = 0; i < p->symbols; i++)
    n += p->seen[place * p->symbols + i];
  return n;
}

/* Atoms whose constants were seen in their places. */
static int count_atoms(bench *b) {
  session part;
  int code = read_data(b, true, &part);
  places p = {.symbols = code == 0 ? pith_sym_count(part.p) : 0};
  p.seen = calloc(2 * p.symbols + 1, sizeof *p.seen);
  if (code == 0 && p.seen == NULL)
    code = session_fail(b->s, PITH_ENOMEM);
  b->atoms = 0;
  for (pith_pred i = 0; code == 0 && i < pith_pred_count(part.p); i++) {
    memset(p.seen, 0, 2 * p.symbols * sizeof *p.seen);
    pith_fact_each(part.p, i, PITH_GIVEN, note_places, &p);
    double first = count_seen(&p, 0), second = count_seen(&p, 1);
    b->atoms += pith_pred_arity(part.p, i) == 1 ? first : first * second;
  }
  if (code == 0)
    b->observed = pith_fact_count(part.p, PITH_NONE, PITH_GIVEN);
  free(p.seen);
  pith_free(part.p);
  return code;
}

/* "taxonomy/facts" of "data/theory/taxonomy/facts.pl"; to be freed. */
static char *name_of(const char *path) {
  size_t n = strlen(path) - strlen(".pl"), from = n;
  for (int slashes = 0; from > 0; from--)
    if (path[from - 1] == '/' && ++slashes == 2)
      break;
  return strndup(path + from, n - from);
}

static int run_data(bench *b, char *path) {
  char *name = name_of(path);
  b->facts = path;
  b->name = name;
  b->templates = path_beside(path, "templates.txt");
  int code = name == NULL || b->templates == NULL
                 ? session_fail(b->s, PITH_ENOMEM)
                 : count_atoms(b);
  if (code == 0)
    code = find_target(b);
  if (code == 0)
    code = measure_facts(b);
  free(name);
  free(b->templates);
  return code;
}

/* Files facts*.pl that have templates beside them. */
static bool is_data(const char *path) {
  size_t n = strlen(path);
  if (strchr(path, '/') == NULL || strncmp(path_last(path), "facts", 5) != 0 ||
      n < 3 || strcmp(path + n - 3, ".pl") != 0)
    return false;
  char *templates = path_beside(path, "templates.txt");
  bool found = templates != NULL && is_file(templates);
  free(templates);
  return found;
}

/* Whether the name, or its folder's, is among those asked for. */
static bool is_asked(const char *names, const char *path) {
  char *name = name_of(path);
  size_t all = name == NULL ? 0 : strlen(name);
  size_t folder = name == NULL ? 0 : strcspn(name, "/");
  bool found = names == NULL;
  while (name != NULL && names != NULL && *names != '\0' && !found) {
    size_t n = strcspn(names, ",");
    found = (n == all || n == folder) && strncmp(name, names, n) == 0;
    names += n + (names[n] == ',');
  }
  free(name);
  return found;
}

static int find_data(const session *s, path_list *data) {
  const char *folder = s->set.data != NULL ? s->set.data : default_folder;
  path_list all = {0};
  bool fine = find_inputs(folder, &all);
  for (size_t i = 0; fine && i < all.n; i++)
    if (is_data(all.at[i]) && is_asked(s->set.tasks, all.at[i]))
      fine = path_list_add(data, all.at[i]);
  path_list_free(&all);
  if (!fine)
    say_error("%s: cannot be walked: %s; --data names a folder of observations",
              folder, strerror(errno));
  else if (data->n == 0)
    say_error("%s: there are no observations here; expected folders with "
              "facts.pl and templates.txt",
              folder);
  return fine && data->n > 0 ? 0 : EXIT_INPUT;
}

/* ---- all -------------------------------------------------------------- */

static int run_all(bench *b, const path_list *data) {
  double began = seconds_now();
  int code = session_open(b->s);
  if (code != 0)
    return code;
  session_preface(b->s, NULL);
  if (session_comments(b->s))
    put_legend(b->s);
  if (!session_json(b->s))
    put_head(b->s);
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
  int code = find_data(s, &data);
  b.worths = calloc(4 * (size_t)b.seeds, sizeof *b.worths);
  b.runs = calloc(2 * (size_t)b.seeds, sizeof *b.runs);
  b.times = calloc(b.seeds, sizeof *b.times);
  if (code == 0)
    code = b.worths == NULL || b.runs == NULL || b.times == NULL
               ? session_fail(s, PITH_ENOMEM)
               : run_all(&b, &data);
  free(b.worths);
  free(b.runs);
  free(b.times);
  path_list_free(&data);
  return code;
}
