/* The program that is worth its length, where examples may be wrong.
**
** What is told costs bits: a rule, the log2 of the choices its atoms were made
** among; a wrong example, its part in naming which of n examples are the k
** wrong ones, n H(k/n). The program with the least sum explains the most with
** the fewest words. Prices change with k, which makes the sum hard to descend;
** so for each of a few rates of noise the price of an error is held fixed
** while a set of clauses is improved, and the true sums decide at the end.
**
** Covers of recursive clauses from wrong examples are wrong themselves: they
** serve to rank clauses only. A program is judged by its closure over all
** examples. */
#ifndef PITH_LEARN_CLAUSES_NOISY_CLAUSES_H
#define PITH_LEARN_CLAUSES_NOISY_CLAUSES_H

#include "learn/clauses/clause_sizes.h"

typedef struct {
  pith_i_rules rules;
  double program, errors; /* bits of each */
} pith_i_verdict;

/* The rules are made in the arena. */
pith_status pith_i_noise_run(pith_i_sample *m,
                             const pith_i_exact_limits *limits,
                             pith_i_arena *arena, pith_i_verdict *out);

#endif
