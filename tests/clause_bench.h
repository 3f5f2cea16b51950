/* The search of clauses from inside, for tests: a task as it sees it. */
#ifndef PITH_TESTS_CLAUSE_BENCH_H
#define PITH_TESTS_CLAUSE_BENCH_H

#include "api/handle.h"
#include "learn/clauses/clause_sizes.h"
#include "learned.h"

/* One world, one language, all examples. */
typedef struct {
  pith *p;
  pith_i_world world;
  pith_i_space s;
  pith_i_sample m;
  pith_i_run run;
  pith_i_arena arena;
} bench;

static inline void open_bench(bench *b, const char *text,
                              const pith_i_language *language) {
  pith_run user = {.seed = 1};
  b->p = new_task(text);
  b->world = (pith_i_world){.theory = &b->p->theory, .store = &b->p->store};
  b->m = (pith_i_sample){0};
  b->arena = (pith_i_arena){.env = &b->p->env};
  pith_i_run_begin(&b->run, &user);
  pith_i_task task = {.env = &b->p->env, .worlds = &b->world, .world_count = 1};
  assert_int_equal(pith_i_space_init(&b->s, &task, NULL,
                                     b->p->theory.examples.at[0]->atom.pred,
                                     language),
                   PITH_OK);
  uint32_t *pick = pith_i_alloc(&b->p->env, b->s.examples * sizeof *pick);
  assert_non_null(pick);
  for (uint32_t i = 0; i < b->s.examples; i++)
    pick[i] = i;
  pith_i_sample_take(&b->m, &b->s, pick, b->s.positives, b->s.examples);
}

static inline void close_bench(bench *b) {
  pith_i_arena_free(&b->arena);
  pith_i_sample_free(&b->m);
  pith_i_space_free(&b->s);
  pith_free(b->p);
}

static inline pith_i_exact_limits no_limits(bench *b) {
  return (pith_i_exact_limits){.max_invented = PITH_NONE,
                               .work = 10000000,
                               .below = UINT64_MAX,
                               .rows = 100000,
                               .run = &b->run};
}

static inline void check_rules_text(const bench *b, const pith_i_rules *rules,
                                    const char *expected) {
  pith_out *o;
  assert_int_equal(pith_out_memory(b->p, &o), PITH_OK);
  for (uint32_t i = 0; i < rules->n; i++) {
    pith_rule_write(b->p, rules->rules[i], o);
    pith_out_print(o, "\n");
  }
  assert_string_equal(pith_out_text(o, NULL), expected);
  pith_out_close(o, false);
}

#endif
