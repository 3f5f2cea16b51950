/* What is done last in learning, with memory that runs out there: two rules as
** one, what the labels hardly decide, recursion that is denied. Each learns for
** so long that only the last allocations are refused, further apart the further
** they are from the end. */
#include "miser.h"

enum {
  APART = 2, /* each refusal is further from the end by one in so many */
  MOST = 600
};

static pith_status learn(pith *p, const pith_learn_options *opt) {
  pith_learned *l = NULL;
  pith_status rc = pith_learn(&p, 1, opt, &l);
  pith_learned_free(l);
  return rc;
}

static pith_status learn_two_as_one(pith *p) {
  pith_status rc = pith_read(p, "tests/cli/data/tasks/two_as_one", PITH_AUTO);
  return rc < 0 ? rc : learn(p, NULL);
}

static pith_status learn_dead(pith *p) {
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.max_body = opt.max_vars = 2;
  opt.no_constants = true;
  pith_status rc = read_as(
      p,
      "node(a). node(b). node(c). node(d). node(e). node(f). node(g). node(h). "
      "node(i). node(j). edge(a,b). edge(b,c). edge(c,d). edge(e,f). edge(f,g)."
      "edge(h,i). edge(i,e). edge(d,j). entry(a). pos(t(e)). pos(t(f)). "
      "pos(t(g)). pos(t(h)). pos(t(i)). neg(t(a)). neg(t(b)). neg(t(c)). "
      "neg(t(d)). neg(t(j)).",
      PITH_PROLOG);
  return rc < 0 ? rc : learn(p, &opt);
}

/* Things of which a seventh have wrong labels. */
static pith_status learn_weak(pith *p) {
  char text[8192];
  size_t n = 0;
  for (unsigned i = 0; i < 84; i++) {
    bool red = i % 2 == 0, big = i / 2 % 3 == 0, wrong = i % 7 == 3;
    n += (size_t)sprintf(text + n, "%s(x%u). %s(x%u). old(x%u). %s(f(x%u)).\n",
                         red ? "red" : "blue", i, big ? "big" : "small", i,
                         i / 5, (red && big) != wrong ? "pos" : "neg", i);
  }
  pith_status rc = read_as(p, text, PITH_PROLOG);
  return rc < 0 ? rc : learn(p, NULL);
}

static void refuse_late(job work) {
  size_t all = count_asked(work);
  for (size_t left = 1; left < all && left < MOST; left += 1 + left / APART) {
    miser m = {.refuse = all - left};
    pith_status rc = run_job(&m, work);
    assert_int_equal(m.alive, 0);
    assert_int_equal(m.refused, 1);
    if (rc != PITH_ENOMEM && rc < 0)
      fail_msg("%zu allocations from the end refused, status %d", left, rc);
  }
}

static void test_two_as_one(void **state) {
  (void)state;
  refuse_late(learn_two_as_one);
}

static void test_dead(void **state) {
  (void)state;
  refuse_late(learn_dead);
}

static void test_weak(void **state) {
  (void)state;
  refuse_late(learn_weak);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_as_one),
                                     cmocka_unit_test(test_dead),
                                     cmocka_unit_test(test_weak)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
