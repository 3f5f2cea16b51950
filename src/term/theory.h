/* All that is said about facts but the facts themselves: names, rules,
** templates, examples and bias. Readers fill it, the learner adds to it.
** Everything added is copied into one arena and stays where it is. */
#ifndef PITH_TERM_THEORY_H
#define PITH_TERM_THEORY_H

#include "term/names.h"

/* A constant that rules may name, where a place has the type. */
typedef struct {
  pith_sym name;
  pith_sym type; /* PITH_NONE: any */
} pith_i_constant;

/* An abbreviation for the start of IRIs, for those who print them. */
typedef struct {
  const char *name; /* "ex" */
  const char *iri;  /* "http://ex.org/" */
} pith_i_prefix;

typedef struct {
  pith_i_env *env;
  pith_i_names names;
  pith_i_arena arena;
  PITH_I_VEC(pith_rule *) rules;
  PITH_I_VEC(pith_template *) templates;
  PITH_I_VEC(pith_example *) examples;
  PITH_I_VEC(pith_i_tuples) example_sets; /* by arity: rows (pred, args)   */
  PITH_I_VEC(PITH_I_VEC(uint32_t)) example_rows; /* by arity: row -> number */
  PITH_I_VEC(pith_i_constant) constants;         /* (bias.constants) */
  PITH_I_VEC(pith_sym) single_types;  /* one variable of each in a rule */
  PITH_I_VEC(pith_i_prefix) prefixes; /* texts in the arena */
  pith_bias bias;
  uint32_t steps; /* of the templates; 0: not given */
} pith_i_theory;

pith_status pith_i_theory_init(pith_i_theory *t, pith_i_env *env);
void pith_i_theory_free(pith_i_theory *t);

/* Each copies. Arities and safety are the caller's to check, with
** pith_i_rule_unbound. */
pith_status pith_i_rule_add(pith_i_theory *t, const pith_rule *rule);
pith_status pith_i_template_add(pith_i_theory *t, const pith_template *tp);

/* Adds unless there. PITH_EINPUT: it is there with the other sign. */
pith_status pith_i_example_add(pith_i_theory *t, const pith_atom *atom,
                               bool positive, double weight);
/* The number of the example with this atom, or PITH_NONE. */
uint32_t pith_i_example_find(const pith_i_theory *t, const pith_atom *atom);

/* A rule copied into an arena; NULL when memory is refused. */
pith_rule *pith_i_rule_copy(pith_i_arena *a, const pith_rule *rule);

/* Finds a variable that is not safe: the head, a builtin atom or a negated atom
** uses it, and no positive atom of the body binds it; *var is its index, or
** PITH_NONE. X = Y binds each of them when the other is bound, X = a binds X. A
** variable of one negated atom that occurs nowhere else is safe: the atom then
** says that no value makes it true. PITH_OK or PITH_ENOMEM. */
pith_status pith_i_rule_unbound(pith_i_env *env, const pith_rule *rule,
                                uint32_t *var);

/* Whether the term is among the atom's arguments. */
bool pith_i_atom_has(const pith_atom *a, pith_term term);

#endif
