/* Rules without templates: what is found, that it is the smallest, and that
** odd inputs do no harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "learned.h"

static void check(const char *text, const char *expected) {
  check_learned(text, NULL, expected);
}

static void check_with_constants(const char *text, const char *expected) {
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.constants = true;
  check_learned(text, &opt, expected);
}

static void finds_small_rules(void **state) {
  (void)state;
  check("p(a). p(b). q(b). q(c). pos(f(b)). neg(f(a)). neg(f(c)).",
        "f(A) :- p(A), q(A).\n");
  check("has(t1,a). has(t1,b). has(t2,c). has(t2,d). has(t3,e). has(t3,g)."
        "long(a). red(b). long(c). red(e). long(x). blue(d)."
        "pos(f(t1)). neg(f(t2)). neg(f(t3)).",
        "f(A) :- has(A,B), long(B), has(A,C), red(C).\n");
  check("e(a,b). e(b,c). e(c,d). pos(r(a,b)). pos(r(a,c)). pos(r(a,d))."
        "pos(r(b,c)). pos(r(b,d)). pos(r(c,d)). neg(r(b,a)). neg(r(c,a))."
        "neg(r(a,a)). neg(r(d,a)). neg(r(d,b)). neg(r(d,c)). neg(r(c,b))."
        "neg(r(b,b)). neg(r(c,c)). neg(r(d,d)).",
        "r(A,B) :- e(A,B).\nr(A,B) :- r(A,C), r(C,B).\n");
}

static const char cycles[] =
    "e(a,b). e(b,c). e(c,a). e(c,d). e(d,g). e(g,k). e(k,l). e(h,h)."
    "e(i,j). e(j,i). e(m,a). e(m,i). e(i,n). e(n,o). e(l,p). e(p,q). e(q,r)."
    "e(s,m). e(t,s)."
    "pos(f(a)). pos(f(b)). pos(f(c)). pos(f(h)). pos(f(i)). pos(f(j))."
    "neg(f(d)). neg(f(g)). neg(f(k)). neg(f(l)). neg(f(m)). neg(f(n)).";

static void invents(void **state) {
  (void)state;
  check(cycles, "f(A) :- e_path(A,A).\ne_path(A,B) :- e(A,B).\n"
                "e_path(A,B) :- e(A,C), e_path(C,B).\n");
}

/* Those that the bias lists, where the type is theirs, and no others. */
static void names_listed_constants(void **state) {
  (void)state;
  static const char task[] =
      "c(a,red). c(b,blue). c(d,red). c(e,green). s(a,big). s(b,big)."
      "s(d,small). s(e,big). s(g,red). c(g,big)."
      "pos(f(a)). neg(f(b)). neg(f(d)). neg(f(e)). neg(f(g)).";
  static const struct {
    const char *bias, *rules;
  } cases[] = {
      {"constant(red,hue). constant(big,size).",
       "f(A) :- c(A,red), s(A,big).\n"},
      {"constant(red). constant(big).", "f(A) :- c(A,red), s(A,big).\n"},
      {"constant(big). constant(red,size).",
       "f(A) :- s(A,big), c(A,B), c(C,B), A \\= C.\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char bias[256];
    pith *p = new_task(task);
    snprintf(bias, sizeof bias, "type(c,(x,hue)). type(s,(x,size)). %s",
             cases[i].bias);
    assert_int_equal(pith_read_text(p, "bias", bias, strlen(bias), PITH_BIAS),
                     PITH_OK);
    check_worlds(&p, 1, NULL, cases[i].rules);
    pith_free(p);
  }
}

/* A predicate for each, as Popper's users write it; other rules are skipped. */
static void constants_name_predicates(void **state) {
  (void)state;
  static const char bias[] =
      "body_pred(c,2). constant(red,hue). constant(blue,hue).\n"
      "body_pred(P,1):-\n\tconstant(P,_).\n"
      "type(P,(T,)) :- constant(P,T). direction(P,(out,)) :- constant(P,_).\n";
  static const char *const odd[] = {"body_pred(P,2) :- constant(P,_).",
                                    "body_pred(P,1) :- p(P).",
                                    "type(P,(T,)) :- constant(P,_,T).",
                                    "body_pred(P,1) :- constant(Q,_).",
                                    "body_pred(P,1)",
                                    "type(P,(T,)) :- constant(P,S)."};
  pith *p = new_task("red(r). blue(b). c(x,r). c(y,b). c(z,b)."
                     "pos(f(x)). neg(f(y)). neg(f(z)).");
  assert_int_equal(pith_read_text(p, "bias", bias, strlen(bias), PITH_BIAS),
                   PITH_OK);
  assert_int_equal(pith_remark_count(p), 0);
  assert_int_equal(pith_bias_of(p)->constants, 0);
  check_worlds(&p, 1, NULL, "f(A) :- c(A,B), red(B).\n");
  pith_free(p);
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    p = new_task("red(r).");
    pith_read_text(p, "bias", odd[i], strlen(odd[i]), PITH_BIAS);
    assert_int_equal(pith_remark_count(p), 1);
    pith_free(p);
  }
}

/* Ten conditions at once: each negative example lacks one of them. */
static void long_bodies(void **state) {
  (void)state;
  enum { CONDITIONS = 10 };
  char text[4096], *at = text;
  for (int i = 0; i < CONDITIONS; i++) {
    at += sprintf(at, "p%d(a). neg(f(n%d)). ", i, i);
    for (int k = 0; k < CONDITIONS; k++)
      if (k != i)
        at += sprintf(at, "p%d(n%d). ", k, i);
  }
  sprintf(at, "pos(f(a)).");
  check(text, "f(A) :- p0(A), p1(A), p2(A), p3(A), p4(A), p5(A), p6(A), p7(A), "
              "p8(A), p9(A).\n");
}

static void invents_no_more_than_asked(void **state) {
  (void)state;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.max_invented = 0;
  static const char plain[] = "f(A) :- e(A,B), e(B,C), e(C,A).\n"
                              "f(A) :- e(A,B), e(B,A).\n";
  pith *p = new_task(cycles);
  check_worlds(&p, 1, &opt, plain);
  pith_free(p);
}

static void odd_inputs(void **state) {
  (void)state;
  check("pos(f(a)).", "");
  check("p(a). pos(f(a)).", "f(A) :- p(A).\n");
  check("p(a). neg(f(a)).", "");
  check("p(a). pos(f(a)). pos(f(a)). p(a).", "f(A) :- p(A).\n");
  check("p(a,b,c,d). pos(f(b,d)). neg(f(d,b)). neg(f(a,c)).",
        "f(A,B) :- p(_,A,_,B).\n");
  check("f(a). pos(f(a)). neg(f(b)). p(b).", "");
}

static void worlds_have_their_own_constants(void **state) {
  (void)state;
  pith *w[3] = {new_task("q(z)."),
                new_task("p(a). q(a). p(b). pos(f(a)). neg(f(b))."),
                new_task("p(b). q(b). q(a). pos(f(b)). neg(f(a)).")};
  check_worlds(w, 3, NULL, "f(A) :- q(A), p(A).\n");
  for (int i = 2; i >= 0; i--)
    pith_free(w[i]);
}

/* Relations of many places, with values in several of them. */
static void wide_relations(void **state) {
  (void)state;
  check_with_constants(
      "d(a,sun,hot,low,weak). d(b,rain,hot,low,weak). d(c,rain,hot,low,gale)."
      "d(e,rain,cold,low,weak). d(g,sun,cold,low,gale). d(h,rain,hot,low,gale)."
      "d(i,sun,hot,low,weak). d(j,rain,cold,low,weak)."
      "pos(f(b)). pos(f(e)). pos(f(j)). neg(f(a)). neg(f(c)). neg(f(g))."
      "neg(f(h)). neg(f(i)).",
      "f(A) :- d(A,rain,_,_,weak).\n");
  check("p(a,x,y,z,u,v). p(b,y,x,z,v,u). p(c,x,x,z,v,u). p(d,y,y,z,u,v)."
        "pos(f(c)). pos(f(d)). neg(f(a)). neg(f(b)).",
        "f(A) :- p(A,B,B,_,_,_).\n");
}

/* A value has another number in every world, or none. */
static void values_in_worlds(void **state) {
  (void)state;
  static const char one[] =
      "q(rain,x). d(a,sun,hot,low,weak). d(b,rain,hot,low,weak)."
      "d(c,rain,hot,low,gale). pos(f(b)). neg(f(a)). neg(f(c)).";
  static const char two[] =
      "d(c,rain,hot,low,weak). d(b,rain,hot,low,gale). d(a,sun,cold,low,weak)."
      "pos(f(c)). neg(f(a)). neg(f(b)).";
  pith *w[3] = {new_task(one), new_task(two),
                new_task("d(a,fog,hot,low,gale)."
                         "neg(f(a)).")};
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.constants = true;
  check_worlds(w, 3, &opt, "f(A) :- d(A,rain,_,_,weak).\n");
  for (int i = 2; i >= 0; i--)
    pith_free(w[i]);
}

/* What explains most is shown where nothing explains all. */
static void part_of_the_examples(void **state) {
  (void)state;
  enum { EACH = 60, ODD = 8 };
  char text[EACH * 90], *at = text;
  for (int i = 0; i < EACH; i++) {
    at += sprintf(at, "c(p%d,%d,w). c(p%d,%d,b). pos(f(p%d)).", i, i % 7, i,
                  i % 7, i);
    at += sprintf(at, "c(n%d,%d,w). c(n%d,%d,b). %s(f(n%d)).", i, i % 7, i,
                  (i + 1) % 7, i < ODD ? "pos" : "neg", i);
  }
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.method = PITH_METHOD_SEARCH;
  opt.max_body = 2;
  opt.constants = true;
  pith *p = new_task(text);
  check_worlds(&p, 1, &opt, "f(A) :- c(A,B,w), c(A,B,b).\n");
  pith_free(p);
}

static void several_targets(void **state) {
  (void)state;
  check("p(a). q(b). pos(f(a)). neg(f(b)). pos(g(b)). neg(g(a)).",
        "f(A) :- p(A).\ng(A) :- q(A).\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_small_rules),
      cmocka_unit_test(invents),
      cmocka_unit_test(invents_no_more_than_asked),
      cmocka_unit_test(names_listed_constants),
      cmocka_unit_test(constants_name_predicates),
      cmocka_unit_test(long_bodies),
      cmocka_unit_test(odd_inputs),
      cmocka_unit_test(worlds_have_their_own_constants),
      cmocka_unit_test(wide_relations),
      cmocka_unit_test(values_in_worlds),
      cmocka_unit_test(part_of_the_examples),
      cmocka_unit_test(several_targets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
