/* A network while it is built (build.c), and the parts of that, one file
** each. */
#ifndef PITH_NET_NET_BUILDER_H
#define PITH_NET_NET_BUILDER_H

#include "net/net.h"

typedef struct {
  pith_i_env *env;
  pith_i_net *net;
  const pith_i_world *worlds;
  size_t world_count;
  PITH_I_VEC(uint32_t) constant_of; /* (world, symbol) -> constant */
  PITH_I_VEC(size_t) world_start;   /* in constant_of */
  PITH_I_VEC(uint32_t) world_of;    /* by constant */
  PITH_I_VEC(pith_sym) symbol;      /* by constant */
  PITH_I_VEC(uint32_t) first;       /* constant of each world, and the end */
  PITH_I_VEC(uint32_t) fact_pairs;  /* (n/2, 2) */
  PITH_I_VEC(uint32_t) net_pred;    /* predicate -> network predicate */
} pith_i_net_builder;

/* ---- build_constants.c -------------------------------------------------- */

/* Numbers constants in the order of the facts, then of the examples. False:
** out of memory. */
bool pith_i_build_constants(pith_i_net_builder *b);
uint32_t pith_i_build_constant(const pith_i_net_builder *b, uint32_t world,
                               pith_sym s);

/* The predicate of the first world in world w, or PITH_NONE. */
pith_pred pith_i_build_pred_in(const pith_i_net_builder *b, uint32_t w,
                               pith_pred pred);

/* The facts of a predicate in a world, given and derived by the background's
** own rules; NULL when there are none. */
const pith_i_tuples *pith_i_build_facts_in(const pith_i_net_builder *b,
                                           uint32_t w, pith_pred pred);

/* ---- build_templates.c --------------------------------------------------- */

pith_status pith_i_build_check_templates(pith_i_net_builder *b);

/* Says what is wrong with a template and where it is. */
pith_status pith_i_build_refuse(pith_i_net_builder *b, const pith_template *t,
                                const char *format, ...) PITH_PRINTF(3, 4);

/* How a slot is used in its template: only as F(X,X)? in the head? */
typedef struct {
  bool head, body, diagonal;
} pith_i_slot_usage;

/* In a reference network F(X,X) is a binary atom, as in the authors' code. A
** unary target that could have no rule otherwise may still be its head. */
pith_i_slot_usage pith_i_build_slot_usage(const pith_i_net_builder *b,
                                          const pith_template *t,
                                          uint32_t slot);
bool pith_i_build_may_fill(const pith_i_net_pred *p, const pith_slot *s,
                           pith_i_slot_usage u);

/* ---- build_preds.c ------------------------------------------------------- */

bool pith_i_build_has_core(const pith_i_net_builder *b);

/* Which predicates take part. */
pith_status pith_i_build_preds(pith_i_net_builder *b);

/* ---- build_rules.c ------------------------------------------------------- */

/* Rules and what their slots choose from. */
pith_status pith_i_build_rules(pith_i_net_builder *b);

/* The same in numbers, once there are pairs and facts. */
pith_status pith_i_build_map_candidates(pith_i_net_builder *b);

/* ---- build_facts.c ------------------------------------------------------- */

/* The pairs that must have a number. False: out of memory. */
bool pith_i_build_pairs(pith_i_net_builder *b);

/* Facts by their numbers, and numbers for the atoms that are derived. */
pith_status pith_i_build_facts(pith_i_net_builder *b);
uint32_t pith_i_build_candidate_arity(const pith_i_net_builder *b, uint32_t c);
uint32_t pith_i_build_atom_number(const pith_i_net_builder *b, uint32_t w,
                                  const pith_sym *args, uint32_t arity);

/* ---- build_labels.c ------------------------------------------------------ */

/* Which atoms carry a label: the examples or, with a core, all atoms of the
** predicates that were observed. */
pith_status pith_i_build_labels(pith_i_net_builder *b);
pith_status pith_i_build_core(pith_i_net_builder *b);

#endif
