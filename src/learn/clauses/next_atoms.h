/* Which atoms may come next in a part: all choices in all their places,
** comparisons, thresholds between the labels, another thing of the same kind;
** and the ways to settle one more place of the last atom. */
#ifndef PITH_LEARN_CLAUSES_NEXT_ATOMS_H
#define PITH_LEARN_CLAUSES_NEXT_ATOMS_H

#include "learn/clauses/part_attempt.h"

/* Every atom that may come next. */
pith_status pith_i_try_choices(pith_i_attempt *a);

/* Has the part two of something, or one less than another? An atom on the head
** alone with a variable that differs from one of the part, has_car(A,C), B \=
** C, or compares with it, spent(A,C), B > C. */
pith_status pith_i_try_others(pith_i_attempt *a);

/* Whether a place of the last atom has a new variable that is nowhere else. */
bool pith_i_is_free_place(const pith_i_attempt *a, uint32_t place);

/* Settles such a place: by a variable below end, or by a value; count: of
** values that it may have. */
pith_status pith_i_refine_by_variables(pith_i_attempt *a, uint32_t place,
                                       uint32_t end);
pith_status pith_i_refine_by_values(pith_i_attempt *a, uint32_t place,
                                    uint32_t *count);

#endif
