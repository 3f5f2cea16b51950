/* Invented predicates that are worth having before they are needed: what
** either of two relations gives, a relation taken both ways, the closure of a
** relation, and, to be denied, having something of a kind. They are computed
** once and then are background like any other; a clause that uses one pays for
** its definition. */
#ifndef PITH_LEARN_CLAUSES_HELPERS_H
#define PITH_LEARN_CLAUSES_HELPERS_H

#include "learn/clauses/clause_language.h"

/* Adds them to the choices, with their facts. */
pith_status pith_i_helpers_add(pith_i_space *s);

/* Adds what can be denied of something that a relation leads to: that no part
** of it is red, by an invented predicate for those that have such a part. */
pith_status pith_i_helpers_deny(pith_i_space *s);

/* Rules and atoms of the definition of a choice, without what it rests on; 0
** for what needs none. */
uint32_t pith_i_helper_size(const pith_i_space *s, uint32_t choice);

enum { PITH_I_NEEDED = 64 }; /* invented predicates that are counted */

typedef struct {
  uint32_t choice[PITH_I_NEEDED];
  uint32_t n;
} pith_i_helpers;

/* Adds the choice, if it is invented and not there, after what its definition
** rests on. */
void pith_i_helper_need(const pith_i_space *s, uint32_t choice,
                        pith_i_helpers *h);

/* The predicate by which rules call it; made when first asked for. */
pith_status pith_i_helper_pred(pith_i_space *s, uint32_t choice,
                               pith_pred *out);

enum { PITH_I_HELPER_RULES = 2 }; /* of a definition */

/* The definition, made in the arena, behind the n rules that are there. */
pith_status pith_i_helper_rules(pith_i_space *s, uint32_t choice,
                                pith_i_arena *arena, pith_rule **rules,
                                uint32_t *n);

#endif
