/* Rules from examples some of which are wrong; and 64 programs closed at once
** against one after the other. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "base/random.h"
#include "learn/clauses/clause_body.h"

/* ---- the closure -------------------------------------------------------- */

enum { EXAMPLES = 100, EDGES = 150 };

static pith_i_clause random_clause(uint64_t seed, uint32_t targets,
                                   uint32_t *edges) {
  for (uint32_t i = 0; i < EDGES; i++)
    for (uint32_t k = 0; k <= targets; k++) {
      uint64_t r = pith_i_random(seed, i, k);
      bool given = k > 0 && r % 7 == 0;
      edges[i * (targets + 1) + k] =
          given ? PITH_NONE : (uint32_t)(r / 7 % EXAMPLES);
    }
  return (pith_i_clause){
      .targets = targets, .edges = edges, .edge_count = EDGES};
}

static void lanes_are_single_programs(void **state) {
  (void)state;
  static uint32_t edges[2][3 * EDGES];
  for (uint64_t seed = 0; seed < 20; seed++) {
    pith_i_clause a = random_clause(seed, 1, edges[0]);
    pith_i_clause b = random_clause(seed + 100, 2, edges[1]);
    const pith_i_clause *clauses[] = {&a, &b};
    uint32_t without = seed % 3 == 0 ? 0 : PITH_NONE;
    uint64_t lanes[128] = {0};
    pith_i_sample m = {.n = 0};
    for (uint32_t i = 0; i < EXAMPLES; i++)
      lanes[i] = pith_i_random(seed, 7, i) & pith_i_random(seed, 8, i) &
                 pith_i_random(seed, 9, i);
    uint64_t start[128];
    memcpy(start, lanes, sizeof start);
    pith_i_clauses_close_lanes(&m, clauses, 2, without, lanes);
    for (uint32_t k = 0; k < 64; k++) {
      uint64_t have[2] = {0, 0};
      for (uint32_t i = 0; i < EXAMPLES; i++)
        have[i / 64] |= (start[i] >> k & 1) << i % 64;
      pith_i_clauses_close(&m, clauses + (without == 0), without == 0 ? 1 : 2,
                           have);
      for (uint32_t i = 0; i < EXAMPLES; i++)
        assert_int_equal(lanes[i] >> k & 1, have[i / 64] >> i % 64 & 1);
    }
  }
}

/* ---- whole runs --------------------------------------------------------- */

typedef struct {
  char text[1 << 15];
  size_t len;
} writer;

#define PUT(w, ...)                                                            \
  ((w)->len += (size_t)snprintf((w)->text + (w)->len,                          \
                                sizeof(w)->text - (w)->len, __VA_ARGS__))

/* The even numbers below 60; of the labels one in `wrong` is flipped. */
static void put_numbers(writer *w, uint32_t wrong) {
  PUT(w, "zero(0).\n");
  for (uint32_t i = 0; i + 1 < 60; i++)
    PUT(w, "succ(%u,%u).\n", i, i + 1);
  for (uint32_t i = 0; i < 60; i++)
    PUT(w, "%s(f(%u)).\n", (i % 2 == 0) != (i % wrong == 3) ? "pos" : "neg", i);
}

static pith_learned *learn_with(const writer *w, pith_noise noise,
                                pith_method method, pith **p) {
  pith_learned *l = NULL;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.noise = noise;
  opt.method = method;
  opt.max_body = 3; /* else all of the work allowed is spent */
  opt.max_invented = 0;
  assert_int_equal(pith_new(p), PITH_OK);
  assert_int_equal(pith_read_text(*p, "task", w->text, w->len, PITH_PROLOG),
                   PITH_OK);
  assert_true(pith_learn(p, 1, &opt, &l) >= 0);
  assert_true(pith_learned_count(l) > 0);
  return l;
}

static pith_learned *learn(const writer *w, pith **p) {
  return learn_with(w, PITH_NOISE_ON, PITH_METHOD_AUTO, p);
}

static void check(const writer *w, const char *expected, uint64_t errors) {
  pith *p;
  pith_out *o;
  pith_learned *l = learn(w, &p);
  const pith_theory_info *i = pith_learned_info(l, 0);
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  for (uint32_t r = 0; r < i->rules; r++) {
    pith_rule_write(p, pith_learned_rule(l, 0, r), o);
    pith_out_print(o, "\n");
  }
  assert_string_equal(pith_out_text(o, NULL), expected);
  assert_int_equal(i->fp + i->fn, errors);
  pith_out_close(o, false);
  pith_learned_free(l);
  pith_free(p);
}

static void finds_what_is_behind(void **state) {
  (void)state;
  writer w = {.len = 0};
  put_numbers(&w, 10);
  check(&w,
        "f(A) :- zero(A).\n"
        "f(A) :- succ(B,A), succ(C,B), f(C).\n",
        6);
}

static void says_what_it_weighed(void **state) {
  (void)state;
  writer w = {.len = 0};
  pith *p;
  put_numbers(&w, 10);
  pith_learned *l = learn(&w, &p);
  const pith_theory_info *n = pith_learned_info(l, 0);
  double h = -60 * (0.1 * log2(0.1) + 0.9 * log2(0.9));
  assert_true(fabs(n->error_bits - h) < 1e-9);
  assert_true(n->rule_bits > 5 && n->rule_bits + n->error_bits < n->label_bits);
  pith_learned_free(l);
  pith_free(p);
}

/* Off, nothing is weighed: the theory is the best that the exact search saw, or
** no rules at all. */
static void off_weighs_nothing(void **state) {
  (void)state;
  static const pith_noise noises[] = {PITH_NOISE_AUTO, PITH_NOISE_OFF};
  static const pith_method methods[] = {PITH_METHOD_AUTO, PITH_METHOD_SEARCH};
  for (size_t i = 0; i < 4; i++) {
    writer w = {.len = 0};
    pith *p;
    put_numbers(&w, 10);
    pith_learned *l = learn_with(&w, noises[i % 2], methods[i / 2], &p);
    const pith_theory_info *n = pith_learned_info(l, 0);
    bool weighed = noises[i % 2] == PITH_NOISE_AUTO;
    assert_false(n->solved);
    assert_int_equal(n->space.noisy, weighed);
    assert_int_equal(n->label_bits > 0, weighed);
    pith_learned_free(l);
    pith_free(p);
  }
}

/* Labels by chance, one in five positive: nothing explains them. */
static void finds_nothing_in_chance(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 3; seed++) {
    writer w = {.len = 0};
    uint64_t positives = 0;
    for (uint32_t i = 0; i + 1 < 60; i++)
      PUT(&w, "succ(%u,%u).\n", i, i + 1);
    for (uint32_t i = 0; i < 60; i++) {
      bool positive = pith_i_random(seed, 1, i) % 5 == 0;
      PUT(&w, "%s(f(%u)).\n", positive ? "pos" : "neg", i);
      positives += positive;
    }
    check(&w, "", positives);
  }
}

/* p and q each explain half; the weights say which half is right. */
static void weights_count(void **state) {
  (void)state;
  for (uint32_t heavy = 0; heavy < 2; heavy++) {
    writer w = {.len = 0};
    for (uint32_t i = 0; i < 40; i++) {
      PUT(&w, "%s(c%u).\n", i % 2 == 0 ? "p" : "q", i);
      PUT(&w, "pos(f(c%u), %s).\n", i, i % 2 == heavy ? "0.05" : "1");
      PUT(&w, "r(d%u). neg(f(d%u)).\n", i, i);
      PUT(&w, "%s(e%u). neg(f(e%u), %s).\n", i % 2 == 0 ? "p" : "q", i, i,
          i % 2 == heavy ? "1" : "0.05");
    }
    check(&w, heavy == 0 ? "f(A) :- q(A).\n" : "f(A) :- p(A).\n", 40);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_are_single_programs),
      cmocka_unit_test(finds_what_is_behind),
      cmocka_unit_test(says_what_it_weighed),
      cmocka_unit_test(off_weighs_nothing),
      cmocka_unit_test(finds_nothing_in_chance),
      cmocka_unit_test(weights_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
