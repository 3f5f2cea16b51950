/* Which places of the language hold numbers or dates that may be compared.
**
** Most values of the place have one order. But numbers that only name things,
** as states and rows of a table are numbered, are no quantities: examples often
** stand in the order of their labels, and then to compare their numbers says
** all and nothing. So the numbers in the target's places are names where facts
** say something else about them. */
#ifndef PITH_LEARN_CLAUSES_ORDERED_PLACES_H
#define PITH_LEARN_CLAUSES_ORDERED_PLACES_H

#include "learn/clauses/clause_language.h"

/* Fills in the space's values, if some constant has an order. */
pith_status pith_i_space_read_values(pith_i_space *s);

/* Fills in the orders of its domains. */
pith_status pith_i_space_find_orders(pith_i_space *s);

/* Whether anything could be compared. */
bool pith_i_space_has_order(const pith_i_space *s);

#endif
