/* Every public function, called with small inputs: in threads of their own
** (test_threads.c) and with memory that runs out (test_alloc_all.c).
** tests/check_public.py fails when a function of the headers is missing here.
**
** A part works on a fresh handle and returns the first failure; whatever it
** made it frees, so that a refused block is nobody's leak. */
#ifndef PITH_TESTS_EVERYTHING_H
#define PITH_TESTS_EVERYTHING_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pith.h"

/* For functions that hold nothing yet. */
#define TRY(call)                                                              \
  do {                                                                         \
    pith_status tried_ = (call);                                               \
    if (tried_ < 0)                                                            \
      return tried_;                                                           \
  } while (0)

static inline pith_status all_read(pith *p, const char *text,
                                   pith_format format) {
  return pith_read_text(p, "text", text, strlen(text), format);
}

/* What needs no handle. The sum keeps the compiler from leaving calls out. */
static inline size_t all_without_handle(void) {
  double low, high;
  size_t n = strlen(pith_status_text(PITH_FULL)) + strlen(pith_version()) +
             strlen(pith_features());
  for (size_t i = 0; pith_format_at(i) != NULL; i++)
    n += pith_format_of(pith_format_at(i)->format) != NULL;
  for (size_t i = 0; pith_tunable_at(i) != NULL; i++)
    n++;
  for (size_t i = 0; pith_change_text(i) != NULL; i++)
    n++;
  pith_interval(3, 9, 0.9, &low, &high);
  n += (size_t)pith_format_named("csv") + (low < high);
  return n + pith_text_plain("\xc3\xa4", 2);
}

/* ---- names, facts, rules ------------------------------------------------ */

static inline int all_visit(void *ctx, pith_pred pred, const pith_sym *args,
                            size_t n) {
  (void)pred, (void)args;
  *(size_t *)ctx += n;
  return 0;
}

static inline pith_status all_add_rule(pith *p, pith_pred e, pith_pred r) {
  const pith_term args[2] = {PITH_VAR(0), PITH_VAR(1)};
  const pith_atom body = {.pred = e, .arity = 2, .args = args};
  const pith_rule rule = {.head = {.pred = r, .arity = 2, .args = args},
                          .body = &body,
                          .body_len = 1,
                          .var_count = 2,
                          .file = PITH_NONE};
  const pith_slot slots[2] = {{2, PITH_NONE}, {2, e}};
  pith_atom open = body;
  pith_template shape = {
      .shape = rule, .slots = slots, .slot_count = 2, .copies = 1};
  open.pred = 1;
  shape.shape.head.pred = 0;
  shape.shape.body = &open;
  TRY(pith_rule_add(p, &rule));
  return pith_template_add(p, &shape);
}

static inline pith_status all_names(pith *p) {
  pith_sym a, b, one;
  pith_pred e, r;
  const int32_t numbers[3] = {1, 2, 3};
  const pith_column column = {
      .kind = PITH_COLUMN_INT, .width = 4, .values = numbers};
  const pith_column columns[2] = {column, column};
  pith_place bad;
  double value;
  size_t seen = 0;
  TRY(pith_sym_add(p, "a", 1, PITH_NAME, &a));
  TRY(pith_sym_add(p, "b c", 3, PITH_NAME, &b));
  TRY(pith_sym_add(p, "1.50", 4, PITH_NUMBER, &one));
  TRY(pith_pred_add(p, "e", 2, &e));
  TRY(pith_pred_add(p, "r", 2, &r));
  const pith_sym args[2] = {a, b};
  TRY(pith_fact_add(p, e, args, 2));
  TRY(pith_fact_add_columns(p, e, columns, 2, 3, false, &bad));
  TRY(pith_example_add(p, r, args, 2, true, 1));
  TRY(all_add_rule(p, e, r));
  TRY(pith_close_world(p, 4, 1, &seen));
  seen += (size_t)pith_fact_each(p, e, PITH_ALL, all_visit, &seen);
  seen += pith_sym_find(p, "a", 1, PITH_NAME) == a;
  seen += strlen(pith_sym_text(p, a)) + (size_t)pith_sym_kind_of(p, one);
  seen += pith_sym_count(p) + (size_t)pith_sym_order(p, one, &value);
  seen += pith_sym_compare(p, PITH_LESS, one, one);
  seen += pith_pred_find(p, "e", 2) == e;
  seen += strlen(pith_pred_name(p, e)) + pith_pred_arity(p, e);
  seen += pith_pred_count(p) + pith_pred_roles(p, r);
  seen += pith_fact_holds(p, e, args, 2);
  seen += (size_t)pith_fact_count(p, e, PITH_GIVEN) + pith_rule_count(p);
  seen += pith_rule_at(p, 0) != NULL && pith_template_at(p, 0) != NULL;
  seen += pith_example_count(p) + (pith_example_at(p, 0) != NULL);
  seen += pith_template_count(p) + pith_template_steps(p);
  seen += pith_bytes(p) + pith_bytes_peak(p) + strlen(pith_error(p));
  pith_template_clear(p);
  return seen == 0 ? PITH_EINTERNAL : PITH_OK;
}

/* ---- reading ------------------------------------------------------------ */

/* A folder of a graph with a packed part, the task of data/ and a stream. */
static inline pith_status all_reading(pith *p) {
  pith_read_options opt;
  const pith_atom *atom;
  pith_sym type;
  bool found, content;
  size_t seen = 0;
  pith_read_defaults(&opt);
  TRY(all_read(p, "e(a,b). e(b,'c d').\npos(r(a,b)).\n", PITH_PROLOG));
  TRY(pith_read(p, "data/ilp/predecessor", PITH_AUTO));
  TRY(pith_read_with(p, "data/ilp/predecessor/bk.pl", &opt));
  TRY(pith_read_text_with(p, "t.csv", "name,age\nann,3\n", 15, &opt));
  TRY(pith_read_part(p, "tests/cli/data", "nothing", &opt, &found));
  TRY(pith_read(p, "tests/cli/data/packed.pl.gz", PITH_AUTO));
  TRY(all_read(p,
               "head_pred(f,1). body_pred(e,2). constant(a,t).\n"
               "type(e,(t,t)). direction(e,(in,out)). max_body(2).\n",
               PITH_BIAS));
  TRY(pith_atom_read(p, "e(a,X)", &atom));
  seen += (size_t)pith_read_format(p, &content) + strlen(pith_read_summary(p));
  seen += pith_remark_count(p) + pith_remark_errors(p);
  seen += pith_remark_warnings(p) + (pith_remark_at(p, 0) != NULL);
  seen += pith_bias_of(p)->max_body;
  seen += pith_bias_constant(p, 0, &type) != PITH_NONE;
  seen += pith_pred_type(p, atom->pred, 0) != PITH_NONE;
  seen += (size_t)pith_pred_direction(p, atom->pred, 0);
  return seen == 0 ? PITH_EINTERNAL : PITH_OK;
}

/* ---- inference and writing ----------------------------------------------- */

static inline pith_status all_write_to(pith *p, pith_out *o) {
  const pith_template *shape = pith_template_at(p, 0);
  const pith_rule *rule = pith_rule_at(p, 0);
  pith_write_options opt;
  pith_write_defaults(&opt);
  opt.facts = PITH_ALL;
  pith_out_write(o, "%", 1);
  pith_out_print(o, " %d\n", 1);
  pith_out_quote(o, "a\"b");
  TRY(pith_sym_write(p, 0, o));
  TRY(pith_atom_write(p, &rule->head, o));
  TRY(pith_rule_write(p, rule, o));
  TRY(pith_atom_write_json(p, &rule->head, o));
  TRY(pith_rule_write_json(p, rule, o));
  TRY(pith_template_write(p, shape, o));
  TRY(pith_facts_write(p, PITH_ALL, PITH_TRIPLES, o));
  TRY(pith_write(p, PITH_PROLOG, o));
  TRY(pith_write(p, PITH_TEMPLATES, o));
  TRY(pith_write(p, PITH_BIAS, o));
  for (size_t i = 0; pith_format_at(i) != NULL; i++) {
    opt.format = pith_format_at(i)->format;
    opt.drop = true;
    if (pith_format_at(i)->writes != 0 && pith_format_at(i)->built)
      TRY(pith_write_with(p, &opt, o, NULL));
  }
  return pith_out_flush(o);
}

static inline pith_status all_prove(pith *p, const char *text, pith_out *o) {
  const pith_atom *atom;
  pith_proof *proof = NULL;
  size_t seen = 0;
  TRY(pith_atom_read(p, text, &atom));
  pith_status rc = pith_explain(p, atom, &proof);
  for (int f = PITH_TREE; rc >= 0 && f <= PITH_LINE; f++)
    rc = pith_proof_write(p, proof, (pith_proof_format)f, o);
  if (rc >= 0)
    seen = pith_proof_steps(proof) + pith_proof_size(proof);
  pith_proof_free(proof);
  return rc < 0 || seen < 100 ? rc : PITH_EINTERNAL;
}

static inline pith_status all_judge(pith *p, pith_out *o) {
  pith_infer_options opt;
  pith_infer_info info;
  pith_estimate cost;
  pith_counts counts;
  pith_scores scores;
  bool covers[8];
  const pith_prediction v[2] = {{0.5, true}, {0.25, false}};
  pith_ranking ranking;
  pith_infer_defaults(&opt);
  TRY(pith_rules_check(p));
  TRY(pith_infer_cost(p, &cost));
  TRY(pith_infer(p, &opt, &info));
  TRY(pith_score(p, &scores));
  TRY(pith_rule_counts(p, pith_rule_at(p, 0), &counts));
  TRY(pith_rule_labelled(p, pith_rule_at(p, 1), &counts));
  TRY(pith_rule_covers(p, pith_rule_at(p, 1), covers));
  TRY(pith_ranking_of(p, v, 2, &ranking));
  TRY(all_prove(p, "r(a,d)", o));
  return all_prove(p, "r(d,a)", o);
}

static inline pith_status all_logic(pith *p) {
  pith_out *o = NULL;
  pith_run run = {.seconds = 1000};
  size_t n;
  pith_limit_calls(p, &run);
  TRY(all_read(p,
               "e(a,b). e(b,c). e(c,d).\nr(X,Y) :- e(X,Y).\n"
               "r(X,Z) :- e(X,Y), r(Y,Z).\n"
               "pos(r(a,d)). neg(r(d,a)).\n",
               PITH_PROLOG));
  TRY(all_read(p, "#1(X,Y) :- #2(X,Y).\n", PITH_TEMPLATES));
  TRY(pith_out_memory(p, &o));
  pith_status rc = all_judge(p, o);
  if (rc >= 0)
    rc = all_write_to(p, o);
  if (rc >= 0 && pith_out_text(o, &n) == NULL)
    rc = PITH_ENOMEM;
  pith_out_close(o, false);
  return rc;
}

static inline pith_status all_file(pith *p) {
  char path[96];
  pith_out *o = NULL;
  snprintf(path, sizeof path, "/tmp/pith-all-%ld-%p", (long)getpid(),
           (void *)p);
  TRY(all_read(p, "e(a,b).\n", PITH_PROLOG));
  TRY(pith_out_file(p, path, &o));
  pith_status rc = pith_write(p, PITH_PROLOG, o);
  pith_status closed = pith_out_close(o, rc >= 0);
  unlink(path);
  return rc < 0 ? rc : closed;
}

/* ---- learning ------------------------------------------------------------ */

static inline int all_point(void *ctx, const pith_trace_point *point) {
  (void)ctx, (void)point;
  return 0;
}

static inline pith_status all_use_learned(pith *p, const pith_learned *l) {
  size_t seen = pith_learned_restarts(l) + pith_learned_steps(l) +
                (size_t)pith_learned_epochs(l);
  for (size_t i = 0; i < pith_learned_count(l); i++)
    for (size_t r = 0; r < pith_learned_info(l, i)->rules; r++)
      seen += pith_learned_rule(l, i, r)->body_len +
              isnan(pith_learned_similarity(l, i, r)) +
              (pith_learned_merged(l, i, r) != NULL) +
              (pith_learned_weakest(l, i) != NULL);
  return seen == 0 ? PITH_EINTERNAL : pith_learned_adopt(l, 0, p);
}

/* Two worlds, by search and by gradient. */
static inline pith_status all_learn_from(pith *p, pith *q) {
  pith *const worlds[2] = {p, q};
  pith_learned *l = NULL;
  pith_learn_options opt;
  pith_estimate cost;
  const pith_trace_options which = {.restart = 0, .epochs = 2, .points = 2};
  pith_learn_defaults(&opt);
  opt.restarts = 2;
  opt.epochs = 20;
  opt.run.jobs = 2;
  opt.keep = 1;
  TRY(pith_learn_cost(worlds, 2, &cost));
  pith_status rc = pith_learn(worlds, 2, &opt, &l);
  if (rc >= 0)
    rc = all_use_learned(p, l);
  pith_learned_free(l);
  l = NULL;
  if (rc >= 0)
    rc = all_read(p, "F(X) <- F(X,Y), F(Y)\n", PITH_TEMPLATES);
  if (rc >= 0)
    rc = pith_learn(worlds, 2, &opt, &l);
  pith_learned_free(l);
  return rc < 0 ? rc
                : pith_learn_trace(worlds, 2, &opt, &which, all_point, NULL);
}

/* The other world's memory is the caller's as well. */
static inline pith_status all_learning(pith *p, pith *q) {
  TRY(all_read(p, "e(a,b). e(b,c). big(b). pos(t(a)). neg(t(b)). neg(t(c)).\n",
               PITH_PROLOG));
  TRY(all_read(q, "e(x,y). big(y). pos(t(x)). neg(t(y)).\n", PITH_PROLOG));
  return all_learn_from(p, q);
}

static inline pith_status all_use_compressed(pith *p, const pith_compressed *c,
                                             pith *q) {
  pith_out *o = NULL;
  pith_atom atom;
  const char *about;
  size_t seen = pith_compressed_restarts(c);
  for (uint32_t i = 0; i < pith_compressed_info(c)->rules; i++)
    seen += pith_compressed_rule(c, i)->body_len +
            isnan(pith_compressed_rule_share(c, i)) +
            (size_t)pith_compressed_counts(c, i)->support;
  for (size_t i = 0; pith_compressed_fact(c, PITH_CORE, i, &atom, NULL); i++)
    seen += isnan(pith_compressed_core_share(c, i)) + 1u;
  seen += pith_compressed_invented(c, 0, &about) == PITH_NONE;
  seen += pith_compressed_restart(c, 0) == NULL;
  if (seen == 0)
    return PITH_EINTERNAL;
  TRY(pith_out_memory(p, &o));
  pith_status rc = pith_compressed_certify(c, false, o);
  pith_out_close(o, false);
  return rc < 0 ? rc : pith_compressed_adopt(c, q);
}

static inline pith_status all_compressing(pith *p, pith *q) {
  pith_compressed *c = NULL;
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.max_body = 1;
  TRY(all_read(p, "m(a). m(b). m(c). f(a). f(b). f(c). g(d). f(d).\n",
               PITH_PROLOG));
  pith_status rc = pith_compress(p, &opt, &c);
  if (rc >= 0)
    rc = all_use_compressed(p, c, q);
  pith_compressed_free(c);
  return rc;
}

/* ---- models -------------------------------------------------------------- */

static inline int all_reason(void *ctx, const pith_reason *reason) {
  (void)ctx, (void)reason;
  return 0;
}
static inline int all_clue(void *ctx, const pith_clue *clue) {
  (void)ctx, (void)clue;
  return 0;
}

static inline int all_answers(void *ctx, size_t query,
                              const pith_answer *answers, size_t n) {
  (void)ctx, (void)query, (void)answers, (void)n;
  return 0;
}

static inline pith_status all_ask(pith *p, pith_model *m) {
  const pith_atom *query;
  const pith_answer *answers;
  pith_model_scores scores;
  double grades[8];
  size_t n, seen = (size_t)pith_model_info_of(m)->facts;
  seen += pith_model_rule_at(m, 0) != NULL;
  TRY(pith_atom_read(p, "likes(p1,X)", &query));
  TRY(pith_model_ask(m, query, 3, &answers, &n));
  TRY(pith_model_can_ask(m, query));
  TRY(pith_model_ask_all(m, query, 1, 3, NULL, all_answers, NULL));
  pith_sym answer = n > 0 ? answers[0].answer : 0;
  TRY(pith_model_reasons(m, query, answer, 2, all_reason, NULL));
  TRY(pith_model_clues(m, query, answer, all_clue, NULL));
  TRY(pith_model_grade(m, p, grades));
  TRY(pith_model_score(m, p, NULL, NULL, &scores));
  pith_status rc = pith_model_use(m, 0); /* it is not soft */
  return rc == PITH_EARG && seen > 0 ? PITH_OK : rc;
}

static inline pith_status all_write_model(pith *p, pith_model *m) {
  pith_out *o = NULL;
  TRY(pith_out_memory(p, &o));
  pith_status rc = pith_model_write(m, true, o);
  pith_out_close(o, false);
  return rc;
}

static inline pith_status all_models(pith *p) {
  char text[1024];
  size_t n = 0;
  pith_model *m = NULL;
  pith_model_options opt;
  pith_estimate cost;
  for (int i = 0; i < 12; i++)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "p%d\tknows\tp%d\np%d\tlikes\tp%d\n", i, i + 1, i + 1,
                          i);
  pith_model_defaults(&opt);
  opt.run.jobs = 1;
  opt.max_body = 1;
  TRY(all_read(p, text, PITH_TRIPLES));
  TRY(pith_model_cost(p, NULL, &opt, &cost));
  pith_status rc = pith_model_learn(p, NULL, &opt, &m);
  if (rc >= 0)
    rc = all_write_model(p, m);
  if (rc >= 0)
    rc = all_ask(p, m);
  pith_model_free(m);
  m = NULL;
  if (rc >= 0)
    rc = all_read(p, "0.5::likes(X,Y) :- knows(Y,X).\n", PITH_PROLOG);
  if (rc >= 0)
    rc = pith_model_read(p, NULL, 0, &m);
  pith_model_free(m);
  return rc;
}

/* ---- soft rules, teams --------------------------------------------------- */

static inline pith_status all_use_soft(pith_soft *s) {
  float start[9] = {0, 1, 0, 0, 0, 1, 0, 0, 0}, out[9], slope[9] = {0};
  pith_soft_values preds[8], results[8], slopes[8];
  pith_soft_pass *pass = NULL;
  size_t n = pith_soft_pred_count(s), seen = pith_soft_steps(s);
  seen += pith_soft_pred_at(s, 0) + pith_soft_slot_count(s);
  seen += pith_soft_slot_at(s, 0) != NULL;
  for (size_t i = 0; i < n && i < 8; i++) {
    preds[i] = (pith_soft_values){start, 0, {3, 1}};
    results[i] = (pith_soft_values){out, 0, {3, 1}};
    slopes[i] = (pith_soft_values){slope, 0, {3, 1}};
  }
  const pith_soft_values none = {NULL, 0, {0, 0}};
  if (n > 8 || seen == 0)
    return PITH_EINTERNAL;
  TRY(pith_soft_forward(s, 1, preds, &none, results, &pass));
  pith_status rc = pith_soft_backward(pass, results, slopes, &none);
  pith_soft_pass_free(pass);
  return rc;
}

static inline pith_status all_soft(pith *p) {
  pith_soft *s = NULL;
  TRY(all_read(p, "r(X,Y) :- e(X,Y).\nr(X,Z) :- r(X,Y), e(Y,Z).\n",
               PITH_PROLOG));
  TRY(pith_soft_new(p, 3, 2, &s));
  pith_status rc = all_use_soft(s);
  pith_soft_free(s);
  return rc;
}

/* A team of one has nobody to send to. */
static inline int all_send(void *ctx, uint32_t to, const void *data, size_t n) {
  (void)ctx, (void)to, (void)data, (void)n;
  return 0;
}
static inline int all_probe(void *ctx, double seconds, uint32_t *from,
                            size_t *n) {
  (void)ctx, (void)seconds, (void)from, (void)n;
  return 0;
}
static inline int all_receive(void *ctx, uint32_t from, void *data, size_t n) {
  (void)ctx, (void)from, (void)data, (void)n;
  return -1;
}

static inline pith_status all_team(pith *p) {
  const pith_transport alone = {
      .size = 1, .send = all_send, .probe = all_probe, .receive = all_receive};
  uint64_t items;
  pith_status rc = pith_team_join(p, &alone);
  if (rc >= 0 && (pith_team_is_over(p) || pith_team_loops(p, &items) > 0))
    rc = PITH_EINTERNAL;
  if (rc >= 0 && pith_checkpoint_begin(p, "/", "") != PITH_EINPUT)
    rc =
        PITH_EINTERNAL; /* a folder is no checkpoint; it ends the team of one */
  pith_checkpoint_end(p);
  if (rc >= 0)
    pith_team_leave(p);
  return rc == PITH_EARG ? PITH_OK : rc;
}

#endif
