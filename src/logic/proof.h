/* Why an atom holds: a proof of the fewest steps, and among those found a
** small one. Or why it does not: the rule that comes nearest. */
#ifndef PITH_LOGIC_PROOF_H
#define PITH_LOGIC_PROOF_H

#include "fact/store.h"
#include "term/theory.h"

typedef struct {
  pith_atom atom;
  const pith_rule *rule; /* NULL: given; or, the atom being negated, absent  */
  const uint32_t *from;  /* (from_count) nodes, one for each body atom that  */
  uint32_t from_count;   /* is not builtin, in the rule's order              */
  uint32_t steps;
} pith_i_proof_node;

/* One body atom of the nearest rule, filled in as far as it is known. */
typedef struct pith_i_whynot pith_i_whynot;
typedef struct {
  pith_atom atom;
  bool fails;
  const pith_i_whynot *why; /* or NULL */
} pith_i_whynot_atom;

struct pith_i_whynot {
  pith_atom atom;
  bool no_facts, no_rules;  /* none at all for its predicate            */
  bool no_head;             /* there are rules, but no head matches     */
  const pith_rule *rule;    /* the nearest, or NULL                     */
  pith_i_whynot_atom *body; /* (rule->body_len)                        */
  pith_sym stranger;        /* an argument that is in no fact, or NONE  */
  pith_sym like_stranger;   /* a constant spelled much like it, or NONE */
  pith_pred like_pred;      /* a predicate spelled like an empty one    */
};

struct pith_proof {
  pith_i_env *env;
  pith_i_arena arena;
  pith_atom goal;
  bool holds;
  uint32_t steps;
  size_t uses;                         /* of rules */
  PITH_I_VEC(pith_i_proof_node) nodes; /* 0 is the goal; from[] is larger */
  const pith_i_whynot *why;
};

pith_status pith_i_proof_new(pith_i_env *env, const pith_atom *goal,
                             pith_proof **out);

/* Fills in the nodes. The goal must be in the store; complete: so is all else
** that follows. Not const: joins make indexes. */
pith_status pith_i_prove(pith_proof *proof, const pith_i_theory *theory,
                         pith_i_store *store, bool complete);

/* Whether each leaf is a given fact or a negated atom that no fact matches,
** each other node an instance of its rule, and no node depends on itself: by
** code that shares nothing with the search above. scratch has room for the
** variables of any rule. */
bool pith_i_proof_check(const pith_proof *proof, const pith_i_names *names,
                        pith_sym *scratch, const pith_i_store *store);

/* Fills in why. The store must have all that follows. Not const: joins make
** indexes. */
pith_status pith_i_whynot_find(pith_proof *proof, const pith_i_theory *theory,
                               pith_i_store *store);

#endif
