/* Names of one theory expressed in another. Each world numbers its constants
** and predicates by itself, so what is said in one must be spelled out to be
** said in another: a constant is matched by its text and kind, a predicate by
** its name and arity. Within one theory everything stays as it is. */
#ifndef PITH_TERM_TRANSLATE_H
#define PITH_TERM_TRANSLATE_H

#include "term/theory.h"

/* What the name is called in `to`, or PITH_NONE where it is not known there.
** PITH_NONE stays PITH_NONE. */
pith_sym pith_i_sym_counterpart(const pith_i_theory *from,
                                const pith_i_theory *to, pith_sym sym);
pith_pred pith_i_pred_counterpart(const pith_i_theory *from,
                                  const pith_i_theory *to, pith_pred pred);

/* The same, but a name that `to` does not know is added to it. PITH_ENOMEM
** only. */
pith_status pith_i_sym_translate(const pith_i_theory *from, pith_i_theory *to,
                                 pith_sym sym, pith_sym *out);
pith_status pith_i_pred_translate(const pith_i_theory *from, pith_i_theory *to,
                                  pith_pred pred, pith_pred *out);

/* args[0..n) into out[0..n), which may be args itself; variables stay. */
pith_status pith_i_args_translate(const pith_i_theory *from, pith_i_theory *to,
                                  const pith_term *args, size_t n,
                                  pith_term *out);

/* A copy in the arena. */
pith_status pith_i_rule_translate(const pith_i_theory *from, pith_i_theory *to,
                                  const pith_rule *rule, pith_i_arena *arena,
                                  pith_rule **out);

#endif
