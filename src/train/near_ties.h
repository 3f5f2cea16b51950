/* Slots that are as near to one predicate as to another.
**
** Trained embeddings of predicates merge: in even-odd `zero` and `even` become
** one, every soft value is right, and which of the two a slot means is left to
** the last digit. So the readings of such slots are tried and judged exactly.
** Where none fits, a slot may mean both, as it does in the soft program, whose
** value is the larger of the two: it then stands for two rules.
**
** Rules fade: what is left of one that training does not need derives nothing
** above one half, but each of its slots still is most like some predicate.
** Such silent rules are left out first. */
#ifndef PITH_TRAIN_NEAR_TIES_H
#define PITH_TRAIN_NEAR_TIES_H

#include "train/program_list.h"
#include "train/slot_moves.h"

/* Reads the lane's program anew, if another reading has fewer errors than it
** has; its errors. f->choice is the program; fills f->tied and f->both. */
pith_i_errors pith_i_near_ties_read(pith_i_search *s, const pith_i_real *weight,
                                    uint32_t lane, pith_i_errors errors,
                                    pith_i_run *run, pith_i_found_program *f);

#endif
