/* The order in which the atoms of a body can be called, where bias.pl says
** which places are inputs: direction(tail,(in,out)). A call needs its inputs;
** then it has all of its variables. The head's inputs are there at first, its
** outputs must be there at the end. Predicates without directions need
** nothing. */
#ifndef PITH_TASK_CALL_ORDER_H
#define PITH_TASK_CALL_ORDER_H

#include "term/theory.h"

enum { PITH_I_CALL_VARIABLES = 64 /* of a rule whose order is looked at */ };

/* Variables, a bit each. */
typedef struct {
  uint64_t inputs, all;
  bool either; /* X = Y: one of them is enough */
} pith_i_call;

/* Whether bias.pl gives the predicate directions. */
bool pith_i_has_directions(const pith_i_names *names, pith_pred pred);

/* Whether bias.pl calls the place an input. */
bool pith_i_is_input(const pith_i_names *names, pith_pred pred, uint32_t place);

/* Makes every call that can be made, starting with the variables of *have,
** to which it adds those of the calls. order (n): the numbers of the calls as
** they were made; may be NULL. Returns their count. */
uint32_t pith_i_make_calls(const pith_i_call *calls, uint32_t n, uint64_t *have,
                           uint32_t *order);

/* Whether the rule can be called as the directions of its head say; always,
** where that has none. */
bool pith_i_can_be_called(const pith_i_theory *theory, const pith_rule *rule);

/* Puts the body of such a rule into an order in which it can be called. */
void pith_i_order_calls(const pith_i_theory *theory, pith_rule *rule);

#endif
