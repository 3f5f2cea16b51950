/* A rule made ready for joining. Each argument is a register: the variables
** come first, each constant has one of its own after them. Equalities are
** gone: what they identify shares a register. What is left of the body is
** atoms that must be facts, atoms that must not be, and tests between two
** registers. */
#ifndef PITH_LOGIC_FORM_H
#define PITH_LOGIC_FORM_H

#include "term/names.h"

typedef struct {
  pith_pred pred;
  uint32_t arity;
  const uint32_t *regs; /* (arity) */
  uint32_t place;       /* which atom of the rule's body it was */
} pith_i_form_atom;

/* An inequality or a comparison. */
typedef struct {
  pith_pred pred; /* builtin */
  uint32_t left, right;
} pith_i_form_test;

typedef struct {
  const pith_rule *rule;
  const pith_i_names *names;
  pith_i_form_atom head;
  pith_i_form_atom *atoms; /* (atom_count) */
  uint32_t atom_count;
  pith_i_form_atom *negatives; /* (negative_count) negated atoms */
  uint32_t negative_count;
  pith_i_form_test *tests; /* (test_count) */
  uint32_t test_count;
  uint32_t var_count, reg_count;
  pith_sym *constants; /* (reg_count - var_count) */
  uint32_t *reg_of;    /* (var_count) of the rule's variable */
  bool *local;         /* (var_count) the register is in one negated atom and
                          nowhere else: any value would do there */
  bool never;          /* a builtin atom can not hold */
  bool chain;          /* for the closure: it is in its list of chains */
} pith_i_form;

/* The form borrows the rule and the names, and lives in the arena. NULL: no
** memory. */
pith_i_form *pith_i_form_new(pith_i_arena *arena, const pith_i_names *names,
                             const pith_rule *rule);

static inline bool pith_i_is_constant(const pith_i_form *f, uint32_t reg) {
  assert(reg < f->reg_count);
  return reg >= f->var_count;
}

/* A chain: H(X0,Xk) :- B1(X0,X1), B2(X1,X2), ..., Bk(Xk-1,Xk), each atom
** either way round, the variables all different and nothing else. */
typedef struct {
  pith_pred pred;
  bool inverse; /* the atom is written Bi(Xi,Xi-1) */
} pith_i_link;

/* Fills links (atom_count) and returns true, or returns false. scratch has
** atom_count numbers. */
bool pith_i_form_chain(const pith_i_form *f, pith_i_link *links,
                       uint32_t *scratch);

#endif
