/* Small worlds cut out of large ones: what is in a ball, that it depends on
** the seed alone, and that what is learned there is judged on the whole,
** whatever the threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "learn/bodies/cut_worlds.h"
#include "task.h"

enum { LONG = 40, BALL = 9 };

/* A chain from 0, every k-th of it true. */
static pith *make_chain(uint32_t k) {
  char text[8192];
  size_t n = (size_t)snprintf(text, sizeof text, "z(0). ");
  for (unsigned i = 0; i < LONG; i++) {
    if (i > 0)
      n += (size_t)snprintf(text + n, sizeof text - n, "n(%u,%u). ", i - 1, i);
    n += (size_t)snprintf(text + n, sizeof text - n, "%s(m(%u)). ",
                          i % k == 0 ? "pos" : "neg", i);
  }
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  task_read(p, text, PITH_PROLOG);
  task_read(p, "max_body(2). max_vars(2). enable_pi. enable_recursion.",
            PITH_BIAS);
  return p;
}

static uint32_t count_in(const pith_i_cut_worlds *c, uint32_t b) {
  uint32_t n = 0;
  for (size_t s = 0; s < c->theory[b].names.symbols.n; s++)
    n += c->in[b][s];
  return n;
}

static bool is_in(const pith_i_cut_worlds *c, uint32_t b, const pith_sym *args,
                  uint32_t n) {
  for (uint32_t j = 0; j < n; j++)
    if (!c->in[b][args[j]])
      return false;
  return true;
}

/* All facts and negative examples about the constants of a ball, no others;
** and no positive example without what is next to it. */
static void check_ball(const pith_i_cut_worlds *c, uint32_t b, pith *p) {
  const pith_i_store *whole = &p->store, *cut = &c->store[b];
  size_t facts = 0, negative = 0, positive = 0;
  for (size_t r = 0; r < whole->relations.n; r++) {
    const pith_i_tuples *rows = &whole->relations.at[r].rows;
    for (size_t i = 0; i < rows->n; i++) {
      const pith_sym *args = rows->at + i * rows->width;
      bool inside = is_in(c, b, args, rows->width);
      facts += inside;
      assert_true(pith_i_fact_holds(cut, (pith_pred)r, args) == inside);
    }
  }
  assert_int_equal(pith_i_fact_count(cut, PITH_NONE, PITH_GIVEN), facts);
  for (size_t i = 0; i < p->theory.examples.n; i++) {
    const pith_example *e = p->theory.examples.at[i];
    negative += !e->positive && is_in(c, b, e->atom.args, e->atom.arity);
  }
  for (size_t i = 0; i < c->theory[b].examples.n; i++) {
    const pith_example *e = c->theory[b].examples.at[i];
    assert_true(is_in(c, b, e->atom.args, e->atom.arity));
    positive += e->positive;
  }
  assert_int_equal(c->theory[b].examples.n, negative + positive);
  assert_true(positive > 0);
}

static void a_ball_hangs_together(void **state) {
  (void)state;
  pith *p = make_chain(3);
  pith_i_world world = {.theory = &p->theory, .store = &p->store};
  pith_i_cut_worlds one, two;
  for (uint32_t i = 0; i < 12; i++) {
    uint32_t example = i % 3 == 0 ? PITH_NONE : i;
    pith_i_cut_worlds *cuts[] = {&one, &two};
    for (int k = 0; k < 2; k++) {
      pith_i_cut_init(cuts[k], &p->env, &world, 1);
      task_check(p, pith_i_cut_add(cuts[k], 0, example, BALL, i));
      task_check(p, pith_i_cut_make(cuts[k]));
      task_check(p, pith_i_cut_make(cuts[k])); /* as often as one likes */
      assert_int_equal(count_in(cuts[k], 0), BALL);
      check_ball(cuts[k], 0, p);
    }
    assert_memory_equal(one.in[0], two.in[0], p->theory.names.symbols.n);
    pith_sym zero = pith_sym_find(p, "0", 1, PITH_NUMBER);
    assert_true(one.in[0][zero]); /* the only z */
    if (example != PITH_NONE)
      assert_true(one.in[0][p->theory.examples.at[i]->atom.args[0]]);
    pith_i_cut_free(&one);
    pith_i_cut_free(&two);
  }
  pith_free(p);
}

/* Everything there is, where a ball may be larger than the world. */
static void a_ball_may_be_all(void **state) {
  (void)state;
  pith *p = make_chain(2);
  pith_i_world world = {.theory = &p->theory, .store = &p->store};
  pith_i_cut_worlds c;
  pith_i_cut_init(&c, &p->env, &world, 1);
  for (int i = 0; i < PITH_I_MAX_BALLS + 2; i++)
    task_check(p, pith_i_cut_add(&c, 0, PITH_NONE, 1000, 1));
  assert_int_equal(c.balls, PITH_I_MAX_BALLS);
  task_check(p, pith_i_cut_make(&c));
  assert_int_equal(count_in(&c, 0), LONG);
  assert_int_equal(c.theory[0].examples.n, LONG);
  pith_i_cut_free(&c);
  pith_free(p);
}

static void the_whole_decides(void **state) {
  (void)state;
  char first[1024] = "";
  for (uint32_t jobs = 1; jobs <= 2; jobs++) {
    pith *p = make_chain(2);
    pith_learned *l = NULL;
    pith_learn_options opt;
    pith_learn_defaults(&opt);
    opt.run.jobs = jobs;
    opt.method = PITH_METHOD_GRADIENT;
    task_check(p, pith_learn(&p, 1, &opt, &l));
    const pith_theory_info *info = pith_learned_info(l, 0);
    assert_true(info->solved);
    assert_int_equal(info->space.invented, 1);
    pith_out *o = NULL;
    assert_int_equal(pith_out_memory(p, &o), PITH_OK);
    for (uint32_t r = 0; r < info->rules; r++)
      pith_rule_write(p, pith_learned_rule(l, 0, r), o);
    const char *text = pith_out_text(o, NULL);
    if (jobs == 1)
      snprintf(first, sizeof first, "%s", text);
    assert_string_equal(first, text);
    pith_out_close(o, false);
    pith_learned_free(l);
    pith_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_hangs_together),
      cmocka_unit_test(a_ball_may_be_all),
      cmocka_unit_test(the_whole_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
