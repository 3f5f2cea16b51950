#include "print_fit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "report_events.h"

enum {
  NAMED = 20,    /* wrong examples named unless all are wanted     */
  CHEAP = 100000 /* with more facts a proof of each takes too long */
};

/* The probability that a rule's confidence lies in the interval shown. */
#define CREDIBLE 0.95

/* ---- rules ------------------------------------------------------------ */

static void put_rule_event(const session *s, const pith_rule *r,
                           const char *text, const rule_fit *f) {
  const pith_counts *c = &f->counts;
  event_begin(s->out, "rule");
  event_text(s->out, "text", text);
  event_rule(s->out, s->p, r);
  event_words(s, text);
  event_count(s->out, "support", c->support);
  event_count(s->out, "predictions", c->predictions);
  event_real(s->out, "confidence", c->confidence);
  if (c->predictions > 0) {
    double low, high;
    pith_interval(c->support, c->predictions, CREDIBLE, &low, &high);
    event_real(s->out, "confidence_low", low);
    event_real(s->out, "confidence_high", high);
  }
  event_real(s->out, "pca_confidence", c->pca_confidence);
  event_real(s->out, "head_coverage", c->head_coverage);
  if (!isnan(f->weight))
    event_real(s->out, "weight", f->weight);
  if (f->theories > 1) {
    event_count(s->out, "agree", f->agree);
    event_count(s->out, "theories", f->theories);
  }
  if (r->file == PITH_NONE) {
    event_real(s->out, "similarity", f->similarity);
  } else {
    event_text(s->out, "file", pith_sym_text(s->p, r->file));
    event_count(s->out, "line", r->line);
  }
  event_end(s->out);
}

/* How the rule fared, and what that says of how it will fare. */
static void put_counts(const session *s, const pith_counts *c) {
  assert(c->support <= c->predictions);
  char a[SIZE_ROOM], b[SIZE_ROOM];
  if (c->predictions == 0) {
    pith_out_print(s->out, "  %% no example follows from it directly");
    return;
  }
  pith_out_print(s->out, "  %% support %llu of %llu, confidence %s",
                 (unsigned long long)c->support,
                 (unsigned long long)c->predictions,
                 ratio_text(a, c->confidence));
  double low, high;
  pith_interval(c->support, c->predictions, CREDIBLE, &low, &high);
  pith_out_print(s->out, " (%.2f to %.2f)", low, high);
  if (!isnan(c->pca_confidence))
    pith_out_print(s->out, ", pca %s", ratio_text(b, c->pca_confidence));
}

/* learned: the rule was not read, so its head is a target or was invented. */
static void put_rule_comment(const session *s, const rule_fit *f,
                             bool learned) {
  const pith_counts *c = &f->counts;
  char room[SIZE_ROOM];
  if (c->observed == 0)
    pith_out_print(s->out, "  %% predicts %llu %s of %s",
                   (unsigned long long)c->predictions,
                   plural(c->predictions, "atom", "atoms"),
                   learned ? "an invented predicate"
                           : "a predicate without observations");
  else
    put_counts(s, c);
  if (!isnan(f->similarity))
    pith_out_print(s->out, ", similarity %s", ratio_text(room, f->similarity));
  if (!isnan(f->weight))
    pith_out_print(s->out, ", weight %.2f", f->weight);
  if (f->theories > 1)
    pith_out_print(s->out, ", in %u of %u theories", f->agree, f->theories);
}

static void put_rule_line(const session *s, const pith_rule *r,
                          const char *text, const rule_fit *f) {
  if (f->doubtful && !session_comments(s))
    return;
  if (f->doubtful)
    pith_out_print(s->out, "%%   ");
  pith_out_write(s->out, text, strlen(text));
  if (session_figures(s))
    put_rule_comment(s, f, r->file == PITH_NONE);
  pith_out_print(s->out, "\n");
}

pith_status put_rule_fit(const session *s, const pith_rule *r,
                         const rule_fit *f) {
  pith_out *memory = NULL;
  pith_status rc = pith_out_memory(s->p, &memory);
  if (rc >= 0)
    rc = pith_rule_write(s->p, r, memory);
  const char *text = rc >= 0 ? pith_out_text(memory, NULL) : NULL;
  if (text != NULL && session_json(s))
    put_rule_event(s, r, text, f);
  else if (text != NULL)
    put_rule_line(s, r, text, f);
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

static void put_wrong_event(const session *s, const pith_example *e,
                            const char *atom, const char *why) {
  event_begin(s->out, "example");
  event_text(s->out, "text", atom);
  event_atom(s->out, s->p, &e->atom);
  event_flag(s->out, "positive", e->positive);
  event_flag(s->out, "holds", !e->positive);
  event_real(s->out, "weight", e->weight);
  if (s->suspects)
    event_flag(s->out, "suspect", true);
  event_text(s->out, "why", why);
  if (s->world != NULL)
    event_text(s->out, "world", s->world);
  event_end(s->out);
}

static void put_wrong_line(const session *s, const pith_example *e,
                           const char *atom, const char *why) {
  pith_out_print(s->out, "%% %s%s %s", s->suspects ? "suspect: " : "",
                 e->positive ? "fn, does not follow:" : "fp, follows:", atom);
  if (e->weight != 1)
    pith_out_print(s->out, " (weight %g)", e->weight);
  if (why != NULL)
    pith_out_print(s->out, ": %s", why);
  pith_out_print(s->out, "\n");
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
  if (rc >= 0 && session_json(s))
    put_wrong_event(s, e, pith_out_text(atom, NULL),
                    explained ? pith_out_text(why, NULL) : NULL);
  else if (rc >= 0)
    put_wrong_line(s, e, pith_out_text(atom, NULL),
                   explained ? pith_out_text(why, NULL) : NULL);
  pith_out_close(why, false);
  pith_out_close(atom, false);
  return rc;
}

pith_status put_wrong_examples(const session *s, bool all, uint64_t *named) {
  assert(s->out != NULL);
  /* To explain is to infer to the end, which would change what holds. */
  bool cheap = s->end == END_COMPLETE && !s->partial &&
               s->info.given + s->info.derived <= CHEAP;
  pith_status rc = PITH_OK;
  *named = 0;
  for (size_t i = 0; rc >= 0 && i < pith_example_count(s->p); i++) {
    const pith_example *e = pith_example_at(s->p, i);
    if (!is_wrong(s, e))
      continue;
    if (!all && *named == NAMED)
      break;
    rc = put_wrong(s, e, cheap && (s->set.all || *named < NAMED));
    *named += 1;
  }
  return rc;
}
