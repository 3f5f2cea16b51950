/* Learning without templates: clauses are searched for exactly, by size, and
** the smallest program that fits is what comes out. */
#ifndef PITH_LEARN_CLAUSES_CLAUSE_SEARCH_H
#define PITH_LEARN_CLAUSES_CLAUSE_SEARCH_H

#include "base/run.h"
#include "learn/clauses/pool.h"

enum { PITH_I_RECURSIVE = 40000 }; /* with more examples, no recursion */

typedef struct {
  uint32_t max_rules, max_body, max_vars; /* 0: not said */
  uint32_t max_invented;                  /* predicates; PITH_NONE: any */
  bool may_invent, may_recur;
  bool constants; /* in rules, from the start */
  bool noisy;     /* examples may be wrong    */
  bool exact;     /* none is                  */
  pith_i_run *run;
} pith_i_induce_options;

/* Fills the pool. A language for which there is too little memory is left out;
** the pool says so.
**   PITH_ENOMEM  and nothing was found */
pith_status pith_i_induce(pith_i_pool *pool, const pith_i_induce_options *opt);

#endif
