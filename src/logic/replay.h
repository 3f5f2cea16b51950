/* The facts that a goal depends on, derived again step by step as the paper
** counts, each with its step; up to the step that gives the goal. */
#ifndef PITH_LOGIC_REPLAY_H
#define PITH_LOGIC_REPLAY_H

#include "fact/store.h"
#include "term/theory.h"

/* Fills steps, which is empty, from the given facts of store. */
pith_status pith_i_replay(const pith_i_theory *theory,
                          const pith_i_store *store, const pith_atom *goal,
                          pith_i_store *steps);

#endif
