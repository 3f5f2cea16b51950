/* Rules applied to a query: who may stand at the other end of a relation, and
** what speaks for each.
**
** A query is an entity x and a way: (x, likes, ?) goes from subject to object,
** (?, likes, x) the other way. Chains are walked from x. A rule with a
** constant serves both queries: it gives c to an X that its body fits, and it
** gives c every X that its body fits. Cost goes by the edges touched.
**
** What speaks for a candidate is kept by the kind of the rules: the best
** confidence and the sum of -log(1 - confidence), of which noisy-or is made;
** and the best few confidences of all. Beside the rules the graph itself says
** something: whether entities like x have the candidate for an answer, whether
** it is like the answers that x has, whether x has another edge to it, and how
** many edges it has. */
#ifndef PITH_GRAPH_APPLY_RULES_H
#define PITH_GRAPH_APPLY_RULES_H

#include "graph/alike.h"
#include "graph/chain_model.h"
#include "graph/mine.h"
#include "graph/relation_shape.h"

typedef enum {
  PITH_I_CHAIN1,
  PITH_I_CHAIN2,
  PITH_I_CHAIN3,
  PITH_I_ITEM,      /* h(x,?): body is an edge of x to d                   */
  PITH_I_ITEM_BACK, /* h(?,c): the same rules, asked from c                */
  PITH_I_OPEN,      /* h(x,?): body is any edge of x that goes some way    */
  PITH_I_OPEN_BACK,
  PITH_I_KINDS
} pith_i_rule_kind;

enum { PITH_I_CHAIN_KINDS = PITH_I_CHAIN3 + 1 };

enum { PITH_I_TOP = 5 }; /* confidences kept, best first */

typedef struct {
  uint32_t entity;
  uint32_t rules;           /* that predict it                             */
  float best[PITH_I_KINDS]; /* confidence of the best rule; 0: none        */
  float sum[PITH_I_KINDS];  /* of -log(1 - confidence)                     */
  uint32_t votes[PITH_I_KINDS];   /* rules of this kind that predict it      */
  float flow[PITH_I_CHAIN_KINDS]; /* sum over chains of confidence by the
                                     chance to get there, see pith_i_walk    */
  float share; /* sum over chains of confidence by share of groundings     */
  float most_share, most_flow; /* of the chain where the product is largest */
  float prior; /* how often it stands there already, by all facts          */
  float top[PITH_I_TOP];
  float like_squares; /* of those that have it for an answer, the likeness to
                         x: sum of squares,                                 */
  float like_most;    /* the largest,                                       */
  float like_share;   /* the sum by that of all that have any answer        */
  float like_answers; /* mean likeness to the answers that x has            */
  uint32_t links;     /* edges between x and it, of any relation            */
  uint32_t edges;     /* that it has in all, and such as are asked for      */
  uint32_t edges_back;
  float back;     /* where it has: the log-odds that it has one more        */
  float mirrored; /* where the fact holds the other way round: the log-odds
                     that such facts hold both ways                        */
  bool itself;    /* it is x                                                */
  double graded;  /* the probability, where a chain model gives it           */
} pith_i_link_candidate;

/* The rules, ordered for use; one block of numbers for each question that a
** query asks. */
typedef struct {
  pith_i_env *env;
  const pith_i_graph *g;
  const pith_i_path *rules; /* (n) sorted by pith_i_path_compare */
  size_t n;
  uint32_t *chain;      /* (relations + 1) first chain of a relation       */
  uint32_t *chain_end;  /* (relations) */
  uint32_t *by_head;    /* rules with constants, by the run of their head  */
  uint32_t *head_first; /* (runs + 1) into by_head */
  uint32_t *by_body;    /* rules that end at a constant, by that run       */
  uint32_t *body_first; /* (runs + 1) */
  uint32_t *by_way;     /* rules that end anywhere, by the way of the head */
  uint32_t *way_first;  /* (ways + 1) */
  float *edge_weights;  /* (entities) see alike.h */
  pith_i_relation_shapes shapes;
  uint32_t *stray; /* rules whose head has a constant without such facts */
  uint32_t strays;
  /* (relations) models that answer for a relation instead of the rules, NULL
  ** where there is none; NULL: no relation has one. The caller's. */
  pith_i_chain_model *const *chains;
} pith_i_rule_index;

/* rules and g must outlive it. */
pith_status pith_i_rule_index_new(pith_i_env *env, const pith_i_graph *g,
                                  const pith_i_path *rules, size_t n,
                                  pith_i_rule_index **out);
void pith_i_rule_index_free(pith_i_rule_index *b);

/* What one thread needs to answer, and the last answer. */
typedef struct {
  pith_i_env *env;
  const pith_i_rule_index *index;
  pith_i_walk *walk;
  pith_i_alike *likeness;
  pith_i_chain_model **chains; /* (relations) this thread's own copies of the
                                  index's, made when needed; NULL: none    */
  uint32_t *slot; /* (entities) place in candidates, + 1                   */
  PITH_I_VEC(pith_i_link_candidate) candidates;
  /* Told of every rule that predicts and what, or NULL. */
  void (*on_vote)(void *ctx, uint32_t rule, uint32_t entity,
                  uint32_t groundings);
  void *on_vote_ctx;
  bool rules_only; /* what the graph says beside the rules is not wanted   */
} pith_i_applier;

pith_status pith_i_applier_new(pith_i_env *env, const pith_i_rule_index *b,
                               pith_i_applier **out);
void pith_i_applier_free(pith_i_env *env, pith_i_applier *d);

/* This thread's model of a relation, or NULL where rules answer. PITH_ENOMEM */
pith_status pith_i_applier_chains(pith_i_applier *d, uint32_t relation,
                                  pith_i_chain_model **out);

/* All candidates of (x, way, ?), in an order that depends on the rules alone.
** A way of PITH_NONE, a relation of which nothing is known, has none; of an x
** of PITH_NONE, an entity of which nothing is known, only the priors speak. */
pith_status pith_i_apply_rules(pith_i_applier *d, uint32_t x, pith_i_way way);

#endif
