/* Thresholds of numbers and dates, and what is denied: what is written down,
** and what is learned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "learn/clauses/cut_points.h"
#include "learned.h"

static void check_cut(pith_order order, double low, double high, bool below,
                      const char *expected) {
  char text[PITH_I_CUT_TEXT];
  size_t n = pith_i_cut_text(order, low, high, below, text);
  assert_int_equal(n, strlen(expected));
  assert_memory_equal(text, expected, n);
}

static void rounds_numbers(void **state) {
  (void)state;
  check_cut(PITH_ORDER_NUMBER, 17, 18, false, "18");
  check_cut(PITH_ORDER_NUMBER, 17, 18, true, "17");
  check_cut(PITH_ORDER_NUMBER, 14, 23, false, "20");
  check_cut(PITH_ORDER_NUMBER, 13, 19, true, "15");
  check_cut(PITH_ORDER_NUMBER, 87, 120, false, "100");
  check_cut(PITH_ORDER_NUMBER, 2.43, 2.51, false, "2.5");
  check_cut(PITH_ORDER_NUMBER, 0.0012, 0.0034, true, "0.002");
  check_cut(PITH_ORDER_NUMBER, -5, 3, false, "0");
  check_cut(PITH_ORDER_NUMBER, -19, -12, false, "-15");
  check_cut(PITH_ORDER_NUMBER, 8.6, 8.7, true, "8.6");
  check_cut(PITH_ORDER_NUMBER, 1e12, 2e12, false, "");
}

static void rounds_dates(void **state) {
  (void)state;
  const double day = 86400; /* 2019-06-20 is day 18067 */
  check_cut(PITH_ORDER_DATE, 18067 * day, 18080 * day, false, "2019-07-01");
  check_cut(PITH_ORDER_DATE, 18067 * day, 18270 * day, false, "2020-01-01");
  check_cut(PITH_ORDER_DATE, 18067 * day, 18069 * day, false, "2019-06-21");
  check_cut(PITH_ORDER_DATE, 18067 * day, 18068 * day, true, "2019-06-20");
  check_cut(PITH_ORDER_DATE, -366 * day, -364 * day, false, "1969-01-01");
  check_cut(PITH_ORDER_DATE, 11015 * day, 11017 * day, true, "2000-02-29");
  check_cut(PITH_ORDER_DATE, 100, 200, false, "");
  check_cut(PITH_ORDER_TIME, 32000, 33000, false, "09:00");
  check_cut(PITH_ORDER_TIME, 30000, 31000, true, "08:30");
  check_cut(PITH_ORDER_TIME, 32460, 32520, false, "09:02");
  check_cut(PITH_ORDER_TIME, 32460, 32462, true, "09:01");
  check_cut(PITH_ORDER_TIME, 86398, 86399, false, "23:59:59");
}

/* 8 tens, 16 fives, and other numbers cost more than they are. */
static void round_cuts_are_few(void **state) {
  (void)state;
  const double day = 86400;
  pith_i_cuts ages = {.values = 80, .from = 10, .to = 90};
  pith_i_cuts days = {.values = 1000, .from = 0, .to = 3652 * day};
  assert_int_equal(pith_i_cut_choices(&ages, PITH_ORDER_NUMBER, 40), 19);
  assert_int_equal(pith_i_cut_choices(&ages, PITH_ORDER_NUMBER, 45), 35);
  assert_int_equal(pith_i_cut_choices(&ages, PITH_ORDER_NUMBER, 41), 320);
  assert_int_equal(pith_i_cut_choices(&days, PITH_ORDER_DATE, 365 * day), 22);
  assert_int_equal(pith_i_cut_choices(&days, PITH_ORDER_DATE, 31 * day), 243);
  assert_int_equal(pith_i_cut_choices(&days, PITH_ORDER_DATE, 40 * day), 4000);
}

static void check(const char *text, const char *expected) {
  check_learned(text, NULL, expected);
}

static void learns_comparisons(void **state) {
  (void)state;
  check("age(a,3). age(b,17). age(c,18). age(d,40). age(e,71). age(f,12)."
        "age(g,25). age(h,33)."
        "pos(f(c)). pos(f(d)). pos(f(e)). pos(f(g)). pos(f(h))."
        "neg(f(a)). neg(f(b)). neg(f(f)).",
        "f(A) :- age(A,B), B >= 18.\n");
  check("t(a,1.5). t(b,2.75). t(c,3.5). t(d,4.25). t(e,6.1). t(g,7.25)."
        "pos(f(b)). pos(f(c)). pos(f(d)). neg(f(a)). neg(f(e)). neg(f(g)).",
        "f(A) :- t(A,B), B >= 2, B =< 5.\n");
  check("on(a,'2020-02-01'). on(b,'2021-12-20'). on(c,'2022-03-01')."
        "on(d,'2024-05-05'). on(e,'2019-01-01'). on(g,'2023-01-09')."
        "pos(f(c)). pos(f(d)). pos(f(g)). neg(f(a)). neg(f(b)). neg(f(e)).",
        "f(A) :- on(A,B), B @>= '2022-01-01'.\n");
  check("got(a,5). paid(a,3). got(b,2). paid(b,9). got(c,40). paid(c,11)."
        "got(d,1). paid(d,30). got(e,31). paid(e,30). got(g,10). paid(g,12)."
        "pos(f(a)). pos(f(c)). pos(f(e)). neg(f(b)). neg(f(d)). neg(f(g)).",
        "f(A) :- got(A,B), paid(A,C), B > C.\n");
}

/* Alone, age is cut above 17, for c is no member; among members 12 is the last
** that is cut off. */
static void cuts_whole_rules_again(void **state) {
  (void)state;
  check("age(a,3). age(b,12). age(c,17). age(d,19). age(e,71). age(f,40)."
        "age(g,25). age(h,33). age(i,8). age(k,66)."
        "member(a). member(b). member(d). member(e). member(g). member(h)."
        "member(i). member(m)."
        "pos(f(d)). pos(f(e)). pos(f(g)). pos(f(h))."
        "neg(f(a)). neg(f(b)). neg(f(c)). neg(f(f)). neg(f(i)). neg(f(k)).",
        "f(A) :- member(A), age(A,B), B >= 15.\n");
}

static void learns_denials(void **state) {
  (void)state;
  check("man(a). man(b). man(c). man(d). man(k). woman(e). woman(g). wed(a,e)."
        "wed(e,a). wed(c,g). man(m). wed(m,x). woman(n). man(o)."
        "pos(f(b)). pos(f(d)). pos(f(k)). pos(f(o))."
        "neg(f(a)). neg(f(c)). neg(f(e)). neg(f(g)). neg(f(m)). neg(f(n)).",
        "f(A) :- man(A), \\+ wed(A,_).\n");
  check("x(a). x(b). x(c). x(d). x(e). x(g). x(h). x(i)."
        "part(a,a1). part(a,a2). part(b,b1). part(c,c1). part(c,c2)."
        "part(d,d1). part(e,e1). part(g,g1). part(g,g2). part(h,h1)."
        "part(h,h2). part(i,i1)."
        "red(a1). blue(a2). blue(b1). red(c1). red(c2). grey(d1). red(e1)."
        "blue(g1). grey(g2). red(h1). grey(h2). blue(i1)."
        "pos(f(b)). pos(f(d)). pos(f(g)). pos(f(i))."
        "neg(f(a)). neg(f(c)). neg(f(e)). neg(f(h)).",
        "f(A) :- x(A), \\+ part_red(A).\n"
        "part_red(A) :- part(A,B), red(B).\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_numbers),
                                     cmocka_unit_test(rounds_dates),
                                     cmocka_unit_test(round_cuts_are_few),
                                     cmocka_unit_test(learns_comparisons),
                                     cmocka_unit_test(cuts_whole_rules_again),
                                     cmocka_unit_test(learns_denials)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
