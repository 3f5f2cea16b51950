/* pith learn on a graph. */
#include <math.h>
#include <string.h>

#include "brief_model.h"
#include "model_commands.h"
#include "model_session.h"
#include "report_events.h"

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
  opt->checkpoint = set->checkpoint;
  if (chains) {
    opt->max_body = set->max_body < 4 ? set->max_body : 4;
    opt->max_rules = set->max_rules < 8 ? set->max_rules : 8;
  } else if (opt->method != PITH_MODEL_SOFT && !paper) {
    opt->max_body = set->max_body < 5 ? set->max_body : 5;
  }
}

/* ---- learning --------------------------------------------------------- */

int model_estimate(const session *s, pith_estimate *out) {
  session valid = {0};
  int code = read_graph_part(s, "valid", &valid);
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

/* shown: NULL for all of them. */
static pith_status put_rule_events(const session *s, pith_model *m,
                                   const pith_model_info *info,
                                   strong_rules *shown) {
  pith_status rc = PITH_OK;
  for (uint64_t i = 0; rc >= 0 && i < info->rules; i++) {
    const pith_model_rule *r = pith_model_rule_at(m, i);
    if (r != NULL && shown != NULL && !strong_rule_next(shown, r))
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

/* The MRR by so many rules, fewest first. */
static void put_size_list(pith_out *o, const pith_model_info *i) {
  if (i->sizes < 2)
    return;
  event_key(o, "sizes");
  for (uint32_t k = i->sizes; k-- > 0;) {
    pith_out_print(o, "%s{\"rules\":%llu", k + 1 == i->sizes ? "[" : ",",
                   (unsigned long long)i->size[k].rules);
    event_real(o, "mrr", i->size[k].mrr);
    pith_out_print(o, "}");
  }
  pith_out_print(o, "]");
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
  if (i->found > 0) {
    event_count(o, "found", i->found);
    event_count(o, "repeated", i->repeated);
  }
  event_count(o, "questions", i->questions);
  event_real(o, "mrr", i->mrr);
  event_real(o, "missing", i->missing);
  put_size_list(o, i);
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

/* How many rules were found, and why some are not shown. */
static void put_left_out(const session *s, const pith_model_info *i) {
  if (i->found <= i->rules)
    return;
  pith_out_print(s->out, "%% of ");
  put_number(s->out, i->found, "rule", "rules");
  pith_out_print(s->out,
                 " found, %llu repeat others and %llu are not needed; --all "
                 "keeps all\n",
                 (unsigned long long)i->repeated,
                 (unsigned long long)(i->found - i->repeated - i->rules));
}

/* How the MRR grows with the rules. */
static void put_sizes(const session *s, const pith_model_info *i) {
  if (i->sizes < 2)
    return;
  pith_out_print(s->out, "%% MRR by rules weighed:");
  for (uint32_t k = i->sizes; k-- > 0;)
    pith_out_print(s->out, " %.4f by %llu%s", i->size[k].mrr,
                   (unsigned long long)i->size[k].rules, k == 0 ? "" : ",");
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
    pith_out_print(o,
                   "; MRR on those not fitted to: about %s, other "
                   "missing facts counted as wrong",
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
  put_left_out(s, i);
  put_fit(s, i, valid);
  if (i->rules == 0)
    pith_out_print(o, "%% no rule was found: a graph this small or this "
                      "irregular has none that holds twice; if examples "
                      "were meant, write pos(..) and neg(..)\n");
  if (s->end != END_COMPLETE)
    pith_out_print(o, "%% %s: this is what was found so far\n",
                   s->end == END_TIME     ? "stopped by the timeout"
                   : s->end == END_MEMORY ? "memory ran out"
                                          : "interrupted");
}

/* For the report: the rules of all relations in numbers, and the strongest. */
static pith_status report_model(session *s, pith_model *m,
                                const pith_model_info *info) {
  strong_rules shown = {0};
  if (!report_turn(s))
    return PITH_OK;
  pith_status rc = report_relations(s, m, info, &shown);
  if (rc >= 0)
    rc = put_rule_events(s, m, info, &shown);
  if (rc >= 0)
    put_result_event(s, info);
  report_turn(s);
  return rc;
}

/* The model is in a file, and standard output is a terminal. */
static pith_status show_model(session *s, pith_model *m,
                              const pith_model_info *info, bool valid) {
  pith_out *file = s->out;
  pith_status rc = pith_out_file(s->p, "-", &s->out);
  if (rc >= 0) {
    rc = put_brief_model(s, m, info);
    put_summary(s, info, valid);
    pith_status closed = pith_out_close(s->out, true);
    rc = rc < 0 ? rc : closed;
  }
  s->out = file;
  return rc;
}

static pith_status put_model_text(session *s, pith_model *m,
                                  const pith_model_info *info, bool valid) {
  if (!reads_on_terminal(s))
    return pith_model_write(m, session_figures(s), s->out);
  if (s->set.output == NULL)
    return put_brief_model(s, m, info);
  pith_status rc = pith_model_write(m, true, s->out);
  return rc < 0 ? rc : show_model(s, m, info, valid);
}

static int put_model(session *s, pith_model *m, bool valid) {
  pith_model_info info;
  info = *pith_model_info_of(m);
  pith_status rc = session_json(s) ? put_rule_events(s, m, &info, NULL)
                                   : put_model_text(s, m, &info, valid);
  if (rc >= 0)
    rc = report_model(s, m, &info);
  if (rc < 0)
    return session_fail(s, rc);
  if (session_json(s))
    put_result_event(s, &info);
  else if (session_comments(s))
    put_summary(s, &info, valid);
  int code = s->end == END_INTERRUPTED                   ? EXIT_INTERRUPTED
             : s->end != END_COMPLETE || info.rules == 0 ? EXIT_MISFIT
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
    code = read_graph_part(s, "valid", &valid);
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
