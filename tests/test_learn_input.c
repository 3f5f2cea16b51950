/* What the learner takes and what it refuses, and in which words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

static void read_text(pith *p, const char *text, pith_format format) {
  pith_status rc = pith_read_text(p, "task", text, strlen(text), format);
  if (rc < 0)
    fail_msg("%s", pith_error(p));
}

static pith *new_task(const char *facts, const char *templates) {
  pith *p = NULL;
  assert_int_equal(pith_new(&p), PITH_OK);
  read_text(p, facts, PITH_PROLOG);
  read_text(p, templates, PITH_TEMPLATES);
  return p;
}

/* ---- tasks that are solved -------------------------------------------- */

/* Solved, and as the exact engine sees it too when the rules are adopted. */
static void check_solved(pith *const *worlds, size_t n,
                         const pith_learn_options *opt) {
  pith_learned *l = NULL;
  pith_status rc = pith_learn(worlds, n, opt, &l);
  if (rc != PITH_OK)
    fail_msg("%d %s", rc, pith_error(worlds[0]));
  assert_true(pith_learned_count(l) >= 1);
  assert_true(pith_learned_info(l, 0)->solved);
  for (size_t w = 0; w < n; w++) {
    pith_scores scores;
    assert_int_equal(pith_learned_adopt(l, 0, worlds[w]), PITH_OK);
    assert_int_equal(pith_infer(worlds[w], NULL, NULL), PITH_OK);
    assert_int_equal(pith_score(worlds[w], &scores), PITH_OK);
    assert_int_equal(scores.fp + scores.fn, 0);
  }
  pith_learned_free(l);
}

static const struct {
  const char *what, *facts, *templates;
} solvable[] = {
    {"background with rules",
     "parent(a,b). parent(b,c). parent(c,d).\n"
     "up(X,Y) :- parent(Y,X).\n"
     "pos(grandchild(c,a)). pos(grandchild(d,b)). neg(grandchild(a,c)).\n"
     "neg(grandchild(b,a)). neg(grandchild(d,a)).\n",
     "F(X,Y) <- F(X,Z), F(Z,Y)\n"},
    {"background that no slot can take",
     "edge(a,b). edge(b,c). flag. triple(a,b,zz). quad(1,2,3,4).\n"
     "pos(back(b,a)). pos(back(c,b)). neg(back(a,b)). neg(back(a,c)).\n",
     "F(X,Y) <- F(Y,X)\n"},
    {"two targets at once",
     "zero(0). succ(0,1). succ(1,2). succ(2,3). succ(3,4).\n"
     "pos(even(0)). pos(even(2)). pos(even(4)). neg(even(1)). neg(even(3)).\n"
     "pos(odd(1)). pos(odd(3)). neg(odd(0)). neg(odd(2)).\n",
     "F(X) <- F(X)\nF(X) <- F(Z), F(Z,X)\nF(X) <- F(Z), F(Z,X)\nsteps: 5\n"},
    {"a target with facts",
     "even(0). succ(0,1). succ(1,2). succ(2,3). succ(3,4). succ(4,5).\n"
     "succ2(X,Y) :- succ(X,Z), succ(Z,Y).\n"
     "pos(even(0)). pos(even(2)). pos(even(4)). neg(even(1)). neg(even(3)).\n"
     "neg(even(5)).\n",
     "F(X) <- F(Z), F(Z,X)\nsteps: 3\n"},
    {"constants that no fact has",
     "red(a). red(b). pos(warm(a)). pos(warm(b)). neg(warm(stranger)).\n"
     "neg(warm(77)).\n",
     "F(X) <- F(X)\n"},
    {"a chain of three",
     "in(a,b). in(b,c). in(c,d). in(x,y). near(b,q). near(p,c).\n"
     "pos(far(a,d)). neg(far(a,c)). neg(far(a,b)). neg(far(x,y)).\n"
     "neg(far(b,d)).\n",
     "#1(X,Y) <- #2(X,Z), #3(Z,W), #4(W,Y)\nsteps: 1\n"},
    {"tied slots",
     "e(a,b). e(b,c). e(c,d). f(a,c). f(d,a).\n"
     "pos(r(a,b)). pos(r(a,c)). pos(r(a,d)). pos(r(b,d)).\n"
     "neg(r(b,a)). neg(r(d,a)). neg(r(c,a)).\n",
     "F(X,Y) <- F(X,Y)\n#1(X,Y) <- #2(X,Z), #1(Z,Y)\nsteps: 4\n"},
    {"a slot that is given",
     "edge(a,b). edge(b,c). edge(c,d). other(d,a). other(a,c).\n"
     "pos(path(a,b)). pos(path(a,d)). pos(path(b,d)). neg(path(b,a)).\n"
     "neg(path(d,a)).\n",
     "path(X,Y) <- #1(X,Y)\npath(X,Y) <- edge(X,Z), #1(Z,Y)\nsteps: 4\n"},
    {"inequality",
     "edge(a,b). edge(a,c). edge(b,d). edge(c,a). edge(c,b). edge(d,d).\n"
     "pos(two(a)). pos(two(c)). neg(two(b)). neg(two(d)).\n",
     "#1(X) <- #2(X,Y), #2(X,Z), Y \\= Z\n"},
    {"four variables around one",
     "e(a,b). e(b,c). e(b,d). u(c). v(d). e(p,q). e(q,r). u(r).\n"
     "pos(t(a)). neg(t(b)). neg(t(p)). neg(t(q)).\n",
     "#1(X) <- #2(X,A), #2(A,B), #2(A,C), #3(B), #4(C)\n"},
    {"a variable that stands alone",
     "u(a). u(b). go(1). pos(t(a)). pos(t(b)). neg(t(1)).\n",
     "#1(X) <- #2(X), #3(Z)\n"},
    {"the weight of one example is all there is",
     "u(a). w(b). pos(t(a), 1). neg(t(b), 0).\n", "F(X) <- F(X)\n"},
    {"no weight at all", "u(a). w(b). pos(t(a), 0). neg(t(b), 0).\n",
     "F(X) <- F(X)\n"},
};

static void solves(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof solvable / sizeof *solvable; i++) {
    print_message("%s\n", solvable[i].what);
    pith *p = new_task(solvable[i].facts, solvable[i].templates);
    check_solved(&p, 1, NULL);
    pith_free(p);
  }
}

/* The second world knows predicates and constants that the first does not;
** the third is empty, the fourth has facts alone. */
static void several_worlds(void **state) {
  (void)state;
  pith *w[4] = {
      new_task("e(a,b). e(b,c). pos(r(b,a)). neg(r(a,b)).",
               "F(X,Y) <- F(Y,X)\nF(X,Y) <- F(X,Z), F(Z,Y)\nsteps: 3\n"),
      new_task("f(a,b). e(u,v). e(v,w). pos(r(w,u)). neg(r(u,w)). "
               "neg(r(b,a)).",
               ""),
      new_task("", ""), new_task("e(1,2). g(3).", "")};
  check_solved(w, 4, NULL);
  for (size_t i = 4; i-- > 0;)
    pith_free(w[i]);
}

/* ---- what is refused -------------------------------------------------- */

static void check_refused(const char *facts, const char *templates,
                          pith_status status, const char *words) {
  pith *p = new_task(facts, templates);
  pith_learned *l = (pith_learned *)p; /* must be overwritten */
  assert_int_equal(pith_learn(&p, 1, NULL, &l), status);
  assert_null(l);
  if (strstr(pith_error(p), words) == NULL)
    fail_msg("\"%s\" does not say \"%s\"", pith_error(p), words);
  pith_free(p);
}

static void refuses(void **state) {
  (void)state;
  const char *facts = "e(a,b). u(a). pos(t(a)). neg(t(b)).";
  check_refused("e(a,b).", "F(X) <- F(X)\n", PITH_EINPUT, "no examples");
  check_refused("e(a,b). pos(t(a,b,c)).", "F(X) <- F(X)\n", PITH_EINPUT,
                "t/3 is to be learned");
  check_refused("e(a,b). pos(t).", "F(X) <- F(X)\n", PITH_EINPUT,
                "t/0 is to be learned");
  check_refused(facts, "F(X) <- F(X,Y,Z)\n", PITH_EINPUT, "3 arguments");
  check_refused(facts, "F(X) <- F(X)\nF(X,Y) <- F(X,Y)\n", PITH_EINPUT,
                "task:2: no predicate fits an atom with 2 arguments");
  check_refused(facts, "nobody(X) <- F(X)\n", PITH_EINPUT, "nobody/1");
  check_refused(facts,
                "F(X) <- F(X,A), F(X,B), F(X,C), F(A,B), F(B,C), F(A,C)\n",
                PITH_EINPUT, "task:1: needs more than two variables at once");
  check_refused(facts,
                "F(X) <- F(X), F(X), F(X), F(X), F(X), F(X), F(X), F(X), "
                "F(X)\n",
                PITH_EINPUT, "one to 8 atoms");
}

/* What only the interface can say; files are refused when read. */
static void refuses_unsafe(void **state) {
  (void)state;
  pith *p = new_task("u(a). e(a,b). pos(t(a)).", "F(X) <- F(X)\n");
  pith_learned *l;
  pith_term x = PITH_VAR(0), y = PITH_VAR(1);
  pith_sym a = pith_sym_find(p, "a", 1, PITH_NAME);
  const pith_slot slots[] = {{1, PITH_NONE}, {1, PITH_NONE}};
  pith_atom body = {.pred = 1, .arity = 1, .args = &y};
  pith_template t = {.shape = {.head = {.pred = 0, .arity = 1, .args = &x},
                               .body = &body,
                               .body_len = 1,
                               .var_count = 2,
                               .file = PITH_NONE},
                     .slots = slots,
                     .slot_count = 2,
                     .copies = 1};
  assert_int_equal(pith_template_add(p, &t), PITH_OK);
  assert_int_equal(pith_learn(&p, 1, NULL, &l), PITH_EINPUT);
  assert_non_null(strstr(pith_error(p), "template 2: a head variable"));
  pith_free(p);
  p = new_task("u(a). e(a,b). pos(t(a)).", "F(X) <- F(X)\n");
  body.args = &a;
  t.shape.head.args = &a;
  assert_int_equal(pith_template_add(p, &t), PITH_OK);
  assert_int_equal(pith_learn(&p, 1, NULL, &l), PITH_EINPUT);
  assert_non_null(strstr(pith_error(p), "template 2: a constant"));
  pith_free(p);
}

static void refuses_options(void **state) {
  (void)state;
  pith *p = new_task("u(a). pos(t(a)).", "F(X) <- F(X)\n");
  pith_learned *l;
  pith_learn_options good, opt;
  pith_learn_defaults(&good);
  assert_int_equal(pith_learn(&p, 0, NULL, &l), PITH_EARG);
  opt = good;
  opt.restarts = 0;
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_EARG);
  opt = good;
  opt.keep = UINT32_MAX;
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_EARG);
  opt = good;
  opt.rate = (double)NAN;
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_EARG);
  opt = good;
  opt.run.seconds = -1;
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_EARG);
  opt = good;
  opt.restarts = UINT32_MAX; /* ends at the first that is exact */
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_OK);
  pith_learned_free(l);
  pith_free(p);
}

/* Steps, or constants, that no memory holds. */
static void refuses_too_large(void **state) {
  (void)state;
  pith *p =
      new_task("u(a). e(a,b). pos(t(a,b)).", "F(X,Y) <- F(X,Z), F(Z,Y)\n");
  pith_learned *l;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.steps = UINT32_MAX;
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_ENOMEM);
  assert_non_null(strstr(pith_error(p), "steps"));
  pith_free(p);
  pith_memory memory = {.limit = 8 << 20};
  assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
  for (int i = 0; i < 300; i++) {
    char text[64];
    snprintf(text, sizeof text, "e(%d,%d).", i, i + 1);
    read_text(p, text, PITH_PROLOG);
  }
  read_text(p, "pos(t(0,300)).", PITH_PROLOG);
  read_text(p, "F(X,Y) <- F(X,Z), F(Z,Y)\n", PITH_TEMPLATES);
  assert_int_equal(pith_learn(&p, 1, NULL, &l), PITH_ENOMEM);
  assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_ALL), 300);
  pith_free(p);
}

/* A small graph whose closure is beyond memory. */
static void refuses_endless(void **state) {
  (void)state;
  pith *p = NULL;
  pith_learned *l;
  pith_memory memory = {.limit = 64 << 20};
  assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
  for (int i = 0; i < 20000; i++) {
    char text[64];
    snprintf(text, sizeof text, "e(%d,%d).", i, i * 7919 % 20000);
    read_text(p, text, PITH_PROLOG);
  }
  read_text(p, "pos(t(0,300)).", PITH_PROLOG);
  read_text(p, "F(X,Y) <- F(X,Z), F(Z,Y)\nF(X,Y) <- F(Y,X)\n", PITH_TEMPLATES);
  assert_int_equal(pith_learn(&p, 1, NULL, &l), PITH_ENOMEM);
  assert_non_null(strstr(pith_error(p), "too large"));
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solves),          cmocka_unit_test(several_worlds),
      cmocka_unit_test(refuses),         cmocka_unit_test(refuses_unsafe),
      cmocka_unit_test(refuses_options), cmocka_unit_test(refuses_too_large),
      cmocka_unit_test(refuses_endless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
