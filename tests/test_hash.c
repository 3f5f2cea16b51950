/* The keyed hash of names, and that nothing printed depends on its key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/env.h"
#include "base/tuples.h"

/* The vectors that wyhash's author publishes, under the secrets that he
** publishes; they are of machines that keep the low byte first. */
static void is_wyhash(void **state) {
  (void)state;
  static const uint64_t secret[4] = {
      UINT64_C(0xa0761d6478bd642f), UINT64_C(0xe7037ed1a0b428db),
      UINT64_C(0x8ebc6af09c88c6e3), UINT64_C(0x589965cc75374cc3)};
  static const struct {
    const char *text;
    uint64_t hash;
  } known[] = {
      {"", UINT64_C(0x0409638ee2bde459)},
      {"a", UINT64_C(0xa8412d091b5fe0a9)},
      {"abc", UINT64_C(0x32dd92e4b2915153)},
      {"message digest", UINT64_C(0x8619124089a3a16b)},
      {"abcdefghijklmnopqrstuvwxyz", UINT64_C(0x7a43afb61d7f5f40)},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
       UINT64_C(0xff42329b90e50d58)},
      {"1234567890123456789012345678901234567890123456789012345678901234567890"
       "1234567890",
       UINT64_C(0xc39cab13b115aad3)},
  };
  const uint16_t one = 1;
  unsigned char low;
  memcpy(&low, &one, 1);
  for (size_t i = 0; low == 1 && i < sizeof known / sizeof *known; i++) {
    pith_i_hash_key key = pith_i_hash_key_of(i, secret);
    uint64_t hash =
        pith_i_hash_keyed(&key, known[i].text, strlen(known[i].text));
    assert_true(hash == known[i].hash);
  }
}

/* The last bytes are read without looking at what follows them. */
static void reads_its_bytes_only(void **state) {
  (void)state;
  static const uint64_t secret[4] = {1, 2, 3, 4};
  pith_i_hash_key key = pith_i_hash_key_of(5, secret);
  for (size_t n = 0; n <= 120; n++) {
    unsigned char a[128], b[128];
    memset(a, 0xaa, sizeof a);
    memset(b, 0x55, sizeof b);
    for (size_t i = 0; i < n; i++)
      a[i] = b[i] = (unsigned char)(17 * i + 1);
    assert_true(pith_i_hash_keyed(&key, a, n) == pith_i_hash_keyed(&key, b, n));
    for (size_t i = 0; i < n; i++) {
      b[i] ^= 1;
      assert_true(pith_i_hash_keyed(&key, a, n) !=
                  pith_i_hash_keyed(&key, b, n));
      b[i] ^= 1;
    }
  }
}

static void keys_differ(void **state) {
  (void)state;
  pith_i_env one, two;
  pith_i_env_init(&one, NULL);
  pith_i_env_init(&two, NULL);
  assert_true(one.key.start != two.key.start);
  for (size_t i = 0; i < 4; i++) {
    assert_true(one.key.secret[i] != two.key.secret[i]);
    assert_true(one.key.secret[i] != one.key.secret[(i + 1) % 4]);
  }
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
      cmocka_unit_test(is_wyhash),
      cmocka_unit_test(reads_its_bytes_only),
      cmocka_unit_test(keys_differ),
      cmocka_unit_test(order_is_that_of_adding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
