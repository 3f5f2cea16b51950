#include "compress/derive.h"

#include <assert.h>

#include "logic/closure.h"

pith_status pith_i_derive(const pith_i_theory *theory, pith_rule **rules,
                          size_t n, pith_i_store *store, pith_i_run *run) {
  assert(rules != NULL || n == 0);
  pith_i_theory with_rules = *theory; /* shallow: the rules are borrowed */
  pith_i_closure_options opt = {.run = run};
  with_rules.rules.at = rules;
  with_rules.rules.n = n;
  return pith_i_closure(&with_rules, store, &opt, NULL);
}
