/* Everything that follows from facts by given rules, exactly. */
#ifndef PITH_COMPRESS_DERIVE_H
#define PITH_COMPRESS_DERIVE_H

#include "base/run.h"
#include "fact/store.h"
#include "term/theory.h"

/* Adds what follows to the store as derived facts; pith_i_store_forget takes
** it out again. theory gives the names; its own rules are not used. run may
** be NULL. PITH_STOPPED: not everything was derived. */
pith_status pith_i_derive(const pith_i_theory *theory, pith_rule **rules,
                          size_t n, pith_i_store *store, pith_i_run *run);

#endif
