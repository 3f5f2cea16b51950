/* A graph is a folder with a train file, and perhaps valid and test; or any
** facts. Rules and what they are applied to come from the first alone. */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find_inputs.h"
#include "progress.h"
#include "report_events.h"

bool is_graph(const pith *p) {
  if (pith_example_count(p) > 0 || pith_template_count(p) > 0)
    return false;
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    if (pith_pred_arity(p, i) == 2 && pith_fact_count(p, i, PITH_GIVEN) > 0)
      return true;
  return false;
}

bool is_model(const pith *p) {
  pith_pred mark = pith_pred_find(p, "pith_model", 3);
  if (mark != PITH_NONE && pith_fact_count(p, mark, PITH_GIVEN) > 0)
    return true;
  for (size_t i = 0; i < pith_rule_count(p); i++)
    if (pith_rule_at(p, i)->probability > 0)
      return true;
  return false;
}

/* ---- parts of a folder ------------------------------------------------ */

/* The session of another part of a folder, valid or test; its handle is NULL
** when there is none. */
static int read_part(const session *s, const char *part, session *out) {
  *out = *s;
  out->p = NULL;
  out->out = NULL;
  for (size_t i = 0; i < s->operand_count; i++) {
    if (!is_folder(s->operands[i]))
      continue;
    int code = session_new(out);
    if (code == 0)
      code = session_read_part(out, s->operands[i], part);
    if (code != 0 || out->p != NULL)
      return code;
  }
  return 0;
}

/* ---- progress --------------------------------------------------------- */

typedef struct {
  session *s;
  progress_line line;
  double began;
  bool json;
} model_watcher;

static void put_progress_event(pith_out *o, const pith_progress *now) {
  event_begin(o, "progress");
  event_text(o, "what", now->phase);
  event_count(o, "stage", now->stage);
  event_count(o, "stages", now->stages);
  event_count(o, "done", now->done);
  event_count(o, "count", now->count);
  event_real(o, "seconds", now->seconds);
  event_end(o);
  pith_out_flush(o);
}

static void show_model_progress(void *ctx, const pith_progress *now) {
  model_watcher *w = ctx;
  char left[SIZE_ROOM];
  if (!progress_due(&w->line))
    return;
  double share = now->count == 0 ? 0 : (double)now->done / (double)now->count;
  if (w->json) {
    put_progress_event(w->s->out, now);
  } else if (w->line.wanted) {
    double all = (double)now->stage - 1 + share;
    seconds_text(left, all <= 0 ? 0
                                : now->seconds *
                                      fmax((double)now->stages - all, 0) / all);
    progress_say(&w->line, "about %s to go; part %u of %u, %.0f %%, %s",
                 all <= 0 ? "?" : left, now->stage, now->stages, 100 * share,
                 now->phase);
  }
}

static void watch_model(session *s, model_watcher *w, pith_run *run) {
  *w = (model_watcher){
      .s = s, .began = seconds_now(), .json = text_is(s->set.progress, "json")};
  progress_begin(&w->line, &s->set);
  run->jobs = s->set.jobs;
  run->seconds = s->set.timeout;
  run->stop = interrupt_requested;
  run->progress = show_model_progress;
  run->progress_ctx = w;
}

static void watch_model_end(model_watcher *w, pith_status rc, const char *did) {
  session *s = w->s;
  progress_end(&w->line, &s->set);
  s->did = did;
  s->info.seconds = seconds_now() - w->began;
  s->end = rc != PITH_STOPPED ? END_COMPLETE
           : interrupted()    ? END_INTERRUPTED
                              : END_TIME;
}

/* ---- settings of a learner -------------------------------------------- */

static const char *const method_words[] = {[PITH_MODEL_AUTO] = "auto",
                                           [PITH_MODEL_RULES] = "rules",
                                           [PITH_MODEL_CHAINS] = "chains",
                                           [PITH_MODEL_SOFT] = "soft"};

/* Words for other learners mean auto here. */
static pith_model_method method_of(const char *word) {
  for (int m = PITH_MODEL_RULES; m <= PITH_MODEL_SOFT; m++)
    if (text_is(word, method_words[m]))
      return (pith_model_method)m;
  return PITH_MODEL_AUTO;
}

void soft_options(const settings *set, pith_variant *variant,
                  pith_model_options *opt) {
  opt->run.seed = set->seed > 0 ? set->seed : opt->run.seed;
  opt->epochs = set->epochs;
  opt->rate = set->rate;
  opt->semantics = take_semantics(set, variant, &opt->epochs);
  opt->variant = variant;
}

static int take_target(const session *s, pith_model_options *opt) {
  if (s->set.target == NULL)
    return 0;
  opt->target = pith_pred_find(s->p, s->set.target, 2);
  if (opt->target != PITH_NONE)
    return 0;
  nearest near = {.wanted = s->set.target};
  for (pith_pred q = 0; q < pith_pred_count(s->p); q++)
    if (pith_pred_arity(s->p, q) == 2 && !PITH_IS_BUILTIN(q))
      nearest_try(&near, pith_pred_name(s->p, q));
  if (near.best != NULL)
    say_error("--target: there is no %s/2; did you mean %s?", s->set.target,
              near.best);
  else
    say_error("--target: there is no %s/2 among the facts", s->set.target);
  return EXIT_INPUT;
}

static bool has_examples_of(const pith *p, pith_pred pred) {
  for (size_t i = 0; i < pith_example_count(p); i++)
    if (pith_example_at(p, i)->atom.pred == pred)
      return true;
  return false;
}

/* What will learn, and with which settings. */
static void take_model_settings(const session *s, pith_variant *variant,
                                pith_model_options *opt) {
  const settings *set = &s->set;
  opt->method = method_of(set->method);
  bool chains = opt->method == PITH_MODEL_CHAINS ||
                (opt->method == PITH_MODEL_AUTO && opt->target != PITH_NONE &&
                 has_examples_of(s->p, opt->target));
  soft_options(set, variant, opt);
  bool paper = opt->semantics != PITH_BEST;
  opt->max_body = set->max_body;
  opt->all_rules = set->all;
  if (chains) {
    opt->max_body = set->max_body < 4 ? set->max_body : 4;
    opt->max_rules = set->max_rules < 8 ? set->max_rules : 8;
  } else if (opt->method != PITH_MODEL_SOFT && !paper) {
    opt->max_body = set->max_body > 0 && set->max_body < 3 ? set->max_body : 3;
  }
}

/* ---- learning --------------------------------------------------------- */

int model_estimate(const session *s, pith_estimate *out) {
  session valid = {0};
  int code = read_part(s, "valid", &valid);
  if (code == 0) {
    pith_status rc = pith_model_cost(s->p, valid.p, NULL, out);
    code = rc < 0 ? session_fail(s, rc) : 0;
  }
  pith_free(valid.p);
  return code;
}

static void put_rule_event(const session *s, const pith_model_rule *r,
                           const char *text, bool soft) {
  event_begin(s->out, "rule");
  event_text(s->out, "text", text);
  event_rule(s->out, s->p, r->rule);
  event_words(s, text);
  if (soft) {
    event_real(s->out, "similarity", r->rule->probability);
  } else {
    event_real(s->out, "confidence", r->rule->probability);
    event_count(s->out, "support", r->support);
    event_count(s->out, "predictions", r->predictions);
    event_real(s->out, "confidence_low", r->low);
    event_real(s->out, "confidence_high", r->high);
  }
  if (!isnan(r->weight))
    event_real(s->out, "weight", r->weight);
  event_end(s->out);
}

/* The rules whose confidence is surely at least that. */
static pith_status put_rule_events(const session *s, pith_model *m,
                                   const pith_model_info *info, double least) {
  pith_status rc = PITH_OK;
  for (uint64_t i = 0; rc >= 0 && i < info->rules; i++) {
    const pith_model_rule *r = pith_model_rule_at(m, i);
    if (r != NULL && r->low < least)
      continue;
    pith_out *memory = NULL;
    rc = r == NULL ? PITH_ENOMEM : pith_out_memory(s->p, &memory);
    if (rc < 0)
      return rc;
    pith_rule plain = *r->rule;
    plain.probability = 0;
    rc = pith_rule_write(s->p, &plain, memory);
    const char *text = rc < 0 ? NULL : pith_out_text(memory, NULL);
    if (text != NULL)
      put_rule_event(s, r, text, info->restarts > 0);
    rc = text == NULL ? PITH_ENOMEM : rc;
    pith_out_close(memory, false);
  }
  return rc;
}

static void put_result_event(const session *s, const pith_model_info *i) {
  pith_out *o = s->out;
  event_begin(o, "result");
  event_flag(o, "solved", s->end == END_COMPLETE && i->rules > 0);
  event_text(o, "ended", ending_word(s->end));
  event_text(o, "method", method_words[i->method]);
  event_count(o, "entities", i->entities);
  event_count(o, "relations", i->relations);
  event_count(o, "facts", i->facts);
  event_count(o, "rules", i->rules);
  event_count(o, "chains", i->chains);
  event_count(o, "questions", i->questions);
  event_real(o, "mrr", i->mrr);
  event_real(o, "missing", i->missing);
  if (i->grade != NULL) {
    event_text(o, "kind", i->grade);
    event_text(o, "hiding", i->hiding);
    event_real(o, "bias", i->bias);
    event_real(o, "loss", i->loss);
    event_count(o, "answers", i->answers);
  }
  if (i->restarts > 0) {
    event_count(o, "restart", i->restart);
    event_count(o, "restarts", i->restarts);
    event_real(o, "average_precision", i->average_precision);
  }
  event_end_result(s);
}

static const char *hiding_text(const char *word) {
  return text_is(word, "fact")     ? "single facts"
         : text_is(word, "entity") ? "all facts of an entity"
                                   : "all facts of an entity and those next "
                                     "to it";
}

/* How the MRR grows with the rules. */
static void put_sizes(const session *s, const pith_model_info *i) {
  if (i->sizes < 2)
    return;
  pith_out_print(s->out, "%% MRR by rules weighed:");
  for (uint32_t k = i->sizes; k-- > 0;)
    pith_out_print(s->out, " %.4f by %llu%s", i->size[k].mrr,
                   (unsigned long long)i->size[k].rules, k == 0 ? "" : ",");
  if (i->rules < i->size[0].rules)
    pith_out_print(s->out, "; --all keeps all rules");
  pith_out_print(s->out, "\n");
}

static void put_fit(const session *s, const pith_model_info *i, bool valid) {
  char mrr[SIZE_ROOM];
  pith_out *o = s->out;
  if (i->restarts > 0) {
    pith_out_print(o,
                   "%% restart %u of %u, with %s hidden: average precision "
                   "%.4f on the examples\n",
                   i->restart, i->restarts, hiding_text(i->hiding),
                   i->average_precision);
    return;
  }
  pith_out_print(o, "%% weighed on ");
  put_number(o, i->questions, "question", "questions");
  if (i->grade != NULL) {
    pith_out_print(o, " (%s hidden), chosen by ", hiding_text(i->hiding));
    put_number(o, i->answers, "answer", "answers");
    pith_out_print(o, ": cross-entropy %.4f\n", i->loss);
    return;
  }
  pith_out_print(o, " of %s",
                 valid ? "the valid file" : "one fact in ten, held out");
  if (i->questions > 0 && !isnan(i->mrr))
    pith_out_print(o, "; MRR on those not fitted to: about %s",
                   ratio_text(mrr, i->mrr));
  pith_out_print(o, "\n");
  put_sizes(s, i);
  if (!isnan(i->missing))
    pith_out_print(o, "%% of all facts %s %% are taken to be missing, %s\n",
                   ratio_text(mrr, 100 * i->missing),
                   i->missing_told ? "as many again as the valid file has"
                                   : "by how many of the likeliest answers "
                                     "are not known");
}

static void put_summary(const session *s, const pith_model_info *i,
                        bool valid) {
  pith_out *o = s->out;
  pith_out_print(o, "%% learned ");
  put_number(o, i->rules, "rule", "rules");
  if (i->target != PITH_NONE) {
    pith_out_print(o, " for ");
    put_safe(o, pith_pred_name(s->p, i->target));
  }
  pith_out_print(o, ", %llu of them chains, from ",
                 (unsigned long long)i->chains);
  put_number(o, i->facts, "fact", "facts");
  pith_out_print(o, "\n");
  put_fit(s, i, valid);
  if (i->rules == 0)
    pith_out_print(o, "%% no rule was found: a graph this small or this "
                      "irregular has none that holds twice; if examples "
                      "were meant, write pos(..) and neg(..)\n");
  if (s->end != END_COMPLETE)
    pith_out_print(o, "%% %s: this is what was found so far\n",
                   s->end == END_TIME ? "stopped by the timeout"
                                      : "interrupted");
}

/* For the report: the rules of all relations in numbers, and the strongest. */
static pith_status report_model(session *s, pith_model *m,
                                const pith_model_info *info) {
  double least;
  if (!report_turn(s))
    return PITH_OK;
  pith_status rc = report_relations(s, m, info, &least);
  if (rc >= 0)
    rc = put_rule_events(s, m, info, least);
  if (rc >= 0)
    put_result_event(s, info);
  report_turn(s);
  return rc;
}

static int put_model(session *s, pith_model *m, bool valid) {
  pith_model_info info;
  info = *pith_model_info_of(m);
  pith_status rc = session_json(s)
                       ? put_rule_events(s, m, &info, -INFINITY)
                       : pith_model_write(m, session_comments(s), s->out);
  if (rc >= 0)
    rc = report_model(s, m, &info);
  if (rc < 0)
    return session_fail(s, rc);
  if (session_json(s))
    put_result_event(s, &info);
  else if (session_comments(s))
    put_summary(s, &info, valid);
  int code = s->end == END_INTERRUPTED               ? EXIT_INTERRUPTED
             : s->end == END_TIME || info.rules == 0 ? EXIT_MISFIT
                                                     : EXIT_FITS;
  return session_finish(s, code);
}

/* Said before it starts; it goes on, as the estimate may be too high. */
static int warn_of_cost(const session *s, const pith *valid,
                        const pith_model_options *opt) {
  pith_estimate e;
  char needed[SIZE_ROOM], limit[SIZE_ROOM], seconds[SIZE_ROOM];
  size_t most = session_memory(s);
  pith_status rc = pith_model_cost(s->p, valid, opt, &e);
  if (rc < 0)
    return session_fail(s, rc);
  if (most > 0 && e.bytes > (double)most && !s->set.quiet)
    say_warning("learning may need about %s (and %s of one core), and the "
                "limit is %s; if it ends for lack of memory, %s--jobs 1, "
                "--target for one relation, or fewer facts take less",
                size_text(needed, e.bytes), seconds_text(seconds, e.seconds),
                size_text(limit, (double)most),
                s->set.memory > 0 ? "raise --memory; " : "");
  return 0;
}

static int call_model_learner(session *s, const pith *valid,
                              pith_model_options *opt) {
  pith_model *m = NULL;
  model_watcher w;
  watch_model(s, &w, &opt->run);
  pith_status rc = pith_model_learn(s->p, valid, opt, &m);
  watch_model_end(&w, rc, "learned");
  int code;
  if (rc < 0) {
    code = session_fail(s, rc);
  } else if (m == NULL) {
    say_error("it ended before anything was learned; raise --timeout");
    code = s->end == END_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_LIMIT;
  } else {
    code = put_model(s, m, valid != NULL);
  }
  pith_model_free(m);
  return code;
}

int model_learn(session *s) {
  pith_model_options opt;
  pith_variant variant;
  session valid = {0};
  pith_model_defaults(&opt);
  int code = take_target(s, &opt);
  if (code == 0)
    code = read_part(s, "valid", &valid);
  if (code == 0)
    take_model_settings(s, &variant, &opt);
  if (code == 0 && opt.semantics == PITH_BEST &&
      opt.method != PITH_MODEL_SOFT && is_graph(s->p))
    code = warn_of_cost(s, valid.p, &opt);
  if (code == 0)
    code = session_start(s);
  if (code == 0)
    code = call_model_learner(s, valid.p, &opt);
  pith_free(valid.p);
  return code;
}

int model_learn_target(session *s) {
  int code = session_read(s, 0);
  if (code == 0 && s->set.templates != NULL) {
    pith_template_clear(s->p);
    if (strcmp(s->set.templates, "none") != 0)
      code = session_read_one(s, s->set.templates, PITH_TEMPLATES);
  }
  return code == 0 ? model_learn(s) : code;
}

/* ---- queries ---------------------------------------------------------- */

enum { REASONS = 5 };

static int put_reason(void *ctx, const pith_reason *r) {
  const session *s = ctx;
  pith_out_print(s->out, "%%     ");
  pith_rule_write(s->p, r->rule, s->out);
  if (!isnan(r->weight))
    pith_out_print(s->out, "  %% adds %.2f to the log-odds", r->weight);
  pith_out_print(s->out, "\n%%       as ");
  for (size_t i = 0; i < r->atoms; i++) {
    pith_out_print(s->out, i == 0 ? "" : ", ");
    pith_atom_write(s->p, &r->grounding[i], s->out);
  }
  if (r->groundings > 1)
    pith_out_print(s->out, ", and %llu more",
                   (unsigned long long)(r->groundings - 1));
  pith_out_print(s->out, "\n");
  return 0;
}

static int put_reason_event(void *ctx, const pith_reason *r) {
  const session *s = ctx;
  pith_out *text = NULL;
  pith_rule plain = *r->rule;
  plain.probability = 0;
  if (pith_out_memory(s->p, &text) < 0)
    return 1;
  pith_rule_write(s->p, &plain, text);
  event_begin(s->out, "reason");
  event_text(s->out, "rule", pith_out_text(text, NULL));
  event_real(s->out, "confidence", r->rule->probability);
  if (!isnan(r->weight))
    event_real(s->out, "weight", r->weight);
  event_count(s->out, "groundings", r->groundings);
  event_key(s->out, "grounding");
  pith_out_close(text, false);
  for (size_t i = 0; i < r->atoms; i++) {
    pith_out_print(s->out, i == 0 ? "[" : ",");
    if (pith_out_memory(s->p, &text) < 0)
      return 1;
    pith_atom_write(s->p, &r->grounding[i], text);
    pith_out_quote(s->out, pith_out_text(text, NULL));
    pith_out_close(text, false);
  }
  pith_out_print(s->out, "]");
  event_end(s->out);
  return 0;
}

static pith_status put_answer_event(const session *s, const pith_atom *fact,
                                    size_t rank, const pith_answer *a) {
  pith_out *text = NULL;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0)
    rc = pith_atom_write(s->p, fact, text);
  if (rc >= 0) {
    event_begin(s->out, "answer");
    event_count(s->out, "rank", rank);
    event_text(s->out, "text", pith_out_text(text, NULL));
    event_atom(s->out, s->p, fact);
    event_real(s->out, "probability", a->probability);
    event_key(s->out, "score"); /* in full: equal texts are equal scores */
    pith_out_print(s->out, "%.17g", a->score);
    event_count(s->out, "rules", a->rules);
    event_end(s->out);
  }
  pith_out_close(text, false);
  return rc;
}

static pith_status put_answer(session *s, pith_model *m, const pith_atom *query,
                              size_t rank, const pith_answer *a) {
  pith_term args[2] = {query->args[0], query->args[1]};
  pith_atom fact = {.pred = query->pred, .arity = 2, .args = args};
  pith_status rc = PITH_OK;
  args[PITH_IS_VAR(args[0]) ? 0 : 1] = a->answer;
  if (session_json(s)) {
    rc = put_answer_event(s, &fact, rank, a);
  } else {
    rc = pith_atom_write(s->p, &fact, s->out);
    pith_out_print(s->out, ".");
    if (session_comments(s)) {
      pith_out_print(s->out, "  %% %zu, probability %.3f, ", rank,
                     a->probability);
      put_number(s->out, a->rules, "rule", "rules");
    }
    pith_out_print(s->out, "\n");
  }
  if (rc < 0 || !(s->set.explain || s->reporting))
    return rc;
  return pith_model_reasons(m, query, a->answer, REASONS,
                            session_json(s) ? put_reason_event : put_reason, s);
}

static void put_answers_end(const session *s, size_t n) {
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", n > 0);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "answers", n);
    event_end_result(s);
  } else if (n == 0 && session_comments(s)) {
    pith_out_print(s->out, "%% no rule predicts an answer that is not a "
                           "fact already\n");
  }
}

static pith_status put_each_answer(session *s, pith_model *m,
                                   const pith_atom *query,
                                   const pith_answer *answers, size_t n) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = put_answer(s, m, query, i + 1, &answers[i]);
  if (rc >= 0)
    put_answers_end(s, n);
  return rc;
}

/* What the probabilities of a model are the probabilities of. */
static void put_meaning(const session *s, const pith_model_info *i) {
  char share[SIZE_ROOM];
  if (session_json(s) || !session_comments(s) || i->method != PITH_MODEL_RULES)
    return;
  if (isnan(i->missing))
    pith_out_print(s->out, "%% probability: of the rules together, each taken "
                           "at its word\n");
  else
    pith_out_print(s->out,
                   "%% probability: that the atom is true, where %s %% of all "
                   "facts are missing (%s)\n",
                   ratio_text(share, 100 * i->missing),
                   i->missing_told ? "as held-out facts told"
                                   : "an estimate from the graph");
}

static int put_answers(session *s, pith_model *m, const pith_atom *query) {
  const pith_answer *found;
  size_t n;
  put_meaning(s, pith_model_info_of(m));
  pith_status rc = pith_model_ask(m, query, s->set.top, &found, &n);
  pith_answer *answers = rc < 0 ? NULL : malloc((n + 1) * sizeof *answers);
  if (rc >= 0 && answers == NULL)
    rc = PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    answers[i] = found[i]; /* reasons are questions too */
  if (rc >= 0)
    rc = put_each_answer(s, m, query, answers, n);
  if (rc >= 0 && report_turn(s)) {
    rc = put_each_answer(s, m, query, answers, n);
    report_turn(s);
  }
  free(answers);
  return rc < 0 ? session_fail(s, rc)
                : session_finish(s, n > 0 ? EXIT_FITS : EXIT_MISFIT);
}

int model_infer(session *s, const pith_atom *query) {
  pith_model *m = NULL;
  int code = session_start(s);
  double began = seconds_now();
  s->did = "ranked";
  if (code == 0) {
    pith_status rc = pith_model_read(s->p, NULL, 0, &m);
    s->info.seconds = seconds_now() - began;
    code = rc < 0 ? session_fail(s, rc) : put_answers(s, m, query);
  }
  pith_model_free(m);
  return code;
}

/* ---- why one atom ----------------------------------------------------- */

/* Rules that are certain are for proofs. */
bool model_explains(const pith *p, const pith_atom *atom) {
  bool any = false;
  for (size_t i = 0; i < pith_rule_count(p); i++) {
    const pith_rule *r = pith_rule_at(p, i);
    if (r->head.pred == atom->pred && r->probability == 0)
      return false;
    any = any || r->probability > 0;
  }
  return any && atom->arity == 2 &&
         pith_fact_count(p, atom->pred, PITH_GIVEN) > 0;
}

/* The atom as an answer to its query for the object. */
typedef struct {
  pith_term args[2];
  pith_atom query;
  const pith_answer *answers; /* best first */
  size_t n, rank;             /* rank: from 1; 0: nothing speaks for it */
} atom_answer;

static pith_status find_answer(pith_model *m, const pith_atom *atom,
                               atom_answer *out) {
  *out = (atom_answer){.args = {atom->args[0], PITH_VAR(0)}};
  out->query = (pith_atom){.pred = atom->pred, .arity = 2, .args = out->args};
  pith_status rc =
      pith_model_ask(m, &out->query, SIZE_MAX, &out->answers, &out->n);
  for (size_t i = 0; rc >= 0 && out->rank == 0 && i < out->n; i++)
    if (out->answers[i].answer == atom->args[1])
      out->rank = i + 1;
  return rc;
}

enum { RIVALS = 3 };

/* What speaks against it: answers that are likelier. */
static void put_rivals(const session *s, const pith_atom *atom,
                       const atom_answer *a) {
  for (size_t i = 0; i < a->rank - 1 && i < RIVALS; i++) {
    pith_term args[2] = {atom->args[0], a->answers[i].answer};
    pith_atom rival = {.pred = atom->pred, .arity = 2, .args = args};
    pith_out_print(s->out, i == 0 ? "%% likelier: " : ", ");
    pith_atom_write(s->p, &rival, s->out);
    pith_out_print(s->out, " (%.3f)", a->answers[i].probability);
  }
  if (a->rank > 1)
    pith_out_print(s->out, "\n");
}

static pith_status put_why_text(session *s, pith_model *m,
                                const pith_atom *atom, const atom_answer *a) {
  pith_out *o = s->out;
  put_meaning(s, pith_model_info_of(m));
  pith_out_print(o, "%% ");
  pith_atom_write(s->p, atom, o);
  if (a->rank == 0) {
    pith_out_print(o, ": no rule of the model predicts it\n");
    return PITH_OK;
  }
  const pith_answer own = a->answers[a->rank - 1]; /* reasons ask anew */
  pith_out_print(o, ": answer %zu of %zu, probability %.3f; ", a->rank, a->n,
                 own.probability);
  put_number(o, own.rules, "rule speaks", "rules speak");
  pith_out_print(o, " for it%s\n",
                 own.rules > REASONS ? ", the strongest:" : "");
  put_rivals(s, atom, a);
  return pith_model_reasons(m, &a->query, atom->args[1], REASONS, put_reason,
                            s);
}

static pith_status put_why_events(session *s, pith_model *m,
                                  const pith_atom *atom, const atom_answer *a) {
  pith_status rc = PITH_OK;
  bool likely = a->rank > 0 && a->answers[a->rank - 1].probability >= 0.5;
  if (a->rank > 0) {
    pith_answer own = a->answers[a->rank - 1];
    rc = put_answer_event(s, atom, a->rank, &own);
    if (rc >= 0)
      rc = pith_model_reasons(m, &a->query, atom->args[1], REASONS,
                              put_reason_event, s);
  }
  event_begin(s->out, "result");
  event_flag(s->out, "solved", likely);
  event_text(s->out, "ended", ending_word(s->end));
  event_end_result(s);
  return rc;
}

static int put_why(session *s, const pith_atom *atom) {
  pith_model *m = NULL;
  atom_answer a = {.rank = 0};
  double began = seconds_now();
  pith_status rc = pith_model_read(s->p, NULL, 0, &m);
  if (rc >= 0)
    rc = find_answer(m, atom, &a);
  bool likely =
      rc >= 0 && a.rank > 0 && a.answers[a.rank - 1].probability >= 0.5;
  s->info.seconds = seconds_now() - began;
  if (rc >= 0)
    rc = session_json(s) ? put_why_events(s, m, atom, &a)
                         : put_why_text(s, m, atom, &a);
  if (rc >= 0 && report_turn(s)) {
    rc = put_why_events(s, m, atom, &a);
    report_turn(s);
  }
  pith_model_free(m);
  return rc < 0 ? session_fail(s, rc)
                : session_finish(s, likely ? EXIT_FITS : EXIT_MISFIT);
}

/* A fact of the graph needs no rule; nothing is inferred to say so. */
static pith_status put_given_proof(session *s, const pith_atom *atom) {
  pith_out *text = NULL;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0)
    rc = pith_atom_write(s->p, atom, text);
  if (rc >= 0 && session_json(s)) {
    event_begin(s->out, "proof");
    event_text(s->out, "atom", pith_out_text(text, NULL));
    event_flag(s->out, "holds", true);
    event_count(s->out, "steps", 0);
    event_count(s->out, "size", 0);
    event_key(s->out, "nodes");
    pith_out_print(s->out, "[{\"node\":0,\"atom\":");
    pith_out_quote(s->out, pith_out_text(text, NULL));
    pith_out_print(s->out, ",\"given\":true}]");
    event_end(s->out);
    event_begin(s->out, "result");
    event_flag(s->out, "solved", true);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "steps", 0);
    event_count(s->out, "size", 0);
    event_end_result(s);
  } else if (rc >= 0) {
    pith_out_print(s->out, "%s.\n%% %s  given\n", pith_out_text(text, NULL),
                   pith_out_text(text, NULL));
  }
  pith_out_close(text, false);
  return rc;
}

static int put_given(session *s, const pith_atom *atom) {
  pith_status rc = put_given_proof(s, atom);
  if (rc >= 0 && report_turn(s)) {
    rc = put_given_proof(s, atom);
    report_turn(s);
  }
  return rc < 0 ? session_fail(s, rc) : session_finish(s, EXIT_FITS);
}

int model_explain(session *s, const pith_atom *atom) {
  if (text_is(s->set.format, "dot")) {
    say_error("--format dot draws proofs, and the rules for this atom have "
              "probabilities; use text or json");
    return EXIT_USE;
  }
  int code = session_start(s);
  s->did = "explained";
  if (code != 0)
    return code;
  return pith_fact_holds(s->p, atom->pred, atom->args, 2) ? put_given(s, atom)
                                                          : put_why(s, atom);
}

/* ---- scores of held-out facts ----------------------------------------- */

static void put_ranks(const session *s, const char *name, const pith_ranks *r) {
  if (session_json(s)) {
    event_begin(s->out, "ranks");
    event_text(s->out, "asked", name);
    event_count(s->out, "questions", r->questions);
    event_real(s->out, "mrr", r->mrr);
    event_real(s->out, "hits1", r->hits1);
    event_real(s->out, "hits3", r->hits3);
    event_real(s->out, "hits10", r->hits10);
    event_real(s->out, "mean_rank", r->mean_rank);
    event_end(s->out);
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
  watch_model(s, &w, &run);
  pith_status rc = pith_model_read(s->p, others, valid->p == NULL ? 1 : 2, &m);
  if (rc >= 0)
    rc = pith_model_score(m, test->p, valid->p, &run, &r);
  watch_model_end(&w, rc, "ranked");
  pith_model_free(m);
  return rc < 0 ? session_fail(s, rc) : finish_scores(s, &r);
}

static int score_held_out(session *s) {
  session test = {0}, valid = {0};
  int code = read_part(s, "test", &test);
  if (code == 0)
    code = read_part(s, "valid", &valid);
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
  double *probability = calloc(n + 1, sizeof *probability);
  pith_prediction *v = calloc(n + 1, sizeof *v);
  pith_ranking f;
  int code = session_start(s);
  if (code == 0) {
    pith_status rc = probability == NULL || v == NULL
                         ? PITH_ENOMEM
                         : grade_examples(s, probability, v, &f);
    code = rc < 0 ? session_fail(s, rc) : 0;
  }
  free(probability);
  free(v);
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
