/* What rules rarely are. Of programs that fit, the smallest is wanted, but an
** atom more or less says little where one of them speaks of things that people
** do not mean. So a search counts oddness on top of the size. */
#ifndef PITH_LEARN_CLAUSES_ODDNESS_H
#define PITH_LEARN_CLAUSES_ODDNESS_H

#include "learn/clauses/clause_body.h"

enum {
  /* Head variables that no atoms connect. */
  PITH_I_UNLINKED = 5 * PITH_I_COST / 2,
  /* Arguments of the target that come from another place of the head. */
  PITH_I_CROSSED = 2 * PITH_I_COST,
  /* An atom that is denied: very much can be said by denying. With less,
  ** cycles of small graphs are what has edge(A,B), edge(B,C), \+ edge(A,C). */
  PITH_I_DENIED = 3 * PITH_I_COST,
  PITH_I_DENIED_PROPERTY = 2 * PITH_I_COST, /* \+ blocked(A) */
  /* Where another atom denies the same predicate: neither of two people is
  ** busy. */
  PITH_I_DENIED_AGAIN = PITH_I_COST / 2,
  /* A step from a value back to one of the things that have it, such as from
  ** the rest of a list to some longer list, or from a value in a row to another
  ** row. Which of these there are is mostly chance. */
  PITH_I_BACKWARD = 7 * PITH_I_COST / 2,
  /* Such a step to a thing that a constant or a second shared value tells from
  ** others: whoever lives in the same town and is 71 years old, or has the same
  ** trade. */
  PITH_I_DESCRIBED = 4 * PITH_I_COST,
  /* A constant that an example is about: what is said of one of them is rarely
  ** said of all. */
  PITH_I_NAMES_EXAMPLE = 2 * PITH_I_COST,
  /* p(A,A), where no positive example has the same in both places. */
  PITH_I_UNSEEN_EQUAL = PITH_I_COST,
  /* Two recursive rules of which some hold under a condition: there are very
  ** many such pairs. */
  PITH_I_TWO_FILTERED = 2 * PITH_I_COST
};

/* Of a body of these parts. */
uint32_t pith_i_oddness(const pith_i_growth *g, const uint32_t *part,
                        uint32_t part_count);

/* Atoms of a body that can tell two or three wrong labels of one value from the
** others: \+ size(A,60), size(A,60), or a number that something has as its
** own. */
uint32_t pith_i_count_exceptions(const pith_i_growth *g, const uint32_t *part,
                                 uint32_t part_count);

/* Of an atom by itself. */
uint32_t pith_i_oddness_of_atom(const pith_i_space *s, const pith_i_lit *atom);

/* Of steps from a value back to what has it, as few as do. */
uint32_t pith_i_backward_oddness(const pith_i_space *s, const pith_i_lit *atoms,
                                 uint32_t n);

#endif
