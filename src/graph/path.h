/* Rules whose body is a path, and the walk that follows it.
**
**   chain     h(X,Y) :- b1(X,A), b2(A,Y).      from X to Y, one to five atoms
**   constant  h(X,c) :- b1(X,A), b2(A,d).      the path ends at d
**             h(X,c) :- b1(X,A).               or anywhere
**             h(X,c) :- b1(X,A), A >= 18.      or at such a number or date
**
** and the same with h(c,X). An atom can be gone either way, so a body is a
** list of ways. As in AnyBURL, different variables stand for different
** entities: without that h(X,Y) :- h(X,A), b(A,B), b(Y,B) would be right for
** A = Y always, and say nothing. */
#ifndef PITH_GRAPH_PATH_H
#define PITH_GRAPH_PATH_H

#include "graph/graph.h"
#include "term/compare.h"

enum { PITH_I_PATH_MOST = 5 }; /* atoms in a body, at most */

typedef struct {
  pith_i_way head;   /* from X; a chain's is never an inverse            */
  uint32_t constant; /* an entity c at the other end of the head, or
                        PITH_NONE: the rule is a chain                   */
  uint32_t end;      /* where the path of a constant's rule ends: an
                        entity, or PITH_NONE: anywhere                   */
  uint32_t length;   /* atoms in the body: 1 to PITH_I_PATH_MOST             */
  pith_i_way step[PITH_I_PATH_MOST];
  pith_pred compare;    /* of a constant's rule that ends anywhere: its end is
                           compared so with bound; 0: it is not             */
  pith_sym bound;       /* a number or date                                 */
  pith_sym cut_off;     /* while it is mined: the first value beyond        */
  double confidence;    /* see pith_i_path_set                            */
  uint32_t support;     /* of the pairs that the body predicts, those that
                           are facts; of a sample where there are many    */
  uint32_t predictions; /* pairs predicted, of the same sample            */
} pith_i_path;

/* Support by predictions, as if some more predictions had been made and found
** wrong: a rule that was right twice out of twice is not yet certain. Five is
** AnyBURL's. In steps of 1e-5, so that a model that was written and read again
** is the same. */
enum { PITH_I_UNSEEN = 5 };
void pith_i_path_set(pith_i_path *p, uint64_t support, uint64_t predictions);

/* Whether the path of a constant's rule may end there. */
static inline bool pith_i_path_ends_at(const pith_i_graph *g,
                                       const pith_i_path *p, uint32_t entity) {
  return p->end != PITH_NONE
             ? entity == p->end
             : p->compare == 0 ||
                   pith_i_builtin_holds(g->names, p->compare, g->symbol[entity],
                                        p->bound);
}

/* Follows the body of a rule from an entity to all ends, counting the ways to
** reach each: groundings are paths whose entities are all different. */
typedef struct {
  const pith_i_graph *g;
  uint32_t *slot;  /* (entities) place in `at`, + 1; 0: not reached          */
  uint32_t *at;    /* (n) the entities reached, in the order first reached   */
  uint32_t *count; /* (n) groundings that end there                          */
  float *flow;     /* (n) chance that a walk by chance along the steps ends
                      there: each edge of a way is as likely as the others   */
  uint32_t n;
  uint64_t groundings; /* of all ends together                              */
  uint64_t work;       /* edges touched so far; never set back               */
  uint64_t most;       /* edges a walk may touch; 0: no limit                */
  bool cut;            /* the last walk hit it and is not whole              */
  /* An edge that is not there for now, as it is the one asked about. */
  uint32_t hidden_from, hidden_to; /* PITH_NONE: none */
  pith_i_way hidden;
} pith_i_walk;

pith_status pith_i_walk_new(pith_i_env *env, const pith_i_graph *g,
                            pith_i_walk **out);
void pith_i_walk_free(pith_i_env *env, pith_i_walk *w);

/* All ends of the path from x; needs no memory, so it cannot fail. */
void pith_i_walk_from(pith_i_walk *w, const pith_i_way *steps, uint32_t length,
                      uint32_t x);
/* How many groundings end at y in the last walk. */
static inline uint32_t pith_i_walk_count(const pith_i_walk *w, uint32_t y) {
  return w->slot[y] == 0 ? 0 : w->count[w->slot[y] - 1];
}
/* Counts support and predictions of a chain, and sets its confidence; from a
** part of the entities where its paths are too many. */
void pith_i_path_count(pith_i_walk *w, pith_i_path *p);
void pith_i_walk_hide(pith_i_walk *w, uint32_t from, pith_i_way way,
                      uint32_t to); /* from PITH_NONE: nothing */

#endif
