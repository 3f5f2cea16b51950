/* The smallest program over a sample of examples, by sizes: parts of one atom
** more, bodies of one atom more, and the cheapest choice among all clauses so
** far, until no larger clause could be in a cheaper program. */
#ifndef PITH_LEARN_CLAUSES_CLAUSE_SIZES_H
#define PITH_LEARN_CLAUSES_CLAUSE_SIZES_H

#include "learn/clauses/clause_sets.h"
#include "learn/clauses/helpers.h"

typedef struct {
  uint32_t max_rules, max_body, max_vars; /* 0: as the work allows */
  uint32_t max_invented;                  /* PITH_NONE: any */
  uint64_t work;                          /* for this search, at most */
  uint64_t below;     /* only programs cheaper than this     */
  pith_i_kind needed; /* that some atom of each has, and what that costs   */
  uint64_t extra;     /* beside the atom; PITH_I_GIVEN_ATOM: any kind      */
  size_t rows;        /* of a table that is grown, at most   */
  bool small_first;   /* parts with small tables are grown first */
  bool whole;         /* only clauses that cover all positive examples */
  bool last;          /* no search with more work comes after it */
  bool others;        /* dearer programs are asked for too */
  pith_i_run *run;
} pith_i_exact_limits;

typedef struct {
  pith_i_growth growth;
  pith_i_bodies bodies;
  pith_i_set set; /* its cost is UINT64_MAX when there is none */
  pith_i_clause chosen[PITH_I_CHOSEN]; /* the set's own copies */
  uint32_t body; /* atoms of the largest bodies looked at     */
  bool cut;      /* something was left out for want of work   */
  bool full;     /* memory ran out after the set was found    */
} pith_i_exact;

/* Nothing has been looked at yet. */
void pith_i_exact_prepare(pith_i_exact *x, pith_i_sample *m,
                          const pith_i_exact_limits *limits);

/* Prepares and searches. The caller frees also after failure. */
pith_status pith_i_exact_run(pith_i_exact *x, pith_i_sample *m,
                             const pith_i_exact_limits *limits);
void pith_i_exact_free(pith_i_exact *x);
/* Frees all but the set's clauses: what they cost, not what they cover. */
void pith_i_exact_forget(pith_i_exact *x);

/* A program: a rule for each clause, the recursive ones after the others, then
** the definitions of the invented predicates. */
typedef struct {
  pith_rule *rules[PITH_I_CHOSEN + PITH_I_NEEDED * PITH_I_HELPER_RULES];
  uint32_t n;
} pith_i_rules;

/* The set as rules in the arena. */
pith_status pith_i_set_rules(const pith_i_growth *g, const pith_i_set *set,
                             pith_i_arena *arena, pith_i_rules *out);

#endif
