/* Recursive programs through atoms that nobody labelled, by true closure.
**
** A program is a recursive rule, which is a step (goal_graph.h) and perhaps a
** filter on the goal it starts from or leads to, and base rules. All goals of
** all steps are numbered, so steps are edges, and filters and base rules are
** sets of bits. Of the goals that a negative example leads to, none may hold by
** a base rule; of those that a positive one leads to, one must. It is exact,
** and cheap enough to try all pairs from small to large, so that what comes
** out is the smallest program of this kind. */
#ifndef PITH_LEARN_CLAUSES_RECURSION_H
#define PITH_LEARN_CLAUSES_RECURSION_H

#include "learn/clauses/clause_sizes.h"

typedef struct {
  pith_i_rules rules; /* none: there is no such program        */
  uint64_t cost;
  uint32_t odd; /* how much of that is for its being odd */
  bool cut;     /* there are more goals, or more steps   */
} pith_i_recursion_found;

/* The smallest program that costs less than limits->below; its rules go to the
** arena. share: one in so many of the goals that are allowed are looked at. The
** space is made for this and is of no use afterwards: its examples get company.
**   limits  rules, body, variables, below, work, stop, now are kept */
pith_status pith_i_recursion_run(pith_i_space *s,
                                 const pith_i_exact_limits *limits,
                                 uint32_t share, pith_i_arena *arena,
                                 pith_i_recursion_found *out);

#endif
