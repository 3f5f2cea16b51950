/* Transitive programs: a target that is the closure of what one, two or three
** base rules hold for, as "connected" is that of edge(A,B) and edge(B,A).
**
**   t(A,B) :- base(A,B).   ...   t(A,B) :- t(A,C), t(C,B).
**
** With several base rules that is shorter than a recursive rule for each of
** them. Base rules are relations between the target's things, as matrices of
** bits, and so are closures: whether a program fits is seen by true closure,
** labelled or not. */
#ifndef PITH_LEARN_CLAUSES_TRANSITIVE_H
#define PITH_LEARN_CLAUSES_TRANSITIVE_H

#include "learn/clauses/clause_sizes.h"

/* As pith_i_recursion_run does for other recursive programs; the space is not
** changed. */
pith_status pith_i_transitive_run(pith_i_space *s,
                                  const pith_i_exact_limits *limits,
                                  pith_i_arena *arena, pith_i_rules *out,
                                  uint64_t *cost, uint32_t *odd);

#endif
