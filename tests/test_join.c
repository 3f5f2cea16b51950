/* The parts of exact inference by themselves: components of a graph, closure on
** bits, forms, plans with conditions, and the order of evaluation. */
#include "base/random.h"
#include "base/scc.h"
#include "logic/count.h"
#include "logic/dense.h"
#include "logic/form.h"
#include "logic/goals.h"
#include "logic/plan.h"
#include "logic/product.h"
#include "logic/replay.h"
#include "logic/strata.h"
#include "logic/sweep.h"
#include "programs.h"

static pith *read_program(const char *text) {
  pith *p = new_handle();
  if (pith_read_text(p, "case", text, strlen(text), PITH_PROLOG) < 0)
    fail_msg("%s", pith_error(p));
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    assert_non_null(
        pith_i_relation_get(&p->store, i, (uint32_t)pith_pred_arity(p, i)));
  return p;
}

/* ---- graphs ---------------------------------------------------------- */

enum { NODES = 40 };

static bool has_edge(uint64_t seed, size_t x, size_t y) {
  return pith_i_random(seed, x, y) % 30 == 0;
}

static void find_reach(uint64_t seed, bool reach[NODES][NODES]) {
  for (size_t x = 0; x < NODES; x++)
    for (size_t y = 0; y < NODES; y++)
      reach[x][y] = has_edge(seed, x, y);
  for (size_t k = 0; k < NODES; k++)
    for (size_t x = 0; x < NODES; x++)
      for (size_t y = 0; y < NODES; y++)
        reach[x][y] |= reach[x][k] && reach[k][y];
}

static void components_are_cycles(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 50; seed++) {
    pith_i_env env;
    bool reach[NODES][NODES];
    size_t starts[NODES + 1] = {0}, n = 0;
    uint32_t targets[NODES * NODES], component[NODES], order[NODES], count;
    pith_i_env_init(&env, NULL);
    for (size_t x = 0; x < NODES; x++) {
      for (size_t y = 0; y < NODES; y++)
        if (has_edge(seed, x, y))
          targets[n++] = (uint32_t)y;
      starts[x + 1] = n;
    }
    find_reach(seed, reach);
    assert_int_equal(
        pith_i_components(&env, NODES, starts, targets, component, &count),
        PITH_OK);
    assert_int_equal(pith_i_postorder(&env, NODES, starts, targets, order),
                     PITH_OK);
    for (size_t x = 0; x < NODES; x++)
      for (size_t y = 0; y < NODES; y++) {
        bool together = x == y || (reach[x][y] && reach[y][x]);
        assert_int_equal(component[x] == component[y], together);
        if (reach[x][y] && !together) {
          assert_true(component[y] < component[x]);
          assert_true(reach[x][x] || order[y] < order[x]);
        }
      }
    assert_int_equal(env.used, 0);
  }
}

/* reach(X,Y) :- reach(X,Z), reach(Z,Y) on bits. */
static void sweeps_close_a_relation(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++) {
    pith_i_env env;
    pith_i_sweep s;
    bool reach[NODES][NODES];
    pith_i_env_init(&env, NULL);
    assert_int_equal(pith_i_sweep_init(&s, &env, NODES), PITH_OK);
    uint32_t m = pith_i_grown_new(&s);
    for (size_t x = 0; x < NODES; x++)
      for (size_t y = 0; y < NODES; y++)
        if (has_edge(seed, x, y))
          pith_i_grown_set(&s, m, x, y);
    assert_true(pith_i_grown_op(
        &s, m, (pith_i_op){.kind = PITH_I_GROWN_RIGHT, .to = m, .other = m}));
    uint32_t inverse = pith_i_grown_new(&s);
    assert_true(pith_i_grown_op(
        &s, m, (pith_i_op){.kind = PITH_I_INVERT, .to = inverse}));
    assert_true(pith_i_grown_op(
        &s, m,
        (pith_i_op){.kind = PITH_I_GROWN_LEFT, .to = m, .other = inverse}));
    assert_int_equal(pith_i_sweep_run(&s), PITH_OK);
    find_reach(seed, reach);
    for (size_t x = 0; x < NODES; x++)
      for (size_t y = 0; y < NODES; y++)
        assert_int_equal(
            s.grown.at[m].full[x * s.words + (y >> 6)] >> (y & 63) & 1,
            reach[x][y]);
    pith_i_sweep_free(&s);
    assert_int_equal(env.used, 0);
  }
}

/* ---- forms and plans ------------------------------------------------- */

static void forms_sort_the_body(void **state) {
  (void)state;
  pith *p = read_program("h(X,Y) :- e(X,Z), Z = W, e(W,Y), X \\= Y, 1 < 2,"
                         " \\+ q(X,_), Y >= 3, \\+ r(a).\n"
                         "never(X) :- e(X,_), 2 < 1.\n"
                         "h(X,Y) :- e(X,Z), e(Y,Z).\n");
  pith_i_arena arena = {.env = &p->env};
  const pith_i_names *names = &p->theory.names;
  pith_i_form *f = pith_i_form_new(&arena, names, p->theory.rules.at[0]);
  assert_int_equal(f->atom_count, 2);
  assert_int_equal(f->test_count, 2); /* 1 < 2 is decided */
  assert_int_equal(f->negative_count, 2);
  assert_int_equal(f->atoms[0].regs[1], f->atoms[1].regs[0]);
  assert_false(f->never);
  uint32_t locals = 0;
  for (uint32_t i = 0; i < f->var_count; i++)
    locals += f->local[i];
  assert_int_equal(locals, 1);
  assert_true(f->local[f->negatives[0].regs[1]]);
  assert_true(pith_i_form_new(&arena, names, p->theory.rules.at[1])->never);
  pith_i_link links[2];
  uint32_t scratch[2];
  pith_i_form *chain = pith_i_form_new(&arena, names, p->theory.rules.at[2]);
  assert_true(pith_i_form_chain(chain, links, scratch));
  assert_true(!links[0].inverse && links[1].inverse);
  assert_false(pith_i_form_chain(f, links, scratch));
  pith_i_arena_free(&arena);
  pith_free(p);
}

static pith_status count_match(void *ctx, pith_i_plan *plan) {
  (void)plan;
  ++*(size_t *)ctx;
  return PITH_OK;
}

static size_t count_backwards(pith *p, const char *x) {
  size_t found = 0;
  pith_i_arena arena = {.env = &p->env};
  const pith_i_form *f =
      pith_i_form_new(&arena, &p->theory.names, p->theory.rules.at[0]);
  pith_i_plan *plan = pith_i_plan_backwards(&arena, &p->store, f);
  pith_sym head = sym(p, x);
  pith_i_hooks hooks = {
      .found = count_match, .ctx = &found, .countdown = UINT32_MAX};
  assert_true(pith_i_plan_set_head(plan, &head));
  assert_int_equal(pith_i_plan_run(plan, &hooks), PITH_OK);
  pith_i_arena_free(&arena);
  return found;
}

static void plans_decide_conditions(void **state) {
  (void)state;
  pith *p = read_program("h(X) :- v(X,N), N > 1, \\+ w(X,_), \\+ t(N,Y,Y).\n"
                         "v(a,1). v(a,2). v(a,3). v(b,4). v(c,5). v(c,6).\n"
                         "w(b,z). t(5,k,k). t(6,k,l).\n");
  assert_int_equal(count_backwards(p, "a"), 2);
  assert_int_equal(count_backwards(p, "b"), 0);
  assert_int_equal(count_backwards(p, "c"), 1);
  pith_free(p);
}

static bool count_look(void *ctx) {
  ++*(size_t *)ctx;
  return false;
}

/* How often the rule has inference look whether to stop. */
static size_t count_looks(const char *rule) {
  enum { ROWS = 2000 };
  size_t looks = 0;
  char fact[128];
  pith *p = read_program(rule);
  for (int i = 0; i < ROWS; i++) {
    snprintf(fact, sizeof fact, "e(%d). d(%d,k). f(k,%d,%d).\n", i, i, i,
             i + ROWS);
    assert_int_equal(pith_read_text(p, "f", fact, strlen(fact), PITH_PROLOG),
                     PITH_OK);
  }
  pith_infer_options opt;
  pith_infer_defaults(&opt);
  opt.run.stop = count_look;
  opt.run.stop_ctx = &looks;
  assert_true(pith_infer(p, &opt, NULL) >= 0);
  pith_free(p);
  return looks;
}

/* Four million rows are gone over each time, and hardly one matches: looks
** come by rows, not by matches. */
static void rows_without_a_match_count(void **state) {
  (void)state;
  assert_true(count_looks("x(A) :- e(A), e(B), B < A, A < B.\n") > 100);
  assert_true(count_looks("x(A) :- d(A,K), f(K,B,C), C < A.\n") > 100);
  assert_true(count_looks("x(A) :- d(A,K), \\+ f(K,B,B).\n") > 100);
}

/* ---- the order of evaluation ----------------------------------------- */

/* h holds of a (twice over) and of c. */
static void counting_keeps_conditions(void **state) {
  (void)state;
  pith *p = read_program("h(X) :- v(X,N), N > 1, \\+ w(X,_).\n"
                         "v(a,1). v(a,2). v(a,3). v(b,4). v(c,5). w(b,z).\n"
                         "h(a).\n");
  pith_counts n;
  assert_int_equal(
      pith_i_rule_counts(&p->theory, &p->store, p->theory.rules.at[0], &n),
      PITH_OK);
  assert_int_equal(n.predictions, 2);
  assert_int_equal(n.support, 1);
  pith_free(p);
}

static void levels_count_negations(void **state) {
  (void)state;
  pith *p = read_program("a(X) :- e(X). b(X) :- e(X), \\+ a(X).\n"
                         "c(X) :- b(X), \\+ d(X). d(X) :- a(X), \\+ b(X).\n");
  pith_i_strata g;
  uint32_t level[64];
  assert_int_equal(pith_i_strata_init(&g, &p->theory, &p->store, NULL),
                   PITH_OK);
  assert_int_equal(pith_i_strata_order(&g), PITH_OK);
  assert_int_equal(pith_i_strata_levels(&g, level), 3);
  const struct {
    const char *name;
    uint32_t level;
  } expected[] = {{"a", 0}, {"b", 1}, {"c", 3}, {"d", 2}, {"e", 0}};
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(level[pith_pred_find(p, expected[i].name, 1)],
                     expected[i].level);
  pith_i_strata_free(&g);
  pith_free(p);
}

static void cycles_are_named(void **state) {
  (void)state;
  pith *p = read_program("a(X) :- e(X), b(X). b(X) :- e(X), \\+ c(X).\n"
                         "c(X) :- e(X), a(X).\n");
  assert_int_equal(pith_rules_check(p), PITH_EINPUT);
  assert_string_equal(
      pith_error(p),
      "case:1: the rules are not stratified: b/1 needs \\+ c/1, c/1 needs a/1, "
      "a/1 needs b/1; expected no predicate to depend on its own negation; "
      "rewrite one of these rules");
  assert_int_equal(pith_infer(p, NULL, NULL), PITH_EINPUT);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(components_are_cycles),
      cmocka_unit_test(sweeps_close_a_relation),
      cmocka_unit_test(forms_sort_the_body),
      cmocka_unit_test(plans_decide_conditions),
      cmocka_unit_test(rows_without_a_match_count),
      cmocka_unit_test(counting_keeps_conditions),
      cmocka_unit_test(levels_count_negations),
      cmocka_unit_test(cycles_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
