/* Facts by the column: every layout, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

static pith *p;

static int start(void **state) {
  (void)state;
  return pith_new(&p) < 0;
}

static int stop(void **state) {
  (void)state;
  pith_free(p);
  return 0;
}

static pith_status add_columns(const pith_column *columns, size_t n,
                               size_t rows, bool skip, pith_place *bad) {
  pith_pred pred;
  assert_int_equal(pith_pred_add(p, "r", n, &pred), PITH_OK);
  return pith_fact_add_columns(p, pred, columns, n, rows, skip, bad);
}

/* The facts as the writer writes them are the text. */
static void expect_facts(const char *text) {
  pith_out *o;
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_facts_write(p, PITH_GIVEN, PITH_PROLOG, o), PITH_OK);
  assert_string_equal(pith_out_text(o, NULL), text);
  pith_out_close(o, false);
}

static const int64_t wide[] = {3, -9000000000, 3, INT64_MIN};
static const int8_t small[] = {-1, 2, -1, 127};
static const uint64_t large[] = {UINT64_MAX, 0, UINT64_MAX, 1};

static void test_whole_numbers(void **state) {
  (void)state;
  pith_column c[] = {
      {.kind = PITH_COLUMN_INT, .width = 8, .values = wide},
      {.kind = PITH_COLUMN_INT, .width = 1, .values = small},
      {.kind = PITH_COLUMN_UINT, .width = 8, .values = large},
  };
  assert_int_equal(add_columns(c, 3, 4, false, NULL), PITH_OK);
  expect_facts("r(3,-1,18446744073709551615).\n"
               "r(-9000000000,2,0).\n"
               "r(-9223372036854775808,127,1).\n");
}

static void test_decimals_and_flags(void **state) {
  (void)state;
  static const double real[] = {1, -0.5, 1e300, -0.0};
  static const float single[] = {0.5f, 2.0f, -3.25f, 0.0f};
  static const uint8_t flags[] = {0x05};
  pith_column c[] = {
      {.kind = PITH_COLUMN_REAL, .width = 8, .values = real},
      {.kind = PITH_COLUMN_REAL, .width = 4, .values = single},
      {.kind = PITH_COLUMN_BOOL, .values = flags},
  };
  assert_int_equal(add_columns(c, 3, 4, false, NULL), PITH_OK);
  expect_facts("r(1.0,0.5,true).\nr(-0.5,2.0,false).\n"
               "r(1.0e300,-3.25,true).\nr(0.0,0.0,false).\n");
}

typedef struct {
  int32_t n;
  char text[12];
} short_view;

static void test_texts(void **state) {
  (void)state;
  static const char bytes[] = "annÉlan bob";
  static const int32_t offsets[] = {0, 3, 9, 12};
  static const int64_t large_offsets[] = {0, 0, 3, 9};
  static const char far[] = "..a text of more than twelve bytes";
  static const void *const buffers[] = {far};
  short_view views[3] = {{3, "one"}, {32, ""}, {0, ""}};
  int32_t place[2] = {0, 2};
  memcpy(views[1].text, far + 2, 4);
  memcpy(views[1].text + 4, place, sizeof place);
  pith_column c[] = {
      {.kind = PITH_COLUMN_TEXT,
       .width = 4,
       .values = bytes,
       .offsets = offsets},
      {.kind = PITH_COLUMN_TEXT,
       .width = 8,
       .values = bytes,
       .offsets = large_offsets},
      {.kind = PITH_COLUMN_VIEW, .values = views, .buffers = buffers},
  };
  assert_int_equal(add_columns(c, 3, 3, false, NULL), PITH_OK);
  expect_facts("r(ann,'',one).\n"
               "r('Élan ',ann,'a text of more than twelve bytes').\n"
               "r(bob,'Élan ','').\n");
}

static const int8_t codes[] = {1, 0, 1, 2};
static const char letters[] = "abc";
static const int32_t letter_offsets[] = {0, 1, 2, 3};
static const pith_column dictionary = {.kind = PITH_COLUMN_TEXT,
                                       .width = 4,
                                       .values = letters,
                                       .offsets = letter_offsets};

/* A word that no row uses is not a constant. */
static void test_dictionary(void **state) {
  (void)state;
  pith_column c = {.kind = PITH_COLUMN_CODE,
                   .width = 1,
                   .values = codes,
                   .dictionary = &dictionary,
                   .dictionary_rows = 3};
  assert_int_equal(add_columns(&c, 1, 3, false, NULL), PITH_OK);
  expect_facts("r(b).\nr(a).\n");
  assert_int_equal(pith_sym_find(p, "c", 1, PITH_NAME), PITH_NONE);
  c.first = 2;
  assert_int_equal(add_columns(&c, 1, 2, false, NULL), PITH_OK);
  expect_facts("r(b).\nr(a).\nr(c).\n");
}

static void test_missing(void **state) {
  (void)state;
  static const uint8_t valid[] = {0x0b};
  pith_place bad = {9, 9};
  pith_column c[] = {
      {.kind = PITH_COLUMN_INT, .width = 1, .values = small},
      {.kind = PITH_COLUMN_INT, .width = 8, .values = wide, .valid = valid},
  };
  assert_int_equal(add_columns(c, 2, 4, true, &bad), PITH_OK);
  expect_facts("r(-1,3).\nr(2,-9000000000).\nr(127,-9223372036854775808).\n");
  assert_int_equal(add_columns(c, 2, 4, false, &bad), PITH_EINPUT);
  assert_int_equal(bad.row, 2);
  assert_int_equal(bad.column, 1);
  assert_non_null(strstr(pith_error(p), "row 2, column 1: a missing value"));
}

static void test_missing_without_a_map(void **state) {
  (void)state;
  static const double real[] = {1, NAN, 2};
  static const int8_t some[] = {0, 1, -1};
  pith_column c[] = {{.kind = PITH_COLUMN_REAL, .width = 8, .values = real},
                     {.kind = PITH_COLUMN_CODE,
                      .width = 1,
                      .values = some,
                      .dictionary = &dictionary,
                      .dictionary_rows = 3}};
  pith_place bad;
  assert_int_equal(add_columns(c, 2, 3, true, NULL), PITH_OK);
  expect_facts("r(1.0,a).\n");
  assert_int_equal(add_columns(c, 2, 3, false, &bad), PITH_EINPUT);
  assert_int_equal(bad.row, 1);
}

static void expect_refusal(const pith_column *c, size_t rows, size_t row) {
  pith_place bad;
  assert_int_equal(add_columns(c, 1, rows, true, &bad), PITH_EINPUT);
  assert_int_equal(bad.row, row);
  assert_int_equal(bad.column, 0);
}

static void test_bad_values(void **state) {
  (void)state;
  static const double infinite[] = {INFINITY};
  static const double tiny[] = {1, 2, 5e-324};
  static const char bytes[] = "a\xff";
  static const int32_t offsets[] = {0, 1, 2};
  static const int8_t far[] = {0, 3};
  pith_column c = {.kind = PITH_COLUMN_REAL, .width = 8, .values = infinite};
  expect_refusal(&c, 1, 0);
  c.values = tiny;
  expect_refusal(&c, 3, 2);
  c = (pith_column){.kind = PITH_COLUMN_TEXT,
                    .width = 4,
                    .values = bytes,
                    .offsets = offsets};
  expect_refusal(&c, 2, 1);
  c = (pith_column){.kind = PITH_COLUMN_CODE,
                    .width = 1,
                    .values = far,
                    .dictionary = &dictionary,
                    .dictionary_rows = 3};
  expect_refusal(&c, 2, 1);
}

/* As a damaged file may have them. */
static void test_bad_offsets(void **state) {
  (void)state;
  static const int32_t back[] = {0, 2, 1, 3}, below[] = {0, -1, 1};
  pith_column c = {
      .kind = PITH_COLUMN_TEXT, .width = 4, .values = letters, .offsets = back};
  expect_refusal(&c, 3, 1);
  c.offsets = below;
  expect_refusal(&c, 2, 0);
  static const int32_t views[][4] = {{1, 'a'}, {-1, 'a'}, {20, 'a', -1, 0}};
  pith_column v = {.kind = PITH_COLUMN_VIEW, .width = 16, .values = views};
  expect_refusal(&v, 2, 1);
  v.first = 2;
  expect_refusal(&v, 1, 0);
}

static void test_bad_arguments(void **state) {
  (void)state;
  pith_column c = {.kind = PITH_COLUMN_INT, .width = 3, .values = wide};
  assert_int_equal(add_columns(&c, 1, 1, false, NULL), PITH_EARG);
  c.width = 8;
  c.kind = (pith_column_kind)77;
  assert_int_equal(add_columns(&c, 1, 1, false, NULL), PITH_EARG);
  c.kind = PITH_COLUMN_INT;
  assert_int_equal(pith_fact_add_columns(p, PITH_EQUAL, &c, 1, 1, false, NULL),
                   PITH_EARG);
  assert_int_equal(pith_fact_add_columns(p, 99, &c, 1, 1, false, NULL),
                   PITH_EARG);
  pith_pred pred;
  assert_int_equal(pith_pred_add(p, "two", 2, &pred), PITH_OK);
  assert_int_equal(pith_fact_add_columns(p, pred, &c, 1, 1, false, NULL),
                   PITH_EARITY);
  pith_column nested = {.kind = PITH_COLUMN_CODE,
                        .width = 1,
                        .values = codes,
                        .dictionary = &nested,
                        .dictionary_rows = 3};
  assert_int_equal(add_columns(&nested, 1, 1, false, NULL), PITH_EARG);
}

/* The same constants, in the same order, as facts that are added singly. */
static void test_many_rows(void **state) {
  enum { ROWS = 3000 };
  (void)state;
  static int64_t near[ROWS], far[ROWS];
  for (int i = 0; i < ROWS; i++) {
    near[i] = (i * 7919) % 101 - 50;
    far[i] = (int64_t)((uint64_t)(i % 977) * UINT64_C(0x9e3779b97f4a7c15));
  }
  pith_column c[] = {{.kind = PITH_COLUMN_INT, .width = 8, .values = near},
                     {.kind = PITH_COLUMN_INT, .width = 8, .values = far}};
  assert_int_equal(add_columns(c, 2, ROWS, false, NULL), PITH_OK);
  pith *q;
  pith_pred pred;
  assert_int_equal(pith_new(&q), PITH_OK);
  assert_int_equal(pith_pred_add(q, "r", 2, &pred), PITH_OK);
  for (int i = 0; i < ROWS; i++) {
    pith_sym args[2];
    int64_t values[2] = {near[i], far[i]};
    for (int k = 0; k < 2; k++) {
      char text[32];
      int n = snprintf(text, sizeof text, "%lld", (long long)values[k]);
      assert_int_equal(pith_sym_add(q, text, (size_t)n, PITH_NUMBER, &args[k]),
                       PITH_OK);
    }
    assert_int_equal(pith_fact_add(q, pred, args, 2), PITH_OK);
  }
  assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_ALL),
                   pith_fact_count(q, PITH_NONE, PITH_ALL));
  assert_int_equal(pith_sym_count(p), pith_sym_count(q));
  for (pith_sym s = 0; s < pith_sym_count(p); s++)
    assert_string_equal(pith_sym_text(p, s), pith_sym_text(q, s));
  pith_free(q);
}

/* ---- values that come again ------------------------------------------- */

enum { AGAIN = 3000, PLACES = 64 };

/* Texts of 0 to 40 bytes, of which many have the same first and last eight. */
static size_t write_again(size_t i, char *out) {
  size_t n = i * 7 % 41;
  memset(out, 'a', n);
  if (n > 0 && i % 3 == 0)
    out[n / 2] = (char)('a' + i % 26);
  return n;
}

/* What the same rows give when they are added one by one. */
static pith *add_one_by_one(void) {
  pith *q;
  pith_pred pred;
  pith_sym args[2];
  char text[PLACES];
  assert_int_equal(pith_new(&q), PITH_OK);
  assert_int_equal(pith_pred_add(q, "r", 2, &pred), PITH_OK);
  for (size_t i = 0; i < AGAIN; i++) {
    size_t n = write_again(i, text);
    assert_int_equal(pith_sym_add(q, text, n, PITH_NAME, &args[0]), PITH_OK);
    n = write_again(AGAIN - i, text);
    assert_int_equal(pith_sym_add(q, text, n, PITH_NAME, &args[1]), PITH_OK);
    assert_int_equal(pith_fact_add(q, pred, args, 2), PITH_OK);
  }
  return q;
}

/* Two texts of each row, as a column of offsets and as one of views: long ones
** lie where others of their text do, or at a place of their own. */
static char again_bytes[AGAIN * PLACES];
static int32_t again_offsets[AGAIN + 1];
static struct {
  int32_t n;
  char text[4];
  int32_t buffer, offset;
} again_views[AGAIN];

static void fill_again(void) {
  char text[PLACES];
  for (size_t i = 0; i < AGAIN; i++) {
    char *at = again_bytes + again_offsets[i];
    again_offsets[i + 1] = again_offsets[i] + (int32_t)write_again(i, at);
    size_t n = write_again(AGAIN - i, text);
    again_views[i].n = (int32_t)n;
    memcpy((char *)&again_views[i] + 4, text, n < 12 ? n : 12);
  }
}

static void place_long_views(char *far) {
  char text[PLACES];
  for (size_t i = 0; i < AGAIN; i++) {
    size_t n = write_again(AGAIN - i, text);
    bool shared = i % 2 == 0 && (AGAIN - i) % 3 != 0; /* only letters a */
    size_t home = shared ? n : PLACES + i;
    if (n <= 12)
      continue;
    again_views[i].buffer = 0;
    again_views[i].offset = (int32_t)(home * PLACES);
    memcpy(far + home * PLACES, text, n);
  }
}

static void test_values_again(void **state) {
  (void)state;
  static char far[(AGAIN + PLACES) * PLACES];
  static const void *const buffers[] = {far};
  fill_again();
  place_long_views(far);
  pith_column c[] = {
      {.kind = PITH_COLUMN_TEXT,
       .width = 4,
       .values = again_bytes,
       .offsets = again_offsets},
      {.kind = PITH_COLUMN_VIEW, .values = again_views, .buffers = buffers},
  };
  pith *q = add_one_by_one();
  pith_out *o;
  assert_int_equal(add_columns(c, 2, AGAIN, false, NULL), PITH_OK);
  assert_int_equal(pith_out_memory(q, &o), PITH_OK);
  assert_int_equal(pith_facts_write(q, PITH_GIVEN, PITH_PROLOG, o), PITH_OK);
  expect_facts(pith_out_text(o, NULL));
  pith_out_close(o, false);
  pith_free(q);
}

/* The shortest digits that read back as the value. */
static void write_shortest(double value, char *out, size_t room) {
  for (int digits = 0; digits < 17; digits++) {
    snprintf(out, room, "%.*e", digits, value);
    if (strtod(out, NULL) == value)
      return;
  }
}

static double decimal_again(size_t i) {
  static const double powers[] = {1,   10,   100,  1e3,  1e4,   1e6,
                                  1e7, 1e12, 1e-3, 1e-9, 1e-200};
  double whole = (double)(i * i * 7919 % 1000003);
  double value = i % 5 == 4 ? sqrt(whole) : whole;
  value /= powers[i % (sizeof powers / sizeof *powers)];
  return i % 2 == 0 ? value : -value;
}

static void test_decimals_again(void **state) {
  (void)state;
  static double values[AGAIN];
  for (size_t i = 0; i < AGAIN; i++)
    values[i] = decimal_again(i % (AGAIN / 2));
  pith_column c = {.kind = PITH_COLUMN_REAL, .width = 8, .values = values};
  assert_int_equal(add_columns(&c, 1, AGAIN, false, NULL), PITH_OK);
  pith_pred pred = pith_pred_find(p, "r", 1);
  for (size_t i = 0; i < AGAIN; i++) {
    char text[PLACES];
    write_shortest(values[i] == 0 ? 0 : values[i], text, sizeof text);
    pith_sym sym = pith_sym_find(p, text, strlen(text), PITH_NUMBER);
    assert_int_not_equal(sym, PITH_NONE);
    assert_true(pith_fact_holds(p, pred, &sym, 1));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_whole_numbers, start, stop),
      cmocka_unit_test_setup_teardown(test_decimals_and_flags, start, stop),
      cmocka_unit_test_setup_teardown(test_texts, start, stop),
      cmocka_unit_test_setup_teardown(test_dictionary, start, stop),
      cmocka_unit_test_setup_teardown(test_missing, start, stop),
      cmocka_unit_test_setup_teardown(test_missing_without_a_map, start, stop),
      cmocka_unit_test_setup_teardown(test_bad_values, start, stop),
      cmocka_unit_test_setup_teardown(test_bad_offsets, start, stop),
      cmocka_unit_test_setup_teardown(test_bad_arguments, start, stop),
      cmocka_unit_test_setup_teardown(test_many_rows, start, stop),
      cmocka_unit_test_setup_teardown(test_values_again, start, stop),
      cmocka_unit_test_setup_teardown(test_decimals_again, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
