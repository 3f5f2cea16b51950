/* Learning, compressing and asking models with memory that runs out. */
#include <stdio.h>
#include <unistd.h>

#include "miser.h"

/* With threads, a checkpoint, and a background of rules. */
static const char task[] =
    "succ(0,1). succ(1,2). succ(2,3). succ(3,4). odd(1). wide(a,b,c).\n"
    "next(X,Y) :- succ(X,Y).\n"
    "pos(even(0)). pos(even(2)). pos(even(4)). neg(even(1)). neg(even(3)).\n";
static const char templates[] = "F(X) <- F(X)\n"
                                "F(X) <- F(Z), F(Z,X)\n"
                                "F(X,X) <- F(X,Z), F(X,Z)\n"
                                "F(X) <- F(X,Z), F(Z,W), X \\= W\n"
                                "invented: aux/1\ninvented: more/2\n";

static int ignore_point(void *ctx, const pith_trace_point *point) {
  (void)ctx, (void)point;
  return 0;
}

static pith_status learn_from(pith *p) {
  char path[64];
  pith_learn_options opt;
  pith_learned *l = NULL;
  snprintf(path, sizeof path, "/tmp/pith-alloc-%ld", (long)getpid());
  pith_learn_defaults(&opt);
  opt.restarts = 40;
  opt.epochs = 20;
  opt.run.jobs = 3;
  opt.keep = 2;
  opt.go_on = true;
  opt.checkpoint = path;
  pith_trace_options which = {.restart = 17, .epochs = 3, .points = 4};
  pith_status rc = pith_learn(&p, 1, &opt, &l);
  if (rc >= 0)
    rc = pith_learn_trace(&p, 1, &opt, &which, ignore_point, NULL);
  if (rc >= 0)
    rc = pith_learned_adopt(l, 0, p);
  pith_learned_free(l);
  unlink(path);
  return rc;
}

static pith_status learn(pith *p) {
  pith_status rc = read_as(p, task, PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, templates, PITH_TEMPLATES);
  return rc < 0 ? rc : learn_from(p);
}

/* A ring of towns in two lands. */
static pith_status learn_chains(pith *p) {
  char text[4096];
  size_t n = 0;
  for (int i = 0; i < 16; i++) {
    const char *fact =
        i % 4 == 1 ? "pos(in(t%d,l%d)). neg(in(t%d,l%d)).\n" : "in(t%d,l%d).\n";
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "near(t%d,t%d). near(t%d,t%d).\n", i, (i + 1) % 16,
                          (i + 1) % 16, i);
    n += (size_t)snprintf(text + n, sizeof text - n, fact, i, i / 8, i,
                          1 - i / 8);
  }
  pith_model_options opt;
  pith_model *m = NULL;
  double probability[8];
  pith_model_defaults(&opt);
  pith_status rc = read_as(p, text, PITH_PROLOG);
  opt.target = pith_pred_find(p, "in", 2);
  if (rc >= 0)
    rc = pith_model_learn(p, NULL, &opt, &m);
  if (rc >= 0)
    rc = pith_model_grade(m, p, probability);
  pith_out *o = NULL;
  if (rc >= 0)
    rc = pith_out_memory(p, &o);
  if (rc >= 0)
    rc = pith_model_write(m, true, o);
  pith_model_free(m);
  m = NULL;
  if (rc >= 0)
    rc = pith_out_text(o, NULL) == NULL
             ? PITH_ENOMEM
             : read_as(p, pith_out_text(o, NULL), PITH_PROLOG);
  pith_out_close(o, false);
  if (rc >= 0)
    rc = pith_model_read(p, NULL, 0, &m);
  pith_ranking ranking;
  pith_prediction v[2] = {{0.5, true}, {0.2, false}};
  if (rc >= 0)
    rc = pith_ranking_of(p, v, 2, &ranking);
  pith_model_free(m);
  return rc;
}

/* Without templates, with something invented. */
static pith_status learn_invented(pith *p, const char *text) {
  pith_learn_options opt;
  pith_learned *l = NULL;
  pith_learn_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  opt.restarts = 2;
  opt.epochs = 3;
  opt.run.jobs = 1;
  opt.keep = 2;
  opt.go_on = true;
  pith_status rc = read_as(p, text, PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, "max_body(1). enable_pi. max_vars(2). max_clauses(3).",
                 PITH_BIAS);
  if (rc >= 0)
    rc = pith_learn(&p, 1, &opt, &l);
  if (rc >= 0)
    rc = pith_learned_adopt(l, 0, p);
  pith_learned_free(l);
  return rc;
}

static pith_status learn_free(pith *p) {
  return learn_invented(
      p, "n(0,1). n(1,2). m(X,Y) :- n(X,Y). pos(e(0)). pos(e(2)). neg(e(1)).");
}

/* By clauses: no theory is exact, so every language is tried, and then
** examples may be wrong. */
static pith_status learn_clauses(pith *p) {
  pith_learn_options opt;
  pith_learned *l = NULL;
  pith_learn_defaults(&opt);
  opt.method = PITH_METHOD_SEARCH;
  opt.max_body = 2;
  opt.max_rules = 1;
  opt.keep = 3;
  pith_status rc =
      read_as(p,
              "r(a). r(b). r(c). r(d). r(e). r(f). r(g). r(h). r(i). "
              "n(a,j). n(i,k). s(X) :- n(X,_). pos(p(a)). pos(p(b)). "
              "pos(p(c)). pos(p(d)). pos(p(e)). pos(p(f)). pos(p(g)). "
              "pos(p(h)). neg(p(i)). neg(p(j)). neg(p(k)). neg(p(l)). "
              "neg(p(m)). neg(p(n)). neg(p(o)).",
              PITH_PROLOG);
  if (rc >= 0)
    rc = pith_learn(&p, 1, &opt, &l);
  bool full = rc == PITH_FULL; /* it says so, and has something to show */
  if (rc >= 0)
    rc = pith_learned_adopt(l, 0, p);
  pith_learned_free(l);
  return rc >= 0 && full ? PITH_ENOMEM : rc;
}

/* Each of two targets could be told by the other, so that they are learned in
** turn. */
static pith_status learn_in_turn(pith *p) {
  pith_learn_options opt;
  pith_learned *l = NULL;
  pith_learn_defaults(&opt);
  opt.method = PITH_METHOD_SEARCH;
  opt.noise = PITH_NOISE_OFF;
  opt.max_body = 2;
  opt.max_rules = 1;
  pith_status rc =
      read_as(p,
              "e(a,b). e(b,c). e(d,b). pos(p(a,b)). pos(p(b,c)). neg(p(b,a)). "
              "neg(p(a,a)). pos(q(b,a)). pos(q(c,b)). neg(q(a,b)). "
              "neg(q(b,b)).",
              PITH_PROLOG);
  if (rc >= 0)
    rc = pith_learn(&p, 1, &opt, &l);
  bool full = rc == PITH_FULL;
  if (rc >= 0)
    rc = pith_learned_adopt(l, 0, p);
  pith_learned_free(l);
  return rc >= 0 && full ? PITH_ENOMEM : rc;
}

static void test_learn_free(void **state) {
  (void)state;
  refuse_all(learn_free);
  refuse_all(learn_clauses);
  refuse_all(learn_in_turn);
}

/* The same where worlds are cut. */
static pith_status learn_cut(pith *p) {
  return learn_invented(
      p, "n(a,b). n(b,c). n(c,d). n(d,e). n(e,f). n(f,g). n(g,h). n(h,i). "
         "n(i,j). n(j,k). n(k,l). n(l,m). n(m,o). n(o,p). n(p,q). n(q,r). "
         "n(r,s). n(s,t). n(t,u). n(u,v). n(v,w). n(w,x). n(x,y). n(y,z). "
         "n(z,aa). pos(e(a,b)). neg(e(b,a)). pos(e(y,z)). neg(e(a,a)).");
}

static void test_learn_cut(void **state) {
  (void)state;
  refuse_all(learn_cut);
}

static pith_status compress(pith *p) {
  pith_compressed *c = NULL;
  pith *other = NULL;
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.noise = PITH_NOISE_OFF; /* no second search: the same refusals again */
  opt.max_invented = 0;
  pith_status rc = read_as(p,
                           "r(a,b). r(b,c). r(a,c). r(c,d). r(b,d). r(a,d).\n"
                           "r(d,e). r(c,e). r(b,e). r(a,e).\n",
                           PITH_PROLOG);
  if (rc >= 0)
    rc = pith_compress(p, &opt, &c);
  if (rc >= 0) {
    assert_int_equal(pith_compressed_info(c)->core, 4);
    rc = pith_new(&other);
  }
  if (rc >= 0)
    rc = pith_compressed_adopt(c, other);
  pith_free(other);
  pith_compressed_free(c);
  return rc;
}

static pith_status compress_with(pith *p, const char *facts,
                                 const char *templates,
                                 pith_compress_options *opt) {
  pith_compressed *c = NULL;
  opt->restarts = 2;
  opt->epochs = 3;
  pith_status rc = read_as(p, facts, PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, templates, PITH_TEMPLATES);
  if (rc >= 0)
    rc = pith_compress(p, opt, &c);
  pith_compressed_free(c);
  return rc;
}

static pith_status compress_softly(pith *p) {
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  return compress_with(p, "m(a,x). f(c,x). f(d,z).\n",
                       "2 #1(X,Y) :- #2(X), #3(X,Y).\ninvented: s/1\n", &opt);
}

static pith_status compress_as_the_paper(pith *p) {
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.semantics = PITH_PAPER;
  return compress_with(p, "r(a,b). r(b,c). r(a,c).\n",
                       "#1(X,Y) :- #2(X,Z), #3(Z,Y).\n", &opt);
}

static void test_compress(void **state) {
  (void)state;
  refuse_each(compress, false); /* it asks for memory thousands of times */
  refuse_all(compress_softly);
  refuse_all(compress_as_the_paper);
}

static void test_learn(void **state) {
  (void)state;
  refuse_all(learn);
}

/* The same softly, for one epoch. */
static pith_status learn_softly(pith *p) {
  char text[4096];
  size_t n = 0;
  for (int i = 0; i < 8; i++)
    n += (size_t)snprintf(
        text + n, sizeof text - n,
        i % 4 == 1 ? "near(t%d,t%d). pos(in(t%d,l%d)). neg(in(t%d,l%d)).\n"
                   : "near(t%d,t%d). in(t%d,l%d).\n",
        i, (i + 1) % 8, i, i / 4, i, 1 - i / 4);
  pith_model_options opt;
  pith_model *m = NULL;
  double probability[4];
  pith_model_defaults(&opt);
  opt.epochs = 1;
  opt.method = PITH_MODEL_SOFT;
  pith_status rc = read_as(p, text, PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, "#1(X,Y) <- #2(X,Z), #3(Z,Y)\nsteps: 1\n", PITH_TEMPLATES);
  if (rc >= 0)
    opt.target = pith_pred_find(p, "in", 2);
  if (rc >= 0)
    rc = pith_model_learn(p, NULL, &opt, &m);
  if (rc >= 0)
    rc = pith_model_grade(m, p, probability);
  pith_model_free(m);
  return rc;
}

static void test_soft_model(void **state) {
  (void)state;
  refuse_all(learn_softly);
}

static void test_chains(void **state) {
  (void)state;
  refuse_all(learn_chains);
}

static void test_learn_again(void **state) {
  (void)state;
  for (size_t k = 0;; k += 3) {
    miser m = {.refuse = SIZE_MAX};
    pith_memory memory = {miser_resize, &m, 0};
    pith *p;
    assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
    assert_int_equal(read_as(p, task, PITH_PROLOG), PITH_OK);
    assert_int_equal(read_as(p, templates, PITH_TEMPLATES), PITH_OK);
    m.refuse = m.asked + k;
    pith_status rc = learn_from(p);
    m.refuse = SIZE_MAX;
    if (rc < 0) {
      assert_int_equal(rc, PITH_ENOMEM);
      assert_int_equal(pith_rule_count(p), 1);
      assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_ALL), 6);
      assert_int_equal(learn_from(p), PITH_OK);
    }
    assert_true(pith_rule_count(p) > 1);
    pith_free(p);
    assert_int_equal(m.alive, 0);
    if (m.refused == 0)
      return;
  }
}

/* Learning with a checkpoint, then inferring with what was learned. */
static pith_status run_soft_rules(pith *p) {
  pith_status rc = read_as(p,
                           "r(X,Y) :- e(X,Y).\n"
                           "r(X,Y) :- e(X,Z), r(Z,Y), X \\= Y.\n",
                           PITH_PROLOG);
  if (rc >= 0)
    rc =
        read_as(p, "2 F(X) <- F(Z), F(Z,X)\ninvented: aux/1\n", PITH_TEMPLATES);
  pith_soft *s = NULL;
  pith_soft_pass *pass[2] = {NULL, NULL};
  if (rc >= 0)
    rc = pith_soft_new(p, 3, 2, &s);
  static float number[1] = {0.5f};
  const pith_soft_values same = {number, 0, {0, 0}}, none = {0};
  const pith_soft_values start[3] = {same, same, same}, unused[3] = {none};
  for (size_t i = 0; rc >= 0 && i < 2; i++)
    rc = pith_soft_forward(s, 20, start, &same, unused, &pass[i]);
  if (rc >= 0)
    rc = pith_soft_backward(pass[0], start, unused, &none);
  pith_soft_pass_free(pass[0]);
  pith_soft_pass_free(pass[1]);
  pith_soft_free(s);
  return rc;
}

static void test_soft_rules(void **state) {
  (void)state;
  refuse_all(run_soft_rules);
}

static pith_status learn_saved(pith *p) {
  char saved[80];
  snprintf(saved, sizeof saved, "/tmp/pith-saved-%ld", (long)getpid());
  remove(saved);
  pith_learn_options opt;
  pith_learned *found = NULL;
  pith_learn_defaults(&opt);
  opt.run.jobs = 1;
  opt.restarts = 16;
  opt.epochs = 60;
  opt.checkpoint = saved;
  pith_status rc = pith_read(p, "data/ilp/even-odd", PITH_AUTO);
  if (rc >= 0)
    rc = pith_learn(&p, 1, &opt, &found);
  if (rc >= 0)
    rc = pith_learned_adopt(found, 0, p);
  if (rc >= 0)
    rc = pith_infer(p, NULL, NULL);
  pith_learned_free(found);
  remove(saved);
  return rc;
}

static void test_learn_saved(void **state) {
  (void)state;
  refuse_all(learn_saved);
}

/* A graph is learned, its model asked and scored. */
static int pass_answers(void *ctx, size_t query, const pith_answer *answers,
                        size_t n) {
  (void)ctx, (void)query, (void)answers, (void)n;
  return 0;
}

static pith_status rank_links(pith *p) {
  static const char text[] =
      "child(a,b). child(b,c). child(b,d). child(e,f). child(f,g). "
      "child(h,i). child(i,j). grand(a,c). grand(e,g). grand(h,j). "
      "lives(a,t). lives(b,t). lives(e,u). lives(f,u). lives(h,t).";
  pith_model_options opt;
  pith_model *k = NULL;
  pith_model_scores scores;
  pith_estimate estimate;
  const pith_answer *answers;
  const pith_atom *query;
  size_t n;
  pith_model_defaults(&opt);
  opt.run.jobs = 1;
  opt.run.seconds = 1000;
  pith_status rc =
      pith_read_text(p, "graph.pl", text, sizeof text - 1, PITH_PROLOG);
  if (rc >= 0)
    rc = pith_model_cost(p, p, &opt, &estimate);
  if (rc >= 0)
    rc = pith_model_learn(p, p, &opt, &k);
  if (rc >= 0)
    rc = pith_atom_read(p, "grand(a,X)", &query);
  if (rc >= 0)
    rc = pith_model_ask(k, query, 3, &answers, &n);
  if (rc >= 0)
    rc = pith_model_ask_all(k, query, 1, 3, &opt.run, pass_answers, NULL);
  if (rc >= 0)
    rc = pith_model_score(k, p, NULL, &opt.run, &scores);
  pith_model_free(k);
  return rc;
}

static void test_rank(void **state) {
  (void)state;
  refuse_all(rank_links);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_learn_free),  cmocka_unit_test(test_learn_cut),
      cmocka_unit_test(test_compress),    cmocka_unit_test(test_learn),
      cmocka_unit_test(test_soft_model),  cmocka_unit_test(test_chains),
      cmocka_unit_test(test_learn_again), cmocka_unit_test(test_soft_rules),
      cmocka_unit_test(test_learn_saved), cmocka_unit_test(test_rank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
