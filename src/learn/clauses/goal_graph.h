/* Goals that a recursive rule leads to, from the examples on.
**
** A recursive *step* is what such a rule does with its arguments: from head
** variables along a few atoms to the arguments of the next goal, as in
** reach(A,B) :- edge(A,C), reach(C,B). Which goals the examples lead to by a
** step does not depend on what is true of the target. So the goals of all
** steps are found before any rule is judged: the labelled atoms, and the hidden
** ones that nobody labelled but a proof may pass through. */
#ifndef PITH_LEARN_CLAUSES_GOAL_GRAPH_H
#define PITH_LEARN_CLAUSES_GOAL_GRAPH_H

#include "learn/clauses/match_table.h"

enum { PITH_I_STEP_ATOMS = 4 /* 3 without directions */ };

typedef struct {
  pith_i_lit atoms[PITH_I_STEP_ATOMS]; /* (n) that lead to the next goal    */
  uint32_t n, vars;                    /* vars: beyond the head's           */
  uint8_t goal[PITH_I_PLACES];         /* (head) variables of the next goal */
  bool crossed;    /* an argument of the next goal comes from another place */
  uint32_t *edges; /* (edge_count, 2) from goal to goal, by the first */
  size_t edge_count;
} pith_i_recursive_step;

typedef struct {
  uint64_t work;      /* rows looked at, for all steps together */
  uint32_t goals;     /* of one step, at most */
  uint32_t all_goals; /* of all */
  uint32_t atoms[2];  /* of a step, at most; of one that crosses */
  pith_i_run *run;
} pith_i_goal_limits;

typedef struct {
  pith_i_space *space;
  pith_i_arena arena;
  pith_i_tuples goals; /* (head) the examples, as the space has them, first */
  PITH_I_VEC(pith_i_recursive_step) steps; /* with few atoms first */
  bool cut; /* some step leads to too many goals, or was not looked at */
} pith_i_goal_graph;

/* Finds the steps and their goals. The space's examples are different atoms.
** The caller frees also after failure. */
pith_status pith_i_goal_graph_init(pith_i_goal_graph *g, pith_i_space *s,
                                   const pith_i_goal_limits *limits);
void pith_i_goal_graph_free(pith_i_goal_graph *g);

#endif
