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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refuses_rules),
      cmocka_unit_test(finds_no_cut_arity),
      cmocka_unit_test(refuses_no_world),
      cmocka_unit_test(knows_nothing_of_nonsense),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
