/* Calls with what no handle has: they are refused, and nothing is changed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pith.h"

static pith *new_handle(const char *text) {
  pith *p = NULL;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "text", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  return p;
}

/* e(X0,X0) :- e(X0,X0). */
static pith_rule copy_rule(pith *p, pith_term args[2], pith_atom *body) {
  pith_pred e = pith_pred_find(p, "e", 2);
  assert_int_not_equal(e, PITH_NONE);
  args[0] = args[1] = PITH_VAR(0);
  *body = (pith_atom){.pred = e, .arity = 2, .args = args};
  return (pith_rule){
      .head = *body, .body = body, .body_len = 1, .var_count = 1};
}

static void refuses_rules(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b).");
  pith_term args[2];
  pith_atom body;
  const pith_rule good = copy_rule(p, args, &body);
  pith_rule bad = good;
  bad.head.args = NULL;
  assert_int_equal(pith_rule_add(p, &bad), PITH_EARG);
  bad = good;
  bad.body = NULL;
  assert_int_equal(pith_rule_add(p, &bad), PITH_EARG);
  bad = good;
  bad.var_count = UINT32_MAX / 2;
  assert_int_equal(pith_rule_add(p, &bad), PITH_EARG);
  const double wrong[] = {7, -1, NAN, INFINITY};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    bad = good;
    bad.probability = wrong[i];
    assert_int_equal(pith_rule_add(p, &bad), PITH_EARG);
  }
  assert_int_equal(pith_rule_count(p), 0);
  assert_int_equal(pith_rule_add(p, &good), PITH_OK);
  pith_free(p);
}

static void finds_no_cut_arity(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b).");
  assert_int_equal(pith_pred_find(p, "e", ((size_t)1 << 32) + 2), PITH_NONE);
  pith_free(p);
}

static void refuses_no_world(void **state) {
  (void)state;
  pith *worlds[2] = {new_handle("e(a,b). pos(t(a))."), NULL};
  pith_learned *l;
  pith_estimate cost;
  assert_int_equal(pith_learn(worlds, 2, NULL, &l), PITH_EARG);
  assert_int_equal(pith_learn(worlds + 1, 1, NULL, &l), PITH_EARG);
  assert_int_equal(pith_learn_cost(worlds, 2, &cost), PITH_EARG);
  pith_free(worlds[0]);
}

static void knows_nothing_of_nonsense(void **state) {
  (void)state;
  const double wrong[] = {-1, 0, 1, 7, NAN};
  double low, high;
  pith_interval(9, 3, 0.95, &low, &high);
  assert_true(low == 0 && high == 1);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    pith_interval(3, 9, wrong[i], &low, &high);
    assert_true(low == 0 && high == 1);
  }
}

/* ---- every public function, with what no handle has ---------------------- */

enum { LARGE = 1000000 };
static const pith_pred no_pred = LARGE;
static const pith_sym no_sym = LARGE;

static void refuses_ids_of_names(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b).");
  pith_sym s = 0, type;
  pith_pred pred;
  double value;
  assert_null(pith_sym_text(p, no_sym));
  assert_int_equal(pith_sym_kind_of(p, no_sym), PITH_NAME);
  assert_int_equal(pith_sym_order(p, no_sym, &value), PITH_ORDER_NONE);
  assert_false(pith_sym_compare(p, PITH_LESS, no_sym, 0));
  assert_false(pith_sym_compare(p, no_pred, 0, 0));
  assert_int_equal(pith_sym_add(p, "1x", 2, PITH_NUMBER, &s), PITH_EARG);
  assert_int_equal(pith_sym_add(p, "\xff", 1, PITH_NAME, &s), PITH_EARG);
  assert_int_equal(pith_sym_add(p, "a\0b", 3, PITH_NAME, &s), PITH_EARG);
  assert_int_equal(pith_sym_add(p, "a", 1, (pith_sym_kind)99, &s), PITH_EARG);
  assert_int_equal(pith_sym_find(p, "a", 1, (pith_sym_kind)99), PITH_NONE);
  assert_null(pith_pred_name(p, no_pred));
  assert_int_equal(pith_pred_arity(p, no_pred), 0);
  assert_int_equal(pith_pred_roles(p, no_pred), 0);
  assert_int_equal(pith_pred_type(p, no_pred, 0), PITH_NONE);
  assert_int_equal(pith_pred_type(p, pith_pred_find(p, "e", 2), 9), PITH_NONE);
  assert_int_equal(pith_pred_direction(p, no_pred, 0), 0);
  assert_int_equal(pith_pred_direction(p, pith_pred_find(p, "e", 2), 9), 0);
  assert_int_equal(pith_pred_add(p, "\xff", 1, &pred), PITH_EARG);
  assert_true(pith_pred_add(p, "e", SIZE_MAX, &pred) < 0);
  assert_int_equal(pith_bias_constant(p, LARGE, &type), PITH_NONE);
  pith_free(p);
}

static void refuses_ids_of_facts(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b).");
  pith_pred e = pith_pred_find(p, "e", 2);
  const pith_sym bad[2] = {no_sym, no_sym};
  const pith_column none[2] = {{.kind = (pith_column_kind)99}};
  assert_int_equal(pith_fact_add(p, no_pred, bad, 2), PITH_EARG);
  assert_int_equal(pith_fact_add(p, e, bad, 2), PITH_EARG);
  assert_int_equal(pith_fact_add(p, e, bad, 3), PITH_EARITY);
  assert_int_equal(pith_fact_add(p, e, bad, ((size_t)1 << 32) + 2),
                   PITH_EARITY);
  assert_int_equal(pith_fact_add(p, PITH_LESS, bad, 2), PITH_EARG);
  assert_int_equal(pith_fact_add_columns(p, no_pred, none, 2, 1, false, NULL),
                   PITH_EARG);
  assert_int_equal(pith_fact_add_columns(p, e, none, 2, 1, false, NULL),
                   PITH_EARG);
  assert_int_equal(pith_fact_add_columns(p, e, none, 3, 1, false, NULL),
                   PITH_EARITY);
  assert_false(pith_fact_holds(p, no_pred, bad, 2));
  assert_false(pith_fact_holds(p, e, bad, 2));
  assert_false(pith_fact_holds(p, e, bad, 1));
  assert_int_equal(pith_fact_count(p, no_pred, PITH_ALL), 0);
  assert_int_equal(pith_fact_count(p, e, (pith_part)0), 0);
  assert_int_equal(pith_fact_each(p, no_pred, PITH_ALL, NULL, NULL), 0);
  assert_int_equal(pith_example_add(p, no_pred, bad, 2, true, 1), PITH_EARG);
  assert_int_equal(pith_example_add(p, e, bad, 2, true, 1), PITH_EARG);
  assert_int_equal(pith_example_add(p, e, bad, 1, true, 1), PITH_EARITY);
  assert_int_equal(pith_example_add(p, e, bad, ((size_t)1 << 32) + 2, true, 1),
                   PITH_EARITY);
  const pith_sym good[2] = {pith_sym_find(p, "a", 1, PITH_NAME),
                            pith_sym_find(p, "b", 1, PITH_NAME)};
  assert_int_equal(pith_example_add(p, e, good, 2, true, -1), PITH_EARG);
  assert_int_equal(pith_example_add(p, e, good, 2, true, NAN), PITH_EARG);
  assert_null(pith_rule_at(p, 0));
  assert_null(pith_example_at(p, 0));
  assert_null(pith_template_at(p, 0));
  assert_null(pith_remark_at(p, 0));
  assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_ALL), 1);
  pith_free(p);
}

static void refuses_templates(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b).");
  pith_term args[2];
  pith_atom body;
  const pith_rule rule = copy_rule(p, args, &body);
  pith_atom open = body;
  const pith_slot slots[1] = {{2, PITH_NONE}};
  pith_template t = {
      .shape = rule, .slots = slots, .slot_count = 1, .copies = 1};
  open.pred = 0;
  t.shape.body = &open;
  t.shape.head.pred = 7;
  assert_int_equal(pith_template_add(p, &t), PITH_EARG);
  t.shape.head.pred = 0;
  t.shape.head.arity = 1;
  assert_int_equal(pith_template_add(p, &t), PITH_EARITY);
  t.shape.head.arity = 2;
  t.shape.head.args = NULL;
  assert_int_equal(pith_template_add(p, &t), PITH_EARG);
  t.shape.head.args = args;
  t.shape.var_count = UINT32_MAX / 2;
  assert_int_equal(pith_template_add(p, &t), PITH_EARG);
  t.shape.var_count = 1;
  t.shape.body = NULL;
  assert_int_equal(pith_template_add(p, &t), PITH_EARG);
  t.shape.body = &open;
  t.slots = NULL;
  assert_int_equal(pith_template_add(p, &t), PITH_EARG);
  t.slots = slots;
  assert_int_equal(pith_template_add(p, &t), PITH_OK);
  pith_free(p);
}

static void refuses_reading(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b).");
  pith_read_options opt;
  const pith_atom *atom;
  bool found;
  pith_read_defaults(&opt);
  assert_int_equal(pith_read(p, "nowhere/at/all", PITH_AUTO), PITH_EIO);
  assert_int_equal(pith_read_text(p, "x", "a.", 2, (pith_format)99), PITH_EARG);
  assert_int_equal(pith_read_text(p, "x", NULL, 0, PITH_PROLOG), PITH_OK);
  opt.format = (pith_format)-1;
  assert_int_equal(pith_read_with(p, "nowhere", &opt), PITH_EARG);
  assert_int_equal(pith_read_text_with(p, "x", "a.", 2, &opt), PITH_EARG);
  assert_int_equal(pith_read_part(p, "nowhere", "valid", &opt, &found),
                   PITH_EARG);
  opt.format = PITH_AUTO;
  opt.header = (pith_header)99;
  assert_int_equal(pith_read_text_with(p, "x.csv", "a,b\nc,d\n", 8, &opt),
                   PITH_EARG);
  assert_int_equal(pith_atom_read(p, "e(", &atom), PITH_EINPUT);
  assert_int_equal(pith_atom_read(p, "", &atom), PITH_EINPUT);
  assert_null(pith_format_at(LARGE));
  assert_null(pith_format_of((pith_format)99));
  assert_null(pith_format_of(PITH_FORMATS));
  assert_int_equal(pith_format_named("nothing"), PITH_AUTO);
  assert_string_equal(pith_status_text((pith_status)99), "unknown status");
  assert_null(pith_tunable_at(LARGE));
  assert_null(pith_change_text(LARGE));
  assert_int_equal(pith_text_plain("", 0), 0);
  pith_free(p);
}

static void refuses_questions(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b). r(X,Y) :- e(X,Y). pos(r(a,b)).");
  pith_proof *proof;
  pith_counts counts;
  pith_ranking ranking;
  bool covers[1];
  const pith_term strange[2] = {no_sym, no_sym};
  const pith_atom bad[] = {
      {.pred = no_pred, .arity = 2, .args = strange},
      {.pred = pith_pred_find(p, "e", 2), .arity = 2, .args = strange},
      {.pred = PITH_LESS, .arity = 2, .args = strange},
      {.pred = pith_pred_find(p, "e", 2), .arity = 2, .args = NULL}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    assert_int_equal(pith_explain(p, &bad[i], &proof), PITH_EARG);
  pith_rule rule = *pith_rule_at(p, 0);
  rule.head.pred = no_pred;
  assert_int_equal(pith_rule_counts(p, &rule, &counts), PITH_EARG);
  assert_int_equal(pith_rule_labelled(p, &rule, &counts), PITH_EARG);
  assert_int_equal(pith_rule_covers(p, &rule, covers), PITH_EARG);
  assert_int_equal(pith_ranking_of(p, NULL, 0, &ranking), PITH_OK);
  pith_free(p);
}

static void refuses_writing(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b). r(X,Y) :- e(X,Y).");
  pith_out *o;
  pith_proof *proof;
  pith_write_options opt;
  const pith_term strange[2] = {no_sym, no_sym};
  const pith_atom bad[] = {
      {.pred = no_pred, .arity = 2, .args = strange},
      {.pred = pith_pred_find(p, "e", 2), .arity = 2, .args = strange},
      {.pred = pith_pred_find(p, "e", 2), .arity = 3, .args = strange}};
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_out_write(o, NULL, 0), PITH_OK);
  assert_int_equal(pith_sym_write(p, no_sym, o), PITH_EARG);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_true(pith_atom_write(p, &bad[i], o) < 0);
    assert_true(pith_atom_write_json(p, &bad[i], o) < 0);
    pith_rule rule = *pith_rule_at(p, 0);
    rule.head = bad[i];
    assert_true(pith_rule_write(p, &rule, o) < 0);
    assert_true(pith_rule_write_json(p, &rule, o) < 0);
    pith_template t = {.shape = rule, .slot_count = 0};
    assert_true(pith_template_write(p, &t, o) < 0);
  }
  const pith_format wrong[] = {(pith_format)99, (pith_format)-1, PITH_FORMATS,
                               PITH_METAGOL};
  pith_write_defaults(&opt);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    opt.format = wrong[i];
    assert_int_equal(pith_write(p, wrong[i], o), PITH_EARG);
    assert_int_equal(pith_facts_write(p, PITH_ALL, wrong[i], o), PITH_EARG);
    assert_int_equal(pith_write_with(p, &opt, o, NULL), PITH_EARG);
  }
  const pith_part parts[] = {(pith_part)0, (pith_part)4, (pith_part)-1};
  pith_write_defaults(&opt);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    opt.facts = parts[i];
    assert_int_equal(pith_facts_write(p, parts[i], PITH_PROLOG, o), PITH_EARG);
    assert_int_equal(pith_write_with(p, &opt, o, NULL),
                     i == 0 ? PITH_OK : PITH_EARG);
  }
  const pith_rule *rule = pith_rule_at(p, 0);
  pith_atom goal = {.pred = rule->body[0].pred, .arity = 2};
  const pith_sym args[2] = {pith_sym_find(p, "a", 1, PITH_NAME),
                            pith_sym_find(p, "b", 1, PITH_NAME)};
  goal.args = args;
  assert_int_equal(pith_explain(p, &goal, &proof), PITH_OK);
  assert_int_equal(pith_proof_write(p, proof, (pith_proof_format)99, o),
                   PITH_EARG);
  pith *other = new_handle("x.");
  assert_int_equal(pith_proof_write(other, proof, PITH_TREE, o), PITH_EARG);
  pith_proof_free(proof);
  assert_int_equal(pith_out_close(o, false), PITH_OK);
  assert_int_equal(pith_out_file(p, "/nowhere/at/all", &o), PITH_EIO);
  pith_free(other);
  pith_free(p);
}

static void refuses_learning(void **state) {
  (void)state;
  pith *p = new_handle("e(a,b). f(a). pos(t(a)). neg(t(b)).");
  pith_learned *l;
  pith_learn_options opt, bad;
  const pith_trace_options far = {.restart = LARGE, .epochs = 1, .points = 1};
  pith_learn_defaults(&opt);
  bad = opt, bad.method = (pith_method)99;
  assert_int_equal(pith_learn(&p, 1, &bad, &l), PITH_EARG);
  bad = opt, bad.noise = (pith_noise)99;
  assert_int_equal(pith_learn(&p, 1, &bad, &l), PITH_EARG);
  bad = opt, bad.semantics = (pith_semantics)77;
  assert_int_equal(pith_learn(&p, 1, &bad, &l), PITH_EARG);
  bad = opt, bad.rate = NAN;
  assert_int_equal(pith_learn(&p, 1, &bad, &l), PITH_EARG);
  bad = opt, bad.run.seconds = NAN;
  assert_int_equal(pith_learn(&p, 1, &bad, &l), PITH_EARG);
  assert_int_equal(pith_learn(NULL, 0, &opt, &l), PITH_EARG);
  assert_int_equal(pith_learn_trace(&p, 1, &opt, &far, NULL, NULL), PITH_EARG);
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_OK);
  assert_null(pith_learned_info(l, LARGE));
  assert_null(pith_learned_rule(l, 0, LARGE));
  assert_null(pith_learned_rule(l, LARGE, 0));
  assert_true(isnan(pith_learned_similarity(l, LARGE, 0)));
  assert_true(isnan(pith_learned_similarity(l, 0, LARGE)));
  assert_null(pith_learned_merged(l, 0, LARGE));
  assert_null(pith_learned_merged(l, LARGE, 0));
  assert_null(pith_learned_weakest(l, LARGE));
  assert_int_equal(pith_learned_adopt(l, LARGE, p), PITH_EARG);
  pith_learned_free(l);
  pith_free(p);
}

static void refuses_compression(void **state) {
  (void)state;
  pith *p = new_handle("m(a). m(b). m(c). f(a). f(b). f(c).");
  pith_compressed *c;
  pith_compress_options opt, bad;
  pith_atom atom;
  pith_compress_defaults(&opt);
  bad = opt, bad.method = (pith_method)99;
  assert_int_equal(pith_compress(p, &bad, &c), PITH_EARG);
  bad = opt, bad.max_body = 99;
  assert_int_equal(pith_compress(p, &bad, &c), PITH_EARG);
  bad = opt, bad.hold_out = NAN;
  assert_int_equal(pith_compress(p, &bad, &c), PITH_EARG);
  bad = opt, bad.lambda = NAN;
  assert_int_equal(pith_compress(p, &bad, &c), PITH_EARG);
  bad = opt, bad.noise = (pith_noise)99;
  assert_int_equal(pith_compress(p, &bad, &c), PITH_EARG);
  assert_int_equal(pith_compress(p, &opt, &c), PITH_OK);
  assert_null(pith_compressed_rule(c, LARGE));
  assert_null(pith_compressed_counts(c, LARGE));
  assert_false(pith_compressed_fact(c, PITH_CORE, LARGE, &atom, NULL));
  assert_false(
      pith_compressed_fact(c, (pith_compressed_part)99, 0, &atom, NULL));
  assert_int_equal(pith_compressed_invented(c, LARGE, NULL), PITH_NONE);
  assert_true(isnan(pith_compressed_rule_share(c, LARGE)));
  assert_true(isnan(pith_compressed_core_share(c, LARGE)));
  assert_null(pith_compressed_restart(c, LARGE));
  pith_compressed_free(c);
  pith_free(p);
}

static void refuses_models(void **state) {
  (void)state;
  pith *p = new_handle("0.5::l(X,Y) :- k(Y,X). k(a,b). l(b,a). k(b,c). l(c,b). "
                       "u(a).");
  pith_model *m;
  pith_model_options opt, bad;
  const pith_answer *answers;
  size_t n;
  pith_model_defaults(&opt);
  bad = opt, bad.method = (pith_model_method)99;
  assert_int_equal(pith_model_learn(p, NULL, &bad, &m), PITH_EARG);
  bad = opt, bad.target = no_pred;
  assert_int_equal(pith_model_learn(p, NULL, &bad, &m), PITH_EARG);
  bad = opt, bad.max_body = 99;
  assert_int_equal(pith_model_learn(p, NULL, &bad, &m), PITH_EARG);
  bad = opt, bad.confidence = NAN;
  assert_int_equal(pith_model_learn(p, NULL, &bad, &m), PITH_EARG);
  assert_int_equal(pith_model_read(p, NULL, 0, &m), PITH_OK);
  const pith_term strange[2] = {no_sym, PITH_VAR(0)};
  const pith_atom queries[] = {
      {.pred = no_pred, .arity = 2, .args = strange},
      {.pred = pith_pred_find(p, "l", 2), .arity = 2, .args = strange},
      {.pred = pith_pred_find(p, "l", 2), .arity = 2, .args = NULL},
      {.pred = pith_pred_find(p, "u", 1), .arity = 1, .args = strange}};
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    assert_true(pith_model_ask(m, &queries[i], 3, &answers, &n) < 0);
    assert_true(pith_model_can_ask(m, &queries[i]) < 0);
    assert_true(pith_model_ask_all(m, &queries[i], 1, 3, NULL, NULL, NULL) < 0);
    assert_true(pith_model_reasons(m, &queries[i], 0, 1, NULL, NULL) < 0);
    assert_true(pith_model_clues(m, &queries[i], 0, NULL, NULL) < 0);
  }
  assert_null(pith_model_rule_at(m, LARGE));
  assert_int_equal(pith_model_use(m, LARGE), PITH_EARG);
  pith_model_free(m);
  pith_free(p);
}

static void refuses_soft_rules(void **state) {
  (void)state;
  pith *p = new_handle("r(X,Y) :- e(X,Y). e(a,b).");
  pith_soft *s;
  pith_soft_values none = {0};
  assert_int_equal(pith_soft_new(p, 0, 1, &s), PITH_EARG);
  assert_int_equal(pith_soft_new(p, 2, 1, &s), PITH_OK);
  assert_int_equal(pith_soft_pred_at(s, LARGE), PITH_NONE);
  assert_null(pith_soft_slot_at(s, LARGE));
  assert_int_equal(pith_soft_forward(s, 0, &none, &none, &none, NULL),
                   PITH_EARG);
  pith_soft_free(s);
  const pith_transport nobody = {.size = 0};
  assert_int_equal(pith_team_join(p, &nobody), PITH_EARG);
  assert_int_equal(pith_checkpoint_begin(p, "/", ""), PITH_EINPUT);
  pith_free(p);
}

/* They take handles, what the library made, or what anything goes for. */
static void checks_nothing(void **state) {
  (void)state;
  (void)(size_t[]){(size_t)pith_version,
                   (size_t)pith_features,
                   (size_t)pith_new,
                   (size_t)pith_new_with,
                   (size_t)pith_error,
                   (size_t)pith_bytes,
                   (size_t)pith_bytes_peak,
                   (size_t)pith_read_format,
                   (size_t)pith_read_summary,
                   (size_t)pith_remark_count,
                   (size_t)pith_remark_errors,
                   (size_t)pith_remark_warnings,
                   (size_t)pith_limit_calls,
                   (size_t)pith_learned_count,
                   (size_t)pith_learned_restarts,
                   (size_t)pith_learned_epochs,
                   (size_t)pith_learned_steps,
                   (size_t)pith_compressed_info,
                   (size_t)pith_compressed_adopt,
                   (size_t)pith_infer_defaults,
                   (size_t)pith_infer,
                   (size_t)pith_infer_cost,
                   (size_t)pith_rules_check,
                   (size_t)pith_proof_steps,
                   (size_t)pith_proof_size,
                   (size_t)pith_score,
                   (size_t)pith_sym_count,
                   (size_t)pith_pred_count,
                   (size_t)pith_rule_count,
                   (size_t)pith_example_count,
                   (size_t)pith_close_world,
                   (size_t)pith_template_count,
                   (size_t)pith_template_steps,
                   (size_t)pith_template_clear,
                   (size_t)pith_bias_of,
                   (size_t)pith_out_print,
                   (size_t)pith_out_quote,
                   (size_t)pith_out_flush,
                   (size_t)pith_out_text,
                   (size_t)pith_compressed_restarts,
                   (size_t)pith_compressed_certify,
                   (size_t)pith_model_cost,
                   (size_t)pith_model_info_of,
                   (size_t)pith_model_write,
                   (size_t)pith_model_grade,
                   (size_t)pith_model_score,
                   (size_t)pith_soft_steps,
                   (size_t)pith_soft_pred_count,
                   (size_t)pith_soft_slot_count,
                   (size_t)pith_soft_backward,
                   (size_t)pith_team_leave,
                   (size_t)pith_team_is_over,
                   (size_t)pith_team_loops,
                   (size_t)pith_checkpoint_end};
  pith_free(NULL);
  pith_learned_free(NULL);
  pith_compressed_free(NULL);
  pith_proof_free(NULL);
  pith_model_free(NULL);
  pith_soft_free(NULL);
  pith_soft_pass_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses_rules),
      cmocka_unit_test(finds_no_cut_arity),
      cmocka_unit_test(refuses_no_world),
      cmocka_unit_test(knows_nothing_of_nonsense),
      cmocka_unit_test(refuses_ids_of_names),
      cmocka_unit_test(refuses_ids_of_facts),
      cmocka_unit_test(refuses_templates),
      cmocka_unit_test(refuses_reading),
      cmocka_unit_test(refuses_questions),
      cmocka_unit_test(refuses_writing),
      cmocka_unit_test(refuses_learning),
      cmocka_unit_test(refuses_compression),
      cmocka_unit_test(refuses_models),
      cmocka_unit_test(refuses_soft_rules),
      cmocka_unit_test(checks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
