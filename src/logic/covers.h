/* Which examples a rule gives in one step from what holds. */
#ifndef PITH_LOGIC_COVERS_H
#define PITH_LOGIC_COVERS_H

#include "fact/store.h"
#include "term/theory.h"

/* out: (examples). Not const: joins make indexes in the store. PITH_ENOMEM
** only. */
pith_status pith_i_rule_covers(const pith_i_theory *theory, pith_i_store *store,
                               const pith_rule *rule, bool *out);

#endif
