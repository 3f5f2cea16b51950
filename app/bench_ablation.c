/* From the paper's training to ours, one change at a time: single
** initialisations, no search. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "interrupt.h"

enum { SEEDS = 50, MOST_SETTINGS = 16 };
static const double soft_success = 1e-4; /* mean squared error */
static const char ilp_folder[] = "data/ilp";

/* Setting 0: the authors' noise as published; k: k - 1 changes. */
typedef struct {
  session *s;
  uint32_t settings;
  struct {
    double soft, exact, seconds; /* shares, summed over tasks */
    uint32_t reached;            /* tasks with 90 % soft      */
  } sum[MOST_SETTINGS];
} ablation;

static pith_learn_options options_of_setting(const session *s, uint32_t setting,
                                             pith_variant *v) {
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.restarts = s->set.seeds;
  opt.each = true;
  opt.search = false;
  opt.run.jobs = s->set.jobs;
  opt.semantics = PITH_PAPER;
  *v = (pith_variant){.changes = setting > 0 ? setting - 1 : 0};
  if (setting == 0) {
    v->noise_start = 1.05;
    v->noise_factor = 0.7;
    opt.epochs = 1200;
  }
  opt.variant = v;
  return opt;
}

typedef struct {
  uint32_t soft, exact;
  double seconds;
} successes;

static int learn_with_setting(const session *s, const char *folder,
                              uint32_t setting, successes *out) {
  session part = *s;
  pith_variant v;
  pith_learn_options opt = options_of_setting(s, setting, &v);
  pith_learned *found = NULL;
  *out = (successes){0};
  part.p = NULL;
  part.out = NULL;
  part.set.quiet = true; /* the same warnings again and again */
  int code = session_new(&part);
  if (code == 0)
    code = session_read_one(&part, folder, PITH_AUTO);
  double began = bench_processor_seconds();
  pith_status rc = code == 0 ? pith_learn(&part.p, 1, &opt, &found) : PITH_OK;
  out->seconds = bench_processor_seconds() - began;
  if (rc < 0)
    code = session_fail(&part, rc);
  for (size_t i = 0; code == 0 && i < pith_learned_count(found); i++) {
    const pith_theory_info *info = pith_learned_info(found, i);
    out->soft += info->error < soft_success;
    out->exact += info->solved;
  }
  pith_learned_free(found);
  pith_free(part.p);
  return code;
}

/* ---- printing --------------------------------------------------------- */

static void put_ablation_legend(const ablation *b) {
  pith_out *o = b->s->out;
  pith_out_print(o, "%% in percent, soft/exact: single initialisations whose "
                    "mean squared error is below 1e-4,\n"
                    "%%   and whose rules fit every example\n"
                    "%% 0: the authors' code and its fastest noise\n"
                    "%% 1: noise that fades slowly\n");
  for (uint32_t i = 2; i < b->settings; i++)
    pith_out_print(o, "%% %u: %s%s\n", i, pith_change_text(i - 2),
                   i + 1 == b->settings ? ": the default" : "");
}

static void put_ablation_head(const ablation *b) {
  pith_out *o = b->s->out;
  pith_out_print(o, "| task             |");
  for (uint32_t i = 0; i < b->settings; i++)
    pith_out_print(o, " %5u   |", i);
  pith_out_print(o, "\n|------------------|");
  for (uint32_t i = 0; i < b->settings; i++)
    pith_out_print(o, "--------:|");
  pith_out_print(o, "\n");
}

static void put_shares(pith_out *o, double soft, double exact) {
  pith_out_print(o, " %3.0f/%3.0f |", 100 * soft, 100 * exact);
}

static void put_ablation_event(const ablation *b, const char *task,
                               uint32_t setting, const successes *r) {
  pith_out *o = b->s->out;
  event_begin(o, "row");
  event_text(o, "task", task);
  event_count(o, "seeds", b->s->set.seeds);
  event_count(o, "setting", setting);
  event_count(o, "soft", r->soft);
  event_count(o, "exact", r->exact);
  event_real(o, "cpu_seconds", r->seconds);
  event_end(o);
}

static void put_sums(const ablation *b, size_t tasks) {
  pith_out *o = b->s->out;
  pith_out_print(o, "| mean             |");
  for (uint32_t i = 0; i < b->settings; i++)
    put_shares(o, b->sum[i].soft / (double)tasks,
               b->sum[i].exact / (double)tasks);
  pith_out_print(o, "\n| tasks from 90 %%  |");
  for (uint32_t i = 0; i < b->settings; i++)
    pith_out_print(o, " %7u |", b->sum[i].reached);
  pith_out_print(o, "\n| cpu seconds      |");
  for (uint32_t i = 0; i < b->settings; i++)
    pith_out_print(o, " %7.1f |", b->sum[i].seconds);
  pith_out_print(o, "\n");
}

/* ---- all -------------------------------------------------------------- */

static void add_successes(ablation *b, uint32_t setting, const successes *r) {
  double n = b->s->set.seeds;
  b->sum[setting].soft += r->soft / n;
  b->sum[setting].exact += r->exact / n;
  b->sum[setting].seconds += r->seconds;
  b->sum[setting].reached += r->soft >= 0.9 * n;
}

static int run_settings(ablation *b, const char *folder) {
  const char *task = path_last(folder);
  int code = 0;
  if (!session_json(b->s))
    pith_out_print(b->s->out, "| %-16s |", task);
  for (uint32_t i = 0; code == 0 && i < b->settings; i++) {
    successes r;
    double n = b->s->set.seeds;
    code = learn_with_setting(b->s, folder, i, &r);
    add_successes(b, i, &r);
    if (session_json(b->s))
      put_ablation_event(b, task, i, &r);
    else
      put_shares(b->s->out, r.soft / n, r.exact / n);
  }
  if (!session_json(b->s))
    pith_out_print(b->s->out, "\n");
  pith_out_flush(b->s->out);
  return code;
}

static int run_all_tasks(ablation *b, const path_list *tasks) {
  double began = seconds_now();
  int code = session_open(b->s);
  if (code != 0)
    return code;
  session_preface(b->s, NULL);
  if (session_comments(b->s))
    put_ablation_legend(b);
  if (!session_json(b->s))
    put_ablation_head(b);
  for (size_t i = 0; code == 0 && i < tasks->n; i++)
    code = run_settings(b, tasks->at[i]);
  if (code == 0 && !session_json(b->s))
    put_sums(b, tasks->n);
  return code != 0 ? code : bench_finish(b->s, began, tasks->n, false);
}

int bench_ablation(session *s) {
  ablation b = {.s = s, .settings = 2};
  path_list tasks = {0};
  while (b.settings < MOST_SETTINGS && pith_change_text(b.settings - 2) != NULL)
    b.settings++;
  if (s->set.seeds == 0)
    s->set.seeds = SEEDS;
  if (s->set.jobs == 0)
    s->set.jobs = 1; /* times are of one core */
  s->set.method = NULL;
  int code = bench_find_tasks(s, ilp_folder, &tasks);
  if (code == 0)
    code = run_all_tasks(&b, &tasks);
  path_list_free(&tasks);
  return code;
}
