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

/* Labels by chance, which two rules fit that deny four values. */
static void calls_chance_by_heart(void **state) {
  (void)state;
  pith *p =
      new_task("tone(x0,c8). tone(x1,c2). tone(x10,c8). tone(x11,c8). "
               "tone(x12,c8). tone(x13,c6). tone(x14,c3). tone(x15,c7). "
               "tone(x16,c9). tone(x17,c9). tone(x18,c3). tone(x19,c8). "
               "tone(x2,c7). tone(x20,c3). tone(x21,c6). tone(x22,c5). "
               "tone(x23,c7). tone(x24,c3). tone(x25,c4). tone(x26,c7). "
               "tone(x27,c4). tone(x28,c0). tone(x29,c4). tone(x3,c8). "
               "tone(x4,c11). tone(x5,c2). tone(x6,c1). tone(x7,c3). "
               "tone(x8,c2). tone(x9,c1). p(x1). p(x10). p(x11). p(x12). "
               "p(x14). p(x17). p(x18). p(x19). p(x21). p(x24). p(x26). "
               "p(x28). p(x3). p(x5). p(x7). p(x9). q(x0). q(x10). q(x12). "
               "q(x14). q(x15). q(x16). q(x21). q(x22). q(x23). q(x24). "
               "q(x26). q(x27). q(x28). q(x29). q(x5). q(x8). r(x1). r(x13). "
               "r(x17). r(x18). r(x19). r(x2). r(x20). r(x21). r(x22). "
               "r(x26). r(x28). r(x29). r(x4). r(x5). r(x6). r(x7). r(x8). "
               "r(x9). pos(f(x0)). pos(f(x12)). pos(f(x14)). pos(f(x16)). "
               "pos(f(x2)). pos(f(x23)). pos(f(x24)). pos(f(x29)). "
               "pos(f(x3)). pos(f(x4)). neg(f(x13)). neg(f(x17)). "
               "neg(f(x20)). neg(f(x22)). neg(f(x25)). neg(f(x27)). "
               "neg(f(x28)). neg(f(x5)). neg(f(x7)). neg(f(x9)). ");
  pith_learned *l = NULL;
  assert_true(pith_learn(&p, 1, NULL, &l) >= 0);
  assert_true(pith_learned_info(l, 0)->by_heart);
  assert_true(pith_learned_info(l, 0)->rules < 3);
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
      cmocka_unit_test(calls_chance_by_heart),
      cmocka_unit_test(says_when_it_was_stopped),
      cmocka_unit_test(leaves_small_theories_alone),
      cmocka_unit_test(closes_worlds),
      cmocka_unit_test(draws_from_large_worlds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
