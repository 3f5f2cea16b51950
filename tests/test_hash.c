/* The keyed hash of names, and that nothing printed depends on its key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/env.h"
#include "base/tuples.h"

/* Key 00 01 .. 0f, no input: the first vector of other implementations of
** SipHash-1-3. */
static void is_siphash(void **state) {
  (void)state;
  pith_i_hash_key key = {UINT64_C(0x0706050403020100),
                         UINT64_C(0x0f0e0d0c0b0a0908)};
  assert_true(pith_i_hash_keyed(key, "", 0) == UINT64_C(0xabac0158050fc4dc));
}

/* The last bytes are read without looking at what follows them. */
static void reads_its_bytes_only(void **state) {
  (void)state;
  pith_i_hash_key key = {1, 2};
  for (size_t n = 0; n <= 24; n++) {
    unsigned char a[32], b[32];
    memset(a, 0xaa, sizeof a);
    memset(b, 0x55, sizeof b);
    for (size_t i = 0; i < n; i++)
      a[i] = b[i] = (unsigned char)(17 * i + 1);
    assert_true(pith_i_hash_keyed(key, a, n) == pith_i_hash_keyed(key, b, n));
    for (size_t i = 0; i < n; i++) {
      b[i] ^= 1;
      assert_true(pith_i_hash_keyed(key, a, n) != pith_i_hash_keyed(key, b, n));
      b[i] ^= 1;
    }
  }
}

static void keys_differ(void **state) {
  (void)state;
  pith_i_env one, two;
  pith_i_env_init(&one, NULL);
  pith_i_env_init(&two, NULL);
  assert_true(one.key.k0 != two.key.k0 && one.key.k1 != two.key.k1);
  assert_true(one.key.k0 != one.key.k1);
}

/* Rows keep the order in which they were added, whatever the key. */
static void order_is_that_of_adding(void **state) {
  (void)state;
  for (int round = 0; round < 5; round++) {
    pith_i_env env;
    pith_i_tuples t = {.width = 2};
    pith_i_env_init(&env, NULL);
    for (uint32_t i = 0; i < 1000; i++) {
      uint32_t key[2] = {i * 7919 % 1009, i}, row;
      bool added;
      assert_int_equal(pith_i_tuples_add(&env, &t, key, &row, &added), 0);
      assert_true(added);
      assert_int_equal(row, i);
    }
    for (uint32_t i = 0; i < 1000; i++) {
      uint32_t key[2] = {i * 7919 % 1009, i};
      assert_int_equal(pith_i_tuples_find(&t, key), i);
    }
    pith_i_tuples_free(&env, &t);
    assert_int_equal(env.used, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_siphash),
      cmocka_unit_test(reads_its_bytes_only),
      cmocka_unit_test(keys_differ),
      cmocka_unit_test(order_is_that_of_adding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
