/* What was learned by heart is called so; and the closed world. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "learned.h"

/* Each positive example has a tone of its own, and nothing else. */
static void calls_lists_by_heart(void **state) {
  (void)state;
  pith *p = new_task("tone(a,c1). tone(b,c2). tone(c,c3). tone(d,c4). "
                     "tone(e,c5). tone(g,c6). tone(h,c7). tone(i,c8)."
                     "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d))."
                     "neg(f(e)). neg(f(g)). neg(f(h)). neg(f(i)).");
  pith_learned *l = NULL;
  size_t examples = pith_example_count(p);
  assert_true(pith_learn(&p, 1, NULL, &l) >= 0);
  const pith_theory_info *i = pith_learned_info(l, 0);
  assert_true(i->solved && i->by_heart);
  assert_int_equal(i->left_out, examples);
  assert_true(i->left_out_right <= 4);
  assert_int_equal(pith_example_count(p), examples);
  for (size_t k = 0; k < examples; k++)
    assert_int_equal(pith_example_at(p, k)->positive, k < 4);
  pith_learned_free(l);
  pith_free(p);
}

typedef struct {
  uint32_t looks, most;
  bool said;
} patience;

static bool runs_out(void *ctx) {
  patience *p = ctx;
  p->said = p->said || p->looks++ >= p->most;
  return p->said;
}

/* A stop is never lost, also while examples are left out; and what fits is
** never called solved without a word. */
static void says_when_it_was_stopped(void **state) {
  (void)state;
  bool ended = false;
  uint32_t untried = 0;
  for (uint32_t most = 0; !ended; most += 1 + most / 8) {
    pith *p = new_task("tone(a,c1). tone(b,c2). tone(c,c3). tone(d,c4). "
                       "tone(e,c5). tone(g,c6). tone(h,c7). tone(i,c8)."
                       "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(d))."
                       "neg(f(e)). neg(f(g)). neg(f(h)). neg(f(i)).");
    pith_learned *l = NULL;
    patience left = {.most = most};
    pith_learn_options opt;
    pith_learn_defaults(&opt);
    opt.run.stop = runs_out;
    opt.run.stop_ctx = &left;
    pith_status rc = pith_learn(&p, 1, &opt, &l);
    assert_int_equal(rc, left.said ? PITH_STOPPED : PITH_OK);
    ended = !left.said;
    const pith_theory_info *i =
        pith_learned_count(l) > 0 ? pith_learned_info(l, 0) : NULL;
    if (i != NULL && i->solved) {
      assert_true(i->by_heart != i->maybe_by_heart);
      untried += i->maybe_by_heart;
    }
    pith_learned_free(l);
    pith_free(p);
  }
  assert_true(untried > 0);
}

static void leaves_small_theories_alone(void **state) {
  (void)state;
  pith *p = new_task("red(a). red(b). red(c). red(d). blue(e). blue(g)."
                     "blue(h). blue(i). pos(f(a)). pos(f(b)). pos(f(c))."
                     "pos(f(d)). neg(f(e)). neg(f(g)). neg(f(h)). neg(f(i)).");
  pith_learned *l = NULL;
  assert_true(pith_learn(&p, 1, NULL, &l) >= 0);
  assert_true(pith_learned_info(l, 0)->solved);
  assert_false(pith_learned_info(l, 0)->by_heart);
  assert_int_equal(pith_learned_info(l, 0)->left_out, 0);
  pith_learned_free(l);
  pith_free(p);
}

static void closes_worlds(void **state) {
  (void)state;
  pith *p = new_task("e(a,b). e(b,c). e(c,d). q(x). pos(r(a,c)). pos(r(b,d))."
                     "pos(s(x)). neg(s(a)).");
  size_t added = 0;
  assert_int_equal(pith_close_world(p, 1000, 1, &added), PITH_OK);
  assert_int_equal(added, 14); /* of 4 x 4, for x is in no column of e */
  assert_int_equal(pith_close_world(p, 1000, 1, &added), PITH_OK);
  assert_int_equal(added, 0); /* now it has negative ones */
  pith_free(p);
}

static void draws_from_large_worlds(void **state) {
  (void)state;
  char text[8000];
  size_t n = 0, added = 0;
  for (int i = 0; i < 100; i++)
    n += (size_t)sprintf(text + n, "e(x%d,x%d). ", i, i + 1);
  sprintf(text + n, "pos(r(x1,x3)). pos(r(x2,x4)).");
  pith *p = new_task(text);
  assert_int_equal(pith_close_world(p, 50, 1, &added), PITH_OK);
  assert_int_equal(added, 50);
  assert_int_equal(pith_example_count(p), 52);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_lists_by_heart),
      cmocka_unit_test(says_when_it_was_stopped),
      cmocka_unit_test(leaves_small_theories_alone),
      cmocka_unit_test(closes_worlds),
      cmocka_unit_test(draws_from_large_worlds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
