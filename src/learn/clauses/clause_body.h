/* Whole bodies: the AND of parts, from small to large. A body that covers a
** positive example and no negative one is a clause to choose from. */
#ifndef PITH_LEARN_CLAUSES_CLAUSE_BODY_H
#define PITH_LEARN_CLAUSES_CLAUSE_BODY_H

#include "learn/clauses/body_parts.h"
#include "learn/clauses/clause_cost.h"

typedef struct {
  uint32_t part[PITH_I_ATOMS];
  uint32_t part_count;
  uint32_t atoms, vars, targets;
  uint32_t equals; /* atoms A = B, which cost nothing */
  uint32_t pos, neg;
  uint64_t *cover; /* (words) */
  /* What the target's atoms need, for a recursive clause: rows of 1 + targets
  ** numbers, the bit of an example and those of what it follows from;
  ** PITH_NONE for what is given. */
  uint32_t *edges;
  size_t edge_count;
  uint32_t cost;     /* as clause_cost.h has it, and its oddness */
  uint32_t odd;      /* of the cost: for what rules rarely are */
  double bits;       /* to say it, without definitions */
  uint32_t invented; /* predicates to define */
} pith_i_clause;

typedef struct pith_i_bodies pith_i_bodies;
struct pith_i_bodies {
  pith_i_growth *g;
  pith_i_arena arena;
  PITH_I_VEC(uint32_t) usable; /* parts, by atoms and score */
  PITH_I_VEC(pith_i_clause) plain, recursive;
  pith_i_tuples seen;    /* hashes of what recursive clauses need */
  uint64_t work;         /* stop when the sample's work passes this */
  uint32_t max_vars;     /* of a clause, with the head's; 0: any    */
  uint32_t max_invented; /* of a program; PITH_NONE: any */
  uint64_t below; /* no clause is kept that only dearer programs have; 0: all */
  bool cut;
  pith_progress *now; /* counts those tried */
  /* If set, every body is handed over instead of being kept. */
  pith_status (*visit)(void *ctx, pith_i_bodies *b, const pith_i_clause *c);
  void *visit_ctx;
};

void pith_i_bodies_init(pith_i_bodies *b, pith_i_growth *g);
void pith_i_bodies_free(pith_i_bodies *b);

/* All bodies of n atoms; the parts of n atoms are there. */
pith_status pith_i_bodies_level(pith_i_bodies *b, uint32_t n);

/* Adds a clause, with what it costs; its cover is copied. */
pith_status pith_i_bodies_keep(pith_i_bodies *b, pith_i_clause c,
                               const uint64_t *cover);

/* Fills in the edges of a recursive clause: from positive examples to positive
** ones, or, if open, from any to any. *fresh: there are some, and they are not
** those of a clause before. */
pith_status pith_i_clause_edges(pith_i_bodies *b, pith_i_clause *c, bool open,
                                bool *fresh);

/* Adds the invented predicates that it needs. */
void pith_i_clause_helpers(const pith_i_growth *g, const pith_i_clause *c,
                           pith_i_helpers *h);

/* Adds to have (words) what recursive clauses derive from it. */
void pith_i_clauses_close(pith_i_sample *m, const pith_i_clause *const *clauses,
                          uint32_t n, uint64_t *have);

/* The same for 64 programs at once, one a bit of lanes (64 words). The clause
** at `without` is not looked at. */
void pith_i_clauses_close_lanes(pith_i_sample *m,
                                const pith_i_clause *const *clauses, uint32_t n,
                                uint32_t without, uint64_t *lanes);

#endif
