/* Derives only the atoms needed to judge the examples.
**
** A predicate that stands in no body is of no use to the rules: of its atoms
** only those that are examples are derived, each by matching the rules for it
** backwards from their heads. f(A,B) :- p(A), q(B) over a thousand examples
** is then a thousand questions, not all pairs of p and q. */
#ifndef PITH_LOGIC_GOALS_H
#define PITH_LOGIC_GOALS_H

#include "logic/closure.h"

/* As pith_i_closure to the end, but for such predicates. steps, record, until
** and wanted are not for this. */
pith_status pith_i_closure_examples(const pith_i_theory *theory,
                                    pith_i_store *store,
                                    const pith_i_closure_options *opt,
                                    pith_infer_info *info);

#endif
