/* Recursion through atoms that nobody labelled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "api/handle.h"
#include "learn/clauses/goal_graph.h"
#include "learned.h"
#include "task/judge.h"

static void check(const char *text, const char *expected) {
  check_learned(text, NULL, expected);
}

/* None of the positive pairs is one step apart. */
static const char chain[] =
    "e(a,b). e(b,c). e(c,d). e(d,f). e(g,h). e(h,i). e(i,k)."
    "pos(r(a,c)). pos(r(a,d)). pos(r(b,f)). pos(r(g,k)). pos(r(a,f))."
    "neg(r(a,a)). neg(r(d,a)). neg(r(a,k)). neg(r(g,c)). neg(r(f,b)).";

static void finds_closures(void **state) {
  (void)state;
  check(chain, "r(A,B) :- e(A,B).\nr(A,B) :- e(A,C), r(C,B).\n");
}

#define LISTS                                                                  \
  "empty(n). first(x1,u). rest(x1,n). first(x2,v). rest(x2,x1). first(x3,w)."  \
  "rest(x3,x2). first(x4,u). rest(x4,x3). first(y1,v). rest(y1,n)."            \
  "first(y2,w). rest(y2,y1). first(y3,w). rest(y3,y2). first(y4,v)."           \
  "rest(y4,y3). first(y5,t). rest(y5,y4). first(z2,t). rest(z2,x1)."

static void works_on_lists(void **state) {
  (void)state;
  check(LISTS "pos(m(x4,u)). pos(m(x4,v)). pos(m(x4,w)). pos(m(y5,v))."
              "pos(m(z2,u)). pos(m(y5,w))."
              "neg(m(x4,t)). neg(m(y5,u)). neg(m(z2,v)). neg(m(z2,w)).",
        "m(A,B) :- first(A,B).\nm(A,B) :- rest(A,C), m(C,B).\n");
  check(LISTS "pos(even(x4)). pos(even(y4)). pos(even(z2))."
              "neg(even(x3)). neg(even(y5)). neg(even(x1)).",
        "even(A) :- empty(A).\neven(A) :- rest(A,B), rest(B,C), even(C).\n");
  check(LISTS "pos(last(x4,u)). pos(last(y5,v)). pos(last(z2,u))."
              "pos(last(x2,u)). pos(last(x1,u)). pos(last(y2,v))."
              "neg(last(x4,w)). neg(last(x4,v)). neg(last(y5,w))."
              "neg(last(y5,t)). neg(last(z2,t)). neg(last(y2,w)).",
        "last(A,B) :- first(A,B), rest(A,C), empty(C).\n"
        "last(A,B) :- rest(A,C), last(C,B).\n");
}

static void keeps_to_limits(void **state) {
  (void)state;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.max_rules = 2;
  opt.max_body = 2;
  opt.max_vars = 3;
  check_learned(chain, &opt, "r(A,B) :- e(A,B).\nr(A,B) :- e(A,C), r(C,B).\n");
}

/* With \+ v(B) instead of v(B), the second rule proves p(a,b) and derives it
** nowhere. */
static void refuses_unbound_variables(void **state) {
  (void)state;
  pith *p = new_task("v(a). p(A,A) :- v(A). p(A,B) :- p(A,A), v(B)."
                     "pos(p(a,a)). neg(p(b,a)).");
  pith_i_world world = {.theory = &p->theory, .store = &p->store};
  pith_rule *rules[2] = {p->theory.rules.at[0], p->theory.rules.at[1]};
  pith_i_errors errors;
  p->theory.rules.n = 0;
  assert_int_equal(pith_i_judge(&world, 1, rules, 2, &errors), PITH_OK);
  assert_int_equal(errors.fp + errors.fn, 0);
  ((pith_atom *)rules[1]->body)[1].negated = true;
  assert_int_equal(pith_i_judge(&world, 1, rules, 2, &errors), PITH_OK);
  assert_true(errors.fp > 0 && errors.fn > 0);
  p->theory.rules.n = 2;
  pith_free(p);
}

/* From r(a,d) along e: r(b,d), r(c,d), r(d,d); r(a,d) itself comes first. */
static void numbers_hidden_goals(void **state) {
  (void)state;
  pith *p = new_task("e(a,b). e(b,c). e(c,d). pos(r(a,d)). neg(r(d,a)).");
  pith_i_world world = {.theory = &p->theory, .store = &p->store};
  pith_i_language language = {.recursion = false};
  pith_i_goal_limits limits = {
      .work = 100000, .goals = 100, .all_goals = 1000, .atoms = {1, 0}};
  pith_i_space s;
  pith_i_goal_graph g;
  pith_pred target = p->theory.examples.at[0]->atom.pred;
  pith_i_task task = {.env = &p->env, .worlds = &world, .world_count = 1};
  assert_int_equal(pith_i_space_init(&s, &task, NULL, target, &language),
                   PITH_OK);
  assert_int_equal(pith_i_goal_graph_init(&g, &s, &limits), PITH_OK);
  assert_true(g.goals.n > 2 && g.goals.n <= 16);
  assert_memory_equal(g.goals.at, s.args, 4 * sizeof *s.args);
  bool found = false;
  for (size_t i = 0; i < g.steps.n; i++) {
    const pith_i_recursive_step *k = &g.steps.at[i];
    assert_true(k->n <= limits.atoms[k->crossed]);
    for (size_t e = 0; e < 2 * k->edge_count; e++)
      assert_true(k->edges[e] < g.goals.n);
    found = found || (k->n == 1 && k->goal[0] == 2 && k->goal[1] == 1 &&
                      k->atoms[0].arg[0] == 0 && !k->crossed);
  }
  assert_true(found);
  pith_i_goal_graph_free(&g);
  pith_i_space_free(&s);
  pith_free(p);
}

/* A cycle, an example without arguments, a constant without facts. */
static void survives_odd_inputs(void **state) {
  (void)state;
  pith *p = new_task("e(a,b). e(b,a). pos(r(a,b)). neg(r(a,a)). pos(r(b,b)).");
  pith_learned *l = NULL;
  assert_true(pith_learn(&p, 1, NULL, &l) >= 0);
  pith_learned_free(l);
  pith_free(p);
  p = new_task("e(a,b). pos(f). neg(g). pos(r(c,c)). neg(r(a,c)).");
  assert_true(pith_learn(&p, 1, NULL, &l) >= 0);
  pith_learned_free(l);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_closures),
      cmocka_unit_test(works_on_lists),
      cmocka_unit_test(keeps_to_limits),
      cmocka_unit_test(numbers_hidden_goals),
      cmocka_unit_test(refuses_unbound_variables),
      cmocka_unit_test(survives_odd_inputs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
