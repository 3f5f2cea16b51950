/* The facts to be printed, when that is not simply all of them. */
#ifndef APP_SELECT_FACTS_H
#define APP_SELECT_FACTS_H

#include "pith.h"

/* Whether the fact matches: a variable that occurs twice is one constant. */
bool fact_matches(const pith_atom *pattern, const pith_sym *args, size_t n);

/* Makes a handle that holds, as given facts, those of p's part that match the
** pattern (NULL: all), by name when sorted, else in p's order. Writers then
** need no second way to print a fact. p and *out are freed separately. */
pith_status select_facts(const pith *p, pith_part part,
                         const pith_atom *pattern, bool sorted, pith **out);

#endif
