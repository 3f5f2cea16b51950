/* In which order the atoms of a template's body are joined.
**
** Each operand of a join is over one or two variables: the body's atoms, then
** the outputs of earlier joins. Variables that the head does not have are
** removed one after another, always one that meets the fewest others: its
** operands are joined, and the last join takes the maximum over it. So a join
** sees at most three variables, two of which it keeps. Removing a variable
** that meets at most two others never makes a later one meet more than it
** has to, so a template that is refused here needs wider tensors in any
** order. What is left is joined over the head's variables. */
#ifndef PITH_NET_ORDER_H
#define PITH_NET_ORDER_H

#include "pith.h"

enum { PITH_I_MAX_TEMPLATE = 8, PITH_I_MAX_OPERANDS = 5 * PITH_I_MAX_TEMPLATE };

typedef struct {
  uint32_t at[2];
  uint32_t n;
} pith_i_vars;

bool pith_i_vars_have(const pith_i_vars *v, uint32_t var);

/* keep[0] is always one of left's. */
typedef struct {
  uint32_t left, right; /* operands; right PITH_NONE: left alone */
  pith_i_vars keep;
} pith_i_ordered_join;

typedef struct {
  pith_i_vars vars[PITH_I_MAX_OPERANDS];
  pith_i_ordered_join joins[PITH_I_MAX_OPERANDS];
  uint32_t atoms, count; /* operand atoms + j is the output of joins[j] */
} pith_i_order;

/* A body of one to PITH_I_MAX_TEMPLATE atoms of one or two variables each,
** with all variables of the head. False: it needs more than two variables at
** once between joins. */
bool pith_i_order_make(const pith_rule *shape, pith_i_order *plan);

#endif
