/* Small parts from inside, folder by folder: characters, cells and guesses of
** text; covers, scores and costs; the closed world; recipes; and the learner of
** templates behind the door that all learners share. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handle.h"
#include "base/utf8.h"
#include "compress/theory_recipe.h"
#include "learn/clauses/label_noise.h"
#include "learn/learn_cost.h"
#include "learn/templates/template_learner.h"
#include "logic/covers.h"
#include "score/score.h"
#include "task/closed_world.h"
#include "text/csv.h"
#include "text/formats.h"
#include "text/single_type.h"
#include "text/sniff.h"

/* ---- base: characters ---------------------------------------------------- */

/* Every code point comes back; surrogates and what lies beyond do not exist. */
static void characters_come_back(void **state) {
  (void)state;
  for (uint32_t code = 1; code < 0x110400; code += code < 0x800 ? 1 : 13) {
    char text[4];
    uint32_t back = 0;
    size_t n = pith_i_utf8_put(code, text);
    bool exists = code < 0x110000 && (code < 0xd800 || code > 0xdfff);
    assert_int_equal(n > 0, exists);
    if (!exists)
      continue;
    assert_int_equal(pith_i_utf8_next(text, n, &back), n);
    assert_int_equal(back, code);
    assert_true(pith_i_utf8_valid(text, n));
    assert_int_equal(pith_i_utf8_plain(text, n),
                     pith_i_utf8_is_control(code) ? 0 : n);
    if (n > 1)
      assert_false(pith_i_utf8_valid(text, n - 1));
  }
  assert_int_equal(pith_i_utf8_cut("a\u00e9z", 2), 1); /* not half of it */
  assert_int_equal(pith_i_utf8_cut("a\u00e9z", 3), 3);
  assert_int_equal(pith_i_utf8_cut("a\u00e9z", 99), 4);
  assert_false(pith_i_utf8_valid("a\0b", 3));
  assert_false(pith_i_utf8_valid("\xc0\x80", 2)); /* NUL, too long */
}

/* ---- text: cells and guesses --------------------------------------------- */

static void records_are_cells(void **state) {
  (void)state;
  static const char text[] = "a,\"b,\"\"c\"\"\"\n\n# no record\n 7 ,\"x\ny\"\n";
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  pith_i_arena arena = {.env = &p->env};
  pith_i_csv c = {
      .text = text, .n = sizeof text - 1, .separator = ',', .arena = &arena};
  pith_i_cells cells = {0};
  assert_int_equal(pith_i_csv_next(&c, &cells), 1);
  assert_int_equal(cells.n, 2);
  assert_int_equal(pith_i_cell_unquote(&arena, &cells.at[1]), PITH_OK);
  assert_true(cells.at[1].n == 5 &&
              memcmp(cells.at[1].text, "b,\"c\"", 5) == 0);
  assert_int_equal(pith_i_csv_next(&c, &cells), 1);
  pith_i_cell_trim(&cells.at[0]);
  char number[72];
  assert_int_equal(pith_i_cell_number(cells.at[0].text, cells.at[0].n, number),
                   1);
  assert_int_equal(pith_i_csv_next(&c, &cells), 0);
  assert_int_equal(pith_i_cell_number("007", 3, number), 0);
  assert_true(pith_i_is_date("2024-02-29", 10));
  assert_false(pith_i_is_date("2023/02/28", 10));
  assert_false(pith_i_is_date("2023-02-29", 10));
  assert_false(pith_i_is_date("1900-02-29", 10));
  assert_false(pith_i_is_date("2023-04-31", 10));
  assert_true(pith_i_is_date("2023-04-30T23:59:59Z", 20));
  assert_false(pith_i_is_date("2023-04-30T25:00:00Z", 20));
  pith_i_vec_free(&p->env, &cells);
  pith_i_arena_free(&arena);
  pith_free(p);
}

static void texts_are_recognised(void **state) {
  (void)state;
  static const struct {
    const char *text;
    pith_format format;
  } cases[] = {
      {"p(a).\nq(X) :- p(X).\n", PITH_AUTO},
      {"a\tlikes\tb\nb\tlikes\tc\n", PITH_TRIPLES},
      {"{\"predicate\":\"p\",\"args\":[\"a\"]}\n", PITH_JSON},
      {"<http://a> <http://p> <http://b> .\n", PITH_NTRIPLES},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(
        pith_i_sniff_text(cases[i].text, strlen(cases[i].text)).format,
        cases[i].format);
  assert_int_equal(pith_i_sniff_separator("a;b;c\nd;\"e;f\";g\n", 16), ';');
  assert_int_equal(pith_i_count_columns("d;\"e;f\";g", 9, ';'), 3);
  assert_int_equal(pith_i_format_of_name("data/people.csv.gz"), PITH_CSV);
  assert_int_equal(pith_i_format_of_name("notes"), PITH_AUTO);
  size_t n;
  const char *stem = pith_i_stem("data/people.csv.gz", &n);
  assert_true(n == 6 && memcmp(stem, "people", 6) == 0);
  assert_non_null(pith_i_format_reader(PITH_PROLOG));
  assert_null(pith_i_format_reader(PITH_LATEX));
  assert_non_null(pith_i_format_writer(PITH_LATEX));
}

/* ---- a task -------------------------------------------------------------- */

typedef struct {
  pith *p;
  pith_i_world world;
} small_task;

static small_task read_task(const char *text) {
  small_task t;
  assert_int_equal(pith_new(&t.p), PITH_OK);
  assert_int_equal(pith_read_text(t.p, "task", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  t.world = (pith_i_world){.theory = &t.p->theory, .store = &t.p->store};
  return t;
}

static const char steps_of_two[] =
    "succ(a,b). succ(b,c). succ(c,d). succ(d,e). two(X,Y) :- succ(X,Z), "
    "succ(Z,Y). pos(two(a,c)). pos(two(b,d)). neg(two(a,b)). pos(two(a,d)).";

static void rules_cover_examples(void **state) {
  (void)state;
  small_task t = read_task(steps_of_two);
  bool covered[4];
  pith_scores scores;
  pith_estimate e;
  assert_int_equal(pith_i_rule_covers(t.world.theory, t.world.store,
                                      pith_rule_at(t.p, 0), covered),
                   PITH_OK);
  assert_true(covered[0] && covered[1] && !covered[2] && !covered[3]);
  assert_int_equal(pith_i_estimate(t.world.theory, t.world.store, &e), PITH_OK);
  assert_true(e.facts == 4 && e.facts_bound >= 7 && e.bytes > 0);
  pith_i_score(t.world.theory, t.world.store, &scores); /* before inference */
  assert_true(scores.tp == 0 && scores.fn == 3 && scores.tn == 1);
  assert_int_equal(pith_infer(t.p, NULL, NULL), PITH_OK);
  pith_i_score(t.world.theory, t.world.store, &scores);
  assert_true(scores.tp == 2 && scores.fn == 1 && scores.fp == 0);
  pith_free(t.p);
}

static void what_is_not_listed_is_false(void **state) {
  (void)state;
  small_task t = read_task("p(a). p(b). p(c). colour(red). pos(f(a)).");
  size_t added = 0;
  assert_int_equal(pith_i_close_world(&t.world, 100, 1, &added), PITH_OK);
  assert_int_equal(added, 2); /* f(b) and f(c); red is no candidate */
  assert_int_equal(pith_i_close_world(&t.world, 100, 1, &added), PITH_OK);
  assert_int_equal(added, 0); /* it has negative examples now */
  pith_free(t.p);
}

static void costs_grow_with_tasks(void **state) {
  (void)state;
  small_task small = read_task("p(a). pos(f(a)). neg(f(b)).");
  small_task large = read_task(steps_of_two);
  pith_i_world both[2] = {small.world, large.world};
  pith_estimate one, two;
  pith_i_learn_cost(both, 1, &one);
  pith_i_learn_cost(both, 2, &two);
  assert_true(one.examples == 2 && two.examples == 6);
  assert_true(two.bytes > one.bytes && two.seconds > one.seconds);
  assert_true(one.least_bytes > 0 && one.wide == PITH_NONE && one.recursion);
  pith_free(small.p);
  pith_free(large.p);
}

/* ---- the interface ------------------------------------------------------- */

/* Ids and indexes beyond the last are answered, never followed. */
static void nothing_is_behind_the_last(void **state) {
  (void)state;
  small_task t = read_task(steps_of_two);
  static const uint32_t beyond[] = {1000, UINT32_C(0x80000000), PITH_NONE};
  double value = 0;
  pith_sym type;
  for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
    uint32_t i = beyond[k];
    pith_sym args[2] = {0, i};
    assert_null(pith_sym_text(t.p, i));
    assert_int_equal(pith_sym_kind_of(t.p, i), PITH_NAME);
    assert_int_equal(pith_sym_order(t.p, i, &value), PITH_ORDER_NONE);
    assert_true(isnan(value));
    assert_false(pith_sym_compare(t.p, PITH_LESS, 0, i));
    assert_false(pith_sym_compare(t.p, i, 0, 0));
    assert_null(pith_pred_name(t.p, i));
    assert_int_equal(pith_pred_arity(t.p, i), 0);
    assert_int_equal(pith_pred_roles(t.p, i), 0);
    assert_int_equal(pith_pred_type(t.p, i, 0), PITH_NONE);
    assert_int_equal(pith_pred_direction(t.p, i, 0), 0);
    assert_false(pith_fact_holds(t.p, pith_pred_find(t.p, "succ", 2), args, 2));
    assert_false(pith_fact_holds(t.p, i, args, 2));
    assert_null(pith_rule_at(t.p, i));
    assert_null(pith_template_at(t.p, i));
    assert_null(pith_example_at(t.p, i));
    assert_null(pith_remark_at(t.p, i));
    assert_int_equal(pith_bias_constant(t.p, i, &type), PITH_NONE);
    assert_null(pith_format_at(i));
  }
  assert_int_equal(pith_fact_count(t.p, 1000, PITH_ALL), 0);
  pith_free(t.p);
}

/* ---- training ------------------------------------------------------------ */

static void options_overrule_recipes(void **state) {
  (void)state;
  small_task t = read_task("p(a).");
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  pith_i_recipe best = pith_i_theory_recipe(&opt, t.world.theory);
  opt.epochs = 17;
  opt.rate = 0.25;
  opt.semantics = PITH_TEXT;
  pith_i_recipe text = pith_i_theory_recipe(&opt, t.world.theory);
  assert_true(text.epochs == 17 && (double)text.rate == 0.25);
  assert_true(best.epochs != 17 && (double)best.rate != 0.25);
  assert_false(pith_i_templates_invent(t.world.theory, 1));
  static const char templates[] = "invented: aux/1\n#1(X) <- #2(X)\n";
  assert_int_equal(
      pith_read_text(t.p, "t", templates, sizeof templates - 1, PITH_TEMPLATES),
      PITH_OK);
  assert_true(pith_i_templates_invent(t.world.theory, 1));
  assert_false(pith_i_templates_invent(t.world.theory, 2));
  pith_free(t.p);
}

static void templates_are_learned(void **state) {
  (void)state;
  small_task t = read_task("s(a,b). s(b,c). s(c,d). pos(g(a,c)). pos(g(b,d)). "
                           "neg(g(a,b)). neg(g(a,d)). neg(g(b,a)).");
  static const char templates[] = "steps: 1\ng(X,Y) <- #1(X,Z), #2(Z,Y)\n";
  assert_int_equal(
      pith_read_text(t.p, "t", templates, sizeof templates - 1, PITH_TEMPLATES),
      PITH_OK);
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  pith_i_learn_fill(t.p, &opt);
  pith_i_env *env = &t.p->env;
  pith_i_world *worlds = pith_i_alloc(env, sizeof *worlds);
  assert_non_null(worlds);
  worlds[0] = t.world;
  pith_i_task task;
  pith_i_run run;
  pith_i_best best;
  pith_i_net *net;
  assert_int_equal(pith_i_task_init(&task, env, worlds, 1, &opt), PITH_OK);
  assert_int_equal(pith_i_template_net(&task, &net), PITH_OK);
  assert_int_equal(net->steps, 1);
  pith_i_net_free(net);
  pith_i_run_begin(&run, NULL);
  pith_i_best_init(&best, &task, 1);
  assert_int_equal(pith_i_learn_templates(&task, &run, &best), PITH_OK);
  assert_true(pith_i_best_is_solved(&best));
  pith_i_best_free(&best);
  pith_i_task_free(&task);
  pith_free(t.p);
}

/* ---- constraints of bias.pl ------------------------------------------- */

static void check_single(const char *text, const char *type) {
  pith_i_single_type one;
  bool found = pith_i_match_single_type(text, &one);
  assert_int_equal(found, type != NULL);
  if (!found)
    return;
  assert_int_equal(one.n, strlen(type));
  assert_memory_equal(one.type, type, one.n);
  assert_int_equal(text[one.end - 1], '.');
}

static void one_variable_of_a_type(void **state) {
  (void)state;
  check_single(":- clause(C), #count{V : var_type(C,V,ex)} != 1.", "ex");
  check_single(":-\n\tclause(R),%x\n #count {X:var_type(R,X,s_1)}!=1 . a",
               "s_1");
  check_single(
      ":- #count{V : clause_var(C,V), var_type(C,V,t)} > 1, clause(C).", "t");
  check_single(":- clause(C), #count{V : var_type(D,V,ex)} != 1.", NULL);
  check_single(":- clause(C), #count{V : var_type(C,W,ex)} != 1.", NULL);
  check_single(":- clause(C), #count{V : var_type(C,V,Ex)} != 1.", NULL);
  check_single(":- clause(C), #count{V : var_type(C,V,ex)} != 2.", NULL);
  check_single(":- clause(C), #count{V : var_type(C,V,ex", NULL);
  check_single(":- not body_var(_,1).", NULL);
}

/* ---- wrong labels ----------------------------------------------------- */

/* Wrong alike on both sides; or a rule is missing, or a condition. */
static void errors_lean(void **state) {
  (void)state;
  pith_i_errors_seen noise = {
      .positives = 92, .examples = 300, .fp = 9, .fn = 20, .rule_bits = 10};
  pith_i_errors_seen rule = noise, condition = noise, chance = noise;
  assert_int_equal(pith_i_looks_like_noise(&noise), PITH_I_NOISE_SEEN);
  rule.fp = 0;
  rule.fn = 40;
  assert_true(pith_i_error_lean(&rule) > pith_i_error_lean(&noise));
  assert_int_equal(pith_i_looks_like_noise(&rule), PITH_I_NOISE_UNSEEN);
  condition.fp = 40;
  condition.fn = 0;
  assert_int_equal(pith_i_looks_like_noise(&condition), PITH_I_NOISE_UNSEEN);
  pith_i_errors_seen few = {
      .positives = 26, .examples = 200, .fp = 0, .fn = 20, .rule_bits = 6.6};
  assert_int_equal(pith_i_looks_like_noise(&few), PITH_I_NOISE_LIKELY);
  pith_i_errors_seen tiny = {
      .positives = 23, .examples = 56, .fp = 1, .fn = 2, .rule_bits = 11};
  assert_int_equal(pith_i_looks_like_noise(&tiny), PITH_I_NOISE_UNSEEN);
  tiny.listed = true; /* what fits is longer than the labels */
  assert_int_equal(pith_i_looks_like_noise(&tiny), PITH_I_NOISE_SEEN);
  chance.fn = chance.fp = 45;
  assert_int_equal(pith_i_looks_like_noise(&chance), PITH_I_NOISE_UNSEEN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(characters_come_back),
      cmocka_unit_test(records_are_cells),
      cmocka_unit_test(texts_are_recognised),
      cmocka_unit_test(rules_cover_examples),
      cmocka_unit_test(what_is_not_listed_is_false),
      cmocka_unit_test(costs_grow_with_tasks),
      cmocka_unit_test(nothing_is_behind_the_last),
      cmocka_unit_test(options_overrule_recipes),
      cmocka_unit_test(templates_are_learned),
      cmocka_unit_test(one_variable_of_a_type),
      cmocka_unit_test(errors_lean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
