/* In which order a plan matches the atoms of a form, and what it can decide
** after each: the atom with the fewest rows left to try comes next, by what is
** bound so far.
**
** Each argument place is looked at once, when its register is bound; the atoms
** wait in a heap. So ordering n places takes n log n, however long the body. */
#ifndef PITH_LOGIC_PLAN_ORDER_H
#define PITH_LOGIC_PLAN_ORDER_H

#include "logic/plan.h"

/* An argument place of an item. Items are the tests, then the negated atoms,
** then the head, then the atoms of the form. */
typedef struct {
  uint32_t item;
  double divisor; /* of an atom's rows, once the place is bound */
} pith_i_item_place;

typedef struct {
  const pith_i_form *form;
  bool *bound;     /* (reg_count)                                           */
  double *rows;    /* (atom_count) that will match, by what is bound        */
  uint32_t *heap;  /* (heap_count) atoms not yet taken, fewest rows first   */
  uint32_t *where; /* (atom_count) place in the heap, or PITH_NONE          */
  uint32_t heap_count;
  uint32_t *missing; /* (items) argument places that are not yet bound      */
  uint32_t *begins;  /* (reg_count + 1) of the register's places            */
  pith_i_item_place *places;
  uint32_t *decided; /* (decided_count) tests and negated atoms to be taken */
  uint32_t decided_count;
} pith_i_plan_order;

/* Lives in the arena. False: no memory. */
bool pith_i_plan_order_begin(pith_i_plan_order *o, pith_i_arena *arena,
                             const pith_i_form *form,
                             const pith_i_plan_spec *spec);

/* Takes an atom out of the order: this one, or with PITH_NONE the one with the
** fewest rows. The caller binds its registers. */
uint32_t pith_i_plan_order_take(pith_i_plan_order *o, uint32_t atom);
void pith_i_plan_order_bind(pith_i_plan_order *o, uint32_t reg);

bool pith_i_plan_order_head_bound(const pith_i_plan_order *o);

/* Puts what became decidable in the order of the body: tests by number, then
** negated atoms, whose numbers begin at test_count. Sets decided_count to 0
** when the caller has taken them. */
void pith_i_plan_order_sort_decided(pith_i_plan_order *o);

#endif
