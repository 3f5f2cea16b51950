/* What a task teaches, for tests: the best theory as text. */
#ifndef PITH_TESTS_LEARNED_H
#define PITH_TESTS_LEARNED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pith.h"

static inline pith *new_task(const char *text) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "task", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  return p;
}

/* The best theory of the worlds is the expected one, a rule per line. */
static inline void check_worlds(pith *const *worlds, size_t n,
                                const pith_learn_options *opt,
                                const char *expected) {
  pith_learned *l = NULL;
  pith_out *o;
  assert_true(pith_learn(worlds, n, opt, &l) >= 0);
  assert_true(pith_learned_count(l) > 0);
  assert_int_equal(pith_out_memory(worlds[0], &o), PITH_OK);
  for (uint32_t r = 0; r < pith_learned_info(l, 0)->rules; r++) {
    pith_rule_write(worlds[0], pith_learned_rule(l, 0, r), o);
    pith_out_print(o, "\n");
  }
  assert_string_equal(pith_out_text(o, NULL), expected);
  pith_out_close(o, false);
  pith_learned_free(l);
}

/* The same of one world, as text. opt may be NULL. */
static inline void check_learned(const char *text,
                                 const pith_learn_options *opt,
                                 const char *expected) {
  pith *p = new_task(text);
  check_worlds(&p, 1, opt, expected);
  pith_free(p);
}

#endif
