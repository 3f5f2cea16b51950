/* A condition that wrong labels may have brought is said to be hardly decided;
** what the labels tell plainly is not. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "learned.h"

enum { THINGS = 120, KINDS = 6, TEXT = 20000 };

static const char *const names[KINDS] = {"red", "big", "old",
                                         "new", "hot", "low"};

/* Things with properties; what is red and big is wanted, and of the labels one
** in `one_in` is wrong. */
typedef struct {
  bool has[THINGS][KINDS], label[THINGS];
  char text[TEXT];
} world;

static uint32_t draw(uint64_t *state, uint32_t n) {
  *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)(*state >> 33) % n;
}

static void make_world(world *w, uint64_t seed, uint32_t one_in) {
  uint64_t state = seed;
  size_t n = 0;
  for (uint32_t i = 0; i < THINGS; i++) {
    for (uint32_t k = 0; k < KINDS; k++) {
      w->has[i][k] = draw(&state, k < 2 ? 3 : 2) == 0;
      if (w->has[i][k])
        n += (size_t)sprintf(w->text + n, "%s(x%u). ", names[k], i);
    }
    w->label[i] = (w->has[i][0] && w->has[i][1]) != (draw(&state, one_in) == 0);
    n += (size_t)sprintf(w->text + n, "%s(f(x%u)).\n",
                         w->label[i] ? "pos" : "neg", i);
  }
  assert_true(n < TEXT);
}

/* Of rules whose conditions are properties of one thing. */
static bool rule_holds(const pith *p, const pith_rule *r, uint32_t without,
                       const bool *has) {
  for (uint32_t i = 0; i < r->body_len; i++)
    for (uint32_t k = 0; i != without && k < KINDS; k++)
      if (strcmp(pith_pred_name(p, r->body[i].pred), names[k]) == 0 &&
          has[k] == r->body[i].negated)
        return false;
  return true;
}

static uint64_t count_wrong(const pith *p, const pith_learned *l,
                            const world *w, uint32_t rule, uint32_t atom) {
  uint64_t wrong = 0;
  for (uint32_t i = 0; i < THINGS; i++) {
    bool holds = false;
    for (uint32_t r = 0; r < pith_learned_info(l, 0)->rules; r++)
      if (r != rule || atom != PITH_NONE)
        holds = holds || rule_holds(p, pith_learned_rule(l, 0, r),
                                    r == rule ? atom : PITH_NONE, w->has[i]);
    wrong += holds != w->label[i];
  }
  return wrong;
}

static double error_bits(double wrong, double all) {
  double p = wrong / all;
  return -all * (p * log2(p) + (1 - p) * log2(1 - p));
}

/* The figures are those of the theory without it, counted here; and it saves
** less than the limit. */
static void check_weakest(const pith *p, const pith_learned *l,
                          const world *w) {
  const pith_theory_info *i = pith_learned_info(l, 0);
  const pith_weak_condition *c = pith_learned_weakest(l, 0);
  assert_true(c->rule < i->rules);
  const pith_rule *r = pith_learned_rule(l, 0, c->rule);
  assert_true(c->atom == PITH_NONE || c->atom < r->body_len);
  assert_true((c->atom == PITH_NONE) == (c->shorter == NULL));
  assert_true(c->shorter == NULL || c->shorter->body_len < r->body_len);
  assert_int_equal(count_wrong(p, l, w, PITH_NONE, PITH_NONE), i->fp + i->fn);
  assert_int_equal(count_wrong(p, l, w, c->rule, c->atom), c->wrong);
  assert_true(c->bits < 6);
  assert_true(c->bits < error_bits((double)c->wrong, THINGS) - i->error_bits);
}

/* How many of 60 theories have a condition more than they should, and how many
** of these say so; and the same of those that are right. */
typedef struct {
  uint32_t longer, said, right, said_of_right;
} tally;

static void learn_one(uint64_t seed, uint32_t one_in, tally *sum) {
  static world w;
  pith_learned *l = NULL;
  make_world(&w, seed, one_in);
  pith *p = new_task(w.text);
  assert_true(pith_learn(&p, 1, NULL, &l) >= 0);
  const pith_theory_info *i = pith_learned_info(l, 0);
  bool said = pith_learned_weakest(l, 0) != NULL;
  if (i->rules == 1 && !i->solved) {
    uint32_t atoms = pith_learned_rule(l, 0, 0)->body_len;
    sum->longer += atoms == 3;
    sum->said += atoms == 3 && said;
    sum->right += atoms == 2;
    sum->said_of_right += atoms == 2 && said;
    if (said)
      check_weakest(p, l, &w);
  }
  pith_learned_free(l);
  pith_free(p);
}

static void says_what_is_hardly_decided(void **state) {
  (void)state;
  tally t = {0, 0, 0, 0};
  for (uint64_t seed = 1; seed <= 60; seed++)
    learn_one(seed, 5, &t);
  assert_true(t.longer >= 2);
  assert_int_equal(t.said, t.longer);
  assert_true(t.right >= 30);
  assert_true(6 * t.said_of_right <= t.right);
}

static void says_nothing_of_the_plain(void **state) {
  (void)state;
  tally t = {0, 0, 0, 0};
  for (uint64_t seed = 1; seed <= 6; seed++)
    learn_one(seed, 20, &t);
  assert_true(t.right >= 5);
  assert_int_equal(t.said_of_right, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_what_is_hardly_decided),
      cmocka_unit_test(says_nothing_of_the_plain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
