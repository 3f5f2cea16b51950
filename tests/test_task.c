/* The task layer: what is to be explained, the best-list, and the portfolio
** over it; and that all internal headers below the API go together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "api/handle.h"
#include "base/env.h"
#include "base/hash.h"
#include "base/lanes.h"
#include "base/out.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/run.h"
#include "base/tunables.h"
#include "base/tuples.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "learn/bodies/body_learner.h"
#include "learn/bodies/body_menu.h"
#include "learn/bodies/body_space.h"
#include "learn/bodies/cut_worlds.h"
#include "learn/bodies/space_table.h"
#include "learn/bodies/stock.h"
#include "learn/clauses/body_parts.h"
#include "learn/clauses/clause_body.h"
#include "learn/clauses/clause_language.h"
#include "learn/clauses/clause_search.h"
#include "learn/clauses/clause_sets.h"
#include "learn/clauses/clause_sizes.h"
#include "learn/clauses/further_sets.h"
#include "learn/clauses/goal_graph.h"
#include "learn/clauses/greedy_bodies.h"
#include "learn/clauses/helpers.h"
#include "learn/clauses/match_table.h"
#include "learn/clauses/noisy_clauses.h"
#include "learn/clauses/proposed_values.h"
#include "learn/clauses/recursion.h"
#include "learn/invented_names.h"
#include "learn/learn_cost.h"
#include "learn/portfolio.h"
#include "learn/templates/template_learner.h"
#include "learn/unite_predicates.h"
#include "task/best.h"
#include "task/bounds.h"
#include "task/call_order.h"
#include "task/judge.h"
#include "task/task.h"
#include "task/vocabulary.h"
#include "train/checkpoint.h"
#include "train/descent.h"
#include "train/group.h"
#include "train/offer_program.h"
#include "train/program.h"
#include "train/program_list.h"
#include "train/restarts.h"
#include "train/sliced.h"
#include "train/slot_moves.h"

/* ---- a task ----------------------------------------------------------- */

typedef struct {
  pith *p[2];
  pith_learn_options opt;
  pith_i_task task;
} fixture;

static pith *handle_of(const char *facts, const char *bias) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(
      pith_read_text(p, "facts", facts, strlen(facts), PITH_PROLOG), PITH_OK);
  if (bias != NULL)
    assert_int_equal(pith_read_text(p, "bias", bias, strlen(bias), PITH_BIAS),
                     PITH_OK);
  return p;
}

static pith_status fixture_init(fixture *f, const char *first,
                                const char *second, const char *bias) {
  size_t n = second != NULL ? 2 : 1;
  f->p[0] = handle_of(first, bias);
  f->p[1] = second != NULL ? handle_of(second, NULL) : NULL;
  pith_learn_defaults(&f->opt);
  pith_i_env *env = &f->p[0]->env;
  pith_i_world *worlds = pith_i_alloc(env, n * sizeof *worlds);
  assert_non_null(worlds);
  for (size_t i = 0; i < n; i++)
    worlds[i] =
        (pith_i_world){.theory = &f->p[i]->theory, .store = &f->p[i]->store};
  return pith_i_task_init(&f->task, env, worlds, n, &f->opt);
}

static void fixture_free(fixture *f) {
  pith_i_task_free(&f->task);
  pith_free(f->p[1]);
  pith_free(f->p[0]);
}

static const char family[] =
    "p(a,b). p(b,c). p(c,d). q(a,b). pos(g(a,c)). pos(g(b,d)). neg(g(a,b)). "
    "neg(g(a,d)). neg(g(b,a)).";

static void tasks_count_and_share_names(void **state) {
  (void)state;
  fixture f;
  assert_int_equal(fixture_init(&f, family, "r(x). pos(g(x,y)).", NULL),
                   PITH_OK);
  assert_int_equal(f.task.examples, 6);
  assert_int_equal(f.task.positives, 3);
  pith_pred r = pith_pred_find(f.p[0], "r", 1); /* from the second world */
  assert_int_not_equal(r, PITH_NONE);
  assert_int_equal(pith_i_pred_in_world(f.task.worlds, 1, r),
                   pith_pred_find(f.p[1], "r", 1));
  assert_int_equal(
      pith_i_pred_in_world(f.task.worlds, 1, pith_pred_find(f.p[0], "q", 2)),
      PITH_NONE);
  fixture_free(&f);
  assert_int_equal(fixture_init(&f, "p(a).", NULL, NULL), PITH_EINPUT);
  fixture_free(&f);
}

static void background_is_derived_and_forgotten(void **state) {
  (void)state;
  fixture f;
  assert_int_equal(
      fixture_init(&f, "p(a,b). s(X) :- p(X,_). pos(g(a)).", NULL, NULL),
      PITH_OK);
  pith_pred s = pith_pred_find(f.p[0], "s", 1);
  const pith_i_store *store = f.task.worlds[0].store;
  for (int i = 0; i < 2; i++) {
    assert_int_equal(pith_i_derive_background(f.task.worlds, 1), PITH_OK);
    assert_int_equal(pith_i_fact_count(store, s, PITH_ALL), 1);
  }
  pith_i_forget_background(f.task.worlds, 1);
  assert_int_equal(pith_i_fact_count(store, s, PITH_ALL), 0);
  fixture_free(&f);
}

/* ---- bounds and vocabulary --------------------------------------------- */

static void the_caller_outranks_the_bias(void **state) {
  (void)state;
  fixture f;
  const char bias[] = "max_body(3). max_vars(4). enable_recursion. "
                      "head_pred(g,2). body_pred(p,2).";
  assert_int_equal(fixture_init(&f, family, NULL, bias), PITH_OK);
  const pith_i_theory *t = f.task.worlds[0].theory;
  pith_i_bounds b = f.task.bounds;
  assert_true(b.max_body == 3 && b.max_vars == 4 && b.max_rules == 0);
  assert_true(b.recursion && !b.invention && !b.wants_invention);
  f.opt.max_body = 2;
  f.opt.max_invented = 1;
  b = pith_i_bounds_of(t, &f.opt);
  assert_true(b.max_body == 2 && b.max_vars == 4 && b.invention);
  assert_int_equal(b.max_invented, 1);
  fixture_free(&f);
  assert_int_equal(fixture_init(&f, family, NULL, NULL), PITH_OK);
  b = f.task.bounds;
  assert_true(b.recursion && b.invention && b.max_invented == PITH_NONE);
  fixture_free(&f);
}

static void the_bias_names_words(void **state) {
  (void)state;
  fixture f;
  const char bias[] =
      "head_pred(g,2). body_pred(p,2). type(p,(person,person)).";
  assert_int_equal(fixture_init(&f, family, NULL, bias), PITH_OK);
  const pith_i_theory *t = f.task.worlds[0].theory;
  pith_pred p = pith_pred_find(f.p[0], "p", 2);
  pith_pred q = pith_pred_find(f.p[0], "q", 2);
  pith_pred g = pith_pred_find(f.p[0], "g", 2);
  assert_true(pith_i_bias_names_bodies(&t->names));
  assert_true(pith_i_may_be_in_bodies(&t->names, p, true));
  assert_false(pith_i_may_be_in_bodies(&t->names, q, true));
  assert_true(pith_i_may_be_in_bodies(&t->names, q, false));
  assert_false(pith_i_may_be_in_bodies(&t->names, PITH_EQUAL, false));
  assert_int_equal(pith_i_place_type(&t->names, p, 1),
                   pith_sym_find(f.p[0], "person", 6, PITH_NAME));
  assert_int_equal(pith_i_place_type(&t->names, q, 0), PITH_NONE);
  assert_true(pith_i_may_name_constant(t, 0, PITH_NONE)); /* none is listed */
  assert_true(pith_i_has_examples(f.task.worlds, 1, g, true));
  assert_false(pith_i_has_examples(f.task.worlds, 1, p, false));
  pith_i_preds targets = {0};
  assert_int_equal(pith_i_list_targets(f.task.env, f.task.worlds, 1, &targets),
                   PITH_OK);
  assert_true(targets.n == 1 && targets.at[0] == g);
  pith_i_vec_free(f.task.env, &targets);
  fixture_free(&f);
}

static pith_rule *rule_of(fixture *f, const char *text);

/* Whether the rule can be called; its body is in that order then. */
static bool can_be_called(fixture *f, const char *text, const char *first) {
  const pith_i_theory *t = f->task.worlds[0].theory;
  pith_rule *rule = rule_of(f, text);
  bool can = pith_i_can_be_called(t, rule);
  pith_i_order_calls(t, rule);
  if (first != NULL)
    assert_string_equal(pith_pred_name(f->p[0], rule->body[0].pred), first);
  return can;
}

static void directions_order_calls(void **state) {
  (void)state;
  fixture f;
  const char bias[] =
      "direction(g,(in,out)). direction(p,(in,out)). direction(q,(in,in)).";
  assert_int_equal(fixture_init(&f, family, NULL, bias), PITH_OK);
  assert_true(can_be_called(&f, "g(X,Y) :- p(Z,Y), p(X,Z).", "p"));
  assert_true(can_be_called(&f, "g(X,Y) :- q(X,Y), p(X,Y).", "p"));
  assert_true(can_be_called(&f, "g(X,Y) :- g(Z,Y), p(X,Z).", "p"));
  assert_true(can_be_called(&f, "g(X,Y) :- r(Y), q(X,Y).", "r")); /* free */
  assert_true(can_be_called(&f, "g(X,Y) :- \\+ q(Y,_), p(X,Y).", "p"));
  assert_true(can_be_called(&f, "g(X,Y) :- Y = Z, p(X,Z).", "p"));
  assert_true(can_be_called(&f, "g(X,Y) :- Y = ann, p(X,Z).", "="));
  assert_false(can_be_called(&f, "g(X,Y) :- p(Y,X).", NULL));
  assert_false(can_be_called(&f, "g(X,Y) :- p(Z,Y), p(Z,X).", NULL));
  assert_false(can_be_called(&f, "g(X,Y) :- q(X,Y).", NULL));
  assert_false(can_be_called(&f, "g(X,Y) :- g(Z,Y), p(Z,X).", NULL));
  assert_true(can_be_called(&f, "p(X,Y) :- h(Y,X).", NULL));
  assert_true(can_be_called(&f, "h(X,Y) :- p(Y,X).", NULL)); /* no directions */
  fixture_free(&f);
}

/* ---- the best-list ------------------------------------------------------ */

static pith_rule *rule_of(fixture *f, const char *text) {
  pith *p = f->p[0];
  size_t before = pith_rule_count(p);
  assert_int_equal(pith_read_text(p, "rule", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  assert_int_equal(pith_rule_count(p), before + 1);
  pith_rule *r = p->theory.rules.at[before];
  p->theory.rules.n = before;
  return r;
}

static bool offer(fixture *f, pith_i_best *b, const char *text, bool trained) {
  pith_rule *rule = rule_of(f, text);
  bool solved = false;
  pith_i_offer o = {.rules = &rule,
                    .info = {.rules = 1, .loss = NAN, .error = NAN},
                    .bits = NAN,
                    .trained = trained};
  assert_int_equal(pith_i_best_offer(b, &o, &solved), PITH_OK);
  return solved;
}

static void the_best_come_first_and_once(void **state) {
  (void)state;
  fixture f;
  pith_i_best b;
  assert_int_equal(fixture_init(&f, family, NULL, NULL), PITH_OK);
  pith_i_best_init(&b, &f.task, 3);
  assert_int_equal(pith_i_best_wrong(&b), 2); /* the positive ones */
  assert_false(offer(&f, &b, "g(X,Y) :- p(X,Y).", true));
  assert_false(pith_i_best_is_solved(&b));
  /* Fits, and has an atom that can go. */
  assert_true(offer(&f, &b, "g(X,Y) :- p(X,Z), p(Z,Y), p(X,W).", false));
  assert_true(offer(&f, &b, "g(A,B) :- p(A,C), p(C,B).", true));
  assert_int_equal(b.at.n, 2); /* the third was there */
  assert_true(pith_i_best_is_solved(&b));
  assert_true(b.at.at[0].info.size == 3 && b.at.at[0].rules[0]->body_len == 2);
  assert_true(b.at.at[1].info.fp == 1 && b.at.at[1].info.fn == 2);
  assert_int_equal(pith_i_best_wrong(&b), 0);
  assert_false(pith_i_names_constants(&b.at.at[0]));
  pith_i_best_trim(&b);
  assert_int_equal(b.at.n, 1);
  pith_i_best_free(&b);
  fixture_free(&f);
}

static void only_so_many_are_kept(void **state) {
  (void)state;
  fixture f;
  pith_i_best b;
  assert_int_equal(fixture_init(&f, family, NULL, NULL), PITH_OK);
  pith_i_best_init(&b, &f.task, 1);
  offer(&f, &b, "g(X,Y) :- p(X,Y).", true);
  offer(&f, &b, "g(X,Y) :- p(Y,X).", true);
  assert_int_equal(b.at.n, 1); /* fewer wrong */
  assert_int_equal(b.at.at[0].info.fp + b.at.at[0].info.fn, 3);
  offer(&f, &b, "g(X,Y) :- p(X,Z), p(Z,Y).", true);
  assert_true(pith_i_best_is_solved(&b) && b.at.n == 1);
  pith_i_best_free(&b);
  fixture_free(&f);
}

/* What is said of p and of q is said of either: three rules for four, and
** nothing more once the predicate is there. */
static void alike_rules_are_united(void **state) {
  (void)state;
  fixture f;
  pith_i_best b;
  const char facts[] = "p(a,b). q(b,c). p(c,d). q(d,e). q(e,f). p(f,h)."
                       "pos(g(a,c)). pos(g(b,d)). pos(g(c,e)). pos(g(d,f))."
                       "pos(g(e,h)). neg(g(a,b)). neg(g(a,d)). neg(g(b,a)).";
  const char *const texts[] = {
      "g(X,Y) :- p(X,Z), q(Z,Y).", "g(X,Y) :- p(Z,Y), q(X,Z).",
      "g(X,Y) :- q(X,Z), q(Z,Y).", "g(X,Y) :- p(X,Z), p(Z,Y)."};
  pith_rule *rules[4];
  pith_pred unused;
  assert_int_equal(fixture_init(&f, facts, NULL, NULL), PITH_OK);
  pith_i_names *names = &f.p[0]->theory.names;
  assert_int_equal(pith_i_pred_invent(names, "p_or_q", 2, &unused), PITH_OK);
  for (size_t i = 0; i < 4; i++)
    rules[i] = rule_of(&f, texts[i]);
  pith_i_offer o = {.rules = rules,
                    .info = {.rules = 4, .loss = NAN, .error = NAN},
                    .bits = NAN,
                    .trained = true};
  pith_i_best_init(&b, &f.task, 2);
  assert_int_equal(pith_i_unite_predicates(&f.task, &b), PITH_OK);
  assert_int_equal(b.at.n, 0); /* there is nothing yet */
  assert_int_equal(pith_i_best_offer(&b, &o, NULL), PITH_OK);
  assert_int_equal(pith_i_unite_predicates(&f.task, &b), PITH_OK);
  assert_true(pith_i_best_is_solved(&b));
  assert_int_equal(b.at.at[0].info.rules, 3);
  assert_int_equal(b.at.at[0].info.space.invented, 1);
  pith_pred *head = &b.at.at[0].rules[2]->head.pred;
  assert_string_equal(pith_i_pred_text(names, *head), "p_or_q_2");
  pith_i_number_invented(&f.task, &b);
  assert_int_equal(*head, unused);
  pith_i_number_invented(&f.task, &b); /* nothing changes any more */
  assert_int_equal(*head, unused);
  size_t before = b.at.n;
  assert_int_equal(pith_i_unite_predicates(&f.task, &b), PITH_OK);
  assert_int_equal(b.at.n, before); /* nothing more can be said shorter */
  pith_i_best_free(&b);
  f.task.bounds.invention = false;
  pith_i_best_init(&b, &f.task, 2);
  assert_int_equal(pith_i_best_offer(&b, &o, NULL), PITH_OK);
  assert_int_equal(pith_i_unite_predicates(&f.task, &b), PITH_OK);
  assert_int_equal(b.at.at[0].info.space.invented, 0);
  pith_i_best_free(&b);
  fixture_free(&f);
}

static void lists_are_joined(void **state) {
  (void)state;
  fixture f;
  pith_i_best all, more;
  assert_int_equal(fixture_init(&f, family, NULL, NULL), PITH_OK);
  pith_i_best_init(&all, &f.task, 3);
  pith_i_best_init(&more, &f.task, 3);
  offer(&f, &all, "g(X,Y) :- p(X,Y).", true);
  offer(&f, &more, "g(X,Y) :- p(Y,X).", true);
  assert_int_equal(pith_i_best_join(&all, &more), PITH_OK);
  assert_int_equal(all.at.n, 1); /* nothing fits: what was there stays */
  pith_i_best_free(&more);
  pith_i_best_init(&more, &f.task, 3);
  offer(&f, &more, "g(X,Y) :- p(X,Z), p(Z,Y).", true);
  assert_int_equal(pith_i_best_join(&all, &more), PITH_OK);
  assert_true(all.at.n == 1 && pith_i_best_is_solved(&all));
  pith_i_best_free(&more);
  pith_i_best_init(&more, &f.task, 3);
  offer(&f, &more, "g(X,Y) :- p(X,Y).", true);
  assert_int_equal(pith_i_best_take_shorter(&all, &more), PITH_OK);
  assert_true(pith_i_best_is_solved(&all)); /* the shorter description */
  pith_i_best_free(&more);
  pith_i_best_free(&all);
  fixture_free(&f);
}

/* ---- learners ----------------------------------------------------------- */

/* Every learner by the same door. */
static void learners_have_one_shape(void **state) {
  (void)state;
  static pith_i_learner *const learners[] = {
      pith_i_learn_exact_clauses, pith_i_learn_noisy_clauses,
      pith_i_learn_clauses, pith_i_learn_bodies};
  for (size_t i = 0; i < sizeof learners / sizeof *learners; i++) {
    fixture f;
    pith_i_best b;
    pith_i_run run;
    assert_int_equal(fixture_init(&f, family, NULL, NULL), PITH_OK);
    pith_i_best_init(&b, &f.task, 1);
    pith_i_run_begin(&run, NULL);
    pith_i_learn_fill(f.p[0], &f.opt);
    assert_int_equal(learners[i](&f.task, &run, &b), PITH_OK);
    assert_true(b.at.n == 1 && !pith_i_run_is_over(&run));
    assert_true(i == 1 || pith_i_best_is_solved(&b));
    pith_i_best_free(&b);
    fixture_free(&f);
  }
}

static bool always(void *ctx) {
  (void)ctx;
  return true;
}

static void a_stopped_portfolio_says_so(void **state) {
  (void)state;
  fixture f;
  pith_i_best b;
  pith_i_run run;
  bool stopped = false;
  assert_int_equal(fixture_init(&f, family, NULL, NULL), PITH_OK);
  pith_i_best_init(&b, &f.task, 1);
  pith_i_run_begin(&run, NULL);
  assert_int_equal(pith_i_portfolio(&f.task, &run, &b, &stopped), PITH_OK);
  assert_true(pith_i_best_is_solved(&b) && !stopped);
  pith_i_best_free(&b);
  pith_i_best_init(&b, &f.task, 1);
  pith_i_run_begin(&run, &(pith_run){.stop = always});
  f.opt.method = PITH_METHOD_GRADIENT;
  assert_int_equal(pith_i_portfolio(&f.task, &run, &b, &stopped), PITH_OK);
  assert_true(stopped);
  pith_i_best_free(&b);
  fixture_free(&f);
}

static void indexes_are_checked(void **state) {
  (void)state;
  pith *p = handle_of(family, NULL);
  pith_learned *l = NULL;
  assert_int_equal(pith_learn(&p, 1, NULL, &l), PITH_OK);
  assert_non_null(pith_learned_info(l, 0));
  assert_null(pith_learned_info(l, 1));
  assert_null(pith_learned_rule(l, 0, 1));
  assert_null(pith_learned_rule(l, 1, 0));
  assert_true(isnan(pith_learned_similarity(l, 7, 0)));
  assert_int_equal(pith_learned_adopt(l, 1, p), PITH_EARG);
  pith_learned_free(l);
  pith_free(p);
}

static void tunables_are_in_range(void **state) {
  (void)state;
  size_t n = 0;
  for (const pith_tunable *t; (t = pith_tunable_at(n)) != NULL; n++) {
    assert_true(t->low <= t->value && t->value <= t->high);
    assert_true(strlen(t->name) > 0 && strlen(t->meaning) > 0);
    for (size_t i = 0; i < n; i++)
      assert_string_not_equal(pith_tunable_at(i)->name, t->name);
  }
  assert_true(n > 80);
  assert_null(pith_tunable_at(n + 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tasks_count_and_share_names),
      cmocka_unit_test(background_is_derived_and_forgotten),
      cmocka_unit_test(the_caller_outranks_the_bias),
      cmocka_unit_test(the_bias_names_words),
      cmocka_unit_test(directions_order_calls),
      cmocka_unit_test(the_best_come_first_and_once),
      cmocka_unit_test(only_so_many_are_kept),
      cmocka_unit_test(alike_rules_are_united),
      cmocka_unit_test(lists_are_joined),
      cmocka_unit_test(learners_have_one_shape),
      cmocka_unit_test(a_stopped_portfolio_says_so),
      cmocka_unit_test(indexes_are_checked),
      cmocka_unit_test(tunables_are_in_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
