/* Runs and their parts: who ends what, what is counted, what is reported. No
** test waits: deadlines lie in the past or far in the future. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/env.h"
#include "base/run.h"

static bool count_calls(void *ctx) {
  ++*(int *)ctx;
  return false;
}

static bool stop_once(void *ctx) { return (*(int *)ctx)++ == 0; }

static void no_limit_never_stops(void **state) {
  (void)state;
  pith_i_run run;
  pith_i_run_begin(&run, NULL);
  assert_false(pith_i_stop_requested(NULL));
  assert_false(pith_i_stop_requested(&run));
  assert_false(pith_i_stop_by_caller(&run));
  assert_true(isinf(run.end) && isnan(run.now.loss));
  pith_i_run_end(&run);
  assert_true(pith_i_stop_requested(&run) && pith_i_run_is_over(&run));
}

static void a_passed_deadline_stops(void **state) {
  (void)state;
  pith_i_run run;
  pith_i_run_begin(&run, &(pith_run){.seconds = 1e-9});
  run.end = run.began - 1;
  assert_false(pith_i_run_is_over(&run)); /* nobody has looked yet */
  assert_true(pith_i_stop_requested(&run));
  assert_true(pith_i_run_is_over(&run));
  assert_false(pith_i_stop_by_caller(&run));
}

/* The caller may say it once; it holds for the run and all its parts. */
static void a_stop_is_remembered(void **state) {
  (void)state;
  int asked = 0;
  pith_i_run run, part;
  pith_i_run_begin(&run, &(pith_run){.stop = stop_once, .stop_ctx = &asked});
  pith_i_run_part(&part, &run, 0.5);
  assert_true(pith_i_stop_requested(&part));
  assert_true(pith_i_stop_requested(&run) && pith_i_stop_by_caller(&run));
  assert_int_equal(asked, 1);
}

static void parts_have_a_share(void **state) {
  (void)state;
  pith_i_run run, part, inner;
  pith_i_run_begin(&run, &(pith_run){.seconds = 1000});
  pith_i_run_part(&part, &run, 0.75);
  assert_true(fabs(part.end - (run.began + 750)) < 1e-6);
  assert_true(part.began == run.began);
  pith_i_run_part(&inner, &part, 1);
  assert_true(inner.end == part.end);
  run.began -= 5000; /* it starts late: a thousandth is left */
  run.end -= 5000;
  pith_i_run_part(&part, &run, 0.75);
  assert_true(part.end > pith_i_now() && part.end < pith_i_now() + 1.5);
  pith_i_run_end(&part);
  assert_false(pith_i_run_is_over(&run)); /* a part ends alone */
}

static void looks_are_counted(void **state) {
  (void)state;
  int asked = 0;
  pith_i_run run;
  pith_i_run_begin(&run, &(pith_run){.stop = count_calls, .stop_ctx = &asked});
  run.every = 32;
  for (int i = 0; i < 320; i++)
    assert_false(pith_i_stop_requested(&run));
  assert_int_equal(asked, 10);
  run.every = 1;
  run.pause = 1e9; /* no look in the next thirty years */
  run.looked = pith_i_now();
  assert_false(pith_i_stop_requested(&run));
  assert_int_equal(asked, 10);
}

static void note_progress(void *ctx, const pith_progress *now) {
  *(pith_progress *)ctx = *now;
}

static void progress_is_reported(void **state) {
  (void)state;
  pith_progress seen = {0};
  pith_i_run run;
  pith_i_run_begin(
      &run, &(pith_run){.progress = note_progress, .progress_ctx = &seen});
  run.now.done = 3;
  pith_i_run_phase(&run, "counting");
  assert_string_equal(seen.phase, "counting");
  assert_true(seen.done == 3 && seen.seconds >= 0);
  run.now.done = 4;
  assert_false(pith_i_stop_requested(&run));
  assert_int_equal(seen.done, 3); /* looks report only where it is asked for */
  run.reports = true;
  assert_false(pith_i_stop_requested(&run));
  assert_int_equal(seen.done, 4);
  pith_i_run_phase(NULL, "nothing");
  pith_i_run_report(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_limit_never_stops),
      cmocka_unit_test(a_passed_deadline_stops),
      cmocka_unit_test(a_stop_is_remembered),
      cmocka_unit_test(parts_have_a_share),
      cmocka_unit_test(looks_are_counted),
      cmocka_unit_test(progress_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
