/* The ground facts: rows and their parts, indexes, and matrices of bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "base/random.h"
#include "fact/bits.h"
#include "fact/index.h"
#include "fact/store.h"

static pith_i_env env;

static int start(void **state) {
  (void)state;
  pith_i_env_init(&env, NULL);
  return 0;
}

static int nothing_is_held(void **state) {
  (void)state;
  return env.used == 0 ? 0 : -1;
}

/* ---- indexes --------------------------------------------------------- */

static void draw_rows(pith_i_tuples *t, size_t n, uint32_t values) {
  t->width = 3;
  for (size_t i = 0; i < n; i++) {
    uint32_t row[3];
    for (uint32_t k = 0; k < 3; k++)
      row[k] = (uint32_t)(pith_i_random(7, i, k) % values);
    assert_int_equal(pith_i_tuples_add(&env, t, row, NULL, NULL), PITH_OK);
  }
}

/* The rows with the key, newest first, as a scan finds them. */
static void check_key(const pith_i_index *x, const pith_i_tuples *t,
                      const uint32_t *key) {
  uint32_t at = pith_i_index_find(x, t, key);
  for (size_t row = t->n; row-- > 0;) {
    bool has = true;
    for (uint32_t k = 0; k < x->key_width; k++)
      has &= t->at[row * t->width + x->columns[k]] == key[k];
    if (!has)
      continue;
    assert_int_equal(at, row);
    at = x->next[at];
  }
  assert_int_equal(at, PITH_NONE);
}

static void check_index(const uint32_t *columns, uint32_t width,
                        uint32_t values) {
  pith_i_tuples t = {0};
  pith_i_index *x = pith_i_index_new(&env, columns, width);
  assert_non_null(x);
  for (size_t n = 10; n <= 1000; n *= 10) { /* updates take in the new rows */
    draw_rows(&t, n, values);
    assert_int_equal(pith_i_index_update(&env, x, &t, NULL), PITH_OK);
    assert_int_equal(x->built, t.n);
    for (uint32_t a = 0; a < 12; a++)
      check_key(x, &t, (uint32_t[]){a * values / 10, a % 3});
  }
  pith_i_index_free(&env, x);
  pith_i_tuples_free(&env, &t);
}

static void indexes_find_what_a_scan_finds(void **state) {
  (void)state;
  check_index((uint32_t[]){1}, 1, 20);         /* heads by symbol */
  check_index((uint32_t[]){1}, 1, 2000000000); /* heads by hash   */
  check_index((uint32_t[]){0, 2}, 2, 10);
}

static bool stop_at_once(void *ctx) {
  ++*(unsigned *)ctx;
  return true;
}

/* What a stop cuts short can be gone on with, and nothing is lost. */
static void large_tables_can_be_stopped(void **state) {
  (void)state;
  enum { ROWS = 300000, VALUES = 2000000000 };
  unsigned looks = 0;
  pith_run user = {.stop = stop_at_once, .stop_ctx = &looks};
  pith_i_run run;
  pith_i_tuples t = {0};
  pith_i_index *x = pith_i_index_new(&env, (uint32_t[]){0, 1}, 2);
  assert_non_null(x);
  draw_rows(&t, ROWS, VALUES);
  size_t slots = t.slot_count;
  pith_i_run_begin(&run, &user);
  assert_int_equal(pith_i_tuples_grow(&env, &t, ROWS, &run), PITH_STOPPED);
  assert_int_equal(t.slot_count, slots);
  assert_int_equal(pith_i_tuples_find(&t, t.at + 3 * (ROWS - 1)), ROWS - 1);
  assert_int_equal(pith_i_index_update(&env, x, &t, &run), PITH_STOPPED);
  assert_in_range(x->built, 1, ROWS - 1);
  assert_int_equal(looks, 1); /* a run that is over is not asked again */
  assert_int_equal(pith_i_tuples_grow(&env, &t, ROWS, NULL), PITH_OK);
  assert_int_equal(pith_i_tuples_find(&t, t.at + 3 * (ROWS - 1)), ROWS - 1);
  assert_int_equal(pith_i_index_update(&env, x, &t, NULL), PITH_OK);
  for (size_t row = 0; row < ROWS; row += ROWS / 7)
    check_key(x, &t, t.at + 3 * row);
  pith_i_index_free(&env, x);
  pith_i_tuples_free(&env, &t);
}

/* ---- the store ------------------------------------------------------- */

enum { EDGE = 3, NODE = 5 };

static int count_fact(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  (void)pred, (void)args;
  assert_int_equal(n, 2);
  ++*(size_t *)ctx;
  return 0;
}

static void given_and_derived_are_apart(void **state) {
  (void)state;
  pith_i_store s;
  pith_i_store_init(&s, &env);
  const pith_sym ab[] = {1, 2}, bc[] = {2, 3}, ac[] = {1, 3};
  assert_int_equal(pith_i_fact_give(&s, EDGE, 2, ab), PITH_OK);
  assert_int_equal(pith_i_fact_give(&s, EDGE, 2, bc), PITH_OK);
  assert_int_equal(pith_i_fact_give(&s, EDGE, 2, ab), PITH_OK);
  pith_i_relation *r = pith_i_relation_get(&s, EDGE, 2);
  assert_int_equal(pith_i_tuples_add(&env, &r->rows, ac, NULL, NULL), PITH_OK);
  assert_true(pith_i_fact_holds(&s, EDGE, ac));
  assert_false(pith_i_fact_given(&s, EDGE, ac));
  assert_true(pith_i_fact_given(&s, EDGE, bc));
  assert_false(pith_i_fact_holds(&s, NODE, ab));
  assert_int_equal(pith_i_fact_count(&s, EDGE, PITH_GIVEN), 2);
  assert_int_equal(pith_i_fact_count(&s, PITH_NONE, PITH_DERIVED), 1);
  size_t seen = 0;
  pith_i_fact_each(&s, PITH_NONE, PITH_ALL, count_fact, &seen);
  assert_int_equal(seen, 3);
  pith_i_store_forget(&s);
  assert_false(pith_i_fact_holds(&s, EDGE, ac));
  assert_int_equal(pith_i_fact_count(&s, EDGE, PITH_ALL), 2);
  pith_i_store_free(&s);
}

static void steps_are_found_by_row(void **state) {
  (void)state;
  pith_i_store s;
  pith_i_store_init(&s, &env);
  pith_i_relation *r = pith_i_relation_get(&s, NODE, 1);
  for (pith_sym i = 0; i < 10; i++)
    assert_int_equal(pith_i_tuples_add(&env, &r->rows, &i, NULL, NULL),
                     PITH_OK);
  r->given = 2;
  assert_true(pith_i_push(&env, &r->marks, (pith_i_mark){1, 5}));
  assert_true(pith_i_push(&env, &r->marks, (pith_i_mark){4, 10}));
  const uint32_t steps[] = {0, 0, 1, 1, 1, 4, 4, 4, 4, 4};
  for (uint32_t i = 0; i < 10; i++)
    assert_int_equal(pith_i_relation_step(r, i), steps[i]);
  assert_int_equal(pith_i_relation_end(r, 0), 2);
  assert_int_equal(pith_i_relation_end(r, 3), 5);
  assert_int_equal(pith_i_relation_end(r, 4), 10);
  pith_i_store_free(&s);
}

/* ---- bits ------------------------------------------------------------ */

static void bits_hold_the_pairs(void **state) {
  (void)state;
  enum { N = 130 };
  pith_i_domain *d = pith_i_zalloc(&env, 1, sizeof *d);
  d->ids.width = 1;
  d->users = 1;
  for (pith_sym i = 0; i < N; i++) {
    pith_sym s = 3 * i;
    assert_int_equal(pith_i_tuples_add(&env, &d->ids, &s, NULL, NULL), PITH_OK);
  }
  size_t words = pith_i_bits_words(N), pairs = 0;
  uint64_t *rows = pith_i_zalloc(&env, N * words, sizeof *rows);
  for (size_t x = 0; x < N; x++)
    for (size_t y = 0; y < N; y++)
      if (pith_i_random(1, x, y) % 5 == 0) {
        rows[x * words + (y >> 6)] |= UINT64_C(1) << (y & 63);
        pairs++;
      }
  pith_i_bits *b;
  assert_int_equal(pith_i_bits_take(&env, d, rows, &b), PITH_OK);
  pith_i_domain_release(&env, d);
  assert_int_equal(b->count, pairs);
  assert_int_equal(pith_i_bits_columns(&env, b), PITH_OK);
  for (size_t x = 0; x < N; x++)
    for (size_t y = 0; y < N; y++) {
      bool holds = pith_i_random(1, x, y) % 5 == 0;
      assert_int_equal(
          pith_i_bits_holds(b, (pith_sym)(3 * x), (pith_sym)(3 * y)), holds);
      assert_int_equal(pith_i_bit(b->columns + y * words, x), holds);
    }
  assert_false(pith_i_bits_holds(b, 1, 0));
  pith_i_bits_free(&env, b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(indexes_find_what_a_scan_finds, start,
                                      nothing_is_held),
      cmocka_unit_test_setup_teardown(large_tables_can_be_stopped, start,
                                      nothing_is_held),
      cmocka_unit_test_setup_teardown(given_and_derived_are_apart, start,
                                      nothing_is_held),
      cmocka_unit_test_setup_teardown(steps_are_found_by_row, start,
                                      nothing_is_held),
      cmocka_unit_test_setup_teardown(bits_hold_the_pairs, start,
                                      nothing_is_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
