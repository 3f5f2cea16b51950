/* pith score: how well a theory fits the examples of a task. */
#include <math.h>

#include "deadline.h"
#include "find_inputs.h"
#include "model_commands.h"
#include "model_session.h"
#include "print_fit.h"
#include "report_events.h"

/* ---- figures ---------------------------------------------------------- */

static void put_score_event(const session *s, const pith_scores *f) {
  event_begin(s->out, "score");
  event_count(s->out, "tp", f->tp);
  event_count(s->out, "fp", f->fp);
  event_count(s->out, "tn", f->tn);
  event_count(s->out, "fn", f->fn);
  event_real(s->out, "accuracy", f->accuracy);
  event_real(s->out, "precision", f->precision);
  event_real(s->out, "recall", f->recall);
  event_real(s->out, "f1", f->f1);
  event_end(s->out);
}

static void put_score(const session *s, const pith_scores *f) {
  char a[SIZE_ROOM], p[SIZE_ROOM], r[SIZE_ROOM], f1[SIZE_ROOM];
  pith_out_print(s->out, "%% tp %llu, fp %llu, tn %llu, fn %llu\n",
                 (unsigned long long)f->tp, (unsigned long long)f->fp,
                 (unsigned long long)f->tn, (unsigned long long)f->fn);
  pith_out_print(s->out, "%% accuracy %s, precision %s, recall %s, F1 %s\n",
                 ratio_text(a, f->accuracy), ratio_text(p, f->precision),
                 ratio_text(r, f->recall), ratio_text(f1, f->f1));
}

static void put_score_end(const session *s, const pith_scores *f) {
  uint64_t wrong = f->fp + f->fn, all = wrong + f->tp + f->tn;
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", wrong == 0);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "errors", wrong);
    event_count(s->out, "rules", pith_rule_count(s->p));
    event_count(s->out, "rounds", s->info.steps);
    event_end_result(s);
    return;
  }
  if (wrong == 0 && all == 1)
    pith_out_print(s->out, "%% all right: the one example fits\n");
  else if (wrong == 0)
    pith_out_print(s->out, "%% all right: all %llu examples fit\n",
                   (unsigned long long)all);
  else
    pith_out_print(s->out, "%% not right: %llu of %llu examples %s not fit\n",
                   (unsigned long long)wrong, (unsigned long long)all,
                   plural(wrong, "does", "do"));
  if (s->end != END_COMPLETE)
    pith_out_print(s->out, "%% %s\n", ending_text(s->end));
}

static pith_status put_rule(const session *s, const pith_rule *r) {
  rule_fit f = {.similarity = NAN, .weight = NAN};
  pith_status rc = pith_rule_labelled(s->p, r, &f.counts);
  return rc < 0 ? rc : put_rule_fit(s, r, &f);
}

static pith_status put_fit(session *s, const pith_scores *f) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < pith_rule_count(s->p); i++)
    rc = put_rule(s, pith_rule_at(s->p, i));
  uint64_t wrong = f->fp + f->fn;
  uint64_t named;
  if (rc >= 0)
    rc = put_wrong_examples(s, s->set.all || session_json(s), &named);
  if (rc < 0)
    return rc;
  if (wrong > named)
    pith_out_print(s->out, "%% and %llu more; --all names them\n",
                   (unsigned long long)(wrong - named));
  if (session_json(s))
    put_score_event(s, f);
  else
    put_score(s, f);
  put_score_end(s, f);
  return PITH_OK;
}

static int put_result(session *s) {
  pith_scores f;
  deadline_while("scoring");
  pith_status rc = pith_score(s->p, &f);
  if (rc >= 0)
    rc = put_fit(s, &f);
  if (rc >= 0 && report_turn(s)) {
    rc = report_examples(s, 0);
    if (rc >= 0)
      rc = put_fit(s, &f);
    report_turn(s);
  }
  if (rc < 0)
    return session_fail(s, rc);
  uint64_t wrong = f.fp + f.fn;
  return session_finish(s, ending_code(s, wrong > 0 ? EXIT_MISFIT : EXIT_FITS));
}

/* There are no examples, and no model to rank facts by: what was meant? */
static int refuse_nothing_to_score(const session *s) {
  for (size_t i = 0; i < s->operand_count; i++) {
    if (has_file(s->operands[i], "exs.pl")) {
      say_error(
          "%s/exs.pl: there are no examples in it to score; write pos(..) "
          "and neg(..)",
          s->operands[i]);
      return EXIT_INPUT;
    }
    if (is_graph_folder(s->operands[i])) {
      say_error(
          "%s: it is a graph, and no rule named has a probability to rank "
          "its facts by; pith learn %s -o model.pl makes such rules",
          s->operands[i], s->operands[i]);
      return EXIT_INPUT;
    }
  }
  say_error("there are no examples to score; write pos(..) and neg(..), or "
            "name a folder with exs.pl");
  return EXIT_INPUT;
}

static int run(session *s) {
  int code = session_share(s);
  if (code == 0)
    code = session_read(s, 0);
  if (code == 0 && is_model(s->p))
    return model_score(s);
  if (code == 0 && pith_example_count(s->p) == 0)
    return refuse_nothing_to_score(s);
  if (code == 0)
    code = session_start(s);
  s->for_examples = true;
  if (code == 0)
    code = session_infer(s);
  return code == 0 ? put_result(s) : code;
}

const command command_score = {
    .name = "score",
    .operands = "THEORY TASK...",
    .least = 1,
    .formats = "prolog json rules",
    .summary = "How well a theory fits the examples",
    .about =
        "Infers what follows from the theory and the task, and compares it "
        "with the examples: positive ones should follow, negative ones should "
        "not. Prints tp, fp, tn, fn, accuracy, precision, recall and F1, and "
        "the counts of each rule; names the examples that go wrong, with the "
        "reason, and exits with 1 if there are any.",
    .details =
        "pith help rules explains support, confidence and pca.\n\n"
        "A model that learn --target made with examples gives each example a "
        "probability instead. Then score prints the average precision (equal "
        "probabilities taken together), the Brier score, the calibration "
        "error, and a table of predicted against observed; with --all, each "
        "example's probability.\n\n"
        "If the theory is a model that learn made from a graph, and the task a "
        "folder with train.tsv and test.tsv, score ranks the facts of "
        "test.tsv: mean reciprocal rank and Hits@1, 3 and 10, filtered, and "
        "how far the probabilities hold: over questions drawn from all "
        "entities, also from those that miss no answer, what was said against "
        "what is true, in bins of equal width and of equal count.",
    .examples = "pith score rules.pl data/ilp/grandparent/test\n"
                "pith score --all --format json rules.pl task\n"
                "pith score model.pl folder\n"
                "pith score model.pl data/countries/S2.tsv "
                "data/countries/test.pl",
    .run = run,
};
