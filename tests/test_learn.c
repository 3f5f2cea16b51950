/* The learner as a program sees it: rules that are right elsewhere, the same
** for a seed at any number of threads, stopped and gone on. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <pith.h>

#include "api/handle.h"

/* ---- helpers ---------------------------------------------------------- */

static pith *read_in(const char *folder) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read(p, folder, PITH_AUTO), PITH_OK);
  return p;
}

static pith *read_text(const char *text, const char *templates) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "task", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  assert_int_equal(pith_read_text(p, "templates", templates, strlen(templates),
                                  PITH_TEMPLATES),
                   PITH_OK);
  return p;
}

static const char templates[] = "F(X) <- F(X)\n"
                                "F(X) <- F(Z), F(Z,X)\n"
                                "F(X) <- F(Z), F(Z,X)\n"
                                "invented: aux/1\n"
                                "steps: 5\n";

/* No program of the templates fits these. */
static const char impossible[] =
    "zero(0). succ(0,1). succ(1,2). succ(2,3). succ(3,4).\n"
    "pos(even(0)). pos(even(1)). pos(even(4)). neg(even(2)). neg(even(3)).\n";

/* All that a result says, as text; to be freed. */
static char *told(pith *p, const pith_learned *l) {
  pith_out *o;
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  for (size_t i = 0; i < pith_learned_count(l); i++) {
    const pith_theory_info *t = pith_learned_info(l, i);
    pith_out_print(o, "%d %d %u %u %d %d %u %a %a\n", t->solved, t->stage,
                   t->restart, t->epoch, (int)t->fp, (int)t->fn, t->size,
                   t->loss, t->error);
    for (uint32_t r = 0; r < t->rules; r++) {
      pith_rule_write(p, pith_learned_rule(l, i, r), o);
      pith_out_print(o, " %a\n", pith_learned_similarity(l, i, r));
    }
  }
  pith_out_print(o, "%u %llu", pith_learned_restarts(l),
                 (unsigned long long)pith_learned_epochs(l));
  char *text = strdup(pith_out_text(o, NULL));
  pith_out_close(o, false);
  assert_non_null(text);
  return text;
}

static char *learn_and_tell(pith *p, const pith_learn_options *opt) {
  pith_learned *l;
  assert_int_equal(pith_learn(&p, 1, opt, &l), PITH_OK);
  char *text = told(p, l);
  pith_learned_free(l);
  return text;
}

static void assert_same(char *a, char *b) {
  assert_string_equal(a, b);
  free(a);
  free(b);
}

/* ---- results ---------------------------------------------------------- */

static void finds_what_holds_elsewhere(void **state) {
  (void)state;
  pith *p = read_in("data/ilp/less-than");
  pith *q = read_in("data/ilp/less-than/test");
  pith_learned *l;
  pith_scores f;
  assert_int_equal(pith_learn(&p, 1, NULL, &l), PITH_OK);
  assert_true(pith_learned_info(l, 0)->solved);
  assert_int_equal(pith_rule_count(p), 0);
  assert_int_equal(pith_learned_adopt(l, 0, q), PITH_OK);
  assert_int_equal(pith_infer(q, NULL, NULL), PITH_OK);
  assert_int_equal(pith_score(q, &f), PITH_OK);
  assert_int_equal(f.fp + f.fn, 0);
  pith_learned_free(l);
  pith_free(q);
  pith_free(p);
}

/* The other world numbers its predicates otherwise, and has one more. */
static void worlds_share_rules(void **state) {
  (void)state;
  pith *w[2] = {read_in("data/ilp/even-odd"),
                read_text("extra(b). succ(a,b). succ(b,c). zero(a).\n"
                          "pos(even(a)). neg(even(b)). pos(even(c)).\n",
                          "")};
  pith_learned *l;
  assert_int_equal(pith_learn(w, 2, NULL, &l), PITH_OK);
  assert_true(pith_learned_info(l, 0)->solved);
  for (int i = 0; i < 2; i++) {
    pith_scores f;
    assert_int_equal(pith_learned_adopt(l, 0, w[i]), PITH_OK);
    assert_int_equal(pith_infer(w[i], NULL, NULL), PITH_OK);
    assert_int_equal(pith_score(w[i], &f), PITH_OK);
    assert_int_equal(f.fp + f.fn, 0);
  }
  pith_learned_free(l);
  pith_free(w[1]);
  pith_free(w[0]);
}

/* ---- the same for a seed ---------------------------------------------- */

static void threads_change_nothing(void **state) {
  (void)state;
  static const char *const tasks[] = {"data/ilp/fizz", "data/ilp/length"};
  for (size_t i = 0; i < 2; i++)
    for (int go_on = 0; go_on < 2; go_on++) {
      pith *p = read_in(tasks[i]);
      pith_learn_options opt;
      pith_learn_defaults(&opt);
      opt.go_on = go_on != 0;
      opt.epochs = 100;
      opt.keep = 5;
      opt.run.jobs = 1;
      char *one = learn_and_tell(p, &opt);
      opt.run.jobs = 5;
      assert_same(one, learn_and_tell(p, &opt));
      pith_free(p);
    }
}

/* The same without templates; invented names are the same in a second run. */
static void threads_change_nothing_in_spaces(void **state) {
  (void)state;
  static const char *const tasks[] = {"data/ilp/fizz", "data/ilp/cyclic"};
  for (size_t i = 0; i < 2; i++) {
    pith *p = read_in(tasks[i]);
    pith_learn_options opt;
    pith_template_clear(p);
    pith_learn_defaults(&opt);
    opt.method = PITH_METHOD_GRADIENT;
    opt.epochs = 60;
    opt.keep = 3;
    opt.run.jobs = 1;
    char *one = learn_and_tell(p, &opt);
    opt.run.jobs = 4;
    assert_same(one, learn_and_tell(p, &opt));
    pith_free(p);
  }
}

/* A restart is the same whichever come after it, and alone. */
static void each_restart_is_its_own(void **state) {
  (void)state;
  pith *p = read_in("data/ilp/even-succ2");
  pith_learned *many, *few;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.each = true;
  opt.epochs = 200;
  opt.restarts = 37;
  assert_int_equal(pith_learn(&p, 1, &opt, &many), PITH_OK);
  assert_int_equal(pith_learned_count(many), 37);
  opt.restarts = 3;
  opt.run.jobs = 1;
  assert_int_equal(pith_learn(&p, 1, &opt, &few), PITH_OK);
  assert_int_equal(pith_learned_count(few), 3);
  for (size_t i = 0; i < 37; i++) {
    const pith_theory_info *a = pith_learned_info(many, i);
    assert_int_equal(a->restart, i);
    assert_int_equal(a->epoch, 200);
    if (i < 3)
      assert_memory_equal(&a->error, &pith_learned_info(few, i)->error,
                          sizeof a->error);
  }
  pith_learned_free(few);
  pith_learned_free(many);
  pith_free(p);
}

static void kept_theories_differ(void **state) {
  (void)state;
  pith *p = read_in("data/ilp/even-odd");
  pith_learned *l;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.keep = 4;
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_OK);
  assert_int_equal(pith_learned_count(l), 4);
  uint64_t wrong = 0;
  for (size_t i = 0; i < 4; i++) {
    const pith_theory_info *t = pith_learned_info(l, i);
    assert_true(t->fp + t->fn >= wrong);
    assert_int_equal(t->solved, i == 0); /* one program fits, in many orders */
    wrong = t->fp + t->fn;
  }
  pith_learned_free(l);
  pith_free(p);
}

/* ---- stopping and going on -------------------------------------------- */

static bool stop_later(void *ctx) {
  int *left = ctx;
  return --*left < 0;
}

/* Stopped again and again, it ends as if it had not been; and once more when
** it was done already. */
static void goes_on_from_a_checkpoint(void **state) {
  (void)state;
  char path[] = "/tmp/pith-learn-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  remove(path);
  pith *p = read_text(impossible, templates);
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.restarts = 40;
  opt.epochs = 300;
  opt.keep = 2;
  char *whole = learn_and_tell(p, &opt);
  opt.checkpoint = path;
  opt.run.stop = stop_later;
  for (uint32_t jobs = 1;; jobs = jobs % 3 + 1) {
    int left = 17;
    pith_learned *l;
    opt.run.stop_ctx = &left;
    opt.run.jobs = jobs;
    pith_status rc = pith_learn(&p, 1, &opt, &l);
    assert_true(rc >= 0);
    char *text = rc == PITH_OK ? told(p, l) : NULL;
    pith_learned_free(l);
    if (text != NULL) {
      assert_string_equal(text, whole);
      free(text);
      break;
    }
  }
  opt.run.stop = NULL;
  assert_same(whole, learn_and_tell(p, &opt));
  remove(path);
  pith_free(p);
}

static void time_is_kept(void **state) {
  (void)state;
  pith *p = read_text(impossible, templates);
  pith_learned *l;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.restarts = 1000000;
  opt.run.seconds = 1e-9; /* over before the first look, on any machine */
  assert_int_equal(pith_learn(&p, 1, &opt, &l), PITH_STOPPED);
  assert_int_equal(pith_learned_count(l), 1);
  assert_false(pith_learned_info(l, 0)->solved);
  pith_learned_free(l);
  pith_free(p);
}

/* ---- options and templates -------------------------------------------- */

static void fill_says_what_is_used(void **state) {
  (void)state;
  pith *p = read_in("data/ilp/even-odd");
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  pith_i_learn_fill(p, &opt);
  assert_int_equal(opt.steps, 5);
  assert_true(opt.epochs > 0 && opt.rate > 0);
  pith_learn_options given = opt;
  given.steps = 3;
  given.epochs = 17;
  given.rate = 0.5;
  pith_i_learn_fill(p, &given);
  assert_int_equal(given.steps, 3);
  assert_int_equal(given.epochs, 17);
  assert_true(given.rate == 0.5);
  pith_free(p);
}

static void templates_can_be_exchanged(void **state) {
  (void)state;
  pith *p = read_in("data/ilp/even-odd");
  pith_learned *l = NULL;
  pith_pred aux = pith_pred_find(p, "aux", 1);
  assert_true((pith_pred_roles(p, aux) & PITH_INVENTED) != 0);
  pith_template_clear(p);
  assert_int_equal(pith_template_count(p), 0);
  assert_int_equal(pith_template_steps(p), 0);
  assert_true((pith_pred_roles(p, aux) & PITH_INVENTED) == 0);
  assert_int_equal(pith_learn(&p, 1, NULL, &l), PITH_OK);
  assert_int_equal(pith_learned_info(l, 0)->stage, PITH_CLAUSES);
  pith_learned_free(l);
  assert_int_equal(pith_read_text(p, "templates", templates, strlen(templates),
                                  PITH_TEMPLATES),
                   PITH_OK);
  assert_int_equal(pith_learn(&p, 1, NULL, &l), PITH_OK);
  assert_true(pith_learned_info(l, 0)->solved);
  pith_learned_free(l);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_holds_elsewhere),
      cmocka_unit_test(worlds_share_rules),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(threads_change_nothing_in_spaces),
      cmocka_unit_test(each_restart_is_its_own),
      cmocka_unit_test(kept_theories_differ),
      cmocka_unit_test(goes_on_from_a_checkpoint),
      cmocka_unit_test(time_is_kept),
      cmocka_unit_test(fill_says_what_is_used),
      cmocka_unit_test(templates_can_be_exchanged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
