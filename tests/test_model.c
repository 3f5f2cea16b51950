/* Graph models through the public header: threads, texts and odd inputs. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pith.h"

/* Families: a child of a child is a grandchild; a few are left out. */
static pith *make_families(void) {
  pith *p;
  char text[256];
  assert_int_equal(pith_new(&p), PITH_OK);
  for (int f = 0; f < 40; f++) {
    snprintf(text, sizeof text,
             "child(a%d,b%d). child(b%d,c%d). child(b%d,d%d). lives(a%d,t%d). "
             "lives(b%d,t%d). lives(c%d,t%d).",
             f, f, f, f, f, f, f, f % 4, f, f % 4, f, f % 4);
    assert_int_equal(
        pith_read_text(p, "family.pl", text, strlen(text), PITH_PROLOG),
        PITH_OK);
    snprintf(text, sizeof text, "grand(a%d,c%d). %s", f, f,
             f % 5 == 0 ? "" : "grand(a1,d1).");
    assert_int_equal(
        pith_read_text(p, "family.pl", text, strlen(text), PITH_PROLOG),
        PITH_OK);
  }
  return p;
}

/* The model as text. */
static pith_out *model_text(pith *p, uint32_t jobs, pith_model **out) {
  pith_model_options opt;
  pith_out *o;
  pith_model_info info;
  pith_model_defaults(&opt);
  opt.run.jobs = jobs;
  assert_int_equal(pith_model_learn(p, NULL, &opt, out), PITH_OK);
  info = *pith_model_info_of(*out);
  assert_true(info.rules > 0 && info.chains > 0);
  assert_int_equal(info.method, PITH_MODEL_RULES);
  for (size_t i = 0; i < info.rules; i++) {
    const pith_model_rule *r = pith_model_rule_at(*out, i);
    assert_non_null(r);
    assert_true(r->low <= r->high && r->support <= r->predictions);
  }
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_model_write(*out, true, o), PITH_OK);
  return o;
}

static void threads_change_nothing(void **state) {
  (void)state;
  pith *p = make_families();
  pith_model *one, *three;
  pith_out *a = model_text(p, 1, &one), *b = model_text(p, 3, &three);
  assert_string_equal(pith_out_text(a, NULL), pith_out_text(b, NULL));
  pith_out_close(a, false);
  pith_out_close(b, false);
  pith_model_free(one);
  pith_model_free(three);
  pith_free(p);
}

static void ask(pith *p, pith_model *k, const char *query,
                const pith_answer **out, size_t *n) {
  const pith_atom *q;
  assert_int_equal(pith_atom_read(p, query, &q), PITH_OK);
  assert_int_equal(pith_model_ask(k, q, 5, out, n), PITH_OK);
}

/* What is written reads back to a model with the same answers. */
static void a_model_survives_being_written(void **state) {
  (void)state;
  pith *p = make_families(), *again = make_families();
  pith_model *k, *read;
  pith_out *o = model_text(p, 1, &k);
  size_t n, m;
  const char *text = pith_out_text(o, &n);
  assert_int_equal(pith_read_text(again, "model.pl", text, n, PITH_PROLOG),
                   PITH_OK);
  assert_int_equal(pith_model_read(again, NULL, 0, &read), PITH_OK);
  static const char *const queries[] = {"grand(a0,X)", "grand(X,d7)",
                                        "lives(d3,X)", "child(X,t1)"};
  for (int i = 0; i < 4; i++) {
    const pith_answer *a, *b;
    ask(p, k, queries[i], &a, &n);
    ask(again, read, queries[i], &b, &m);
    assert_int_equal(n, m);
    for (size_t j = 0; j < n; j++) {
      assert_string_equal(pith_sym_text(p, a[j].answer),
                          pith_sym_text(again, b[j].answer));
      assert_true(a[j].probability == b[j].probability);
      assert_true(a[j].probability >= 0 && a[j].probability <= 1);
    }
  }
  pith_out_close(o, false);
  pith_model_free(k);
  pith_model_free(read);
  pith_free(p);
  pith_free(again);
}

static int count_reason(void *ctx, const pith_reason *r) {
  assert_true(r->groundings >= 1);
  assert_true(r->atoms >= 1 && r->atoms <= 3);
  for (size_t i = 0; i < r->atoms; i++)
    assert_true(pith_fact_holds(((void **)ctx)[0], r->grounding[i].pred,
                                r->grounding[i].args, 2));
  ++*(int *)((void **)ctx)[1];
  return 0;
}

static void the_best_answer_has_reasons(void **state) {
  (void)state;
  pith *p = make_families();
  pith_model *k;
  pith_out *o = model_text(p, 1, &k);
  const pith_answer *a;
  const pith_atom *q;
  size_t n;
  int reasons = 0;
  void *ctx[2] = {p, &reasons};
  ask(p, k, "grand(a0,X)", &a, &n);
  assert_true(n > 0);
  assert_string_equal(pith_sym_text(p, a[0].answer), "d0");
  pith_sym best = a[0].answer;
  assert_int_equal(pith_atom_read(p, "grand(a0,X)", &q), PITH_OK);
  assert_int_equal(pith_model_reasons(k, q, best, 4, count_reason, ctx),
                   PITH_OK);
  assert_true(reasons >= 1 && reasons <= 4);
  pith_out_close(o, false);
  pith_model_free(k);
  pith_free(p);
}

static int add_clue(void *ctx, const pith_clue *c) {
  *(double *)ctx += c->adds;
  return 0;
}

/* Of as many questions as the graph has people: what explains a probability
** adds up to it, and what has none is not explained by clues. */
static void clues_add_up_to_the_probability(void **state) {
  (void)state;
  pith *p = make_families();
  pith_model *k;
  pith_out *o = model_text(p, 1, &k);
  size_t checked = 0;
  for (int i = 0; i < 10; i++) {
    char query[32];
    const pith_answer *a;
    const pith_atom *q;
    size_t n;
    snprintf(query, sizeof query, "grand(a%d,X)", i);
    ask(p, k, query, &a, &n);
    pith_answer best = n > 0 ? a[0] : (pith_answer){0};
    double sum = 0;
    assert_int_equal(pith_atom_read(p, query, &q), PITH_OK);
    assert_int_equal(
        pith_model_clues(k, q, n > 0 ? best.answer : 0, add_clue, &sum),
        PITH_OK);
    if (n == 0 || sum == 0)
      continue;
    assert_float_equal(1 / (1 + exp(-sum)), best.probability, 1e-6);
    checked++;
  }
  assert_true(checked > 0);
  pith_out_close(o, false);
  pith_model_free(k);
  pith_free(p);
}

static pith_status learn_text(const char *text, pith_model_info *info) {
  pith *p;
  pith_model *k;
  pith_model_options opt;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "odd.pl", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  pith_model_defaults(&opt);
  opt.run.jobs = 2;
  pith_status rc = pith_model_learn(p, NULL, &opt, &k);
  if (rc >= 0)
    *info = *pith_model_info_of(k);
  pith_model_free(k);
  pith_free(p);
  return rc;
}

static void odd_graphs_are_no_trouble(void **state) {
  (void)state;
  pith_model_info i;
  assert_int_equal(learn_text("p(a).", &i), PITH_EINPUT);
  assert_int_equal(learn_text("p(a,a).", &i), PITH_OK);
  assert_int_equal(i.rules, 0);
  assert_int_equal(learn_text("p(a,b). p(a,b). p(b,a). q(a). r(a,b,c).", &i),
                   PITH_OK);
  assert_int_equal(i.facts, 2);
  assert_int_equal(
      learn_text("p(a,a). p(b,b). p(c,c). q(a,a). q(b,b). q(c,c).", &i),
      PITH_OK);
  assert_int_equal(i.entities, 3);
}

/* More to learn takes more, and a share of it is never more than all. */
static void the_cost_is_estimated(void **state) {
  (void)state;
  pith_model_options opt;
  pith_estimate all, one, threads, none;
  pith *p = make_families(), *empty;
  pith_model_defaults(&opt);
  opt.run.jobs = 1;
  size_t before = pith_bytes(p);
  assert_int_equal(pith_model_cost(p, NULL, &opt, &all), PITH_OK);
  assert_int_equal(pith_bytes(p), before);
  assert_int_equal(all.facts, 40 * 6 + 41);
  assert_true(all.bytes > (double)before && all.seconds > 0);
  opt.run.jobs = 4;
  assert_int_equal(pith_model_cost(p, NULL, &opt, &threads), PITH_OK);
  assert_true(threads.bytes > all.bytes && threads.seconds == all.seconds);
  opt.run.jobs = 1;
  opt.target = pith_pred_find(p, "grand", 2);
  assert_int_equal(pith_model_cost(p, NULL, &opt, &one), PITH_OK);
  assert_true(one.bytes < all.bytes && one.seconds < all.seconds);
  assert_int_equal(pith_new(&empty), PITH_OK);
  assert_int_equal(pith_model_cost(empty, NULL, NULL, &none), PITH_EINPUT);
  pith_free(empty);
  pith_free(p);
}

/* Facts held out of another handle: unseen entities and relations count. */
static void unseen_names_are_ranked_too(void **state) {
  (void)state;
  pith *p = make_families(), *test;
  pith_model *k;
  pith_model_scores r;
  pith_out *o = model_text(p, 2, &k);
  size_t n;
  const char *model = pith_out_text(o, &n);
  const char *held = "grand(a0,d0). grand(new,d1). other(a1,b1). p(x).";
  assert_int_equal(pith_new(&test), PITH_OK);
  assert_int_equal(
      pith_read_text(test, "test.pl", held, strlen(held), PITH_PROLOG),
      PITH_OK);
  pith *again = make_families();
  pith_model *read;
  const pith *others[1] = {test};
  assert_int_equal(pith_read_text(again, "model.pl", model, n, PITH_PROLOG),
                   PITH_OK);
  assert_int_equal(pith_model_read(again, others, 1, &read), PITH_OK);
  assert_int_equal(pith_model_score(read, test, NULL, NULL, &r), PITH_OK);
  assert_int_equal(r.facts, 3);
  assert_int_equal(r.unknown, 1);
  assert_int_equal(r.all.questions, 6);
  assert_true(r.unreached >= 2); /* of the relation that nobody knows */
  /* one of 165 entities: nothing speaks for any, so the mean rank is 83 */
  assert_true(r.all.mean_rank > 27 && r.all.mrr < 1);
  /* by relation: the one that the graph has, asked in both directions */
  assert_int_equal(r.relation_count, 1);
  assert_string_equal(pith_pred_name(again, r.relations[0].relation), "grand");
  assert_int_equal(r.relations[0].object.questions, 2);
  assert_int_equal(r.relations[0].subject.questions, 2);
  assert_true(r.relations[0].object.mrr >= r.object.mrr);
  pith_out_close(o, false);
  pith_model_free(k);
  pith_model_free(read);
  pith_free(again);
  pith_free(test);
  pith_free(p);
}

/* What a text says of a relation without rules is written again. */
static void keeps_methods_without_rules(void **state) {
  (void)state;
  static const char text[] = "r(a,b). s(b,c). r(b,d). s(d,c).\n"
                             "0.5::r(X,Y) :- s(Y,X).\n"
                             "pith_model(rules,2,all).\n"
                             "pith_method(r,object,max_plus).\n"
                             "pith_method(s,object,max_plus).\n"
                             "pith_method(s,subject,noisy_or).\n";
  pith *p = NULL;
  pith_model *m = NULL;
  pith_out *o = NULL;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "text", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  assert_int_equal(pith_model_read(p, NULL, 0, &m), PITH_OK);
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_model_write(m, false, o), PITH_OK);
  const char *written = pith_out_text(o, NULL);
  assert_non_null(strstr(written, "pith_method(s,object,max_plus)."));
  assert_non_null(strstr(written, "pith_method(s,subject,noisy_or)."));
  pith_out_close(o, false);
  pith_model_free(m);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_methods_without_rules),
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(a_model_survives_being_written),
      cmocka_unit_test(the_best_answer_has_reasons),
      cmocka_unit_test(clues_add_up_to_the_probability),
      cmocka_unit_test(odd_graphs_are_no_trouble),
      cmocka_unit_test(the_cost_is_estimated),
      cmocka_unit_test(unseen_names_are_ranked_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
