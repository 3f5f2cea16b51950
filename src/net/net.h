/* The network: a set of templates unrolled over the constants of one or more
** worlds, ready to be run forward and backward.
**
** Atoms are numbered. The unary atoms of a predicate are the constants, all
** worlds in a row; its binary atoms are the pairs (pair_x[i], pair_y[i]),
** which hold every pair of constants that some choice of predicates could
** make true (worlds never mix). A valuation gives each atom of each derived
** predicate a number in [0,1]; the background is given and stays.
**
** A rule body is computed by joins, each of which takes two tensors and
** removes at most one variable: for an output element e,
**
**     out[e] = max over k in start[e] .. start[e+1]-1
**              of and(a[left[k]], b[right[k]])
**
** so a chain of three atoms is two joins, and no step looks at all pairs of
** facts. Which elements meet depends on the constants alone: the lists are
** made once, and every shape of template runs through the same loop.
**
** Where most pairs of constants could hold, all are taken, row by row, and a
** join needs no lists: the k-th pair of element (i, j) lies at fixed strides
** (dense). Where few could, the lists cost only what can meet (sparse). */
#ifndef PITH_NET_NET_H
#define PITH_NET_NET_H

#include "base/lanes.h"
#include "base/vec.h"
#include "fact/world.h"

/* A predicate as the network sees it. */
typedef struct {
  pith_pred pred;
  uint32_t arity;
  uint32_t size;         /* atoms: constants or pairs                 */
  bool derived;          /* a rule's head may be it                   */
  uint32_t offset;       /* derived: where its atoms start in a value;
                            else, in a reference network, in the given rows */
  const uint32_t *facts; /* (fact_count) atoms that are given         */
  uint32_t fact_count;
} pith_i_net_pred;

/* A candidate for a slot: a predicate, and how its atoms lie in the slot's
** tensor: element e of the slot is atom map[e] of the predicate, or false
** where map[e] is PITH_NONE. NULL: the same numbers. */
typedef struct {
  uint32_t pred;
  const uint32_t *map;
  const uint32_t *facts; /* (fact_count) elements of the slot that are given */
  uint32_t fact_count;
  uint32_t body; /* pooled: the body that it stands for */
} pith_i_slot_candidate;

/* A pooled network has no templates: each rule is one slot, whose candidates
** are whole bodies (learn/bodies/body_menu.h makes them). Only the derived
** atoms of a body are joined while training; the others were joined when the
** body was made. */
typedef struct {
  const pith_rule *rule; /* NULL: there is no such rule                  */
  uint32_t pred;         /* of net->preds: whose rule it may be          */
  const uint32_t *facts; /* (fact_count) atoms of pred that the background
                            alone makes true                             */
  uint32_t fact_count;
  uint32_t join;         /* of net->joins, on the valuation; or PITH_NONE */
  const uint32_t *atoms; /* (size of the join) atoms of pred              */
} pith_i_body;

typedef struct {
  uint32_t arity, size;  /* its tensor is over constants or pairs */
  uint32_t first, count; /* its candidates, one parameter each    */
  bool in_body, in_head;
} pith_i_net_slot;

/* How far apart an operand's elements are when the variable i, j or k goes up
** by one: one + n * row, n being the constants of the world. */
typedef struct {
  uint8_t one[3], row[3];
} pith_i_strides;

typedef struct {
  uint32_t a, b;                /* tensors; b PITH_NONE: a alone            */
  uint32_t out;                 /* tensor                                   */
  uint32_t size;                /* of out                                   */
  const uint32_t *start;        /* (size + 1)                               */
  const uint32_t *left, *right; /* (start[size]); right NULL when b is none */
  /* dense: */
  uint8_t arity[3]; /* of a, b and out: 1 constants, 2 pairs    */
  bool removes;     /* there is a k                             */
  pith_i_strides a_step, b_step;
} pith_i_join;

typedef struct {
  uint32_t head;              /* slot; pooled: its one and only           */
  uint32_t first_join, joins; /* the last one's output is the body        */
  uint32_t size;              /* of the body's tensor                     */
  const uint32_t *atoms;      /* (size) element of the head slot's tensor */
  const pith_template *shape;
  const uint32_t *slots; /* (shape->slot_count) net slot of each     */
} pith_i_net_rule;

/* ---- reference networks ----------------------------------------------- */

/* In the authors' code the value of a body is the minimum of its atoms' values
** times the product of their weights. The maximum of that over all choices of
** predicates does not factor through slots (step.c), so a reference network
** joins each choice of predicates for itself: first on values alone, which all
** rules share, then each rule weighs the results (filled.c, reference.c). */

/* Where a tensor stands: among the given rows, which hold the background; in
** the valuation before the step; among joins of the background alone, which
** are made once; or among the joins of a step. */
typedef enum {
  PITH_I_IN_GIVEN,
  PITH_I_IN_VALUES,
  PITH_I_IN_FIXED,
  PITH_I_IN_JOINS
} pith_i_tensor_kind;

typedef struct {
  pith_i_tensor_kind kind;
  uint32_t at;
} pith_i_tensor_place;

/* One join of the network with predicates, or other filled joins, for slots. */
typedef struct {
  uint32_t join;            /* of net->joins: which elements meet */
  pith_i_tensor_place a, b; /* b is of no use where the join has none */
  pith_i_tensor_place out;
  bool idle; /* false in the first step: an operand has no facts */
} pith_i_filled_join;

/* One choice of predicates for a rule's body, by rule, then in the order of the
** candidates of its first slot, its second, ... */
typedef struct {
  uint32_t rule;
  uint32_t first, slots; /* of filled_slots: the candidate of each body slot */
  pith_i_tensor_place out;
} pith_i_filled_body;

/* A predicate meets a body that may derive it. Its weight is that of the head
** times that of the body; where weights come first (pith_i_net_options), rules
** that join alike share one such place, whose weight is the largest of theirs,
** and at least 0. */
typedef struct {
  uint32_t rule;           /* the first, whose elements are its           */
  uint32_t pred;           /* the head                                    */
  uint32_t first;          /* of filled_members: the first of a list      */
  const uint32_t *map;     /* as a candidate's                            */
  pith_i_tensor_place out; /* the body                                    */
  size_t before;           /* elements of all heads before it             */
  bool alone;              /* weights first: no other derives pred        */
} pith_i_filled_head;

typedef struct {
  uint32_t candidate, body; /* of the head's slot; of filled_bodies */
  uint32_t next;            /* or PITH_NONE */
} pith_i_filled_member;

typedef struct {
  uint32_t atom; /* place in a valuation */
  uint32_t world, example;
  float label, weight;
} pith_i_net_example;

/* What of the facts is to be learned, besides rules: for which atoms of
** observed predicates it is open whether they are core facts. Of invented
** predicates every atom is open. */
typedef enum {
  PITH_I_CORE_NONE,   /* none: facts are given                        */
  PITH_I_CORE_HIDDEN, /* none: all follows from invented predicates   */
  PITH_I_CORE_SEEN,   /* those observed                               */
  PITH_I_CORE_TYPED,  /* those whose constants were seen in the place */
  PITH_I_CORE_ANY     /* all                                          */
} pith_i_core_kind;

typedef struct {
  pith_i_arena arena;
  pith_i_arena rule_arena;     /* pooled: the bodies' rules */
  const pith_i_theory *theory; /* the first world's: it names things */
  uint32_t constants;          /* over all worlds */
  uint32_t worlds;
  const uint32_t *first_constant; /* (worlds + 1) */
  bool dense;
  bool pooled;
  const uint32_t *world_of;        /* (constants) */
  const pith_sym *symbol;          /* (constants) its name in its world */
  const uint32_t *pair_x, *pair_y; /* (pairs) by x, and by y within */
  const uint32_t *first_pair;      /* (constants + 1) of each x */
  uint32_t pairs;
  PITH_I_VEC(pith_i_net_pred) preds;
  PITH_I_VEC(pith_i_slot_candidate) candidates;
  PITH_I_VEC(pith_i_net_slot) slots;
  PITH_I_VEC(pith_i_join) joins;
  PITH_I_VEC(pith_i_net_rule) rules;
  PITH_I_VEC(pith_i_net_example) examples;
  PITH_I_VEC(pith_i_body) bodies; /* pooled */
  bool reference;                 /* and its filled joins and bodies: */
  PITH_I_VEC(pith_i_filled_join) filled_joins;
  PITH_I_VEC(pith_i_filled_body) filled_bodies;
  PITH_I_VEC(uint32_t) filled_slots;           /* candidates */
  PITH_I_VEC(pith_i_filled_head) filled_heads; /* by rule, head, body */
  PITH_I_VEC(pith_i_filled_member) filled_members;
  size_t filled_elements; /* of all heads */
  const bool *types; /* (preds, 2, constants) which constants fit the places of
                        a predicate; NULL: any */
  bool weights_first;
  uint32_t given_rows, fixed_rows, joined_rows;
  pith_i_core_kind core_kind;
  PITH_I_VEC(uint32_t) core; /* atoms that start at a learned value       */
  uint32_t observed;         /* the first of them are observed predicates' */
  PITH_I_VEC(uint32_t) tensor_offset; /* in one step's tensors: slots first */
  uint32_t tensors;                   /* elements of one step's tensors     */
  uint32_t slot_tensors;              /* those of them that are slots'      */
  uint32_t atoms;                     /* derived atoms: one valuation       */
  uint32_t steps;
  uint64_t joined; /* pairs met in one step */
} pith_i_net;

/* Joined pairs from which a step is long enough to ask on the way whether to
** leave off. */
enum { PITH_I_ASK_FROM = 10000 };

/* REACHED is sparse with only those pairs that net->steps steps can make true:
** for networks that are trained and read, but not evaluated to the end. */
typedef enum {
  PITH_I_AUTO,
  PITH_I_DENSE,
  PITH_I_SPARSE,
  PITH_I_REACHED
} pith_i_layout;

/* With a core, the facts of the world are observations: they label the atoms
** of their predicates, and these predicates are derived. */
typedef struct {
  uint32_t steps;       /* 0: as the templates say              */
  pith_i_layout layout; /* AUTO takes what is cheaper           */
  pith_i_core_kind core;
  bool reference; /* a reference network                                    */
  bool weights_first; /* of it: as the authors' code for theories that has only
                         one rule for each predicate                        */
} pith_i_net_options;

/* Builds the network for the templates of worlds[0].theory, whose names must
** have every predicate of the others; these are matched by name and arity.
** The worlds are only read. opt may be NULL: all zero.
**   PITH_EINPUT  a template or predicate that the network cannot take
**   PITH_ENOMEM */
pith_status pith_i_net_new(pith_i_env *env, const pith_i_world *worlds,
                           size_t world_count, const pith_i_net_options *opt,
                           pith_i_net **out);
void pith_i_net_free(pith_i_net *net);

/* "file:line" of a template, or "template 3". */
void pith_i_template_where(const pith_i_theory *theory, const pith_template *t,
                           char *out, size_t n);

/* The number of the pair, or PITH_NONE. */
uint32_t pith_i_net_pair(const pith_i_net *net, uint32_t x, uint32_t y);

/* A dense join in one world: out is (n, columns), k goes up to depth. */
typedef struct {
  size_t n, columns, depth;
  size_t a, b, out; /* where the world starts in each tensor */
  size_t a_step[3], b_step[3];
} pith_i_grid;

pith_i_grid pith_i_grid_of(const pith_i_net *net, const pith_i_join *j,
                           uint32_t world);

/* Fills the slots of all joins with predicates in every way (filled.c).
**   PITH_ENOMEM  there are too many */
pith_status pith_i_net_fill(pith_i_net *net);

/* Fills pairs, joins and rules; preds, slots and candidates are there. Used
** by pith_i_net_new (shape.c). fact_pairs: (n, 2) pairs that are given. */
pith_status pith_i_net_unroll(pith_i_net *net, const uint32_t *fact_pairs,
                              size_t n, pith_i_layout layout);

#endif
