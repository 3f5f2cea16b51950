/* Every public function with memory that runs out; two worlds have two
** allocators, which are never confused. */
#include "miser.h"

#include "everything.h"

static void test_names(void **state) {
  (void)state;
  refuse_all(all_names);
}
static void test_reading(void **state) {
  (void)state;
  refuse_all(all_reading);
}
static void test_logic(void **state) {
  (void)state;
  refuse_all(all_logic);
}
static void test_file(void **state) {
  (void)state;
  refuse_all(all_file);
}
static void test_models(void **state) {
  (void)state;
  refuse_all(all_models);
}
static void test_soft(void **state) {
  (void)state;
  refuse_all(all_soft);
}
static void test_team(void **state) {
  (void)state;
  refuse_all(all_team);
}

/* ---- two handles, two allocators ----------------------------------------- */

typedef pith_status (*pair_job)(pith *p, pith *q);

static pith_status run_pair(miser *m, miser *n, pair_job work) {
  pith_memory first = {miser_resize, m, 0}, second = {miser_resize, n, 0};
  pith *p = NULL, *q = NULL;
  pith_status rc = pith_new_with(&first, &p);
  if (rc >= 0)
    rc = pith_new_with(&second, &q);
  if (rc >= 0)
    rc = work(p, q);
  pith_free(q);
  pith_free(p);
  return rc;
}

/* Refuses in the one and, in turn, in the other. A block that is freed by the
** wrong handle leaves both counts wrong. */
static void refuse_pair(pair_job work, bool in_second) {
  size_t refused = 1;
  for (size_t k = 0; refused > 0; k++) {
    miser m = {.refuse = in_second ? SIZE_MAX : k};
    miser n = {.refuse = in_second ? k : SIZE_MAX};
    pith_status rc = run_pair(&m, &n, work);
    assert_int_equal(m.alive, 0);
    assert_int_equal(n.alive, 0);
    refused = m.refused + n.refused;
    if (rc < 0 && (rc != PITH_ENOMEM || refused == 0))
      fail_msg("allocation %zu refused, status %d", k, rc);
  }
}

static void test_two_worlds(void **state) {
  (void)state;
  refuse_pair(all_learning, false);
  refuse_pair(all_learning, true);
}
static void test_compressing(void **state) {
  (void)state;
  refuse_pair(all_compressing, false);
  refuse_pair(all_compressing, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),       cmocka_unit_test(test_reading),
      cmocka_unit_test(test_logic),       cmocka_unit_test(test_file),
      cmocka_unit_test(test_models),      cmocka_unit_test(test_soft),
      cmocka_unit_test(test_team),        cmocka_unit_test(test_two_worlds),
      cmocka_unit_test(test_compressing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
