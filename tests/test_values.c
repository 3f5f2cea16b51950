/* Values of places that have too many to try them all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

#include "api/handle.h"
#include "learn/clauses/proposed_values.h"

enum { THINGS = 120, VALUES = 40 };

/* Every third thing has the tone c7, the others different ones; with a part
** between them if joined. */
static pith *tones(bool joined) {
  char text[64 * THINGS * 3];
  size_t n = 0;
  for (int i = 0; i < THINGS; i++) {
    int tone = i % 3 == 0 ? 7 : 8 + i % (VALUES - 8);
    if (joined)
      n += (size_t)sprintf(text + n, "has(x%d,y%d). ", i, i);
    n += (size_t)sprintf(text + n, "tone(%c%d,c%d). %s(f(x%d)).\n",
                         joined ? 'y' : 'x', i, tone,
                         i % 3 == 0 ? "pos" : "neg", i);
  }
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "task", text, n, PITH_PROLOG), PITH_OK);
  return p;
}

static void check(bool joined, const char *expected) {
  pith *p = tones(joined);
  pith_learned *l = NULL;
  pith_out *o;
  assert_true(pith_learn(&p, 1, NULL, &l) >= 0);
  assert_int_equal(pith_learned_info(l, 0)->rules, 1);
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  pith_rule_write(p, pith_learned_rule(l, 0, 0), o);
  assert_string_equal(pith_out_text(o, NULL), expected);
  pith_out_close(o, false);
  pith_learned_free(l);
  pith_free(p);
}

static void names_one_of_many(void **state) {
  (void)state;
  check(false, "f(A) :- tone(A,c7).");
  check(true, "f(A) :- has(A,B), tone(B,c7).");
}

/* The value that tells comes first, those of negative examples not at all. */
static void proposes_what_tells(void **state) {
  (void)state;
  pith *p = tones(false);
  pith_i_world world = {.theory = &p->theory, .store = &p->store};
  pith_i_language language = {.constants = 24};
  pith_i_space s;
  pith_i_sample m = {0};
  pith_i_table t = {0}, scratch = {0};
  pith_i_value_proposal found;
  bool full;
  pith_pred target = p->theory.examples.at[0]->atom.pred;
  pith_i_task task = {.env = &p->env, .worlds = &world, .world_count = 1};
  assert_int_equal(pith_i_space_init(&s, &task, NULL, target, &language),
                   PITH_OK);
  uint32_t *pick = pith_i_alloc(&p->env, s.examples * sizeof *pick), value;
  for (uint32_t i = 0; i < s.examples; i++)
    pick[i] = i;
  pith_i_sample_take(&m, &s, pick, s.positives, s.examples);
  assert_int_equal(s.choices.at[0].many, 3); /* both places */
  pith_i_lit atom = {.choice = 0, .arg = {0, 1}};
  assert_int_equal(
      pith_i_table_body(&m, NULL, &atom, 1, 10000, &t, &scratch, &full),
      PITH_OK);
  assert_int_equal(pith_i_propose_values(&m, &t, 0, &found), PITH_OK);
  assert_int_equal(found.n, 1);
  assert_string_equal(pith_i_sym(&p->theory.names, found.value[0])->text, "c7");
  assert_int_equal(pith_i_space_value(&s, 0, 1, found.value[0], &value),
                   PITH_OK);
  assert_int_equal(s.store.relations.at[value].rows.n, THINGS / 3);
  uint32_t again;
  assert_int_equal(pith_i_space_value(&s, 0, 1, found.value[0], &again),
                   PITH_OK);
  assert_int_equal(again, value);
  pith_i_table_free(&p->env, &t);
  pith_i_table_free(&p->env, &scratch);
  pith_i_sample_free(&m);
  pith_i_space_free(&s);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_one_of_many),
                                     cmocka_unit_test(proposes_what_tells)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
