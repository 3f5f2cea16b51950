/* Whole bodies: the AND of parts, from small to large. A body that covers a
** positive example and no negative one is a clause to choose from. */
#ifndef PITH_INDUCE_BODY_H
#define PITH_INDUCE_BODY_H

#include "induce/grow.h"

typedef struct {
  uint32_t part[PITH_I_ATOMS];
  uint32_t part_count;
  uint32_t atoms, vars, targets;
  uint32_t pos, neg;
  uint64_t *cover; /* (words) */
  /* What the target's atoms need, for a recursive clause: rows of 1 + targets
  ** numbers, a positive example and those it follows from. */
  uint32_t *edges;
  size_t edge_count;
  uint32_t cost; /* the size, then how much it leans on the background */
} pith_i_clause;

enum { PITH_I_COST = 256 }; /* a rule or an atom; a background atom is 1 more */

typedef struct {
  pith_i_growth *g;
  pith_i_arena arena;
  PITH_I_VEC(uint32_t) usable; /* parts, by atoms and score */
  PITH_I_VEC(pith_i_clause) plain, recursive;
  pith_i_tuples seen; /* hashes of what recursive clauses need */
  uint64_t work;      /* stop when the sample's work passes this */
  uint32_t max_vars;  /* of a clause, with the head's; 0: any    */
  bool cut;
} pith_i_bodies;

void pith_i_bodies_init(pith_i_bodies *b, pith_i_growth *g);
void pith_i_bodies_free(pith_i_bodies *b);

/* All bodies of n atoms; the parts of n atoms are there. */
pith_status pith_i_bodies_level(pith_i_bodies *b, uint32_t n);

#endif
