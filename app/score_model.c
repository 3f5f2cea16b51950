/* pith score of a graph model. */

#include "deadline.h"
#include "keep_results.h"
#include "memory_budget.h"
#include "model_commands.h"
#include "model_session.h"
#include "report_events.h"

/* ---- scores of held-out facts ----------------------------------------- */

static void end_ranks_event(pith_out *o, const char *name,
                            const pith_ranks *r) {
  event_text(o, "asked", name);
  event_count(o, "questions", r->questions);
  event_real(o, "mrr", r->mrr);
  event_real(o, "hits1", r->hits1);
  event_real(o, "hits3", r->hits3);
  event_real(o, "hits10", r->hits10);
  event_real(o, "mean_rank", r->mean_rank);
  event_end(o);
}

static void put_relation_ranks(const session *s, pith_pred relation,
                               const char *name, const pith_ranks *r) {
  if (r->questions == 0)
    return;
  event_begin(s->out, "relation_ranks");
  event_text(s->out, "relation", pith_pred_name(s->p, relation));
  end_ranks_event(s->out, name, r);
}

static void put_ranks(const session *s, const char *name, const pith_ranks *r) {
  if (session_json(s)) {
    event_begin(s->out, "ranks");
    end_ranks_event(s->out, name, r);
    return;
  }
  pith_out_print(s->out, "%% %-8s %9llu  %.4f  %.4f  %.4f  %.4f  %9.1f\n", name,
                 (unsigned long long)r->questions, r->mrr, r->hits1, r->hits3,
                 r->hits10, r->mean_rank);
}

static void put_bin_events(const session *s, const char *key,
                           const pith_reliability_bin *bins) {
  event_key(s->out, key);
  for (size_t i = 0; i < PITH_BINS; i++) {
    pith_out_print(s->out, i == 0 ? "[{" : ",{");
    pith_out_print(s->out, "\"share\":%.6g", bins[i].share);
    event_real(s->out, "predicted", bins[i].predicted);
    event_real(s->out, "observed", bins[i].observed);
    event_real(s->out, "low", bins[i].low);
    event_real(s->out, "high", bins[i].high);
    pith_out_print(s->out, "}");
  }
  pith_out_print(s->out, "]");
}

static void put_reliability_event(const session *s, const pith_reliability *c) {
  pith_out *o = s->out;
  event_begin(o, "calibration");
  event_count(o, "questions", c->questions);
  event_count(o, "predictions", c->answers);
  event_count(o, "positive", c->positive);
  event_real(o, "calibration_error", c->calibration_error);
  event_real(o, "equal_count_error", c->equal_count_error);
  event_real(o, "first_error", c->first_error);
  event_real(o, "asked_error", c->asked_error);
  event_real(o, "brier", c->brier);
  event_real(o, "log_score", c->log_score);
  put_bin_events(s, "widths", c->widths);
  put_bin_events(s, "counts", c->counts);
  event_end(o);
}

static void put_bins(const session *s, const char *title,
                     const pith_reliability_bin *bins) {
  pith_out_print(s->out, "%% %s\n", title);
  for (int i = 0; i < PITH_BINS; i++)
    if (bins[i].share > 0)
      pith_out_print(s->out,
                     "%%   said %.4f, true %.4f (%.4f to %.4f), %5.1f %% of "
                     "them\n",
                     bins[i].predicted, bins[i].observed, bins[i].low,
                     bins[i].high, 100 * bins[i].share);
}

static void put_reliability(const session *s, const pith_reliability *c) {
  pith_out *o = s->out;
  if (session_json(s)) {
    put_reliability_event(s, c);
    return;
  }
  if (c->answers == 0)
    return;
  pith_out_print(o,
                 "%% probabilities that an answer is true, missing facts "
                 "being asked for or not: %llu questions drawn from all, %llu "
                 "answers, %llu of them true\n",
                 (unsigned long long)c->questions,
                 (unsigned long long)c->answers,
                 (unsigned long long)c->positive);
  pith_out_print(o,
                 "%% calibration error %.4f (equal counts %.4f, best answers "
                 "%.4f, questions that miss an answer %.4f), Brier %.4f, log "
                 "score %.4f\n",
                 c->calibration_error, c->equal_count_error, c->first_error,
                 c->asked_error, c->brier, c->log_score);
  put_bins(s, "bins of equal width, with 95 % bands", c->widths);
  put_bins(s, "bins of equal count", c->counts);
}

static void put_ranks_head(const session *s, const pith_model_scores *r) {
  pith_out *o = s->out;
  pith_out_print(o, "%% %llu facts asked twice; filtered; ties by mean rank",
                 (unsigned long long)r->facts);
  pith_out_print(o, "; %llu answers that no rule predicts",
                 (unsigned long long)r->unreached);
  if (r->unknown > 0)
    pith_out_print(o, "; %llu facts of relations not in the graph",
                   (unsigned long long)r->unknown);
  pith_out_print(o, "\n%% asked    questions     MRR  Hits@1  Hits@3 Hits@10"
                    "  mean rank\n");
}

static void put_scores(const session *s, const pith_model_scores *r) {
  pith_out *o = s->out;
  if (!session_json(s))
    put_ranks_head(s, r);
  put_ranks(s, "object", &r->object);
  put_ranks(s, "subject", &r->subject);
  put_ranks(s, "both", &r->all);
  for (size_t i = 0; session_json(s) && i < r->relation_count; i++) {
    const pith_relation_ranks *of = &r->relations[i];
    put_relation_ranks(s, of->relation, "object", &of->object);
    put_relation_ranks(s, of->relation, "subject", &of->subject);
  }
  put_reliability(s, &r->calibration);
  if (session_json(s)) {
    event_begin(o, "result");
    event_flag(o, "solved", true);
    event_text(o, "ended", ending_word(s->end));
    event_count(o, "facts", r->facts);
    event_count(o, "unreached", r->unreached);
    event_count(o, "unknown", r->unknown);
    event_real(o, "mrr", r->all.mrr);
    event_end_result(s);
  }
}

static int finish_scores(session *s, const pith_model_scores *r) {
  put_scores(s, r);
  if (report_turn(s)) {
    put_scores(s, r);
    report_turn(s);
  }
  return session_finish(s, EXIT_FITS);
}

static int rank_part(session *s, const session *test, const session *valid) {
  const pith *others[2] = {test->p, valid->p};
  pith_run run = {.seed = 1};
  pith_model_scores r;
  pith_model *m = NULL;
  model_watcher w;
  int kept = keep_results(s, sum_facts(sum_facts(0, test->p), valid->p));
  if (kept != 0)
    return kept;
  watch_model(s, &w, &run);
  pith_status rc = pith_model_read(s->p, others, valid->p == NULL ? 1 : 2, &m);
  if (rc >= 0)
    rc = pith_model_score(m, test->p, valid->p, &run, &r);
  watch_model_end(&w, rc, "ranked");
  keep_results_end(s);
  int code = rc < 0 ? session_fail(s, rc) : finish_scores(s, &r);
  pith_model_free(m); /* the ranks by relation are its own */
  return code;
}

static int score_held_out(session *s) {
  session test = {0}, valid = {0};
  int code = read_graph_part(s, "test", &test);
  if (code == 0)
    code = read_graph_part(s, "valid", &valid);
  if (code == 0 && test.p == NULL) {
    say_error("there are no held-out facts to rank; name a folder with "
              "train.tsv and test.tsv");
    code = EXIT_INPUT;
  }
  if (code == 0 && pith_fact_count(test.p, PITH_NONE, PITH_GIVEN) == 0) {
    say_error("test.tsv: there are no facts in it to rank; write lines of "
              "subject, predicate and object");
    code = EXIT_INPUT;
  }
  if (code == 0)
    code = session_start(s);
  if (code == 0)
    code = rank_part(s, &test, &valid);
  pith_free(test.p);
  pith_free(valid.p);
  return code;
}

/* ---- scores of examples ----------------------------------------------- */

static void put_ranking(const session *s, const pith_ranking *f) {
  char a[SIZE_ROOM], b[SIZE_ROOM];
  pith_out_print(s->out,
                 "%% %llu examples, %llu of them positive; %llu different "
                 "probabilities\n",
                 (unsigned long long)f->count, (unsigned long long)f->positive,
                 (unsigned long long)f->scores);
  pith_out_print(s->out,
                 "%% average precision %.4f (equal ones taken together), Brier "
                 "score %.4f, calibration error %.4f\n",
                 f->average_precision, f->brier, f->calibration_error);
  pith_out_print(s->out, "%% probability  examples  predicted  observed\n");
  for (size_t i = 0; i < PITH_BINS; i++)
    if (f->bins[i].count > 0)
      pith_out_print(s->out, "%%  %.1f to %.1f  %8llu  %9s  %8s\n",
                     (double)i / PITH_BINS, (double)(i + 1) / PITH_BINS,
                     (unsigned long long)f->bins[i].count,
                     ratio_text(a, f->bins[i].predicted),
                     ratio_text(b, f->bins[i].observed));
}

static void event_bins(pith_out *o, const pith_ranking *f) {
  event_key(o, "bins");
  for (size_t i = 0; i < PITH_BINS; i++) {
    pith_out_print(o, i == 0 ? "[{" : ",{");
    pith_out_print(o, "\"count\":%llu", (unsigned long long)f->bins[i].count);
    event_real(o, "predicted", f->bins[i].predicted);
    event_real(o, "observed", f->bins[i].observed);
    pith_out_print(o, "}");
  }
  pith_out_print(o, "]");
}

static void put_ranking_event(const session *s, const pith_ranking *f) {
  pith_out *o = s->out;
  event_begin(o, "ranking");
  event_count(o, "examples", f->count);
  event_count(o, "positive", f->positive);
  event_count(o, "probabilities", f->scores);
  event_real(o, "average_precision", f->average_precision);
  event_real(o, "brier", f->brier);
  event_real(o, "calibration_error", f->calibration_error);
  event_bins(o, f);
  event_end(o);
  event_begin(o, "result");
  event_flag(o, "solved", f->average_precision == 1);
  event_text(o, "ended", ending_word(s->end));
  event_end_result(s);
}

static pith_status put_prediction(const session *s, const pith_example *e,
                                  double probability) {
  pith_out *atom = NULL;
  pith_status rc = pith_out_memory(s->p, &atom);
  if (rc >= 0)
    rc = pith_atom_write(s->p, &e->atom, atom);
  if (rc >= 0 && session_json(s)) {
    event_begin(s->out, "prediction");
    event_text(s->out, "text", pith_out_text(atom, NULL));
    event_atom(s->out, s->p, &e->atom);
    event_flag(s->out, "positive", e->positive);
    event_real(s->out, "probability", probability);
    event_end(s->out);
  } else if (rc >= 0) {
    pith_out_print(s->out, "%% %.4f %s %s\n", probability,
                   e->positive ? "pos" : "neg", pith_out_text(atom, NULL));
  }
  pith_out_close(atom, false);
  return rc;
}

static pith_status grade_examples(session *s, double *probability,
                                  pith_prediction *v, pith_ranking *out) {
  size_t n = pith_example_count(s->p);
  pith_model *m = NULL;
  pith_status rc = pith_model_read(s->p, NULL, 0, &m);
  if (rc >= 0)
    rc = pith_model_grade(m, s->p, probability);
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    const pith_example *e = pith_example_at(s->p, i);
    v[i] = (pith_prediction){probability[i], e->positive};
    if (s->set.all)
      rc = put_prediction(s, e, probability[i]);
    if (rc >= 0 && report_turn(s)) {
      rc = put_prediction(s, e, probability[i]);
      report_turn(s);
    }
  }
  if (rc >= 0)
    rc = pith_ranking_of(s->p, v, n, out);
  pith_model_free(m);
  return rc;
}

static int score_examples(session *s) {
  size_t n = pith_example_count(s->p);
  double *probability = command_zalloc(n + 1, sizeof *probability);
  pith_prediction *v = command_zalloc(n + 1, sizeof *v);
  pith_ranking f;
  deadline_while("scoring");
  int code = session_start(s);
  if (code == 0) {
    pith_status rc = probability == NULL || v == NULL
                         ? PITH_ENOMEM
                         : grade_examples(s, probability, v, &f);
    code = rc < 0 ? session_fail(s, rc) : 0;
  }
  command_free(probability);
  command_free(v);
  if (code != 0)
    return code;
  if (session_json(s))
    put_ranking_event(s, &f);
  else
    put_ranking(s, &f);
  if (report_turn(s)) {
    put_ranking_event(s, &f);
    report_turn(s);
  }
  return session_finish(s, EXIT_FITS);
}

int model_score(session *s) {
  return pith_example_count(s->p) > 0 ? score_examples(s) : score_held_out(s);
}
