/* Names of invented predicates, as people would number them: the search wrote
** other programs on its way, so that of a theory's own father_or_mother_2 there
** may be no first. */
#ifndef PITH_LEARN_INVENTED_NAMES_H
#define PITH_LEARN_INVENTED_NAMES_H

#include "task/best.h"

/* The length of the predicate's name, without the number if it is invented. */
size_t pith_i_stem_of(const pith_i_task *task, pith_pred pred);

/* Gives each invented predicate of the theories the first free name. */
void pith_i_number_invented(const pith_i_task *task, pith_i_best *best);

#endif
