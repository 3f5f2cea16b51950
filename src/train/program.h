/* A program: one candidate chosen for each slot of a network, with rules
** perhaps left out (PITH_NONE for the head's slot). */
#ifndef PITH_TRAIN_PROGRAM_H
#define PITH_TRAIN_PROGRAM_H

#include "train/sliced.h"

/* Rules and body atoms that are in. */
uint32_t pith_i_program_size(const pith_i_net *net, const uint32_t *choice);

/* Body atoms whose predicate is background. Of two programs of one size that
** fit, the one that leans more on what it defines itself says more about
** things not seen, and is preferred. */
uint32_t pith_i_program_given(const pith_i_net *net, const uint32_t *choice);

/* Leaves out rules that cannot matter: whose head no example and no rule that
** matters uses, or that derive a predicate from itself alone. used: (P) for
** its own use. */
void pith_i_program_trim(const pith_i_net *net, uint32_t *choice, bool *used);

/* Fewer errors first, then smaller, then leaning less on the background, then
** with fewer arguments, then by the choices themselves: a total order, which
** is the same on every machine. */
int pith_i_program_compare(const pith_i_net *net, const uint32_t *a,
                           pith_i_errors ea, const uint32_t *b,
                           pith_i_errors eb);

/* A change of one slot: another candidate, or PITH_NONE, which leaves out the
** rule whose head it is. */
typedef struct {
  uint32_t slot, to;
} pith_i_slot_change;

/* Visits all changes of one slot that make another program, by rule, slot and
** candidate; of a rule that is left out, those of its head alone, which bring
** it back. */
typedef void (*pith_i_change_visit)(pith_i_slot_change c, void *ctx);
void pith_i_program_changes(const pith_i_net *net, const uint32_t *choice,
                            pith_i_change_visit visit, void *ctx);

/* The rule r of a program as a symbolic rule in the arena; NULL: no memory. */
pith_rule *pith_i_program_rule(const pith_i_net *net, const uint32_t *choice,
                               size_t r, pith_i_arena *arena);

#endif
