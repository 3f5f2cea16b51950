/* What the search for recursive programs (recursion.h) knows, and its parts,
** one file each. */
#ifndef PITH_LEARN_CLAUSES_RECURSION_FINDER_H
#define PITH_LEARN_CLAUSES_RECURSION_FINDER_H

#include "base/tunables.h"
#include "learn/clauses/clause_sizes.h"
#include "learn/clauses/goal_graph.h"

/* A rule that is not recursive, and where it holds. */
typedef struct {
  pith_i_clause clause; /* with a cover of its own */
} pith_i_base_rule;

typedef enum {
  PITH_I_NO_FILTER,
  PITH_I_FILTER_FROM,
  PITH_I_FILTER_TO
} pith_i_filter_place;

enum { PITH_I_FURTHER_STEPS = 3 }; /* beyond two */

/* A recursive program, or, with cost UINT64_MAX, none. */
typedef struct {
  uint64_t cost;
  uint32_t step, other; /* other: a second step, or PITH_NONE */
  uint32_t filter;      /* a part, where there is one         */
  pith_i_filter_place place;
  bool apart; /* atoms that the filter shares with the step are told twice */
  uint32_t other_filter; /* the same of the second step */
  pith_i_filter_place other_place;
  uint32_t further[PITH_I_FURTHER_STEPS], further_count; /* without filters */
  uint32_t bases[PITH_TUNE_GOAL_BASE_RULES], base_count;
} pith_i_recursive_program;

typedef struct {
  pith_i_space *s;
  const pith_i_exact_limits *limits;
  pith_i_goal_graph graph;
  pith_i_sample m; /* all goals: positive, hidden, negative */
  uint32_t known;  /* positive ones with a label            */
  pith_i_growth growth;
  pith_i_bodies bodies;
  PITH_I_VEC(pith_i_base_rule) bases;
  pith_i_tuples covers; /* (bases) hashes of their covers */
  size_t bits;          /* 64 words */
  /* Of the step or steps at hand: where the edges of a goal start. */
  uint32_t *first; /* (bits + 1) into to                  */
  PITH_I_VEC(uint32_t) to, stack;
  uint64_t *source; /* (words) goals that lead on          */
  uint64_t *bad;    /* (words) negative ones lead to these */
  uint64_t *bag;    /* (known, words) a positive one to these */
  uint64_t *some;   /* (words) that some base rule covers  */
  uint64_t *ways;   /* (PITH_I_BAD_SETS, words) bad ones by single steps */
  uint32_t way_count;
  uint16_t target; /* as a choice, to write rules with */
  uint64_t end;    /* of the work, by the sample's count  */
  pith_i_recursive_program best;
} pith_i_recursion_finder;

/* Base rules that cover some of the positive examples by way of the steps. */
typedef struct {
  uint32_t rule[PITH_TUNE_GOAL_BASES_COMBINED];
  uint64_t *covers; /* (PITH_TUNE_GOAL_BASES_COMBINED, words) */
  uint32_t n;
  size_t words; /* of the positive examples */
} pith_i_partial_covers;

/* ---- recursion_costs.c: what costs too much ----------------------------- */

/* The least that a program costs. Without atoms before the next goal the
** arguments change their places; one atom has two of its own. */
uint64_t pith_i_recursion_least_cost(const pith_i_recursion_finder *f);

/* The least that a program costs beside a base rule, or beside the filter of
** its recursive rule. */
uint64_t pith_i_recursion_least_cost_beside(const pith_i_recursion_finder *f);

/* Atoms that a recursive rule can have before its next goal: with one more
** and the smallest base rule the program would cost as much as the best. The
** same of a base rule, beside the smallest recursive one. */
uint32_t pith_i_recursion_most_atoms(const pith_i_recursion_finder *f,
                                     bool crossed);
uint32_t pith_i_recursion_most_base_atoms(const pith_i_recursion_finder *f);

/* A recursive rule with a step and so many atoms, at least; with these
** atoms. */
uint64_t pith_i_recursion_least_rule_cost(const pith_i_recursion_finder *f,
                                          const pith_i_recursive_step *s,
                                          uint32_t atoms);
uint64_t pith_i_recursion_rule_cost(const pith_i_recursion_finder *f,
                                    const pith_i_recursive_step *s,
                                    const pith_i_lit *atoms, uint32_t n);

/* What is odd about the atoms of such a rule. */
uint32_t pith_i_recursion_atoms_oddness(const pith_i_recursion_finder *f,
                                        const pith_i_lit *atoms, uint32_t n);

static inline uint64_t
pith_i_recursion_base_cost(const pith_i_recursion_finder *f, uint32_t i) {
  return f->bases.at[i].clause.cost;
}

/* ---- goal_examples.c: goals as examples --------------------------------- */

/* The space's examples are the goals from now on: the positive ones, the
** hidden ones, which count as positive, then the negative ones. */
pith_status pith_i_recursion_adopt_goals(pith_i_recursion_finder *f);

/* Steps lead from bit to bit from now on, no longer from goal to goal. */
void pith_i_recursion_number_edges(pith_i_recursion_finder *f);

/* ---- base_rules.c ------------------------------------------------------- */

/* Parts over all goals, for filters; and base rules made of them. */
pith_status pith_i_recursion_make_bases(pith_i_recursion_finder *f);

/* The base rules that make c the best program, if some do. */
void pith_i_recursion_try_bases(pith_i_recursion_finder *f,
                                pith_i_recursive_program *c,
                                pith_i_partial_covers *p);

/* ---- goal_spread.c: what steps lead to ----------------------------------- */

/* The edges of these steps, by where they start. */
pith_status pith_i_recursion_load_all(pith_i_recursion_finder *f,
                                      const pith_i_recursive_step *const *steps,
                                      uint32_t n);

/* The same of one step, or of two. */
pith_status pith_i_recursion_load_steps(pith_i_recursion_finder *f,
                                        const pith_i_recursive_step *a,
                                        const pith_i_recursive_step *b);

/* The same, each step only from the goals in its set; NULL: all. */
pith_status pith_i_recursion_load_filtered(pith_i_recursion_finder *f,
                                           const pith_i_recursive_step *a,
                                           const uint64_t *from_a,
                                           const pith_i_recursive_step *b,
                                           const uint64_t *from_b);

/* The goals that negative examples lead to through goals that pass the filters
** (or NULL). possible: no positive example is among them. */
pith_status pith_i_recursion_find_bad(pith_i_recursion_finder *f,
                                      const uint64_t *from, const uint64_t *to,
                                      bool *possible);

/* The goals that examples lead to through goals that pass the filters (or
** NULL). possible: base rules could still cover all positive examples; where
** not, not all goals were found. */
pith_status pith_i_recursion_find_bags(pith_i_recursion_finder *f,
                                       const uint64_t *from, const uint64_t *to,
                                       bool *possible);

/* Whether each positive example leads to a goal of some base rule, whatever
** the negative ones lead to. */
pith_status pith_i_recursion_leads_to_bases(pith_i_recursion_finder *f,
                                            bool *leads);

static inline bool pith_i_recursion_sets_meet(const uint64_t *a,
                                              const uint64_t *b, size_t words) {
  for (size_t w = 0; w < words; w++)
    if ((a[w] & b[w]) != 0)
      return true;
  return false;
}

/* What the negative examples lead to by steps of one atom, for thresholds. */
pith_status pith_i_recursion_find_ways(pith_i_recursion_finder *f);

/* ---- recursion.c ---- */

bool pith_i_recursion_is_out_of_work(const pith_i_recursion_finder *f);

/* Whether the part may be a filter; whether it lets some of the steps at hand
** through, and not all. */
bool pith_i_recursion_may_filter(const pith_i_recursion_finder *f,
                                 uint32_t part);
bool pith_i_recursion_filters_step(const pith_i_recursion_finder *f,
                                   const pith_i_piece *p);

/* The base rules that make a program of several steps the best, if some do and
** the judge agrees: such steps may lead to goals that nobody looked at. */
pith_status pith_i_recursion_try_step_set(pith_i_recursion_finder *f,
                                          pith_i_recursive_program *c,
                                          pith_i_partial_covers *p);

/* ---- filtered_pairs.c ---- */

/* Programs of two recursive rules, each with a filter. */
pith_status pith_i_recursion_try_filtered_pairs(pith_i_recursion_finder *f,
                                                pith_i_partial_covers *p);

/* ---- several_steps.c ---- */

/* Programs of three recursive rules or more, without filters. */
pith_status pith_i_recursion_try_more_steps(pith_i_recursion_finder *f,
                                            pith_i_partial_covers *p);

/* ---- recursive_rule.c ---------------------------------------------------- */

/* The rule's atoms: the step's, then the filter's, which may be among them.
** Where two atoms say the same but for a variable of the filter, that one is
** taken to be the other, unless the program says that it is apart. Returns the
** number of atoms. */
uint32_t pith_i_recursion_put_together(const pith_i_recursion_finder *f,
                                       const pith_i_recursive_program *c,
                                       pith_i_lit *out);

/* Whether the rule keeps to the limits and binds all of its head's
** variables. */
bool pith_i_recursion_is_allowed(const pith_i_recursion_finder *f,
                                 const pith_i_recursive_step *s,
                                 const pith_i_lit *atoms, uint32_t n);

/* The target as an atom of a body; only to be written. */
pith_status pith_i_recursion_add_target(pith_i_recursion_finder *f);

/* The best program as rules; what is odd about it. */
pith_status pith_i_recursion_write(pith_i_recursion_finder *f,
                                   pith_i_arena *arena, pith_i_rules *out);
uint32_t pith_i_recursion_oddness(const pith_i_recursion_finder *f);

#endif
