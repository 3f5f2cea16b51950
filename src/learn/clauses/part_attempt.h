/* One more atom at the end of a part: joined with the part's table of matches,
** and kept as a part of its own where that is new and covers something. */
#ifndef PITH_LEARN_CLAUSES_PART_ATTEMPT_H
#define PITH_LEARN_CLAUSES_PART_ATTEMPT_H

#include "learn/clauses/body_parts.h"

/* What is being tried: the part it starts from, with its table. */
typedef struct {
  pith_i_growth *g;
  const pith_i_piece *from;     /* NULL: nothing yet      */
  uint32_t vars;                /* bound, with the head's */
  uint32_t domain[PITH_I_VARS]; /* of each                */
  pith_i_lit atoms[PITH_I_ATOMS];
  uint32_t n; /* atoms; the last one is being made */
  pith_i_table table, next, scratch;
  uint64_t *cover; /* (words) */
  bool last;       /* children will not be grown */
  bool tests;      /* atoms without new variables, or those with */
  uint8_t refine;  /* first place of the last atom that is not settled */
  uint32_t tried;  /* atoms that could be next, without invented ones */
  uint32_t *calls; /* (known) those of an invented predicate */
  size_t known;    /* choices; more may be made on the way, none invented */
} pith_i_attempt;

/* Tries the last atom, which has so many new variables, and then with the
** values that the examples propose for these. */
pith_status pith_i_try_atom(pith_i_attempt *a, uint32_t fresh);

/* The last atom is one that could be next. */
void pith_i_count_next_atom(pith_i_attempt *a);

/* Prices the parts kept since there were `before`, and those met again, given
** the bits of what they were made from; then counts anew. */
void pith_i_price_new_parts(pith_i_attempt *a, size_t before, double bits);

/* Whether the last atom says nothing: it is there already, or is the head. */
bool pith_i_is_useless_atom(const pith_i_attempt *a);

/* Whether the last atom, not the first, has no variable of the head; that with
** one comes another way. */
bool pith_i_is_apart(const pith_i_attempt *a);

/* Whether the last atom has places left that may be settled; where no negative
** example is covered, only for the sake of the head's variables. */
bool pith_i_is_refinable(const pith_i_growth *g, const pith_i_piece *p,
                         const pith_i_lit *atoms);

/* Numbers the new variables of the last atom in the order of places, and
** returns how many there are. */
uint32_t pith_i_number_new(pith_i_attempt *a);

#endif
