/* pith score: how well a theory fits the examples of a task. */
#include <math.h>
#include <string.h>

#include "session.h"

enum {
  NAMED = 20,    /* wrong examples named unless --all             */
  CHEAP = 100000 /* with more facts a proof of each takes too long */
};

/* ---- rules ------------------------------------------------------------ */

static void put_rule_event(const session *s, const pith_rule *r,
                           const char *text, const pith_counts *c) {
  event_begin(s->out, "rule");
  event_text(s->out, "text", text);
  event_count(s->out, "support", c->support);
  event_count(s->out, "predictions", c->predictions);
  event_real(s->out, "confidence", c->confidence);
  event_real(s->out, "pca_confidence", c->pca_confidence);
  event_real(s->out, "head_coverage", c->head_coverage);
  event_text(s->out, "file",
             r->file == PITH_NONE ? NULL : pith_sym_text(s->p, r->file));
  event_count(s->out, "line", r->line);
  event_end(s->out);
}

/* No observation to compare with: an invented predicate, say. */
static bool never_observed(const pith_counts *c) {
  return isnan(c->head_coverage);
}

static void put_rule_line(const session *s, const char *text,
                          const pith_counts *c) {
  char confidence[SIZE_ROOM], pca[SIZE_ROOM];
  pith_out_write(s->out, text, strlen(text));
  if (session_comments(s) && never_observed(c))
    pith_out_print(s->out, "  %% predicts %llu, of a kind never observed",
                   (unsigned long long)c->predictions);
  else if (session_comments(s))
    pith_out_print(s->out, "  %% support %llu of %llu, confidence %s, pca %s",
                   (unsigned long long)c->support,
                   (unsigned long long)c->predictions,
                   ratio_text(confidence, c->confidence),
                   ratio_text(pca, c->pca_confidence));
  pith_out_print(s->out, "\n");
}

static pith_status put_rule(const session *s, const pith_rule *r) {
  pith_counts counts;
  pith_out *memory = NULL;
  pith_status rc = pith_rule_counts(s->p, r, &counts);
  if (rc >= 0)
    rc = pith_out_memory(s->p, &memory);
  if (rc >= 0)
    rc = pith_rule_write(s->p, r, memory);
  const char *text = rc >= 0 ? pith_out_text(memory, NULL) : NULL;
  if (text != NULL && session_json(s))
    put_rule_event(s, r, text, &counts);
  else if (text != NULL)
    put_rule_line(s, text, &counts);
  else if (rc >= 0)
    rc = PITH_ENOMEM;
  pith_out_close(memory, false);
  return rc;
}

/* ---- wrong examples --------------------------------------------------- */

static bool is_wrong(const session *s, const pith_example *e) {
  return pith_fact_holds(s->p, e->atom.pred, e->atom.args, e->atom.arity) !=
         e->positive;
}

static pith_status put_why(const session *s, const pith_example *e,
                           pith_out *to) {
  pith_proof *proof = NULL;
  pith_status rc = pith_explain(s->p, &e->atom, &proof);
  if (rc >= 0)
    rc = pith_proof_write(s->p, proof, PITH_LINE, to);
  pith_proof_free(proof);
  return rc;
}

static pith_status put_wrong(const session *s, const pith_example *e,
                             bool explained) {
  pith_out *atom = NULL, *why = NULL;
  pith_status rc = pith_out_memory(s->p, &atom);
  if (rc >= 0)
    rc = pith_out_memory(s->p, &why);
  if (rc >= 0)
    rc = pith_atom_write(s->p, &e->atom, atom);
  if (rc >= 0 && explained)
    rc = put_why(s, e, why);
  if (rc >= 0 && session_json(s)) {
    event_begin(s->out, "example");
    event_text(s->out, "text", pith_out_text(atom, NULL));
    event_flag(s->out, "positive", e->positive);
    event_flag(s->out, "holds", !e->positive);
    event_real(s->out, "weight", e->weight);
    event_text(s->out, "why", explained ? pith_out_text(why, NULL) : NULL);
    event_end(s->out);
  } else if (rc >= 0) {
    pith_out_print(s->out, "%% %s %s%s%s\n",
                   e->positive ? "fn, does not follow:" : "fp, follows:",
                   pith_out_text(atom, NULL), explained ? ": " : "",
                   pith_out_text(why, NULL));
  }
  pith_out_close(why, false);
  pith_out_close(atom, false);
  return rc;
}

static int put_wrongs(const session *s, uint64_t wrong) {
  bool all = s->set.all || session_json(s);
  /* To explain is to infer to the end, which would change what holds. */
  bool cheap =
      s->end == END_COMPLETE && s->info.given + s->info.derived <= CHEAP;
  uint64_t named = 0;
  for (size_t i = 0; i < pith_example_count(s->p); i++) {
    const pith_example *e = pith_example_at(s->p, i);
    if (!is_wrong(s, e))
      continue;
    if (!all && named == NAMED)
      break;
    pith_status rc = put_wrong(s, e, cheap && (s->set.all || named < NAMED));
    if (rc < 0)
      return session_fail(s, rc);
    named++;
  }
  if (wrong > named)
    pith_out_print(s->out, "%% and %llu more; --all names them\n",
                   (unsigned long long)(wrong - named));
  return 0;
}

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

static void put_end(const session *s, const pith_scores *f) {
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
  if (wrong == 0)
    pith_out_print(s->out, "%% all right: every one of %llu examples fits\n",
                   (unsigned long long)all);
  else
    pith_out_print(s->out, "%% not right: %llu of %llu examples %s not fit\n",
                   (unsigned long long)wrong, (unsigned long long)all,
                   plural(wrong, "does", "do"));
  if (s->end != END_COMPLETE)
    pith_out_print(s->out, "%% %s\n", ending_text(s->end));
}

static int put_result(session *s) {
  pith_scores f;
  pith_status rc = pith_score(s->p, &f);
  for (size_t i = 0; rc >= 0 && i < pith_rule_count(s->p); i++)
    rc = put_rule(s, pith_rule_at(s->p, i));
  if (rc < 0)
    return session_fail(s, rc);
  uint64_t wrong = f.fp + f.fn;
  int code = put_wrongs(s, wrong);
  if (code != 0)
    return code;
  if (session_json(s))
    put_score_event(s, &f);
  else
    put_score(s, &f);
  put_end(s, &f);
  return session_finish(s, ending_code(s, wrong > 0 ? EXIT_MISFIT : EXIT_FITS));
}

static int run(session *s) {
  int code = session_read(s, 0);
  if (code == 0 && pith_example_count(s->p) == 0) {
    say_error("there are no examples to score; write pos(..) and neg(..), or "
              "name a folder with exs.pl");
    return EXIT_INPUT;
  }
  if (code == 0)
    code = session_start(s);
  if (code == 0)
    code = session_infer(s);
  return code == 0 ? put_result(s) : code;
}

const command command_score = {
    .name = "score",
    .operands = "THEORY TASK...",
    .least = 1,
    .formats = "prolog json",
    .summary = "How well a theory fits the examples",
    .about =
        "Reads everything named, infers, and compares what follows with the "
        "examples: a positive one should follow, a negative one should not. "
        "Prints tp, fp, tn, fn, accuracy, precision, recall and F1, names the "
        "examples that go wrong and says why, and exits with 1 when there is "
        "one.\n\n"
        "For each rule it prints the support (predictions that were observed), "
        "the confidence (support by predictions) and the pca confidence, which "
        "leaves out predictions about subjects of which nothing was observed.",
    .examples = "pith score rules.pl data/ilp/grandparent/test\n"
                "pith score --all --format json rules.pl task",
    .run = run,
};
