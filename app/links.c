/* A graph is a folder with a train file, and perhaps valid and test; or any
** facts. Rules and what they are applied to come from the first alone. */
#include "links.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find_inputs.h"
#include "progress.h"

bool links_is_graph(const pith *p) {
  if (pith_example_count(p) > 0 || pith_template_count(p) > 0)
    return false;
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    if (pith_pred_arity(p, i) == 2 && pith_fact_count(p, i, PITH_GIVEN) > 0)
      return true;
  return false;
}

bool links_is_model(const pith *p) {
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
  bool json;
} watcher;

static void show_progress(void *ctx, const pith_progress *now) {
  watcher *w = ctx;
  char left[SIZE_ROOM];
  if (!progress_due(&w->line))
    return;
  double share = now->count == 0 ? 0 : (double)now->done / (double)now->count;
  if (w->json) {
    pith_out *o = w->s->out;
    event_begin(o, "progress");
    event_text(o, "what", now->phase);
    event_count(o, "stage", now->stage);
    event_count(o, "stages", now->stages);
    event_count(o, "done", now->done);
    event_count(o, "count", now->count);
    event_real(o, "seconds", now->seconds);
    event_end(o);
    pith_out_flush(o);
  } else if (w->line.wanted) {
    double all = (double)(now->stage - 1) + share;
    seconds_text(left, all <= 0 ? 0
                                : now->seconds *
                                      fmax((double)now->stages - all, 0) / all);
    progress_say(&w->line, "about %s to go; part %u of %u, %.0f %%, %s",
                 all <= 0 ? "?" : left, now->stage, now->stages, 100 * share,
                 now->phase);
  }
}

static void watch(session *s, watcher *w, pith_rank_options *opt) {
  const char *progress = s->set.progress;
  *w = (watcher){.s = s,
                 .json = progress != NULL && strcmp(progress, "json") == 0};
  progress_begin(&w->line, &s->set);
  pith_rank_defaults(opt);
  opt->run.jobs = s->set.jobs;
  opt->run.seconds = s->set.timeout;
  opt->run.stop = interrupt_requested;
  opt->run.progress = show_progress;
  opt->run.progress_ctx = w;
}

static void watch_end(watcher *w, double began, pith_status rc) {
  session *s = w->s;
  progress_end(&w->line, &s->set);
  s->info.seconds = seconds_now() - began;
  s->end = rc != PITH_STOPPED ? END_COMPLETE
           : interrupted()    ? END_INTERRUPTED
                              : END_TIME;
}

/* ---- learning --------------------------------------------------------- */

int links_estimate(const session *s, pith_estimate *out) {
  session valid = {0};
  int code = read_part(s, "valid", &valid);
  if (code == 0) {
    pith_status rc = pith_estimate_rank(s->p, valid.p, NULL, out);
    code = rc < 0 ? session_fail(s, rc) : 0;
  }
  pith_free(valid.p);
  return code;
}

static int find_target(const session *s, pith_rank_options *opt) {
  if (s->set.target == NULL)
    return 0;
  opt->target = pith_pred_find(s->p, s->set.target, 2);
  if (opt->target != PITH_NONE &&
      pith_fact_count(s->p, opt->target, PITH_GIVEN) > 0)
    return 0;
  say_error("--target: there are no facts of %s/2 to learn from",
            s->set.target);
  return EXIT_INPUT;
}

static void put_rule_event(const session *s, const pith_ranked_rule *r,
                           const char *text) {
  event_begin(s->out, "rule");
  event_text(s->out, "text", text);
  event_rule(s->out, s->p, r->rule);
  event_real(s->out, "confidence", r->rule->probability);
  event_count(s->out, "support", r->support);
  event_count(s->out, "predictions", r->predictions);
  event_real(s->out, "low", r->low);
  event_real(s->out, "high", r->high);
  event_end(s->out);
}

static pith_status put_rule(const session *s, const pith_ranked_rule *r,
                            pith_out *memory) {
  char low[SIZE_ROOM], high[SIZE_ROOM];
  if (!session_json(s)) {
    pith_status rc = pith_rule_write(s->p, r->rule, s->out);
    if (session_comments(s))
      pith_out_print(s->out, "  %% support %llu of %llu, %s to %s",
                     (unsigned long long)r->support,
                     (unsigned long long)r->predictions,
                     ratio_text(low, r->low), ratio_text(high, r->high));
    pith_out_print(s->out, "\n");
    return rc;
  }
  pith_rule plain = *r->rule;
  plain.probability = 0;
  pith_status rc = pith_rule_write(s->p, &plain, memory);
  const char *text = rc < 0 ? NULL : pith_out_text(memory, NULL);
  if (text == NULL)
    return PITH_ENOMEM;
  put_rule_event(s, r, text);
  return PITH_OK;
}

static pith_status put_rules(const session *s, pith_ranker *k, uint64_t n) {
  pith_status rc = PITH_OK;
  for (uint64_t i = 0; rc >= 0 && i < n; i++) {
    pith_ranked_rule r;
    pith_out *memory = NULL;
    rc = pith_rank_rule(k, i, &r);
    if (rc >= 0 && session_json(s))
      rc = pith_out_memory(s->p, &memory);
    if (rc >= 0)
      rc = put_rule(s, &r, memory);
    pith_out_close(memory, false);
  }
  return rc;
}

static void put_learned_end(const session *s, const pith_rank_info *i,
                            bool held_out) {
  char mrr[SIZE_ROOM];
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", s->end == END_COMPLETE);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "entities", i->entities);
    event_count(s->out, "relations", i->relations);
    event_count(s->out, "facts", i->facts);
    event_count(s->out, "rules", i->rules);
    event_count(s->out, "chains", i->chains);
    event_count(s->out, "lessons", i->lessons);
    event_real(s->out, "mrr", i->mrr);
    event_end_result(s);
    return;
  }
  if (!session_comments(s))
    return;
  pith_out_print(s->out, "%% learned ");
  put_number(s->out, i->rules, "rule", "rules");
  pith_out_print(s->out, ", %llu of them chains, from ",
                 (unsigned long long)i->chains);
  put_number(s->out, i->facts, "fact", "facts");
  pith_out_print(s->out, "; weighed on ");
  put_number(s->out, i->lessons, "question", "questions");
  pith_out_print(s->out, " of %s\n",
                 held_out ? "the valid file" : "one fact in ten, held out");
  if (i->lessons > 0 && !isnan(i->mrr))
    pith_out_print(s->out, "%% MRR on those not fitted to: about %s\n",
                   ratio_text(mrr, i->mrr));
  if (i->rules == 0)
    pith_out_print(s->out, "%% no rule was found: a graph this small or this "
                           "irregular has none that holds twice; if examples "
                           "were meant, write pos(..) and neg(..)\n");
  if (s->end != END_COMPLETE)
    pith_out_print(s->out, "%% %s: this is what was found so far\n",
                   s->end == END_TIME ? "stopped by the timeout"
                                      : "interrupted");
}

static int put_model(session *s, pith_ranker *k, bool held_out) {
  pith_rank_info i;
  pith_rank_info_of(k, &i);
  pith_status rc = put_rules(s, k, i.rules);
  if (rc >= 0 && !session_json(s))
    rc = pith_rank_write_weights(k, s->out);
  if (rc < 0)
    return session_fail(s, rc);
  put_learned_end(s, &i, held_out);
  int code = s->end == END_INTERRUPTED            ? EXIT_INTERRUPTED
             : s->end == END_TIME || i.rules == 0 ? EXIT_MISFIT
                                                  : EXIT_FITS;
  return session_finish(s, code);
}

/* Reports the settings in effect; not those that this learner ignores. */
static void tell_settings(session *s, const pith_rank_options *opt) {
  settings *set = &s->set;
  settings_forget(set, "semantics embeddings conjunction search method "
                       "max-invented noise");
  set->seed = (uint32_t)opt->run.seed;
  set->max_body = opt->length;
}

/* Said before it starts; it goes on, as the estimate may be too high. */
static int warn_of_cost(const session *s, const pith *valid,
                        const pith_rank_options *opt) {
  pith_estimate e;
  char needed[SIZE_ROOM], limit[SIZE_ROOM], seconds[SIZE_ROOM];
  size_t most = session_memory(s);
  pith_status rc = pith_estimate_rank(s->p, valid, opt, &e);
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

int links_learn(session *s) {
  pith_rank_options opt;
  watcher w;
  session valid = {0};
  pith_ranker *k = NULL;
  int code = read_part(s, "valid", &valid);
  watch(s, &w, &opt);
  opt.run.seed = s->set.seed > 0 ? s->set.seed : opt.run.seed;
  if (s->set.max_body > 0 && s->set.max_body < opt.length)
    opt.length = s->set.max_body;
  if (code == 0)
    code = find_target(s, &opt);
  tell_settings(s, &opt);
  if (code == 0)
    code = warn_of_cost(s, valid.p, &opt);
  if (code == 0)
    code = session_start(s);
  if (code == 0) {
    double began = seconds_now();
    pith_status rc = pith_rank_learn(s->p, valid.p, &opt, &k);
    watch_end(&w, began, rc);
    s->did = "learned";
    code = rc < 0 ? session_fail(s, rc) : put_model(s, k, valid.p != NULL);
  }
  pith_rank_free(k);
  pith_free(valid.p);
  return code;
}

/* ---- queries ---------------------------------------------------------- */

enum { REASONS = 5 };

static int put_reason(void *ctx, const pith_rule *rule,
                      const pith_atom *grounding, size_t n,
                      uint64_t groundings) {
  const session *s = ctx;
  pith_out_print(s->out, "%%     ");
  pith_rule_write(s->p, rule, s->out);
  pith_out_print(s->out, "\n%%       as ");
  for (size_t i = 0; i < n; i++) {
    pith_out_print(s->out, i == 0 ? "" : ", ");
    pith_atom_write(s->p, &grounding[i], s->out);
  }
  if (groundings > 1)
    pith_out_print(s->out, ", and %llu more",
                   (unsigned long long)(groundings - 1));
  pith_out_print(s->out, "\n");
  return 0;
}

static int event_reason(void *ctx, const pith_rule *rule,
                        const pith_atom *grounding, size_t n,
                        uint64_t groundings) {
  const session *s = ctx;
  pith_out *text = NULL;
  pith_rule plain = *rule;
  plain.probability = 0;
  if (pith_out_memory(s->p, &text) < 0)
    return 1;
  pith_rule_write(s->p, &plain, text);
  event_begin(s->out, "reason");
  event_text(s->out, "rule", pith_out_text(text, NULL));
  event_real(s->out, "confidence", rule->probability);
  event_count(s->out, "groundings", groundings);
  event_key(s->out, "grounding");
  pith_out_close(text, false);
  for (size_t i = 0; i < n; i++) {
    pith_out_print(s->out, i == 0 ? "[" : ",");
    if (pith_out_memory(s->p, &text) < 0)
      return 1;
    pith_atom_write(s->p, &grounding[i], text);
    pith_out_quote(s->out, pith_out_text(text, NULL));
    pith_out_close(text, false);
  }
  pith_out_print(s->out, "]");
  event_end(s->out);
  return 0;
}

static pith_status put_answer(session *s, pith_ranker *k,
                              const pith_atom *query, size_t rank,
                              const pith_answer *a) {
  pith_term args[2] = {query->args[0], query->args[1]};
  pith_atom fact = {.pred = query->pred, .arity = 2, .args = args};
  args[PITH_IS_VAR(args[0]) ? 0 : 1] = a->answer;
  if (session_json(s)) {
    pith_out *text = NULL;
    pith_status rc = pith_out_memory(s->p, &text);
    if (rc < 0)
      return rc;
    pith_atom_write(s->p, &fact, text);
    event_begin(s->out, "answer");
    event_count(s->out, "rank", rank);
    event_text(s->out, "text", pith_out_text(text, NULL));
    event_atom(s->out, s->p, &fact);
    event_real(s->out, "probability", a->probability);
    event_key(s->out, "score"); /* in full: equal texts are equal scores */
    pith_out_print(s->out, "%.17g", a->score);
    event_count(s->out, "rules", a->rules);
    event_end(s->out);
    pith_out_close(text, false);
  } else {
    pith_atom_write(s->p, &fact, s->out);
    pith_out_print(s->out, ".");
    if (session_comments(s)) {
      pith_out_print(s->out, "  %% %zu, probability %.3f, ", rank,
                     a->probability);
      put_number(s->out, a->rules, "rule", "rules");
    }
    pith_out_print(s->out, "\n");
  }
  if (!s->set.explain)
    return PITH_OK;
  return pith_rank_reasons(k, query, a->answer, REASONS,
                           session_json(s) ? event_reason : put_reason, s);
}

int finish_answers(session *s, size_t n, const char *none) {
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", n > 0);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "answers", n);
    event_end_result(s);
  } else if (n == 0 && session_comments(s)) {
    pith_out_print(s->out, "%% %s\n", none);
  }
  return session_finish(s, n > 0 ? EXIT_FITS : EXIT_MISFIT);
}

static int put_answers(session *s, pith_ranker *k, const pith_atom *query) {
  const pith_answer *found;
  size_t n;
  pith_status rc = pith_rank_ask(k, query, s->set.top, &found, &n);
  pith_answer *answers = rc < 0 ? NULL : malloc((n + 1) * sizeof *answers);
  if (rc >= 0 && answers == NULL)
    rc = PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    answers[i] = found[i];
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = put_answer(s, k, query, i + 1, &answers[i]);
  free(answers);
  if (rc < 0)
    return session_fail(s, rc);
  return finish_answers(s, n, "no rule speaks for any answer");
}

int links_infer(session *s, const pith_atom *query) {
  pith_ranker *k = NULL;
  int code = session_start(s);
  double began = seconds_now();
  if (code == 0) {
    pith_status rc = pith_rank_read(s->p, NULL, 0, NULL, &k);
    code = rc < 0 ? session_fail(s, rc) : put_answers(s, k, query);
  }
  s->did = "ranked";
  s->info.seconds = seconds_now() - began;
  pith_rank_free(k);
  return code;
}

/* ---- scores ----------------------------------------------------------- */

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

static void put_calibration(const session *s, const pith_ranking *c) {
  pith_out *o = s->out;
  if (session_json(s)) {
    event_begin(o, "calibration");
    event_count(o, "predictions", c->count);
    event_count(o, "positive", c->positive);
    event_real(o, "calibration_error", c->calibration_error);
    event_real(o, "brier", c->brier);
    event_end(o);
    return;
  }
  if (c->count == 0)
    return;
  pith_out_print(o,
                 "%% probabilities of %llu answers, %llu of them true: "
                 "calibration error %.4f, Brier %.4f\n",
                 (unsigned long long)c->count, (unsigned long long)c->positive,
                 c->calibration_error, c->brier);
  for (int i = 0; i < PITH_BINS; i++)
    if (c->bins[i].count > 0)
      pith_out_print(o, "%%   said %.3f, true %.3f, of %llu\n",
                     c->bins[i].predicted, c->bins[i].observed,
                     (unsigned long long)c->bins[i].count);
}

static int put_scores(session *s, const pith_rank_scores *r) {
  pith_out *o = s->out;
  if (!session_json(s)) {
    pith_out_print(o, "%% %llu facts asked twice; filtered; ties by mean rank",
                   (unsigned long long)r->facts);
    pith_out_print(o, "; %llu answers that nothing speaks for",
                   (unsigned long long)r->unreached);
    if (r->unknown > 0)
      pith_out_print(o, "; %llu facts of relations not in the graph",
                     (unsigned long long)r->unknown);
    pith_out_print(o, "\n%% asked    questions     MRR  Hits@1  Hits@3 Hits@10"
                      "  mean rank\n");
  }
  put_ranks(s, "object", &r->object);
  put_ranks(s, "subject", &r->subject);
  put_ranks(s, "both", &r->all);
  put_calibration(s, &r->calibration);
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
  return session_finish(s, EXIT_FITS);
}

static int rank_part(session *s, const session *test, const session *valid) {
  const pith *others[2] = {test->p, valid->p};
  pith_rank_options opt;
  pith_rank_scores r;
  pith_ranker *k = NULL;
  watcher w;
  double began = seconds_now();
  watch(s, &w, &opt);
  pith_status rc =
      pith_rank_read(s->p, others, valid->p == NULL ? 1 : 2, &opt, &k);
  if (rc >= 0)
    rc = pith_rank_score(k, test->p, valid->p, &opt, &r);
  watch_end(&w, began, rc);
  s->did = "ranked";
  pith_rank_free(k);
  return rc < 0 ? session_fail(s, rc) : put_scores(s, &r);
}

int links_score(session *s) {
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
