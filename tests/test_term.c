/* The nouns: names as numbers, equality of atoms and rules, and names of one
** theory expressed in another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "term/equal.h"
#include "term/names.h"
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
      cmocka_unit_test(one_name_may_have_two_arities),
      cmocka_unit_test(builtins_are_there_from_the_start),
      cmocka_unit_test(atoms_are_equal_by_predicate_and_terms),
      cmocka_unit_test(names_are_found_in_another_theory),
      cmocka_unit_test(names_are_added_to_another_theory),
      cmocka_unit_test(rules_move_between_theories_and_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
