#include "grade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "links.h"
#include "print_fit.h"
#include "progress.h"

static const char marker[] = "pith_grade"; /* of arity 3; see pith.h */

static const char *const kinds[] = {
    [PITH_FRACTION] = "fraction", [PITH_COUNT] = "count", [PITH_ANY] = "any"};
static const char *const hidings[] = {[PITH_HIDE_FACT] = "fact",
                                      [PITH_HIDE_ENTITY] = "entity",
                                      [PITH_HIDE_AROUND] = "around"};
static const char *const hiding_texts[] = {
    [PITH_HIDE_FACT] = "single facts",
    [PITH_HIDE_ENTITY] = "all facts of an entity",
    [PITH_HIDE_AROUND] = "all facts of an entity and those next to it"};

/* ---- learning --------------------------------------------------------- */

static void put_model(const session *s, const pith_grader *g) {
  const pith_grader_info *info = pith_grader_info_of(g);
  pith_out_print(s->out,
                 "%% learned from %u questions (%s hidden), chosen by %u "
                 "answers: cross-entropy %.4f\n",
                 info->questions, hiding_texts[info->hiding], info->pairs,
                 info->loss);
}

static void put_model_event(const session *s, const pith_grader *g) {
  const pith_grader_info *info = pith_grader_info_of(g);
  event_begin(s->out, "result");
  event_flag(s->out, "solved", pith_grader_rules(g) > 0);
  event_text(s->out, "ended", ending_word(s->end));
  event_count(s->out, "rules", pith_grader_rules(g));
  event_text(s->out, "kind", kinds[info->kind]);
  event_text(s->out, "hiding", hidings[info->hiding]);
  event_real(s->out, "bias", info->bias);
  event_real(s->out, "loss", info->loss);
  event_count(s->out, "questions", info->questions);
  event_count(s->out, "answers", info->pairs);
  event_end_result(s);
}

static int put_grader(session *s, const pith_grader *g) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < pith_grader_rules(g); i++) {
    rule_fit fit = {.similarity = NAN, .weight = pith_grader_weight(g, i)};
    rc = pith_rule_counts(s->p, pith_grader_rule(g, i), &fit.counts);
    if (rc >= 0)
      rc = put_rule_fit(s, pith_grader_rule(g, i), &fit);
  }
  if (rc >= 0 && !session_json(s))
    rc = pith_grader_write(g, s->out);
  if (rc < 0)
    return session_fail(s, rc);
  if (session_json(s))
    put_model_event(s, g);
  else if (session_comments(s))
    put_model(s, g);
  return session_finish(
      s, ending_code(s, pith_grader_rules(g) > 0 ? EXIT_FITS : EXIT_MISFIT));
}

int find_target(const session *s, pith_pred *out) {
  *out = pith_pred_find(s->p, s->set.target, 2);
  if (*out != PITH_NONE)
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

int learn_graded(session *s) {
  pith_grade_options opt;
  pith_grader *g = NULL;
  pith_pred target;
  progress_line line;
  int code = session_read(s, 0);
  if (code == 0)
    code = find_target(s, &target);
  if (code == 0 && links_is_graph(s->p))
    return links_learn(s); /* no examples to choose a model by */
  if (code != 0)
    return code;
  pith_grade_defaults(&opt);
  opt.run.seed = s->set.seed > 0 ? s->set.seed : opt.run.seed;
  opt.length = s->set.max_body;
  opt.rules = s->set.max_rules;
  opt.run.seconds = s->set.timeout;
  opt.run.stop = interrupt_requested;
  double began = seconds_now();
  s->set.seed = (uint32_t)opt.run.seed;
  settings_forget(&s->set, "method search semantics embeddings conjunction "
                           "max-invented noise");
  code = session_start(s);
  if (code != 0)
    return code;
  progress_begin(&line, &s->set);
  pith_status rc = pith_grader_learn(s->p, target, &opt, &g);
  progress_end(&line, &s->set);
  s->did = "learned";
  s->info.seconds = seconds_now() - began;
  s->end = rc != PITH_STOPPED ? END_COMPLETE
           : interrupted()    ? END_INTERRUPTED
                              : END_TIME;
  if (rc < 0) {
    code = session_fail(s, rc);
  } else if (g == NULL) {
    say_error("it ended before anything was learned; raise --timeout");
    code = s->end == END_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_LIMIT;
  } else {
    code = put_grader(s, g);
  }
  pith_grader_free(g);
  return code;
}

/* ---- scoring ---------------------------------------------------------- */

bool is_graded(const session *s) {
  pith_pred q = pith_pred_find(s->p, marker, 3);
  return q != PITH_NONE && pith_fact_count(s->p, q, PITH_GIVEN) > 0;
}

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

static void put_ranking_event(const session *s, const pith_ranking *f) {
  pith_out *o = s->out;
  event_begin(o, "ranking");
  event_count(o, "examples", f->count);
  event_count(o, "positive", f->positive);
  event_count(o, "probabilities", f->scores);
  event_real(o, "average_precision", f->average_precision);
  event_real(o, "brier", f->brier);
  event_real(o, "calibration_error", f->calibration_error);
  event_key(o, "bins");
  for (size_t i = 0; i < PITH_BINS; i++) {
    pith_out_print(o, i == 0 ? "[{" : ",{");
    pith_out_print(o, "\"count\":%llu", (unsigned long long)f->bins[i].count);
    event_real(o, "predicted", f->bins[i].predicted);
    event_real(o, "observed", f->bins[i].observed);
    pith_out_print(o, "}");
  }
  pith_out_print(o, "]");
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

typedef struct {
  pith_grader **of; /* (predicates) or NULL: not met yet */
  pith_prediction *v;
  size_t n;
} scoring;

static pith_status score_example(session *s, scoring *x,
                                 const pith_example *e) {
  pith_pred q = e->atom.pred;
  pith_status rc = PITH_OK;
  if (x->of[q] == NULL)
    rc = pith_grader_read(s->p, q, &x->of[q]);
  if (rc < 0)
    return rc;
  pith_prediction *v = &x->v[x->n++];
  v->truth = e->positive;
  rc = pith_grader_score(x->of[q], e->atom.args[0], e->atom.args[1], &v->score);
  if (rc >= 0 && s->set.all)
    rc = put_prediction(s, e, v->score);
  return rc;
}

int score_graded(session *s) {
  size_t preds = pith_pred_count(s->p), n = pith_example_count(s->p);
  scoring x = {calloc(preds, sizeof *x.of), calloc(n + 1, sizeof *x.v), 0};
  pith_ranking f;
  pith_status rc = x.of == NULL || x.v == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = score_example(s, &x, pith_example_at(s->p, i));
  if (rc >= 0)
    rc = pith_ranking_of(s->p, x.v, x.n, &f);
  int code = rc < 0 ? session_fail(s, rc) : 0;
  for (size_t q = 0; x.of != NULL && q < preds; q++)
    pith_grader_free(x.of[q]);
  free(x.of);
  free(x.v);
  if (code != 0)
    return code;
  if (session_json(s))
    put_ranking_event(s, &f);
  else
    put_ranking(s, &f);
  return session_finish(s, EXIT_FITS);
}

/* ---- queries ---------------------------------------------------------- */

typedef struct {
  pith_sym answer;
  double probability;
  size_t place; /* among the candidates */
  bool known;   /* a fact already */
} candidate;

typedef struct {
  const session *s;
  const pith_atom *query;
  candidate *at;
  size_t n, room;
} field;

static int visit_candidate(void *ctx, pith_pred q, const pith_sym *args,
                           size_t n) {
  field *f = ctx;
  (void)q, (void)n;
  const char *target = pith_pred_name(f->s->p, f->query->pred);
  if (f->n < f->room && strcmp(pith_sym_text(f->s->p, args[0]), target) == 0) {
    f->at[f->n] = (candidate){.answer = args[2], .place = f->n};
    f->n++;
  }
  return 0;
}

static int visit_known(void *ctx, pith_pred q, const pith_sym *args, size_t n) {
  field *f = ctx;
  (void)q, (void)n;
  for (size_t i = 0; args[0] == f->query->args[0] && i < f->n; i++)
    f->at[i].known |= f->at[i].answer == args[1];
  return 0;
}

static int compare_candidates(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  if (a->probability != b->probability)
    return a->probability < b->probability ? 1 : -1;
  return (a->place > b->place) - (a->place < b->place);
}

static pith_status put_answer(const session *s, const pith_grader *g,
                              const pith_atom *query, size_t rank,
                              const candidate *c) {
  pith_term args[2] = {query->args[0], c->answer};
  pith_atom fact = {.pred = query->pred, .arity = 2, .args = args};
  if (!session_json(s)) {
    pith_status rc = pith_atom_write(s->p, &fact, s->out);
    pith_out_print(s->out, ".");
    if (session_comments(s))
      pith_out_print(s->out, "  %% %zu, probability %.3f", rank,
                     c->probability);
    pith_out_print(s->out, "\n");
    return rc;
  }
  pith_out *text = NULL;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0)
    rc = pith_atom_write(s->p, &fact, text);
  if (rc >= 0) {
    event_begin(s->out, "answer");
    event_count(s->out, "rank", rank);
    event_text(s->out, "text", pith_out_text(text, NULL));
    event_atom(s->out, s->p, &fact);
    event_real(s->out, "probability", c->probability);
    event_key(s->out, "score"); /* in full, as that of other models */
    pith_out_print(s->out, "%.17g", c->probability);
    event_count(s->out, "rules", pith_grader_rules(g));
    event_end(s->out);
  }
  pith_out_close(text, false);
  return rc;
}

static pith_status put_answers(session *s, pith_grader *g, field *f,
                               size_t *found) {
  pith_status rc = PITH_OK;
  size_t n = 0;
  for (size_t i = 0; rc >= 0 && i < f->n; i++) {
    rc = pith_grader_score(g, f->query->args[0], f->at[i].answer,
                           &f->at[i].probability);
    if (!f->at[i].known)
      f->at[n++] = f->at[i];
  }
  qsort(f->at, n, sizeof *f->at, compare_candidates);
  *found = n < s->set.top ? n : s->set.top;
  for (size_t i = 0; rc >= 0 && i < *found; i++)
    rc = put_answer(s, g, f->query, i + 1, &f->at[i]);
  return rc;
}

static int check_query(const session *s, const pith_atom *query) {
  if (query->arity != 2 || PITH_IS_VAR(query->args[0]) ||
      !PITH_IS_VAR(query->args[1]))
    say_error("this model, of pith learn --target with examples, answers "
              "queries for the second place, such as likes(ann,X); a model of "
              "pith learn on facts alone answers for either");
  else if (s->set.explain)
    say_error("--explain is for models of pith learn on facts alone, and this "
              "one was made with --target and examples; leave it out");
  else
    return 0;
  return EXIT_USE;
}

int infer_graded(session *s, const pith_atom *query) {
  pith_grader *g = NULL;
  field f = {.s = s, .query = query};
  pith_pred among = pith_pred_find(s->p, "pith_grade_among", 3);
  double began = seconds_now();
  size_t found = 0;
  int code = check_query(s, query);
  if (code != 0)
    return code;
  pith_status rc = pith_grader_read(s->p, query->pred, &g);
  f.room = among == PITH_NONE ? 0 : pith_fact_count(s->p, among, PITH_GIVEN);
  f.at = calloc(f.room + 1, sizeof *f.at);
  if (rc >= 0 && f.at == NULL)
    rc = PITH_ENOMEM;
  code = rc < 0 ? session_fail(s, rc) : session_start(s);
  if (code == 0) {
    if (f.room > 0)
      pith_fact_each(s->p, among, PITH_GIVEN, visit_candidate, &f);
    pith_fact_each(s->p, query->pred, PITH_GIVEN, visit_known, &f);
    rc = put_answers(s, g, &f, &found);
    code = rc < 0 ? session_fail(s, rc) : 0;
  }
  free(f.at);
  pith_grader_free(g);
  if (code != 0)
    return code;
  s->did = "ranked";
  s->info.seconds = seconds_now() - began;
  return finish_answers(s, found, "every candidate is a fact already");
}
