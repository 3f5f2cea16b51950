/* What follows from facts and rules, bottom-up and semi-naive: a rule is
** matched only where at least one of its facts is new since the last round.
** Facts that a round adds are seen from the next round on.
**
** To the end: component by component (program.h), and where a component's
** recursive rules are chains over few constants, with bits (dense.h) as soon
** as its facts are many. With a limit of steps, or when steps are recorded
** for proofs: all rules at once in each round. */
#ifndef PITH_LOGIC_CLOSURE_H
#define PITH_LOGIC_CLOSURE_H

#include "base/run.h"
#include "fact/store.h"
#include "term/theory.h"

typedef enum {
  PITH_I_BITS_AUTO,
  PITH_I_BITS_NEVER,
  PITH_I_BITS_ALWAYS /* wherever the rules allow it; for tests */
} pith_i_bits_choice;

typedef struct {
  pith_i_run *run; /* or NULL                                        */
  uint32_t steps;  /* as in pith_infer_options                       */
  uint64_t facts;  /* likewise                                       */
  pith_i_bits_choice bits;
  bool record;            /* the step of each fact, in the relations' marks */
  const pith_atom *until; /* stop after the step that gives this; or NULL   */
  const bool *wanted;     /* (predicates) use rules for these only; or NULL */
} pith_i_closure_options;

/* Adds what follows to the store; nothing may have been derived before.
**   PITH_STOPPED  steps, time, stop or until ended it, and more follows
**   PITH_ENOMEM   all that was derived is forgotten */
pith_status pith_i_closure(const pith_i_theory *theory, pith_i_store *store,
                           const pith_i_closure_options *opt,
                           pith_infer_info *info);

#endif
