#include "report_events.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory_budget.h"
#include "page.h"

enum {
  SHOWN = 2000,        /* examples                                      */
  PROVED = 300,        /* examples, or derived facts, with a proof      */
  STEPPED = 400,       /* derived facts of a world shown step by step   */
  STRONGEST = 500,     /* rules of a graph model                        */
  SMALL_WORLD = 200000 /* facts; with more a proof of each is too slow  */
};

/* ---- the events and the file -------------------------------------------- */

int report_open(session *s) {
  if (s->set.report == NULL || s->events != NULL)
    return 0;
  if (strcmp(s->set.report, "-") == 0) {
    say_error("--report writes a file beside the result: name one");
    return EXIT_USE;
  }
  int code = session_check_writable(s, s->set.report);
  if (code != 0)
    return code;
  pith_status rc = pith_out_memory(s->p, &s->events);
  return rc < 0 ? session_fail(s, rc) : 0;
}

bool report_turn(session *s) {
  static const char json[] = "json";
  if (s->events == NULL)
    return false;
  pith_out *other = s->out;
  s->out = s->events;
  s->events = other;
  s->reporting = !s->reporting;
  if (s->reporting) {
    s->result_format = s->set.format;
    s->set.format = json;
  } else {
    s->set.format = s->result_format;
  }
  return true;
}

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

static pith_status write_report(session *s) {
  size_t n;
  const char *text = pith_out_text(s->events, &n);
  pith_out *o = NULL;
  if (text == NULL)
    return PITH_ENOMEM;
  pith_status rc = pith_out_file(s->p, s->set.report, &o);
  if (rc < 0)
    return rc;
  if (ends_in(s->set.report, ".jsonl") || ends_in(s->set.report, ".json"))
    pith_out_write(o, text, n);
  else
    write_page(o, text, n);
  return pith_out_close(o, true);
}

int report_finish(session *s) {
  assert(!s->reporting);
  if (s->events == NULL)
    return 0;
  pith_status rc = write_report(s);
  pith_out_close(s->events, false);
  s->events = NULL;
  return rc < 0 ? session_fail(s, rc) : 0;
}

/* ---- plain words --------------------------------------------------------- */

/* A rule that cannot be said so goes without. */
void event_words(const session *s, const char *text) {
  pith *p = NULL;
  pith_out *o = NULL;
  if (!s->reporting || command_handle(&p) < 0)
    return;
  if (pith_read_text(p, "rule", text, strlen(text), PITH_PROLOG) >= 0 &&
      pith_out_memory(p, &o) >= 0 && pith_write(p, PITH_ENGLISH, o) >= 0) {
    size_t n;
    const char *words = pith_out_text(o, &n);
    event_key(s->out, "words");
    char *line = words == NULL ? NULL : command_copy(words, n);
    if (line != NULL)
      line[strcspn(line, "\n")] = '\0';
    pith_out_quote(s->out, line == NULL ? "" : line);
    command_free(line);
  }
  pith_out_close(o, false);
  pith_free(p);
}

/* ---- examples ------------------------------------------------------------ */

static pith_status put_proof_event(const session *s, pith *p,
                                   const pith_atom *atom) {
  pith_proof *proof = NULL;
  pith_status rc = pith_explain(p, atom, &proof);
  if (rc >= 0)
    rc = pith_proof_write(p, proof, PITH_PROOF_JSON, s->out);
  pith_proof_free(proof);
  return rc;
}

/* ---- step by step -------------------------------------------------------- */

enum { WIDE = 8 }; /* places of a fact that is copied, at most */

typedef struct {
  pith_pred pred;
  uint32_t arity;
  pith_sym args[WIDE];
} copied_fact;

typedef struct {
  copied_fact at[STEPPED];
  size_t n, most;
} copied_facts;

/* Copied first: to explain may change how facts are indexed. */
static int copy_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  copied_facts *f = ctx;
  if (n > WIDE)
    return 0;
  copied_fact *to = &f->at[f->n++];
  to->pred = pred;
  to->arity = (uint32_t)n;
  memcpy(to->args, args, n * sizeof *args);
  return f->n == f->most;
}

static pith_status put_valuation(const session *s, pith *p,
                                 const pith_atom *atom) {
  pith_proof *proof = NULL;
  pith_out *text = NULL;
  pith_status rc = pith_explain(p, atom, &proof);
  if (rc >= 0)
    rc = pith_out_memory(p, &text);
  if (rc >= 0)
    rc = pith_atom_write(p, atom, text);
  if (rc >= 0) {
    event_begin(s->out, "valuation");
    event_text(s->out, "text", pith_out_text(text, NULL));
    event_atom(s->out, p, atom);
    event_count(s->out, "step", pith_proof_steps(proof));
    if (s->world != NULL)
      event_text(s->out, "world", s->world);
    event_end(s->out);
  }
  pith_out_close(text, false);
  pith_proof_free(proof);
  return rc;
}

/* Of a small world every derived fact, with the step that gives it first. */
static pith_status put_valuations(const session *s, pith *p) {
  if (pith_fact_count(p, PITH_NONE, PITH_DERIVED) > STEPPED)
    return PITH_OK;
  copied_facts *f = command_zalloc(1, sizeof *f);
  if (f == NULL)
    return PITH_ENOMEM;
  f->most = STEPPED;
  pith_fact_each(p, PITH_NONE, PITH_DERIVED, copy_fact, f);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < f->n; i++) {
    const copied_fact *c = &f->at[i];
    pith_atom atom = {.pred = c->pred, .arity = c->arity, .args = c->args};
    rc = put_valuation(s, p, &atom);
  }
  command_free(f);
  return rc;
}

/* ---- which rules give which examples ------------------------------------- */

static pith_status put_covered_example(const session *s, size_t i,
                                       const bool *covers, size_t rules,
                                       size_t examples) {
  const pith_example *e = pith_example_at(s->p, i);
  pith_out *text = NULL;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0)
    rc = pith_atom_write(s->p, &e->atom, text);
  if (rc < 0)
    return rc;
  event_begin(s->out, "coverage");
  event_text(s->out, "text", pith_out_text(text, NULL));
  event_atom(s->out, s->p, &e->atom);
  event_flag(s->out, "positive", e->positive);
  event_flag(s->out, "holds",
             pith_fact_holds(s->p, e->atom.pred, e->atom.args, e->atom.arity));
  event_real(s->out, "weight", e->weight);
  event_key(s->out, "rules");
  const char *separator = "[";
  for (size_t r = 0; r < rules; r++)
    if (covers[r * examples + i]) {
      pith_out_print(s->out, "%s%zu", separator, r);
      separator = ",";
    }
  pith_out_print(s->out, "%s", *separator == '[' ? "[]" : "]");
  if (s->world != NULL)
    event_text(s->out, "world", s->world);
  event_end(s->out);
  return pith_out_close(text, false);
}

static bool is_wrong_example(const session *s, const pith_example *e) {
  return pith_fact_holds(s->p, e->atom.pred, e->atom.args, e->atom.arity) !=
         e->positive;
}

/* Those that go wrong first: they are asked about most. */
static pith_status put_example_proofs(const session *s) {
  size_t left = PROVED;
  pith_status rc = PITH_OK;
  for (int wrong = 1; wrong >= 0; wrong--)
    for (size_t i = 0; rc >= 0 && left > 0 && i < pith_example_count(s->p);
         i++) {
      const pith_example *e = pith_example_at(s->p, i);
      if (is_wrong_example(s, e) != (wrong == 1))
        continue;
      rc = put_proof_event(s, s->p, &e->atom);
      left--;
    }
  return rc;
}

pith_status report_examples(session *s, size_t first) {
  assert(s->reporting && first <= pith_rule_count(s->p));
  size_t rules = pith_rule_count(s->p) - first;
  size_t examples = pith_example_count(s->p);
  bool *covers = command_zalloc(rules * examples + 1, sizeof *covers);
  pith_status rc = covers == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t r = 0; rc >= 0 && r < rules; r++)
    rc = pith_rule_covers(s->p, pith_rule_at(s->p, first + r),
                          covers + r * examples);
  for (size_t i = 0; rc >= 0 && i < examples && i < SHOWN; i++)
    rc = put_covered_example(s, i, covers, rules, examples);
  command_free(covers);
  bool small = s->end == END_COMPLETE && !s->partial &&
               s->info.given + s->info.derived <= SMALL_WORLD;
  if (rc >= 0 && small)
    rc = put_example_proofs(s);
  return rc >= 0 && small ? put_valuations(s, s->p) : rc;
}

/* ---- what follows -------------------------------------------------------- */

pith_status report_derived(const session *s, pith *whole) {
  assert(s->reporting);
  copied_facts *f = command_zalloc(1, sizeof *f);
  pith_status rc = f == NULL ? PITH_ENOMEM : pith_infer(whole, NULL, NULL);
  if (rc >= 0)
    f->most = PROVED;
  if (rc >= 0 && pith_fact_count(whole, PITH_NONE, PITH_ALL) <= SMALL_WORLD)
    pith_fact_each(whole, PITH_NONE, PITH_DERIVED, copy_fact, f);
  for (size_t i = 0; rc >= 0 && i < f->n; i++) {
    const copied_fact *c = &f->at[i];
    pith_atom atom = {.pred = c->pred, .arity = c->arity, .args = c->args};
    rc = put_proof_event(s, whole, &atom);
  }
  command_free(f);
  return rc >= 0 ? put_valuations(s, whole) : rc;
}

/* ---- graph models -------------------------------------------------------- */

static int compare_down(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

static void put_relation(const session *s, pith_pred pred, uint64_t rules) {
  event_begin(s->out, "relation");
  event_text(s->out, "name", pith_pred_name(s->p, pred));
  event_count(s->out, "facts", pith_fact_count(s->p, pred, PITH_GIVEN));
  event_count(s->out, "rules", rules);
  event_end(s->out);
}

static double sure_confidence(const pith_model_rule *r) {
  return isnan(r->low) ? 0 : r->low;
}

bool strong_rule_next(strong_rules *w, const pith_model_rule *r) {
  double low = sure_confidence(r);
  if (low != w->least || w->at_least == 0)
    return low > w->least;
  w->at_least--;
  return true;
}

/* low: of all rules, the highest first. */
static strong_rules strongest_of(const double *low, size_t n) {
  size_t shown = n < STRONGEST ? n : STRONGEST;
  strong_rules w = {.least = shown == 0 ? 0 : low[shown - 1]};
  for (size_t i = shown; i > 0 && low[i - 1] == w.least; i--)
    w.at_least++;
  return w;
}

pith_status report_relations(const session *s, pith_model *m,
                             const pith_model_info *info, strong_rules *shown) {
  assert(s->reporting);
  size_t n = (size_t)info->rules, preds = pith_pred_count(s->p);
  double *low = command_zalloc(n + 1, sizeof *low);
  uint64_t *rules = command_zalloc(preds + 1, sizeof *rules);
  pith_status rc = low == NULL || rules == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    const pith_model_rule *r = pith_model_rule_at(m, i);
    if (r == NULL) {
      rc = PITH_ENOMEM;
      break;
    }
    low[i] = sure_confidence(r);
    rules[r->rule->head.pred]++;
  }
  for (pith_pred p = 0; rc >= 0 && p < preds; p++)
    if (rules[p] > 0)
      put_relation(s, p, rules[p]);
  if (rc >= 0) {
    qsort(low, n, sizeof *low, compare_down);
    *shown = strongest_of(low, n);
  }
  command_free(low);
  command_free(rules);
  return rc;
}
