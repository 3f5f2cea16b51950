/* What one run of the network needs to remember: the valuation after every
** step, the tensors of every step, and which alternative won each maximum,
** so that the backward pass follows the winners. One block, made once; a run
** allocates nothing. Every number is a row of lanes (base/lanes.h).
**
** Shapes: C candidates, A derived atoms, K steps, T elements of a step's
** tensors, of which the first S are the slots'. In a reference network: G
** given, F fixed and J joined rows, B filled bodies, H filled heads with Q
** elements.
*/
#ifndef PITH_NET_TAPE_H
#define PITH_NET_TAPE_H

#include "base/run.h"
#include "net/net.h"

typedef struct {
  bool and_product; /* AND of two atoms: their product; else the minimum */
  bool slot_max;    /* within a slot: the best candidate; else the sum   */
  bool or_sum;      /* between rules: their probabilistic sum,
                       1 - (1 - a)(1 - b); else the maximum              */
  bool reference;   /* as the authors' code: reference networks, the sum
                       of cross-entropies with their limits              */
  bool known_sum;   /* reference: what was known is joined with what the
                       rules give by a + b - ab; else the maximum        */
} pith_i_semantics;

typedef struct {
  const pith_i_net *net;
  pith_i_semantics semantics;
  pith_i_real *weight;  /* (C)      of each candidate of each slot         */
  pith_i_real *dweight; /* (C)                                             */
  pith_i_real *base;    /* (S)      what the background gives each slot    */
  pith_i_real *dbase;   /* (S)                                             */
  pith_i_real *value;   /* (K+1, A) valuation after each step              */
  pith_i_real *dvalue;  /* (A)                                             */
  pith_i_real *tensor;  /* (K, T)   slots and joins at each step           */
  pith_i_real *dtensor; /* (T)                                             */
  pith_i_int *won;      /* (K, T-S) join: which pair                       */
  pith_i_int *rule;     /* (K, A)   1 + the rule that set it; 0: it was    */
  pith_i_int *slot_won; /* (K, S)   slot_max: which candidate              */
  pith_i_int *base_won; /* (S)      slot_max: the candidate behind base    */
  /* reference networks: */
  pith_i_real *given;  /* (G)      the background's values                 */
  pith_i_real *fixed;  /* (F)      joins of the background                 */
  pith_i_real *best;   /* (K, A)   what the rules give, before the old value */
  pith_i_real *rest;   /* (A)      gradient still to be shared             */
  pith_i_real *body;   /* (B)      product of a body's weights             */
  pith_i_real *dbody;  /* (B)                                              */
  pith_i_real *head;   /* (H)      a head's weight times its body's        */
  pith_i_real *dhead;  /* (H)                                              */
  pith_i_real *before; /* (K, Q)   or_sum: the sum before each body        */
  pith_i_scalar scale; /* of the sum of cross-entropies                    */
  bool has_fixed;      /* fixed is made                                    */
  uint32_t world;      /* whose examples count; PITH_NONE: all             */
  void *block;
  pith_i_run *run; /* asked between joins; may be NULL          */
  bool stopped;    /* the last pass was cancelled: no value is valid */
} pith_i_tape;

/* Bytes a tape of this network takes; a double, as it may be more than any
** machine has. */
double pith_i_tape_bytes(const pith_i_net *net, pith_i_semantics semantics);
pith_status pith_i_tape_new(pith_i_env *env, const pith_i_net *net,
                            pith_i_semantics semantics, pith_i_tape **out);
void pith_i_tape_free(pith_i_env *env, pith_i_tape *t);

/* From weights to the valuation after K steps. */
void pith_i_net_forward(pith_i_tape *t);

/* From dvalue (the loss's gradient at step K) to dweight, which is added into;
** dvalue becomes the gradient of the valuation before the first step. */
void pith_i_net_backward(pith_i_tape *t);

/* Mean weighted binary cross-entropy of the examples, with probabilities held
** in [eps, 1 - eps], and their mean squared error. The reference's is the sum,
** with logarithms of at least -100 and slopes (v - t) / max(v (1 - v), 1e-12).
** The backward overwrites dvalue. */
void pith_i_loss_forward(const pith_i_tape *t, pith_i_scalar eps,
                         pith_i_real *loss, pith_i_real *error);
void pith_i_loss_backward(pith_i_tape *t, pith_i_scalar eps);

#endif
