/* Symbols, atoms, rules, templates and bias as text that the readers take for
** the same thing. Output keeps its own status, so only the last call of a
** sequence is looked at; see pith_out. */
#ifndef PITH_TEXT_PRINT_H
#define PITH_TEXT_PRINT_H

#include "base/out.h"
#include "term/theory.h"

pith_status pith_i_print_sym(const pith_i_names *names, pith_sym s,
                             pith_out *o);

/* The name of a predicate: as a symbol, but quoted also where the bare name
** would mean something else to the reader. */
pith_status pith_i_print_pred(const pith_i_names *names, pith_pred pred,
                              pith_out *o);

/* The names of a rule's variables, if a reader would tell them apart; else
** NULL, and all are made up: A, B, C ... */
const pith_sym *pith_i_rule_names(const pith_i_names *names,
                                  const pith_rule *r);
pith_status pith_i_print_variable(const pith_i_names *names,
                                  const pith_sym *own, uint32_t var,
                                  pith_out *o);

enum { PITH_I_NAMED_VARIABLES = 4096 }; /* a reader takes no more in a clause */

/* How the variables of a rule are written: by its names, or by letters. */
typedef struct {
  const pith_sym *own; /* (count), or NULL: letters             */
  uint32_t count;
  bool known; /* there are not too many for what follows        */
  uint8_t uses[PITH_I_NAMED_VARIABLES];    /* places, counted up to two */
  uint16_t single[PITH_I_NAMED_VARIABLES]; /* of those with one place: which,
                                              from 1, as a reader meets them */
} pith_i_naming;

void pith_i_name_variables(const pith_i_names *names, const pith_rule *r,
                           pith_i_naming *out);

/* As above, but one that occurs once, which a rule's text calls _, gets a name
** of its own: _1, _2. */
pith_status pith_i_print_distinct_variable(const pith_i_names *names,
                                           const pith_i_naming *v, uint32_t var,
                                           pith_out *o);

/* pred(args); variables are A, B, C ... */
pith_status pith_i_print_atom(const pith_i_names *names, const pith_atom *a,
                              pith_out *o);
pith_status pith_i_print_ground(const pith_i_names *names, pith_pred pred,
                                const pith_sym *args, size_t n, pith_out *o);

/* With the full stop. */
pith_status pith_i_print_rule(const pith_i_names *names, const pith_rule *r,
                              pith_out *o);
pith_status pith_i_print_template(const pith_i_names *names,
                                  const pith_template *t, pith_out *o);
pith_status pith_i_print_example(const pith_i_names *names,
                                 const pith_example *e, pith_out *o);

/* The whole of a templates file, or of bias.pl. */
pith_status pith_i_print_templates(const pith_i_theory *t, pith_out *o);
pith_status pith_i_print_bias(const pith_i_theory *t, pith_out *o);

#endif
