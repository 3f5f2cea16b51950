/* The readers from inside: sources, places, tokens, clauses, and the way
** back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "text/bulk.h"
#include "text/lexer.h"
#include "text/parser.h"
#include "text/print.h"
#include "text/remark.h"
#include "text/source.h"
#include "text/template.h"
#include "text/unpack.h"

typedef struct {
  pith_i_env env;
  pith_i_theory theory;
  pith_i_remarks remarks;
  pith_i_source source;
  size_t facts;
} bench;

static void bench_init(bench *b, const char *text) {
  memset(b, 0, sizeof *b);
  pith_i_env_init(&b->env, NULL);
  pith_i_remarks_init(&b->remarks, &b->env);
  assert_int_equal(pith_i_theory_init(&b->theory, &b->env), PITH_OK);
  assert_int_equal(pith_i_source_text(&b->remarks, "case.pl", text,
                                      strlen(text), &b->source),
                   PITH_OK);
}

static void bench_free(bench *b) {
  pith_i_source_free(&b->source);
  pith_i_theory_free(&b->theory);
  pith_i_remarks_free(&b->remarks);
  assert_int_equal(b->env.used, 0);
}

static pith_status take_fact(void *ctx, pith_pred pred, uint32_t arity,
                             const pith_sym *args) {
  bench *b = ctx;
  (void)pred, (void)arity, (void)args;
  b->facts++;
  return PITH_OK;
}

static void expect_fact(void *ctx, pith_pred pred, const pith_sym *args) {
  (void)ctx, (void)pred, (void)args;
}

static pith_i_input input_of(bench *b) {
  return (pith_i_input){.theory = &b->theory,
                        .remarks = &b->remarks,
                        .lines = &b->source.lines,
                        .fact = take_fact,
                        .expect = expect_fact,
                        .fact_ctx = b};
}

/* ---- tokens ---------------------------------------------------------- */

static void tokens_are_told_apart(void **state) {
  (void)state;
  static const struct {
    pith_i_token_kind kind;
    const char *text;
  } expected[] = {
      {PITH_I_PLAIN_NAME, "p"}, {PITH_I_PUNCT, "("},
      {PITH_I_VARIABLE, "X"},   {PITH_I_PUNCT, ","},
      {PITH_I_NUMBER, "1e5"},   {PITH_I_PUNCT, ","},
      {PITH_I_NUMBER, "0x1F"},  {PITH_I_PUNCT, ","},
      {PITH_I_NUMBER, "1_000"}, {PITH_I_PUNCT, ")"},
      {PITH_I_OPERATOR, ":-"},  {PITH_I_OPERATOR, "\\+"},
      {PITH_I_QUOTED, "it's"},  {PITH_I_PUNCT, ","},
      {PITH_I_VARIABLE, "X"},   {PITH_I_OPERATOR, "=<"},
      {PITH_I_OPERATOR, "-"},   {PITH_I_NUMBER, "2.5"},
      {PITH_I_STOP, "."},       {PITH_I_SLOT, "12"},
      {PITH_I_EOF, ""},
  };
  bench b;
  bench_init(&b, "p(X, 1e5,0x1F,1_000) :- % c\n \\+ 'it''s', X =< -2.5. #12");
  pith_i_lexer x;
  pith_i_lexer_init(&x, &b.source.lines, &b.remarks);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    pith_i_lexer_next(&x);
    assert_int_equal(x.token.kind, expected[i].kind);
    assert_int_equal(x.token.n, strlen(expected[i].text));
    assert_memory_equal(x.token.text, expected[i].text, x.token.n);
  }
  assert_int_equal(b.remarks.errors, 0);
  assert_true(pith_i_is_variable("_x") && !pith_i_is_variable("x"));
  pith_i_lexer_free(&x);
  bench_free(&b);
}

static void places_are_lines_and_columns(void **state) {
  (void)state;
  bench b;
  bench_init(&b, "p(a).\np(é, $).\np(b).\n");
  pith_i_input in = input_of(&b);
  assert_int_equal(pith_i_read_prolog(&in), PITH_EINPUT);
  assert_int_equal(b.remarks.errors, 1);
  assert_int_equal(b.remarks.kept.at[0].line, 2);
  assert_int_equal(b.remarks.kept.at[0].column, 6);
  assert_int_equal(b.facts, 2);
  assert_int_equal(pith_i_line_of(&b.source.lines, 0), 1);
  assert_string_equal(pith_i_shorten("abc", 3).text, "abc");
  bench_free(&b);
}

/* ---- and back -------------------------------------------------------- */

static void rules_are_written_as_they_read(void **state) {
  (void)state;
  static const char *const rules[] = {
      "p(X) :- q(X,_), \\+ r(X,_), X >= 18, X \\= f(a,'B c',2.5).",
      "p(X) :- q(X,D), D @< '2024-03-01', \\+ 'not'(X).",
      "0.25::p(A) :- q(A,B), q(B,A), A =:= B.",
      "p :- \\+ q(X,X).",
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    bench b;
    pith_out *o;
    bench_init(&b, rules[i]);
    pith_i_input in = input_of(&b);
    assert_int_equal(pith_i_read_prolog(&in), PITH_OK);
    assert_int_equal(b.theory.rules.n, 1);
    assert_int_equal(pith_i_out_memory(&b.env, &o), PITH_OK);
    pith_i_print_rule(&b.theory.names, b.theory.rules.at[0], o);
    assert_string_equal(pith_out_text(o, NULL), rules[i]);
    pith_out_close(o, true);
    bench_free(&b);
  }
}

static void templates_refuse_conditions(void **state) {
  (void)state;
  bench b;
  bench_init(&b, "F(X) <- F(X,Y), X < Y\nF(X) <- F(X,Y), X \\= Y\n");
  pith_i_input in = input_of(&b);
  assert_int_equal(pith_i_read_templates(&in), PITH_EINPUT);
  assert_int_equal(b.remarks.errors, 1);
  assert_int_equal(b.theory.templates.n, 1);
  bench_free(&b);
}

static void plain_text_is_not_unpacked(void **state) {
  (void)state;
  pith_i_env env;
  pith_i_env_init(&env, NULL);
  pith_i_text_buffer bytes = {0};
  for (const char *s = "p(a)."; *s != '\0'; s++)
    assert_true(pith_i_push(&env, &bytes, *s));
  assert_int_equal(pith_i_unpack(&env, "case", &bytes), PITH_OK);
  assert_int_equal(bytes.n, 5);
  pith_i_vec_free(&env, &bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tokens_are_told_apart),
      cmocka_unit_test(places_are_lines_and_columns),
      cmocka_unit_test(rules_are_written_as_they_read),
      cmocka_unit_test(templates_refuse_conditions),
      cmocka_unit_test(plain_text_is_not_unpacked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
