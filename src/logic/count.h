/* How a rule fares on what was observed; see pith_counts. Negated atoms ask
** about everything in the store, what was derived included. */
#ifndef PITH_LOGIC_COUNT_H
#define PITH_LOGIC_COUNT_H

#include "fact/store.h"
#include "term/theory.h"

/* Not const: joins make indexes in the store. PITH_ENOMEM only. */
pith_status pith_i_rule_counts(const pith_i_theory *theory, pith_i_store *store,
                               const pith_rule *rule, pith_counts *out);

/* The same on the examples of the head's predicate alone. */
pith_status pith_i_rule_labelled(const pith_i_theory *theory,
                                 pith_i_store *store, const pith_rule *rule,
                                 pith_counts *out);

#endif
