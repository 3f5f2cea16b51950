/* The cheapest set of clauses that together cover every positive example.
**
** Without recursion this is weighted set cover. A recursive clause covers an
** example only when what it needs is covered before: each of them is a list
** of edges from examples to examples, and a set of clauses is judged by the
** closure of its plain covers under its edges, so that a clause cannot hold
** itself up. Recursive clauses are few in a program; so they are fixed first,
** none, one or two of them, and the plain ones are found by branching on an
** example that only they can cover. In the end clauses are exchanged, several
** for one, as long as the set gets cheaper; so there may be more recursive
** ones. */
#ifndef PITH_LEARN_CLAUSES_CLAUSE_SETS_H
#define PITH_LEARN_CLAUSES_CLAUSE_SETS_H

#include "learn/clauses/clause_body.h"

enum { PITH_I_CHOSEN = 64 }; /* clauses in a program, at most */

typedef struct {
  const pith_i_clause *clause[PITH_I_CHOSEN];
  uint32_t n;
  uint64_t cost; /* UINT64_MAX: none */
} pith_i_set;

/* The cheapest set found that costs less than below; cost is UINT64_MAX when
** there is none. At most most clauses. */
pith_status pith_i_choose_clauses(const pith_i_bodies *b, uint32_t most,
                                  uint64_t below, pith_i_set *out);

/* Plain clauses as long as each saves more bits than it takes, where not every
** positive example can be covered; *covered: how many are. */
pith_status pith_i_choose_worth(const pith_i_bodies *b, uint32_t max_rules,
                                pith_i_set *out, uint32_t *covered);

/* How many invented predicates it needs; and whether it needs no more invented
** predicates than the bodies' limit. */
uint32_t pith_i_set_invented(const pith_i_bodies *b, const pith_i_set *set);
bool pith_i_set_allowed(const pith_i_bodies *b, const pith_i_set *set);

#endif
