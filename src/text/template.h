/* What the readers of the template notations share. */
#ifndef PITH_TEXT_TEMPLATE_H
#define PITH_TEXT_TEMPLATE_H

#include "text/parser.h"

typedef struct {
  pith_i_parser p;
  PITH_I_VEC(pith_slot) slots;
  PITH_I_VEC(uint64_t) tags; /* of the slots: equal tags, the same slot */
} pith_i_template_reader;

/* The slot of the atom just read: a predicate variable, or a predicate. */
bool pith_i_template_variable(pith_i_template_reader *r, pith_sym name);
bool pith_i_template_fixed(pith_i_template_reader *r, pith_sym name);

/* metarule([P,Q],[P,A,B],[[Q,A,B]]), the token being its name; reads up to
** the closing parenthesis. */
bool pith_i_metarule(pith_i_template_reader *r);

#endif
