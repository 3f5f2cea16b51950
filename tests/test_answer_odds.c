/* What a relation looks like, whether probabilities hold, and that hardly any
** new answer is likely where nothing is missing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/handle.h"
#include "base/random.h"
#include "graph/fit_odds.h"
#include "graph/model.h"
#include "score/reliability.h"

static void add(pith *p, const char *format, int a, int b) {
  char text[128];
  snprintf(text, sizeof text, format, a, b);
  assert_int_equal(pith_read_text(p, "t", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
}

/* Employee i reports to i / 3; under is the closure. Where skip > 0, one of so
** many facts of under is left out. */
static pith *make_chart(int people, int skip) {
  pith *p;
  int n = 0;
  assert_int_equal(pith_new(&p), PITH_OK);
  for (int i = 1; i < people; i++) {
    add(p, "manager(e%d,e%d).", i, i / 3);
    for (int above = i / 3;; above /= 3) {
      if (skip == 0 || n++ % skip != 0)
        add(p, "under(e%d,e%d).", i, above);
      if (above == 0)
        break;
    }
  }
  return p;
}

static void relations_have_shapes(void **state) {
  (void)state;
  pith *p = make_chart(40, 0);
  for (int i = 0; i < 12; i++) {
    add(p, "near(a%d,b%d).", i, i);
    add(p, "near(b%d,a%d).", i, i);
  }
  pith_i_graph *g;
  pith_i_relation_shapes s = {0};
  assert_int_equal(pith_i_graph_new(&p->store, p->theory.names.symbols.n,
                                    p->theory.names.preds.n, NULL, &g),
                   PITH_OK);
  assert_int_equal(pith_i_relation_shapes_new(g->env, g, &s), PITH_OK);
  uint32_t manager = g->relation[pith_pred_find(p, "manager", 2)];
  uint32_t under = g->relation[pith_pred_find(p, "under", 2)];
  uint32_t near = g->relation[pith_pred_find(p, "near", 2)];
  assert_true(pith_i_is_functional(g, &s, PITH_I_WAY(manager, 0)));
  assert_false(pith_i_is_functional(g, &s, PITH_I_WAY(manager, 1)));
  assert_false(pith_i_is_functional(g, &s, PITH_I_WAY(under, 0)));
  assert_true(pith_i_is_asymmetric(g, &s, under));
  assert_false(pith_i_is_asymmetric(g, &s, near));
  assert_true(s.irreflexive[under] && s.irreflexive[near]);
  assert_true(pith_i_another(&s, PITH_I_WAY(manager, 0), 1) < -4);
  assert_true(pith_i_another(&s, PITH_I_WAY(manager, 0), 1000) > -4);
  pith_i_relation_shapes_free(&p->env, &s);
  pith_i_graph_free(g);
  pith_free(p);
}

/* The best answer to under(e_i,X), for all i. */
static double mean_best(pith *p, int people, double *most) {
  pith_model_options opt;
  pith_model *m;
  double sum = 0;
  int n = 0;
  *most = 0;
  pith_model_defaults(&opt);
  opt.target = pith_pred_find(p, "under", 2);
  assert_int_equal(pith_model_learn(p, NULL, &opt, &m), PITH_OK);
  for (int i = 1; i < people; i++) {
    char name[16];
    const pith_answer *found;
    size_t count;
    snprintf(name, sizeof name, "e%d", i);
    pith_term args[2] = {pith_sym_find(p, name, strlen(name), PITH_NAME),
                         PITH_VAR(0)};
    pith_atom query = {.pred = opt.target, .arity = 2, .args = args};
    assert_int_equal(pith_model_ask(m, &query, 1, &found, &count), PITH_OK);
    if (count == 0)
      continue;
    assert_true(found[0].probability >= 0 && found[0].probability <= 1);
    sum += found[0].probability;
    *most = fmax(*most, found[0].probability);
    n++;
  }
  pith_model_free(m);
  return n == 0 ? 0 : sum / n;
}

static void nothing_new_on_a_complete_relation(void **state) {
  (void)state;
  double most, some;
  pith *p = make_chart(120, 0);
  double mean = mean_best(p, 120, &most);
  pith_free(p);
  print_message("complete: mean %.4f, most %.4f\n", mean, most);
  assert_true(mean < 0.05 && most < 0.5);
  p = make_chart(120, 6);
  mean = mean_best(p, 120, &some);
  pith_free(p);
  print_message("one in six left out: mean %.4f, most %.4f\n", mean, some);
  assert_true(some > 0.5 && mean > 0.1);
}

/* Of all questions about people in one relation, from either side, also those
** of the head, who has no answer: the most probable new fact. */
static double most_probable(pith *p, const char *relation, int people) {
  pith_model_options opt;
  pith_model *m;
  double most = 0;
  pith_model_defaults(&opt);
  assert_int_equal(pith_model_learn(p, NULL, &opt, &m), PITH_OK);
  for (int i = 0; i < 2 * people; i++) {
    char name[16];
    const pith_answer *found;
    size_t count;
    snprintf(name, sizeof name, "e%d", i / 2);
    pith_term args[2] = {PITH_VAR(0), PITH_VAR(0)};
    args[i % 2] = pith_sym_find(p, name, strlen(name), PITH_NAME);
    pith_atom query = {
        .pred = pith_pred_find(p, relation, 2), .arity = 2, .args = args};
    assert_int_equal(pith_model_ask(m, &query, 1, &found, &count), PITH_OK);
    most = count > 0 ? fmax(most, found[0].probability) : most;
  }
  pith_model_free(m);
  return most;
}

static void the_head_of_a_firm_has_no_manager(void **state) {
  (void)state;
  pith *p = make_chart(120, 0);
  double under = most_probable(p, "under", 120);
  double manager = most_probable(p, "manager", 120);
  pith_free(p);
  print_message("under %.4f, manager %.4f at most\n", under, manager);
  assert_true(under < 0.5 && manager < 0.5);
}

/* What is among the ten best from both sides is equally probable from both. */
static void a_fact_has_one_probability(void **state) {
  (void)state;
  pith *p = make_chart(60, 5);
  pith_model_options opt;
  pith_model *m;
  size_t compared = 0;
  pith_model_defaults(&opt);
  assert_int_equal(pith_model_learn(p, NULL, &opt, &m), PITH_OK);
  for (int i = 0; i < 60; i++) {
    char name[16];
    const pith_answer *found;
    size_t count;
    snprintf(name, sizeof name, "e%d", i);
    pith_sym x = pith_sym_find(p, name, strlen(name), PITH_NAME);
    pith_term args[2] = {x, PITH_VAR(0)};
    pith_atom query = {
        .pred = pith_pred_find(p, "under", 2), .arity = 2, .args = args};
    assert_int_equal(pith_model_ask(m, &query, 1, &found, &count), PITH_OK);
    if (count == 0)
      continue;
    pith_answer best = found[0];
    args[0] = PITH_VAR(0);
    args[1] = best.answer;
    assert_int_equal(pith_model_ask(m, &query, 10, &found, &count), PITH_OK);
    for (size_t k = 0; k < count; k++)
      if (found[k].answer == x) {
        assert_float_equal(found[k].probability, best.probability, 1e-9);
        compared++;
      }
  }
  pith_model_free(m);
  pith_free(p);
  assert_true(compared > 20);
}

static int add_up(void *ctx, const pith_clue *c) {
  *(double *)ctx += c->adds;
  return 0;
}

/* Rules may be as sure as they like: where hardly any question has a second
** answer, a second answer is as rare; the order stays, and the clues add up. */
static void a_second_answer_is_rare(void **state) {
  (void)state;
  float bias[4] = {0, 0, 0, 0}, missing[4] = {1, 1, 1, 1};
  pith_i_scoring s = {.bias = bias,
                      .missing = missing,
                      .fitted = true,
                      .two_sided = true,
                      .sides_slope = 0.6};
  s.slope[PITH_I_CLUE_OWN] = 1;
  double before = 0;
  for (int own = -3; own < 6; own++) {
    pith_i_clues c = {.known = true}, back = {.known = true};
    double sum = 0;
    c.clue[PITH_I_CLUE_OWN] = back.clue[PITH_I_CLUE_OWN] = (float)own;
    double free = pith_i_joint_probability(&s, 0, &c, &back);
    c.clue[PITH_I_CLUE_ANOTHER] = back.clue[PITH_I_CLUE_BACK] = -5;
    double p = pith_i_joint_probability(&s, 0, &c, &back);
    assert_true(p > before && p < free && p < 1 / (1 + exp(5)));
    assert_float_equal(p, pith_i_joint_probability(&s, 1, &back, &c), 1e-12);
    pith_i_visit_joint_clues(&s, 0, &c, &back, add_up, &sum);
    assert_float_equal(sum, log(p / (1 - p)), 1e-9);
    before = p;
    c.clue[PITH_I_CLUE_ANOTHER] = -2; /* not that rare */
    assert_float_equal(free, pith_i_joint_probability(&s, 0, &c, &back), 1e-12);
  }
}

/* Facts that are true with odds that a sum tells, of which half are held out:
** the fit finds what the sum means, and what is said of the others holds. */
static void sides_are_fitted_to_held_out_facts(void **state) {
  (void)state;
  static pith_i_open_answer drawn[20000];
  pith *p;
  pith_i_scoring s;
  pith_i_open_answers a = {0};
  double said = 0, right = 0;
  a.answers.at = drawn;
  a.answers.n = sizeof drawn / sizeof *drawn;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_i_scoring_new(&p->env, 2, &s), PITH_OK);
  s.slope[PITH_I_CLUE_OWN] = 1;
  for (uint64_t i = 0; i < a.answers.n; i++) {
    double x = (double)(pith_i_random(3, 1, i) % 12000) / 1000 - 6;
    double dice = (double)(pith_i_random(3, 2, i) % 100000) / 100000;
    bool held = pith_i_random(3, 3, i) % 2 == 0;
    bool holds = dice < 1 / (1 + exp(-1 - 0.8 * x));
    drawn[i] = (pith_i_open_answer){
        .back_weight = 1, .truth = holds && held, .asked = holds};
    drawn[i].clues.clue[PITH_I_CLUE_OWN] = (float)(x / 3);
    drawn[i].back.clue[PITH_I_CLUE_OWN] = (float)(x * 2 / 3);
  }
  pith_i_fit_sides(&a, &s);
  assert_float_equal(s.sides_base, 1, 0.1);
  assert_float_equal(s.sides_slope, 0.8, 0.05);
  for (size_t i = 0; i < a.answers.n; i++)
    if (!drawn[i].truth) {
      said += pith_i_open_probability(&s, &drawn[i]);
      right += drawn[i].asked;
    }
  assert_true(fabs(said - right) < 0.02 * right);
  pith_i_scoring_free(&p->env, &s);
  pith_free(p);
}

static void reliability_is_weighted(void **state) {
  (void)state;
  pith_reliability r;
  pith_i_weighed v[] = {{0.95, 1, true, true, true},
                        {0.95, 1, true, true, true},
                        {0.25, 3, false, false, false},
                        {0.25, 1, true, false, false},
                        {0, 10, false, false, false}};
  pith_i_reliability(v, 5, &r);
  assert_int_equal(r.answers, 5);
  assert_int_equal(r.positive, 3);
  assert_true(fabs(r.calibration_error - 2 * 0.05 / 16) < 1e-12);
  assert_true(fabs(r.first_error - 0.05) < 1e-12);
  assert_true(fabs(r.widths[2].observed - 0.25) < 1e-12);
  assert_true(r.widths[2].low < 0.25 && r.widths[2].high > 0.25);
  assert_true(fabs(r.widths[2].share - 0.25) < 1e-12);
  assert_true(isnan(r.widths[5].predicted));
  double brier = 2 * 0.05 * 0.05 + 3 * 0.0625 + 0.5625;
  assert_true(fabs(r.brier - brier / 16) < 1e-12);
  double shares = 0;
  for (int i = 0; i < PITH_BINS; i++)
    shares += r.counts[i].share;
  assert_true(fabs(shares - 1) < 1e-12);
  pith_i_reliability(v, 0, &r);
  assert_int_equal(r.answers, 0);
}

/* Answers whose odds are four times the confidence of the best rule. */
enum { DRAWN = 20000 };
static void draw_answers(pith_i_open_answer *out) {
  for (uint64_t i = 0; i < DRAWN; i++) {
    double best = (double)(pith_i_random(7, 1, i) % 1000) / 1000 - 0.5;
    double dice = (double)(pith_i_random(7, 2, i) % 1000) / 1000;
    out[i] = (pith_i_open_answer){.weight = 1,
                                  .truth = dice < 1 / (1 + exp(-4 * best))};
    out[i].clues.clue[PITH_I_CLUE_BEST] = (float)best;
  }
}

/* The slope of a clue that the score has is half of what would fit; what is
** said is still as often true as it is said to be, all in all. */
static void what_a_score_has_counts_half(void **state) {
  (void)state;
  static pith_i_open_answer drawn[DRAWN];
  pith *p;
  pith_i_scoring s;
  pith_i_open_answers a = {0};
  double said = 0, right = 0;
  assert_int_equal(pith_new(&p), PITH_OK);
  draw_answers(drawn);
  a.answers.at = drawn;
  a.answers.n = DRAWN;
  assert_int_equal(pith_i_scoring_new(&p->env, 2, &s), PITH_OK);
  assert_int_equal(pith_i_fit_odds(&p->env, &a, 2, &s), PITH_OK);
  assert_true(fabs(s.slope[PITH_I_CLUE_BEST] - 2) < 0.2);
  for (size_t i = 0; i < DRAWN; i++) {
    said += 1 / (1 + exp(-pith_i_answer_odds(&s, 0, &drawn[i].clues)));
    right += drawn[i].truth;
  }
  assert_true(fabs(said - right) < 0.01 * DRAWN);
  pith_i_scoring_free(&p->env, &s);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relations_have_shapes),
      cmocka_unit_test(nothing_new_on_a_complete_relation),
      cmocka_unit_test(the_head_of_a_firm_has_no_manager),
      cmocka_unit_test(a_fact_has_one_probability),
      cmocka_unit_test(a_second_answer_is_rare),
      cmocka_unit_test(sides_are_fitted_to_held_out_facts),
      cmocka_unit_test(reliability_is_weighted),
      cmocka_unit_test(what_a_score_has_counts_half)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
