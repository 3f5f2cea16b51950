/* Parts of the search of clauses: which examples are looked at, which languages
** are tried, values in heads, long bodies, and programs where labels are
** wrong. */
#include "clause_bench.h"

#include <stdio.h>

#include "base/tunables.h"
#include "learn/clauses/example_sample.h"
#include "learn/clauses/greedy_bodies.h"
#include "learn/clauses/head_values.h"
#include "learn/clauses/language_list.h"
#include "learn/clauses/noisy_clauses.h"

/* So many examples f(pI) with q(pI), and so many without. */
static void write_many(char *text, uint32_t positives, uint32_t negatives) {
  text += sprintf(text, "q(none).");
  for (uint32_t i = 0; i < positives + negatives; i++)
    text += sprintf(
        text, i < positives ? " q(p%u). pos(f(p%u))." : " r(p%u). neg(f(p%u)).",
        i, i);
}

static void check_signs(const bench *b, uint32_t positives, uint32_t n) {
  assert_int_equal(b->m.positives, positives);
  assert_int_equal(b->m.n, n);
  for (uint32_t i = 0; i < n; i++) {
    assert_int_equal(b->m.pick[i] < b->s.positives, i < positives);
    for (uint32_t k = 0; k < i; k++)
      assert_int_not_equal(b->m.pick[i], b->m.pick[k]);
  }
}

/* All examples where they are few, else some of each sign; fairly, as there
** are. What is added goes to those of its sign. */
static void samples_have_both_signs(void **state) {
  (void)state;
  char text[8000];
  bench b;
  write_many(text, 30, 90);
  open_bench(&b, text, &(pith_i_language){0});
  assert_int_equal(pith_i_sample_draw(&b.m, &b.s, 120, 10, false), PITH_OK);
  check_signs(&b, 30, 120);
  assert_int_equal(pith_i_sample_draw(&b.m, &b.s, 119, 20, false), PITH_OK);
  check_signs(&b, 10, 20);
  assert_int_equal(pith_i_sample_draw(&b.m, &b.s, 119, 20, true), PITH_OK);
  check_signs(&b, 5, 20);
  uint32_t more[4], n = 0;
  for (uint32_t e = 0; e < b.s.examples && n < 4; e += 29) {
    bool there = false;
    for (uint32_t i = 0; i < b.m.n; i++)
      there = there || b.m.pick[i] == e;
    if (!there)
      more[n++] = e;
  }
  uint32_t positive = 0;
  for (uint32_t i = 0; i < n; i++)
    positive += more[i] < b.s.positives;
  assert_true(n > 0);
  assert_int_equal(pith_i_sample_extend(&b.m, &b.s, more, n), PITH_OK);
  check_signs(&b, 5 + positive, 20 + n);
  close_bench(&b);
}

/* A program that fits the sample is wrong about the examples outside of it that
** have s as well. */
static void finds_what_is_wrong(void **state) {
  (void)state;
  bench b;
  pith_i_exact x;
  uint32_t wrong[PITH_TUNE_SEARCH_MORE_EXAMPLES], n;
  open_bench(&b,
             "q(a). q(b). q(c). q(d). s(a). s(b). s(e). pos(f(a)). pos(f(b))."
             "neg(f(c)). neg(f(d)). neg(f(e)).",
             &(pith_i_language){0});
  uint32_t *pick = pith_i_alloc(&b.p->env, 4 * sizeof *pick);
  assert_non_null(pick);
  for (uint32_t i = 0; i < 4; i++)
    pick[i] = i; /* not e */
  pith_i_sample_free(&b.m);
  pith_i_sample_take(&b.m, &b.s, pick, 2, 4);
  pith_i_exact_limits limits = no_limits(&b);
  assert_int_equal(pith_i_exact_run(&x, &b.m, &limits), PITH_OK);
  assert_int_equal(x.set.n, 1);
  assert_int_equal(pith_i_find_wrong(&b.s, &x, wrong, &n), PITH_OK);
  assert_int_equal(n, 1);
  assert_int_equal(wrong[0], 4);
  pith_i_exact_free(&x);
  close_bench(&b);
}

/* From the plain to the rich; without constants there are fewer. */
static void languages_grow(void **state) {
  (void)state;
  pith_i_language l[PITH_I_MOST_LANGUAGES];
  pith_i_task task = {.examples = 20, .positives = 10};
  task.bounds.recursion = task.bounds.invention = true;
  uint32_t n = pith_i_list_languages(&task, l);
  assert_true(n > 4 && n <= PITH_I_MOST_LANGUAGES);
  assert_int_equal(pith_i_count_languages(&task), n);
  assert_false(l[0].helpers || l[0].different || l[0].absent);
  assert_true(l[0].recursion && l[0].constants == 0);
  assert_true(l[n - 2].constants > 0);
  assert_true(l[n - 1].absent && l[n - 1].different);
  assert_true(pith_i_most_constants(&task) > 0);
  task.bounds.no_constants = true;
  assert_int_equal(pith_i_most_constants(&task), 0);
  assert_true(pith_i_list_languages(&task, l) < n);
  for (uint32_t i = 0; i < pith_i_count_languages(&task); i++)
    assert_int_equal(l[i].constants, 0);
}

/* A value that no fact knows stands in the head, and makes a clause cheaper
** than an atom would. */
static void heads_may_have_values(void **state) {
  (void)state;
  static const char text[] =
      "red(a). red(b). big(c). big(a). pos(class(a,good)). pos(class(b,good))."
      "pos(class(c,bad)). neg(class(c,good)). neg(class(b,bad)).";
  bench b;
  pith_i_exact x;
  pith_i_rules rules;
  open_bench(&b, text, &(pith_i_language){.constants = 4});
  uint32_t values = 0;
  for (size_t i = 0; i < b.s.choices.n; i++)
    values += pith_i_is_head_value(&b.s.choices.at[i]);
  assert_int_equal(values, 2);
  assert_int_equal(pith_i_least_clause_cost(&b.s), 3 * PITH_I_COST / 2);
  pith_i_exact_limits limits = no_limits(&b);
  assert_int_equal(pith_i_exact_run(&x, &b.m, &limits), PITH_OK);
  assert_int_equal(x.set.n, 2);
  assert_int_equal(pith_i_set_rules(&x.growth, &x.set, &b.arena, &rules),
                   PITH_OK);
  bool good = false;
  for (uint32_t i = 0; i < rules.n; i++)
    good = good || !PITH_IS_VAR(rules.rules[i]->head.args[1]);
  assert_true(good);
  pith_i_exact_free(&x);
  close_bench(&b);
}

/* Four conditions tell a from those that lack one each; growth stops at bodies
** of one atom, and the parts are put together one at a time. */
static void long_bodies_from_parts(void **state) {
  (void)state;
  bench b;
  pith_i_exact x;
  open_bench(&b,
             "q(a). r(a). s(a). t(a). q(b). r(b). s(b). q(c). r(c). t(c)."
             "q(d). s(d). t(d). r(e). s(e). t(e). pos(f(a)). neg(f(b))."
             "neg(f(c)). neg(f(d)). neg(f(e)).",
             &(pith_i_language){0});
  pith_i_exact_limits limits = no_limits(&b);
  limits.max_body = 1;
  assert_int_equal(pith_i_exact_run(&x, &b.m, &limits), PITH_OK);
  assert_true(x.set.cost == UINT64_MAX);
  x.bodies.work = UINT64_MAX;
  assert_int_equal(pith_i_bodies_greedy(&x.bodies, 3), PITH_OK);
  assert_int_equal(x.bodies.plain.n, 0);
  assert_int_equal(pith_i_bodies_greedy(&x.bodies, 4), PITH_OK);
  assert_int_equal(x.bodies.plain.n, 1);
  assert_int_equal(x.bodies.plain.at[0].atoms, 4);
  pith_i_exact_free(&x);
  close_bench(&b);
}

/* One label in forty is wrong: the rule is worth its length, and the error is
** told beside it. */
static void noise_is_told_apart(void **state) {
  (void)state;
  char text[8000];
  bench b;
  pith_i_verdict v;
  write_many(text, 20, 20);
  strcat(text, " q(odd). neg(f(odd)).");
  open_bench(&b, text, &(pith_i_language){0});
  pith_i_exact_limits limits = no_limits(&b);
  assert_int_equal(pith_i_noise_run(&b.m, &limits, &b.arena, &v), PITH_OK);
  check_rules_text(&b, &v.rules, "f(A) :- q(A).\n");
  assert_true(v.errors > 0 && v.program > 0);
  assert_true(v.errors + v.program < 41);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_have_both_signs),
      cmocka_unit_test(finds_what_is_wrong),
      cmocka_unit_test(languages_grow),
      cmocka_unit_test(heads_may_have_values),
      cmocka_unit_test(long_bodies_from_parts),
      cmocka_unit_test(noise_is_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
