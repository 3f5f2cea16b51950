#include "paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grade.h"
#include "print_fit.h"
#include "progress.h"

static const char *const hidings[] = {
    [PITH_HIDE_FACT] = "single facts",
    [PITH_HIDE_ENTITY] = "all facts of an entity",
    [PITH_HIDE_AROUND] = "all facts of an entity and those next to it"};

void paper_options(const settings *set, pith_paper_options *opt) {
  pith_paper_defaults(opt);
  opt->run.seed = set->seed > 0 ? set->seed : opt->run.seed;
  opt->epochs = set->epochs;
  opt->rate = set->rate;
  opt->onehot = strcmp(set->embeddings, "onehot") == 0;
  opt->minimum = strcmp(set->conjunction, "minimum") == 0;
  opt->clamp = set->clamp;
  opt->run.stop = interrupt_requested;
}

void paper_free(paper_models *m) {
  for (int h = 0; h < HIDINGS; h++)
    pith_paper_free(m->model[h]);
}

/* ranking: one for each restart. */
static pith_status rank_all(pith *p, pith_paper *x, const pith *pairs,
                            pith_ranking *out) {
  size_t n = pith_example_count(pairs);
  double *scores = calloc(n * PITH_PAPER_RESTARTS + 1, sizeof *scores);
  pith_prediction *v = calloc(n + 1, sizeof *v);
  pith_status rc = scores == NULL || v == NULL
                       ? PITH_ENOMEM
                       : pith_paper_score(x, pairs, scores);
  for (size_t l = 0; rc >= 0 && l < PITH_PAPER_RESTARTS; l++) {
    for (size_t i = 0; i < n; i++)
      v[i] = (pith_prediction){fmin(scores[l * n + i], 1),
                               pith_example_at(pairs, i)->positive};
    rc = pith_ranking_of(p, v, n, &out[l]);
  }
  free(scores);
  free(v);
  return rc;
}

pith_status paper_rank(pith *p, const paper_models *m, const pith *pairs,
                       pith_ranking out[PITH_PAPER_RESTARTS]) {
  pith_status rc = PITH_OK;
  for (uint32_t h = 0; rc >= 0 && h < HIDINGS; h++) {
    pith_ranking f[PITH_PAPER_RESTARTS];
    rc = rank_all(p, m->model[h], pairs, f);
    for (int l = 0; rc >= 0 && l < PITH_PAPER_RESTARTS; l++)
      if (m->best[l] == h)
        out[l] = f[l];
  }
  return rc;
}

/* Better in order, or as good and nearer to the truth. */
static bool is_better(const pith_ranking *a, double precision, double brier) {
  return a->average_precision > precision ||
         (a->average_precision == precision && a->brier < brier);
}

pith_status paper_train(pith *p, pith_pred target,
                        const pith_paper_options *opt, paper_models *out) {
  pith_status rc = PITH_OK;
  double brier[PITH_PAPER_RESTARTS];
  *out = (paper_models){.model = {NULL}};
  for (uint32_t h = 0; rc == PITH_OK && h < HIDINGS; h++) {
    pith_ranking f[PITH_PAPER_RESTARTS];
    pith_paper_options one = *opt;
    one.hiding = (pith_grade_hiding)h;
    rc = pith_paper_learn(p, target, &one, &out->model[h]);
    if (rc == PITH_OK)
      rc = rank_all(p, out->model[h], p, f);
    for (int l = 0; rc == PITH_OK && l < PITH_PAPER_RESTARTS; l++)
      if (h == 0 || is_better(&f[l], out->precision[l], brier[l])) {
        out->precision[l] = f[l].average_precision;
        brier[l] = f[l].brier;
        out->best[l] = h;
      }
  }
  return rc;
}

/* ---- pith learn ------------------------------------------------------- */

static uint32_t best_restart(const paper_models *m) {
  uint32_t best = 0;
  for (uint32_t l = 1; l < PITH_PAPER_RESTARTS; l++)
    if (m->precision[l] > m->precision[best])
      best = l;
  return best;
}

static int put_models(session *s, const paper_models *m) {
  uint32_t l = best_restart(m);
  const pith_paper *x = m->model[m->best[l]];
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < pith_paper_rules(x); i++) {
    rule_fit f = {.similarity = pith_paper_similarity(x, l, i), .weight = NAN};
    rc = pith_rule_counts(s->p, pith_paper_rule(x, l, i), &f.counts);
    if (rc >= 0)
      rc = put_rule_fit(s, pith_paper_rule(x, l, i), &f);
  }
  if (rc < 0)
    return session_fail(s, rc);
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", m->precision[l] == 1);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "rules", pith_paper_rules(x));
    event_count(s->out, "restart", l);
    event_count(s->out, "restarts", PITH_PAPER_RESTARTS);
    event_real(s->out, "average_precision", m->precision[l]);
    event_end_result(s);
  } else if (session_comments(s)) {
    pith_out_print(s->out,
                   "%% restart %u of %d, with %s hidden: average precision "
                   "%.4f on the examples\n",
                   l, PITH_PAPER_RESTARTS, hidings[m->best[l]],
                   m->precision[l]);
  }
  return session_finish(s, ending_code(s, EXIT_FITS));
}

static int read_templates(session *s) {
  if (s->set.templates == NULL)
    return 0;
  pith_template_clear(s->p);
  return session_read_one(s, s->set.templates, PITH_TEMPLATES);
}

int learn_paper(session *s) {
  pith_paper_options opt;
  paper_models m = {.model = {NULL}};
  pith_pred target;
  progress_line line;
  int code = session_read(s, 0);
  if (code == 0)
    code = read_templates(s);
  if (code == 0)
    code = find_target(s, &target);
  if (code != 0)
    return code;
  paper_options(&s->set, &opt);
  s->set.seed = (uint32_t)opt.run.seed;
  /* of no use here */
  settings_forget(&s->set, "method search max-invented noise");
  code = session_start(s);
  if (code != 0)
    return code;
  double began = seconds_now();
  progress_begin(&line, &s->set);
  pith_status rc = paper_train(s->p, target, &opt, &m);
  progress_end(&line, &s->set);
  s->did = "learned";
  s->info.seconds = seconds_now() - began;
  s->end = rc == PITH_STOPPED ? END_INTERRUPTED : END_COMPLETE;
  if (rc < 0) {
    code = session_fail(s, rc);
  } else if (rc == PITH_STOPPED) {
    say_error("it ended before anything was learned");
    code = EXIT_INTERRUPTED;
  } else {
    code = put_models(s, &m);
  }
  paper_free(&m);
  return code;
}
