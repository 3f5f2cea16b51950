/* More room never finds less: over random tasks, larger limits and richer
** languages get no more examples wrong, and where a small theory fits, one fits
** that is no larger, but for the atoms that oddness counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "base/random.h"
#include "learned.h"

enum { TASKS = 120, THINGS = 9, MOST_ODD = 6 };

typedef struct {
  char text[1 << 13];
  size_t len;
  uint64_t seed, draws;
} task_text;

static uint32_t draw_below(task_text *t, uint32_t n) {
  return (uint32_t)(pith_i_random(t->seed, 77, t->draws++) % n);
}

#define ADD(t, ...)                                                            \
  ((t)->len += (size_t)snprintf((t)->text + (t)->len,                          \
                                sizeof(t)->text - (t)->len, __VA_ARGS__))

/* Things, two relations and two properties at random; what is labelled follows
** a rule of its own, or nothing at all. */
static void draw_task(task_text *t) {
  bool e[THINGS][THINGS] = {{false}}, p[THINGS], q[THINGS];
  for (uint32_t i = 0; i < THINGS; i++) {
    p[i] = draw_below(t, 2);
    q[i] = draw_below(t, 3) == 0;
    if (p[i])
      ADD(t, "p(c%u).\n", i);
    if (q[i])
      ADD(t, "q(c%u).\n", i);
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t to = draw_below(t, THINGS);
      e[i][to] = true;
      ADD(t, "e(c%u,c%u).\n", i, to);
    }
    ADD(t, "g(c%u,c%u).\n", i, draw_below(t, THINGS));
  }
  uint32_t kind = (uint32_t)(t->seed % 4);
  for (uint32_t i = 0; i < THINGS; i++) {
    bool some = false;
    for (uint32_t k = 0; k < THINGS; k++)
      some = some || (e[i][k] && q[k]);
    bool label = kind == 0   ? some
                 : kind == 1 ? p[i] && some
                 : kind == 2 ? p[i] || q[i]
                             : draw_below(t, 2) == 0;
    ADD(t, "%s(t(c%u)).\n", label ? "pos" : "neg", i);
  }
}

static pith_theory_info learn_in_room(const task_text *t,
                                      const pith_learn_options *opt) {
  pith *p = new_task(t->text);
  pith_learned *l = NULL;
  assert_true(pith_learn(&p, 1, opt, &l) >= 0);
  assert_true(pith_learned_count(l) > 0);
  pith_theory_info info = *pith_learned_info(l, 0);
  pith_learned_free(l);
  pith_free(p);
  return info;
}

static void check_rooms(const task_text *t) {
  static const struct {
    uint32_t rules, body, vars;
  } rooms[] = {{1, 1, 2}, {1, 2, 2}, {2, 2, 2},
               {2, 2, 3}, {3, 3, 3}, {4, 4, 4}};
  uint64_t wrong = UINT64_MAX;
  uint32_t size = 0;
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
    pith_learn_options opt;
    pith_learn_defaults(&opt);
    opt.method = PITH_METHOD_SEARCH;
    opt.noise = PITH_NOISE_OFF;
    opt.max_invented = 0;
    opt.max_rules = rooms[i].rules;
    opt.max_body = rooms[i].body;
    opt.max_vars = rooms[i].vars;
    pith_theory_info now = learn_in_room(t, &opt);
    assert_true(now.fp + now.fn <= wrong);
    if (wrong == 0)
      assert_true(now.size <= size + MOST_ODD);
    wrong = now.fp + now.fn;
    size = now.size;
  }
}

static void larger_limits(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < TASKS; seed++) {
    task_text t = {.seed = seed};
    draw_task(&t);
    check_rooms(&t);
  }
}

/* Constants from the start only add to what rules are made of. */
static void richer_languages(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < TASKS; seed++) {
    task_text t = {.seed = seed};
    uint64_t wrong = UINT64_MAX;
    draw_task(&t);
    for (int constants = 0; constants < 2; constants++) {
      pith_learn_options opt;
      pith_learn_defaults(&opt);
      opt.method = PITH_METHOD_SEARCH;
      opt.noise = PITH_NOISE_OFF;
      opt.max_rules = opt.max_body = 2;
      opt.constants = constants;
      pith_theory_info now = learn_in_room(&t, &opt);
      assert_true(now.fp + now.fn <= wrong);
      wrong = now.fp + now.fn;
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(larger_limits),
                                     cmocka_unit_test(richer_languages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
