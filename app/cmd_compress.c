/* pith compress: rules and core facts from observations. */
#include <math.h>
#include <string.h>

#include "certificate.h"
#include "deadline.h"
#include "keep_results.h"
#include "memory_budget.h"
#include "progress.h"
#include "report_events.h"
#include "run_log.h"
#include "session.h"

typedef struct {
  session *s;
  pith_compress_options opt;
  pith_variant variant; /* that opt refers to */
  pith_compressed *found;
  session test; /* its handle has the facts of --test */
  progress_line line;
  const char *phase; /* last reported as an event */
  run_log *log;      /* for the report; or NULL */
} compressing;

/* ---- settings --------------------------------------------------------- */

static void take_settings(compressing *c) {
  const settings *set = &c->s->set;
  pith_compress_options *o = &c->opt;
  pith_compress_defaults(o);
  o->run.seed = set->seed > 0 ? set->seed : o->run.seed;
  o->max_body = set->max_body > 0 ? set->max_body : o->max_body;
  o->max_rules = set->max_rules;
  o->open = set->open;
  o->noise = setting_noise(set->noise);
  o->hold_out = set->hold_out;
  if (setting_given(set, "max-invented"))
    o->max_invented = set->max_invented;
  o->types = text_is(set->types, "on");
  o->method = setting_method(set->method);
  o->semantics = take_semantics(set, &c->variant, &o->epochs);
  o->variant = &c->variant;
  o->restarts = set->restarts > 0 ? set->restarts : o->restarts;
  o->epochs = set->epochs;
  o->steps = set->steps;
  o->rate = set->rate;
  o->lambda = set->lambda;
  double left = deadline_left();
  double for_result =
      1e-6 * (double)pith_fact_count(c->s->p, PITH_NONE, PITH_ALL);
  o->run.seconds = left - (for_result < left / 4 ? for_result : left / 4);
}

/* ---- the result ------------------------------------------------------- */

static pith_status rule_text(const session *s, const pith_rule *r,
                             pith_out **memory) {
  pith_status rc = pith_out_memory(s->p, memory);
  return rc < 0 ? rc : pith_rule_write(s->p, r, *memory);
}

/* How many restarts of the gradient agree. */
static void put_share(const session *s, double share) {
  if (session_comments(s) && !isnan(share))
    pith_out_print(s->out, ", %.0f %% of restarts", 100 * share);
}

static pith_status put_rule(const compressing *c, size_t i) {
  const session *s = c->s;
  const pith_rule *r = pith_compressed_rule(c->found, i);
  const pith_counts *n = pith_compressed_counts(c->found, i);
  double share = pith_compressed_rule_share(c->found, i);
  pith_out *memory = NULL;
  pith_status rc = rule_text(s, r, &memory);
  const char *text = rc >= 0 ? pith_out_text(memory, NULL) : NULL;
  if (text != NULL && session_json(s)) {
    event_begin(s->out, "rule");
    event_text(s->out, "text", text);
    event_rule(s->out, s->p, r);
    event_words(s, text);
    event_count(s->out, "support", n->support);
    event_count(s->out, "predictions", n->predictions);
    event_real(s->out, "confidence", n->confidence);
    event_real(s->out, "agreement", share);
    event_end(s->out);
  } else if (text != NULL) {
    pith_out_write(s->out, text, strlen(text));
    if (session_figures(s))
      pith_out_print(s->out, "  %% support %llu of %llu",
                     (unsigned long long)n->support,
                     (unsigned long long)n->predictions);
    put_share(s, share);
    pith_out_print(s->out, "\n");
  } else if (rc >= 0) {
    rc = PITH_ENOMEM;
  }
  pith_out_close(memory, false);
  return rc;
}

static pith_status put_core(const compressing *c, size_t i) {
  const session *s = c->s;
  double value, share = pith_compressed_core_share(c->found, i);
  pith_atom fact;
  pith_compressed_fact(c->found, PITH_CORE, i, &fact, &value);
  pith_status rc = PITH_OK;
  if (session_json(s)) {
    pith_out *memory = NULL;
    rc = pith_out_memory(s->p, &memory);
    if (rc >= 0)
      rc = pith_atom_write(s->p, &fact, memory);
    if (rc >= 0) {
      event_begin(s->out, "core");
      event_text(s->out, "text", pith_out_text(memory, NULL));
      event_atom(s->out, s->p, &fact);
      event_real(s->out, "value", value);
      event_real(s->out, "agreement", share);
      event_end(s->out);
    }
    pith_out_close(memory, false);
    return rc;
  }
  rc = pith_atom_write(s->p, &fact, s->out);
  pith_out_print(s->out, ".");
  if (session_comments(s) && !isnan(share))
    pith_out_print(s->out, "  %% learned value %.3g", value);
  put_share(s, share);
  pith_out_print(s->out, "\n");
  return rc;
}

/* ---- concepts --------------------------------------------------------- */

/* What an invented predicate holds of, all that is derived included: in a
** handle of its own, where the theory was expanded. */
typedef struct {
  const compressing *c;
  pith *whole;
  uint64_t n, named;
  pith_pred pred;
} extension;

static int put_member(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  enum { NAMED_MEMBERS = 100 };
  extension *e = ctx;
  const session *s = e->c->s;
  if (e->named == NAMED_MEMBERS && !s->set.all && !session_json(s))
    return 1;
  pith_atom a = {.pred = pred, .arity = (uint32_t)n, .args = args};
  if (session_json(s)) {
    pith_out *memory = NULL;
    pith_status rc = pith_out_memory(e->whole, &memory);
    if (rc >= 0)
      rc = pith_atom_write(e->whole, &a, memory);
    if (rc >= 0) {
      pith_out_print(s->out, e->named == 0 ? "" : ",");
      pith_out_quote(s->out, pith_out_text(memory, NULL));
    }
    pith_out_close(memory, false);
  } else {
    pith_out_print(s->out, e->named == 0 ? "%%   " : " ");
    pith_atom_write(e->whole, &a, s->out);
  }
  e->named++;
  return 0;
}

static void put_concept(extension *e, const char *about) {
  const session *s = e->c->s;
  const char *name = pith_pred_name(e->whole, e->pred);
  size_t arity = pith_pred_arity(e->whole, e->pred);
  e->n = pith_fact_count(e->whole, e->pred, PITH_ALL);
  e->named = 0;
  if (session_json(s)) {
    event_begin(s->out, "invented");
    pith_out_print(s->out, ",\"text\":\"%s/%zu\"", name, arity);
    event_text(s->out, "about", about);
    event_count(s->out, "facts", e->n);
    event_key(s->out, "extension");
    pith_out_print(s->out, "[");
    pith_fact_each(e->whole, e->pred, PITH_ALL, put_member, e);
    pith_out_print(s->out, "]");
    event_end(s->out);
    return;
  }
  pith_out_print(s->out, "%% invented: ");
  put_safe(s->out, name);
  pith_out_print(s->out, "/%zu, ", arity);
  put_number(s->out, e->n, "fact", "facts");
  pith_out_print(s->out, *about != '\0' ? ": " : "");
  put_safe(s->out, about);
  pith_out_print(s->out, "\n");
  pith_fact_each(e->whole, e->pred, PITH_ALL, put_member, e);
  pith_out_print(s->out, e->named < e->n ? " ...\n" : "\n");
}

static pith_status put_concepts(const compressing *c) {
  const pith_compress_info *info = pith_compressed_info(c->found);
  const session *s = c->s;
  extension e = {.c = c};
  if (info->invented == 0 || (!session_json(s) && !session_comments(s)))
    return PITH_OK;
  pith_status rc = command_handle(&e.whole);
  if (rc >= 0)
    rc = pith_compressed_adopt(c->found, e.whole);
  if (rc >= 0)
    rc = pith_infer(e.whole, NULL, NULL);
  for (uint32_t i = 0; rc >= 0 && i < info->invented; i++) {
    const char *about;
    pith_pred pred = pith_compressed_invented(c->found, i, &about);
    e.pred = pith_pred_find(e.whole, pith_pred_name(s->p, pred),
                            pith_pred_arity(s->p, pred));
    put_concept(&e, about);
  }
  pith_free(e.whole);
  return rc;
}

/* ---- facts not seen --------------------------------------------------- */

typedef struct {
  const pith *from;
  pith *whole;
  pith_sym *args; /* (widest) */
  uint64_t facts, right, negatives, wrong;
} testing;

static bool fact_follows(testing *t, pith_pred pred, const pith_sym *args,
                         size_t n) {
  pith_pred there = pith_pred_find(t->whole, pith_pred_name(t->from, pred), n);
  for (size_t i = 0; i < n; i++) {
    const char *text = pith_sym_text(t->from, args[i]);
    t->args[i] = pith_sym_find(t->whole, text, strlen(text),
                               pith_sym_kind_of(t->from, args[i]));
    if (t->args[i] == PITH_NONE)
      return false;
  }
  return there != PITH_NONE && pith_fact_holds(t->whole, there, t->args, n);
}

static int test_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  testing *t = ctx;
  t->facts++;
  t->right += fact_follows(t, pred, args, n);
  return 0;
}

static void test_example(testing *t, const pith_example *e) {
  bool holds = fact_follows(t, e->atom.pred, e->atom.args, e->atom.arity);
  t->facts += e->positive;
  t->negatives += !e->positive;
  t->right += e->positive && holds;
  t->wrong += !e->positive && holds;
}

static void put_test(const session *s, const testing *t) {
  if (session_json(s)) {
    event_begin(s->out, "test");
    event_count(s->out, "facts", t->facts);
    event_count(s->out, "right", t->right);
    event_count(s->out, "negatives", t->negatives);
    event_count(s->out, "wrong", t->wrong);
    event_end(s->out);
  } else if (session_comments(s)) {
    pith_out_print(s->out, "%% of %llu facts in ",
                   (unsigned long long)t->facts);
    put_safe(s->out, s->set.test);
    pith_out_print(s->out, " %llu follow", (unsigned long long)t->right);
    if (t->facts > 0)
      pith_out_print(s->out, " (%.1f %%)",
                     100 * (double)t->right / (double)t->facts);
    if (t->negatives > 0)
      pith_out_print(s->out, ", of %llu negative ones %llu",
                     (unsigned long long)t->negatives,
                     (unsigned long long)t->wrong);
    pith_out_print(s->out, "\n");
  }
}

static pith_status run_test(const compressing *c, testing *t) {
  size_t widest = 0;
  for (pith_pred p = 0; p < pith_pred_count(t->from); p++)
    widest = pith_pred_arity(t->from, p) > widest ? pith_pred_arity(t->from, p)
                                                  : widest;
  t->args = command_zalloc(widest + 1, sizeof *t->args);
  pith_status rc = t->args == NULL ? PITH_ENOMEM : command_handle(&t->whole);
  if (rc >= 0)
    rc = pith_compressed_adopt(c->found, t->whole);
  if (rc >= 0)
    rc = pith_infer(t->whole, NULL, NULL);
  if (rc >= 0)
    rc = pith_fact_each(t->from, PITH_NONE, PITH_GIVEN, test_fact, t);
  for (size_t i = 0; rc >= 0 && i < pith_example_count(t->from); i++)
    test_example(t, pith_example_at(t->from, i));
  if (rc >= 0)
    put_test(c->s, t);
  command_free(t->args);
  pith_free(t->whole);
  return rc;
}

/* The test's facts have a handle of their own, read before anything long. */
static int read_test(compressing *c) {
  session *t = &c->test;
  *t = *c->s;
  t->p = NULL;
  int code = session_new(t);
  return code == 0 ? session_read_one(t, c->s->set.test, PITH_AUTO) : code;
}

/* ---- exceptions ------------------------------------------------------- */

enum { NAMED = 20 };

static pith_status put_exceptions(const compressing *c,
                                  pith_compressed_part part, uint64_t n) {
  const session *s = c->s;
  bool extra = part == PITH_EXTRA, all = s->set.all || session_json(s);
  pith_status rc = PITH_OK;
  uint64_t i = 0;
  for (; rc >= 0 && i < n && (all || i < NAMED); i++) {
    pith_out *memory = NULL;
    pith_atom fact;
    pith_compressed_fact(c->found, part, (size_t)i, &fact, NULL);
    rc = pith_out_memory(s->p, &memory);
    if (rc >= 0)
      rc = pith_atom_write(s->p, &fact, memory);
    if (rc >= 0 && session_json(s)) {
      event_begin(s->out, "exception");
      event_text(s->out, "text", pith_out_text(memory, NULL));
      event_atom(s->out, s->p, &fact);
      event_flag(s->out, "observed", !extra);
      event_flag(s->out, "holds", extra);
      event_end(s->out);
    } else if (rc >= 0 && session_comments(s)) {
      pith_out_print(s->out, "%% %s %s\n",
                     extra ? "follows, and was not observed:"
                           : "observed, and does not follow:",
                     pith_out_text(memory, NULL));
    }
    pith_out_close(memory, false);
  }
  if (rc >= 0 && i < n && session_comments(s))
    pith_out_print(s->out, "%% and %llu more; --all names them\n",
                   (unsigned long long)(n - i));
  return rc;
}

/* ---- the summary ------------------------------------------------------ */

static void put_lengths(pith_out *o, const pith_compress_info *i) {
  pith_out_print(o, "%% observed ");
  put_number(o, i->observed, "fact", "facts");
  pith_out_print(o, ", core ");
  put_number(o, i->core, "fact", "facts");
  pith_out_print(o, ", ");
  put_number(o, i->rules, "rule", "rules");
  pith_out_print(o, ", ratio %.3g\n",
                 i->core > 0 ? (double)i->observed / (double)i->core : NAN);
  pith_out_print(o, "%% description length %.0f bits, %.0f before\n",
                 i->bits_after, i->bits_before);
}

static void put_held_out(pith_out *o, const pith_compress_info *i) {
  if (i->held_out + i->held_out_wrong == 0)
    return;
  pith_out_print(o,
                 "%% held out %llu facts: %llu follow (%.1f %%); of the hidden "
                 "atoms that are not facts %llu follow\n",
                 (unsigned long long)i->held_out,
                 (unsigned long long)i->held_out_right,
                 100 * (double)i->held_out_right / (double)i->held_out,
                 (unsigned long long)i->held_out_wrong);
}

static void put_bound(pith_out *o, const pith_compress_info *i) {
  if (i->rules == 0)
    return;
  if (i->minimal)
    pith_out_print(o, "%% the core is minimal for these rules: proved\n");
  else if (i->bound > 0)
    pith_out_print(o, "%% no core for these rules has fewer than %llu facts\n",
                   (unsigned long long)i->bound);
}

static void put_verdict(pith_out *o, const pith_compress_info *i) {
  if (i->rules == 0 && i->complete)
    pith_out_print(o, "%% no rule makes the description shorter");
  else if (i->rules == 0)
    pith_out_print(o, "%% no rule was found in time");
  else if (i->exact && i->extra > 0)
    pith_out_print(o, "%% what was observed follows, and %llu %s not",
                   (unsigned long long)i->extra,
                   plural(i->extra, "fact that was", "facts that were"));
  else if (i->exact)
    pith_out_print(o, "%% exact: what follows is what was observed");
  else
    pith_out_print(o, "%% not exact: %llu too many, %llu missing",
                   (unsigned long long)i->extra,
                   (unsigned long long)i->missing);
  if (i->rules == 0)
    pith_out_print(o, "; the observations are printed as they are\n");
  else
    pith_out_print(o, "; found by %s\n", i->by);
}

/* What ended the search before its time; in every format, as its result then
** says nothing about what else there is. */
static void put_cut_short(const compressing *c) {
  const session *s = c->s;
  const char *by =
      s->end == END_INTERRUPTED ? "by an interrupt" : "by the time limit";
  if (pith_compressed_info(c->found)->complete || session_json(s))
    return;
  if (session_comments(s))
    pith_out_print(s->out,
                   "%% cut short %s: the description may not be the shortest\n",
                   by);
  else
    say_warning("cut short %s: the description may not be the shortest", by);
}

static void put_summary(const compressing *c) {
  const pith_compress_info *i = pith_compressed_info(c->found);
  pith_out *o = c->s->out;
  put_lengths(o, i);
  put_held_out(o, i);
  put_bound(o, i);
  put_verdict(o, i);
}

static void put_result_event(const compressing *c) {
  const pith_compress_info *i = pith_compressed_info(c->found);
  const session *s = c->s;
  event_begin(s->out, "result");
  event_flag(s->out, "solved", i->exact && i->complete);
  event_flag(s->out, "exact", i->exact);
  event_text(s->out, "ended", ending_word(s->end));
  event_text(s->out, "stage", i->by);
  event_count(s->out, "errors", i->extra + i->missing);
  event_count(s->out, "extra", i->extra);
  event_count(s->out, "missing", i->missing);
  event_count(s->out, "observed", i->observed);
  event_count(s->out, "core", i->core);
  event_count(s->out, "rules", i->rules);
  event_count(s->out, "invented", i->invented);
  if (c->opt.hold_out > 0) {
    event_count(s->out, "held_out", i->held_out);
    event_count(s->out, "held_out_right", i->held_out_right);
    event_count(s->out, "held_out_wrong", i->held_out_wrong);
  }
  event_real(s->out, "bits_before", i->bits_before);
  event_real(s->out, "bits_after", i->bits_after);
  event_count(s->out, "bound", i->bound);
  event_flag(s->out, "minimal", i->minimal);
  event_end_result(s);
}

static pith_status put_compressed(compressing *c) {
  session *s = c->s;
  const pith_compress_info *i = pith_compressed_info(c->found);
  pith_status rc = PITH_OK;
  for (uint32_t r = 0; rc >= 0 && r < i->rules; r++)
    rc = put_rule(c, r);
  for (uint64_t f = 0; rc >= 0 && f < i->core; f++)
    rc = put_core(c, (size_t)f);
  if (rc >= 0)
    rc = put_concepts(c);
  if (rc >= 0)
    rc = put_exceptions(c, PITH_EXTRA, i->extra);
  if (rc >= 0)
    rc = put_exceptions(c, PITH_MISSING, i->missing);
  if (rc >= 0 && s->set.test != NULL) {
    testing t = {.from = c->test.p};
    rc = run_test(c, &t);
  }
  if (rc >= 0 && s->set.certify != NULL && !s->reporting)
    rc = put_certificate(s, c->found);
  if (rc < 0)
    return rc;
  if (session_json(s))
    put_result_event(c);
  else if (session_comments(s))
    put_summary(c);
  put_cut_short(c);
  return PITH_OK;
}

/* Where each restart of the gradient ended. */
static void put_restarts(const compressing *c) {
  for (size_t i = 0; i < pith_compressed_restarts(c->found); i++) {
    const pith_restart_info *r = pith_compressed_restart(c->found, i);
    event_begin(c->s->out, "restart");
    event_count(c->s->out, "number", i + 1);
    event_count(c->s->out, "epoch", r->epoch);
    event_real(c->s->out, "loss", r->loss);
    event_count(c->s->out, "core", r->repaired.core);
    event_count(c->s->out, "extra", r->repaired.wrong);
    event_count(c->s->out, "missing", r->repaired.missing);
    event_end(c->s->out);
  }
}

/* The theory once more for the report, and proofs of what follows. */
static pith_status report_compressed(compressing *c) {
  pith *whole = NULL;
  if (!report_turn(c->s))
    return PITH_OK;
  run_log_put(c->log, c->s->out);
  put_restarts(c);
  pith_status rc = command_handle(&whole);
  if (rc >= 0)
    rc = pith_compressed_adopt(c->found, whole);
  if (rc >= 0)
    rc = report_derived(c->s, whole);
  pith_free(whole);
  if (rc >= 0)
    rc = put_compressed(c);
  report_turn(c->s);
  return rc;
}

static int put_found(compressing *c) {
  session *s = c->s;
  const pith_compress_info *i = pith_compressed_info(c->found);
  pith_status rc = put_compressed(c);
  if (rc >= 0)
    rc = report_compressed(c);
  if (rc < 0)
    return session_fail(s, rc);
  int code = i->exact && i->complete ? EXIT_FITS : EXIT_MISFIT;
  return session_finish(s, s->end == END_INTERRUPTED ? EXIT_INTERRUPTED : code);
}

/* ---- running ---------------------------------------------------------- */

/* One event per phase. */
static void put_progress(compressing *c, const pith_progress *now) {
  const session *s = c->s;
  if (now->phase == c->phase)
    return;
  c->phase = now->phase;
  event_begin(s->out, "progress");
  event_text(s->out, "phase", now->phase);
  event_count(s->out, "rules", now->rules);
  event_count(s->out, "core", now->core);
  event_real(s->out, "bits", now->bits);
  event_real(s->out, "seconds", now->seconds);
  event_end(s->out);
  pith_out_flush(s->out);
}

static void show_progress(void *ctx, const pith_progress *now) {
  compressing *c = ctx;
  run_log_note(c->log, now);
  if (text_is(c->s->set.progress, "json"))
    put_progress(c, now);
  else if (c->line.wanted && progress_due(&c->line))
    progress_say(&c->line, "best so far %u %s and %llu %s; %s", now->rules,
                 plural(now->rules, "rule", "rules"),
                 (unsigned long long)now->core,
                 plural(now->core, "core fact", "core facts"), now->phase);
}

static int run_compressor(compressing *c) {
  session *s = c->s;
  progress_begin(&c->line, &s->set);
  c->opt.run.stop = interrupt_requested;
  c->opt.run.progress = show_progress;
  c->opt.run.progress_ctx = c;
  double began = seconds_now();
  int kept = keep_results(s, 0);
  if (kept != 0)
    return kept;
  pith_status rc = pith_compress(s->p, &c->opt, &c->found);
  keep_results_end(s);
  progress_end(&c->line, &s->set);
  if (rc < 0)
    return session_fail(s, rc);
  s->did = "compressed";
  s->info.seconds = seconds_now() - began;
  s->end = rc != PITH_STOPPED ? END_COMPLETE
           : interrupted()    ? END_INTERRUPTED
                              : END_TIME;
  return 0;
}

static int read_templates(session *s) {
  if (s->set.templates == NULL)
    return 0;
  pith_template_clear(s->p);
  if (text_is(s->set.templates, "none"))
    return 0;
  return session_read_one(s, s->set.templates, PITH_TEMPLATES);
}

static int run(session *s) {
  compressing c = {.s = s};
  int code = check_paper(&s->set);
  if (code == 0)
    code = session_share(s);
  if (code == 0)
    code = session_read(s, 0);
  if (code == 0)
    code = read_templates(s);
  if (code == 0 && pith_template_count(s->p) == 0)
    code = settings_refuse(&s->set, "checkpoint",
                           "without templates, as nothing is trained");
  if (code == 0) {
    take_settings(&c);
    code = s->set.test != NULL ? read_test(&c) : 0;
    if (code == 0)
      code = session_start(s);
  }
  c.log = run_log_new(s->set.report);
  if (code == 0)
    code = run_compressor(&c);
  if (code == 0)
    code = put_found(&c);
  pith_compressed_free(c.found);
  run_log_free(c.log);
  pith_free(c.test.p);
  return code;
}

const command command_compress = {
    .name = "compress",
    .operands = "FACTS...",
    .least = 1,
    .formats = "prolog json rules",
    .summary = "Rules and core facts from observations",
    .about =
        "Finds rules and a small set of core facts from which exactly the "
        "observations follow: those with the shortest description. The output "
        "is a program that pith infer --all expands to the observations. Exits "
        "with 0 if the search ended by itself and what follows is exactly what "
        "was observed.",
    .details =
        "Without templates, compress tries bodies of up to --max-body atoms. "
        "With --templates, or templates in the folder, rules have the shapes "
        "given there, and cost nothing.\n\n"
        "With --timeout or on Ctrl-C it prints the best theory so far and that "
        "it was cut short, and exits with 1 or 130. The same seed gives the "
        "same bytes.",
    .examples = "pith compress facts.pl\n"
                "pith compress --max-body 3 family.pl\n"
                "pith compress --templates templates.txt facts.pl",
    .run = run,
};
