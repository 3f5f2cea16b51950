/* The nouns: names as numbers, equality of atoms and rules, and names of one
** theory expressed in another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "term/compare.h"
#include "term/equal.h"
#include "term/names.h"
#include "term/number.h"
#include "term/theory.h"
#include "term/translate.h"

typedef struct {
  pith_i_env env;
  pith_i_theory theory;
} world;

static void world_init(world *w) {
  memset(w, 0, sizeof *w);
  pith_i_env_init(&w->env, NULL);
  assert_int_equal(pith_i_theory_init(&w->theory, &w->env), PITH_OK);
}

static void world_free(world *w) {
  pith_i_theory_free(&w->theory);
  assert_int_equal(w->env.used, 0);
}

static pith_sym add_sym(world *w, const char *text, pith_sym_kind kind) {
  pith_sym s;
  assert_int_equal(
      pith_i_sym_add(&w->theory.names, text, strlen(text), kind, &s), PITH_OK);
  return s;
}

static pith_pred add_pred(world *w, const char *name, size_t arity) {
  pith_pred p;
  assert_int_equal(
      pith_i_pred_add(&w->theory.names, add_sym(w, name, PITH_NAME), arity, &p),
      PITH_OK);
  return p;
}

/* ---- names ----------------------------------------------------------- */

static void one_number_is_one_symbol(void **state) {
  (void)state;
  world w;
  world_init(&w);
  assert_int_equal(add_sym(&w, "7", PITH_NUMBER),
                   add_sym(&w, "007", PITH_NUMBER));
  assert_int_equal(add_sym(&w, "1.5", PITH_NUMBER),
                   add_sym(&w, "1.50", PITH_NUMBER));
  assert_int_not_equal(add_sym(&w, "7", PITH_NUMBER),
                       add_sym(&w, "7", PITH_NAME));
  world_free(&w);
}

static void check_spelling(const char *text, const char *normal) {
  char out[128];
  size_t n = pith_i_number_normal(text, strlen(text), out);
  if (normal == NULL) {
    assert_true(n == 0 || n == PITH_I_NUMBER_RANGE);
    return;
  }
  assert_true(n < sizeof out);
  out[n] = '\0';
  assert_string_equal(out, normal);
}

static void numbers_have_one_spelling(void **state) {
  (void)state;
  static const char *const same[][2] = {
      {"007", "7"},
      {"-0", "0"},
      {"1_000_000", "1000000"},
      {"0x1F", "31"},
      {"-0x10", "-16"},
      {"0o17", "15"},
      {"0b101", "5"},
      {"1.50", "1.5"},
      {"15.0e-1", "1.5"},
      {"0.15E+1", "1.5"},
      {"1e0", "1.0"},
      {"-0.0", "0.0"},
      {"2.0e10", "20000000000.0"},
      {"1e15", "1.0e15"},
      {"1e14", "100000000000000.0"},
      {"0.0001", "0.0001"},
      {"0.00001", "1.0e-5"},
      {"123456789012345678901", "123456789012345678901"},
      {"1.7976931348623157e308", "1.7976931348623157e308"},
  };
  static const char *const none[] = {"",
                                     "-",
                                     "x",
                                     "1.",
                                     ".5",
                                     "1e",
                                     "1.0e+",
                                     "1__0",
                                     "0x",
                                     "0xG",
                                     "1.0f",
                                     "0b2",
                                     "1e309",
                                     "1e-400",
                                     "0x10000000000000000",
                                     "1e99999999999999999999"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    check_spelling(same[i][0], same[i][1]);
    check_spelling(same[i][1], same[i][1]);
  }
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    check_spelling(none[i], NULL);
}

/* In ascending order; those of one line are equal in value. */
static void numbers_compare_exactly(void **state) {
  (void)state;
  static const char *const rising[][2] = {
      {"-100000000000000000001", "-100000000000000000001"},
      {"-100000000000000000000", "-1.0e20"},
      {"-1", "-1.0"},
      {"-0.5", "-0.5"},
      {"0", "0.0"},
      {"1.0e-300", "1.0e-300"},
      {"0.1", "0.1"},
      {"0.1000000000000000055", "0.1000000000000000055"},
      {"9", "9.0"},
      {"10", "10.0"},
      {"9007199254740992", "9007199254740992"},
      {"9007199254740993", "9007199254740993"},
      {"1.0e300", "1.0e300"},
  };
  enum { N = sizeof rising / sizeof *rising };
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < N; k++) {
      const char *a = rising[i][0], *b = rising[k][1];
      int c = pith_i_number_compare(a, strlen(a), b, strlen(b));
      assert_int_equal((c > 0) - (c < 0), (i > k) - (i < k));
      double x = pith_i_number_value(a, strlen(a));
      double y = pith_i_number_value(b, strlen(b));
      assert_true(i < k ? x <= y : i > k ? x >= y : x == y);
    }
}

static void dates_compare_by_time(void **state) {
  (void)state;
  static const char *const rising[] = {
      "0001-01-01",
      "1969-12-31T23:59:59Z",
      "1970-01-01",
      "2024-02-29",
      "2024-02-29T00:00:00.5",
      "2024-02-29T12:00+02:00",
      "2024-02-29 10:00:01Z",
      "2024-03-01",
      "9999-12-31",
  };
  static const char *const none[] = {
      "2023-02-29",       "2024-13-01",  "2024-1-01",
      "20240301",         "2024-03-00",  "2024-03-01T",
      "2024-03-01T25:00", "2024-03-01X", "2024-03-01T10:00+2"};
  enum { N = sizeof rising / sizeof *rising };
  double value[N], x;
  for (size_t i = 0; i < N; i++) {
    assert_int_equal(
        pith_i_order_of(rising[i], strlen(rising[i]), PITH_NAME, &value[i]),
        PITH_ORDER_DATE);
    assert_true(i == 0 || value[i - 1] < value[i]);
  }
  assert_true(value[2] == 0);
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    assert_int_equal(pith_i_order_of(none[i], strlen(none[i]), PITH_NAME, &x),
                     PITH_ORDER_NONE);
}

static void unlike_things_do_not_compare(void **state) {
  (void)state;
  world w;
  world_init(&w);
  const pith_i_names *names = &w.theory.names;
  pith_sym one = add_sym(&w, "1", PITH_NUMBER),
           unit = add_sym(&w, "1.0", PITH_NUMBER),
           name = add_sym(&w, "1", PITH_NAME),
           day = add_sym(&w, "2024-03-01", PITH_NAME);
  assert_true(pith_i_builtin_holds(names, PITH_SAME_VALUE, one, unit));
  assert_true(pith_i_builtin_holds(names, PITH_DIFFERENT, one, unit));
  assert_true(pith_i_builtin_holds(names, PITH_LESS_EQUAL, day, day));
  for (pith_pred op = PITH_LESS; op < PITH_BUILTINS; op++) {
    assert_false(pith_i_builtin_holds(names, op, one, name));
    assert_false(pith_i_builtin_holds(names, op, name, name));
    assert_false(pith_i_builtin_holds(names, op, one, day));
  }
  world_free(&w);
}

static void one_name_may_have_two_arities(void **state) {
  (void)state;
  world w;
  world_init(&w);
  pith_pred one = add_pred(&w, "p", 1), two = add_pred(&w, "p", 2);
  pith_sym p = add_sym(&w, "p", PITH_NAME);
  assert_int_not_equal(one, two);
  assert_int_equal(pith_i_pred_find(&w.theory.names, p, 2), two);
  assert_int_equal(pith_i_pred_find(&w.theory.names, p, 3), PITH_NONE);
  assert_int_equal(pith_i_pred_named(&w.theory.names, p), one);
  assert_string_equal(pith_i_pred_text(&w.theory.names, two), "p");
  world_free(&w);
}

static void builtins_are_there_from_the_start(void **state) {
  (void)state;
  world w;
  world_init(&w);
  assert_true(pith_i_is_builtin(PITH_EQUAL));
  assert_true(pith_i_is_builtin(PITH_DIFFERENT));
  assert_false(pith_i_is_builtin(add_pred(&w, "p", 2)));
  world_free(&w);
}

/* ---- equality -------------------------------------------------------- */

static void atoms_are_equal_by_predicate_and_terms(void **state) {
  (void)state;
  const pith_term ab[] = {3, 4}, ba[] = {4, 3}, xy[] = {PITH_VAR(0), 4};
  pith_atom p = {.pred = 5, .arity = 2, .args = ab},
            q = {.pred = 6, .arity = 2, .args = ab};
  assert_true(
      pith_i_atom_equal(&p, &(pith_atom){.pred = 5, .arity = 2, .args = ab}));
  assert_false(
      pith_i_atom_equal(&p, &(pith_atom){.pred = 5, .arity = 2, .args = ba}));
  assert_false(
      pith_i_atom_equal(&p, &(pith_atom){.pred = 5, .arity = 2, .args = xy}));
  assert_false(
      pith_i_atom_equal(&p, &(pith_atom){.pred = 5, .arity = 1, .args = ab}));
  assert_false(pith_i_atom_equal(&p, &q));
  assert_true(pith_i_args_equal(&p, &q));
  assert_true(
      pith_i_atom_equal(&(pith_atom){.pred = 5, .arity = 0, .args = NULL},
                        &(pith_atom){.pred = 5, .arity = 0, .args = ab}));
}

/* ---- translation ----------------------------------------------------- */

static void names_are_found_in_another_theory(void **state) {
  (void)state;
  world a, b;
  world_init(&a);
  world_init(&b);
  add_sym(&b, "shift", PITH_NAME); /* so that the numbers differ */
  pith_sym ann = add_sym(&a, "ann", PITH_NAME);
  pith_sym twelve = add_sym(&a, "12", PITH_NUMBER);
  pith_sym quoted = add_sym(&a, "12", PITH_NAME);
  pith_pred p1 = add_pred(&a, "p", 1), p2 = add_pred(&a, "p", 2);
  const pith_i_theory *from = &a.theory, *to = &b.theory;
  assert_int_equal(pith_i_sym_counterpart(from, to, ann), PITH_NONE);
  assert_int_equal(pith_i_pred_counterpart(from, to, p2), PITH_NONE);
  pith_sym number = add_sym(&b, "12", PITH_NUMBER);
  pith_pred there = add_pred(&b, "p", 2);
  assert_int_equal(pith_i_sym_counterpart(from, to, twelve), number);
  assert_int_equal(pith_i_sym_counterpart(from, to, quoted), PITH_NONE);
  assert_int_equal(pith_i_pred_counterpart(from, to, p2), there);
  assert_int_equal(pith_i_pred_counterpart(from, to, p1), PITH_NONE);
  assert_int_equal(pith_i_pred_counterpart(from, to, PITH_NONE), PITH_NONE);
  assert_int_equal(pith_i_pred_counterpart(from, to, PITH_EQUAL), PITH_EQUAL);
  assert_int_equal(pith_i_sym_counterpart(from, from, ann), ann);
  world_free(&a);
  world_free(&b);
}

static void names_are_added_to_another_theory(void **state) {
  (void)state;
  world a, b;
  world_init(&a);
  world_init(&b);
  add_sym(&b, "shift", PITH_NAME);
  pith_term args[] = {add_sym(&a, "ann", PITH_NAME), PITH_VAR(1),
                      add_sym(&a, "-2.5", PITH_NUMBER)};
  pith_pred p = add_pred(&a, "p", 3), there;
  assert_int_equal(pith_i_args_translate(&a.theory, &b.theory, args, 3, args),
                   PITH_OK);
  assert_string_equal(pith_i_sym(&b.theory.names, args[0])->text, "ann");
  assert_int_equal(args[1], PITH_VAR(1));
  assert_int_equal(args[2], add_sym(&b, "-2.5", PITH_NUMBER));
  assert_int_equal(pith_i_pred_translate(&a.theory, &b.theory, p, &there),
                   PITH_OK);
  assert_int_equal(there, add_pred(&b, "p", 3));
  assert_int_equal(pith_i_pred_counterpart(&a.theory, &b.theory, p), there);
  world_free(&a);
  world_free(&b);
}

/* p(X,ann) :- q(ann,X), X \= Y, r(Y). */
static pith_rule make_rule(world *w, pith_term (*args)[2], pith_atom *body,
                           pith_sym *names) {
  pith_sym ann = add_sym(w, "ann", PITH_NAME);
  const pith_term terms[4][2] = {{PITH_VAR(0), ann},
                                 {ann, PITH_VAR(0)},
                                 {PITH_VAR(0), PITH_VAR(1)},
                                 {PITH_VAR(1), 0}};
  memcpy(args, terms, sizeof terms);
  body[0] =
      (pith_atom){.pred = add_pred(w, "q", 2), .arity = 2, .args = args[1]};
  body[1] = (pith_atom){.pred = PITH_DIFFERENT, .arity = 2, .args = args[2]};
  body[2] =
      (pith_atom){.pred = add_pred(w, "r", 1), .arity = 1, .args = args[3]};
  names[0] = add_sym(w, "X", PITH_NAME);
  names[1] = add_sym(w, "Y", PITH_NAME);
  return (pith_rule){
      .head = {.pred = add_pred(w, "p", 2), .arity = 2, .args = args[0]},
      .body = body,
      .body_len = 3,
      .var_count = 2,
      .var_names = names,
      .file = add_sym(w, "rules.pl", PITH_NAME),
      .line = 7};
}

static void rules_move_between_theories_and_back(void **state) {
  (void)state;
  world a, b;
  world_init(&a);
  world_init(&b);
  add_pred(&b, "shift", 4);
  pith_term args[4][2];
  pith_atom body[3];
  pith_sym names[2];
  pith_rule rule = make_rule(&a, args, body, names), *there, *back, *same;
  pith_i_arena arena = {.env = &a.env};
  assert_int_equal(
      pith_i_rule_translate(&a.theory, &b.theory, &rule, &arena, &there),
      PITH_OK);
  assert_int_equal(there->body[1].pred, PITH_DIFFERENT);
  assert_string_equal(pith_i_pred_text(&b.theory.names, there->head.pred), "p");
  assert_string_equal(pith_i_sym(&b.theory.names, there->var_names[1])->text,
                      "Y");
  assert_string_equal(pith_i_sym(&b.theory.names, there->file)->text,
                      "rules.pl");
  assert_int_equal(
      pith_i_rule_translate(&b.theory, &a.theory, there, &arena, &back),
      PITH_OK);
  assert_true(pith_i_rule_same(&rule, back));
  assert_int_equal(
      pith_i_rule_translate(&a.theory, &a.theory, &rule, &arena, &same),
      PITH_OK);
  assert_true(pith_i_rule_same(&rule, same) && same != &rule);
  pith_i_arena_free(&arena);
  world_free(&b);
  world_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_number_is_one_symbol),
      cmocka_unit_test(numbers_have_one_spelling),
      cmocka_unit_test(numbers_compare_exactly),
      cmocka_unit_test(dates_compare_by_time),
      cmocka_unit_test(unlike_things_do_not_compare),
      cmocka_unit_test(one_name_may_have_two_arities),
      cmocka_unit_test(builtins_are_there_from_the_start),
      cmocka_unit_test(atoms_are_equal_by_predicate_and_terms),
      cmocka_unit_test(names_are_found_in_another_theory),
      cmocka_unit_test(names_are_added_to_another_theory),
      cmocka_unit_test(rules_move_between_theories_and_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
