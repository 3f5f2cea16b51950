/* Theories from any source in one pool: each is judged exactly, made simpler
** while it fits as well, and the best few are kept, best first. */
#ifndef PITH_LEARN_CLAUSES_POOL_H
#define PITH_LEARN_CLAUSES_POOL_H

#include "score/length.h"
#include "task/judge.h"

typedef struct {
  pith_rule **rules; /* (n) */
  uint32_t n, size;  /* size: rules and body atoms */
  pith_i_errors errors;
  double bits;          /* of the program: description length, or NaN */
  pith_lengths lengths; /* where it was weighed */
  double cost;          /* less is better */
  pith_stage stage;
  pith_space space; /* where it was found */
  bool other;       /* beside one that was preferred */
} pith_i_program_found;

typedef struct {
  pith_i_env *env;
  pith_i_arena arena; /* of the rules */
  pith_i_world *worlds;
  size_t world_count;
  uint64_t examples, positives;
  uint32_t keep;
  bool full;        /* memory ran out, and something was left out for it */
  pith_space space; /* where programs come from now */
  double odd;  /* atoms that those that come now count more for being odd */
  bool others; /* those that come now stand behind the first */
  bool noisy;  /* errors are weighed against the length of the program */
  PITH_I_VEC(pith_i_program_found) best;
} pith_i_pool;

void pith_i_pool_init(pith_i_pool *p, pith_i_env *env, pith_i_world *worlds,
                      size_t world_count, uint32_t keep);
void pith_i_pool_free(pith_i_pool *p);

/* Copies the rules, whose predicates are the first world's. bits: to say them,
** NaN where nobody knows. *solved (may be NULL): they fit every example. */
pith_status pith_i_pool_add(pith_i_pool *p, pith_rule *const *rules, uint32_t n,
                            double bits, pith_stage stage, bool *solved);

/* Examples that the best program misses; without one, the positive ones. */
uint64_t pith_i_pool_wrong(const pith_i_pool *p);

#endif
