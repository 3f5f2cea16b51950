/* Watching: training once more gives the numbers that it gave before, and a
** rule covers what it gives. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

typedef struct {
  uint32_t points, last, lane, at;
  double loss;
  uint64_t wrong;
  bool sums; /* the weights of each slot are shares */
  uint32_t stop_at;
} watched;

static int watch_point(void *ctx, const pith_trace_point *p) {
  watched *w = ctx;
  assert_true(w->points == 0 || p->epoch > w->last);
  assert_true(p->restarts > 0 && p->restarts <= PITH_TRACE_RESTARTS);
  for (size_t s = 0; s < p->slot_count; s++) {
    double sum = 0;
    for (size_t c = 0; c < p->slots[s].count; c++)
      sum += p->slots[s].weights[c];
    assert_true(p->slots[s].atom <= p->slots[s].shape->shape.body_len);
    w->sums = w->sums && fabs(sum - 1) < 1e-4;
  }
  assert_true(p->atom_count > 0 && p->steps > 0);
  for (size_t i = 0; i < (p->steps + 1) * p->atom_count; i++)
    assert_true(p->values[i] >= 0 && p->values[i] <= 1.00001);
  for (size_t i = 0; i < p->atom_count; i++) /* values never fall */
    assert_true(p->values[p->atom_count + i] >= p->values[i]);
  w->points++;
  w->last = p->epoch;
  if (p->epoch == w->at) {
    w->loss = p->loss[w->lane];
    w->wrong = p->wrong[w->lane];
  }
  return w->stop_at > 0 && w->points == w->stop_at;
}

static pith *read_task(const char *path) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read(p, path, PITH_AUTO), PITH_OK);
  return p;
}

/* The theory's own loss and errors are those that the trace has at its epoch;
** training before or after changes nothing. */
static void check_trace(const char *path, uint64_t seed) {
  pith *p = read_task(path);
  pith_learn_options opt;
  pith_learned *l, *again;
  pith_learn_defaults(&opt);
  opt.run.seed = seed;
  opt.search = false;
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_OK);
  pith_theory_info info = *pith_learned_info(l, 0);
  pith_trace_options which = {
      .restart = info.restart, .epochs = info.epoch, .points = info.epoch + 1};
  watched w = {.lane = info.restart % PITH_TRACE_RESTARTS,
               .at = info.epoch,
               .sums = true};
  assert_int_equal(pith_learn_trace(&p, 1, &opt, &which, watch_point, &w),
                   PITH_OK);
  assert_int_equal(w.points, info.epoch + 1);
  assert_int_equal(w.last, info.epoch);
  assert_int_equal(w.wrong, info.fp + info.fn);
  assert_true(w.loss == info.loss);
  assert_true(w.sums);
  assert_int_equal(pith_learn(&p, 1, &opt, &again), PITH_OK);
  assert_true(pith_learned_info(again, 0)->loss == info.loss);
  pith_learned_free(again);
  pith_learned_free(l);
  pith_free(p);
}

static void trace_is_training(void **state) {
  (void)state;
  check_trace("data/ilp/even-odd", 1);
  check_trace("data/ilp/even-odd", 7);
  check_trace("data/ilp/grandparent", 2);
  check_trace("data/ilp/predecessor", 3);
}

static void trace_is_spread(void **state) {
  (void)state;
  pith *p = read_task("data/ilp/even-odd");
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  watched w = {.at = 100};
  pith_trace_options which = {.restart = 20, .epochs = 100, .points = 5};
  assert_int_equal(pith_learn_trace(&p, 1, &opt, &which, watch_point, &w),
                   PITH_OK);
  assert_int_equal(w.points, 5);
  assert_int_equal(w.last, 100);
  w = (watched){.stop_at = 2};
  assert_int_equal(pith_learn_trace(&p, 1, &opt, &which, watch_point, &w),
                   PITH_STOPPED);
  assert_int_equal(w.points, 2);
  which.restart = opt.restarts;
  assert_int_equal(pith_learn_trace(&p, 1, &opt, &which, watch_point, &w),
                   PITH_EARG);
  pith_template_clear(p);
  which.restart = 0;
  assert_int_equal(pith_learn_trace(&p, 1, &opt, &which, watch_point, &w),
                   PITH_EARG);
  pith_free(p);
}

/* An example holds, if it is no fact, exactly when some rule covers it. */
static void rules_cover_what_holds(void **state) {
  (void)state;
  static const char text[] =
      "edge(a,b). edge(b,c). edge(c,d). bad(d). mark(a).\n"
      "reach(X,Y) :- edge(X,Y).\n"
      "reach(X,Z) :- edge(X,Y), reach(Y,Z).\n"
      "good(X) :- edge(X,Y), \\+ bad(Y).\n"
      "pos(reach(a,d)). pos(reach(a,b)). neg(reach(d,a)). pos(good(a)).\n"
      "neg(good(c)). neg(good(d)). pos(mark(a)).\n";
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "t", text, sizeof text - 1, PITH_PROLOG),
                   PITH_OK);
  assert_int_equal(pith_infer(p, NULL, NULL), PITH_OK);
  static const bool expected[3][7] = {
      {false, true, false, false, false, false},
      {true, false, false, false, false, false},
      {false, false, false, true, false, false}};
  bool covers[7];
  assert_int_equal(pith_example_count(p), 7);
  for (size_t r = 0; r < 3; r++) {
    assert_int_equal(pith_rule_covers(p, pith_rule_at(p, r), covers), PITH_OK);
    assert_memory_equal(covers, expected[r], sizeof covers);
  }
  pith_rule odd = *pith_rule_at(p, 0);
  odd.head.arity = 1;
  assert_int_equal(pith_rule_covers(p, &odd, covers), PITH_EARITY);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trace_is_training),
      cmocka_unit_test(trace_is_spread),
      cmocka_unit_test(rules_cover_what_holds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
