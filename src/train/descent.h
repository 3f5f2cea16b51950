/* Gradient descent on the slots of a network, a group of restarts at a time,
** one restart a lane.
**
** The default ("noisy softmax"): every slot holds a logit for each candidate;
** each epoch fresh noise is added, so that the weights sample programs;
** the loss's gradient moves the logits (Adam), which are held in [-2, 2]. A
** bounded logit keeps every candidate in play while the noise is on; a right
** program has no gradient and stays; in the second half the noise fades and
** freezes it (docs/method.md has the measurements).
**
** "paper": embeddings and cosine similarity as in the code of Campero et al.;
** "text": the same as they are described. */
#ifndef PITH_TRAIN_DESCENT_H
#define PITH_TRAIN_DESCENT_H

#include "net/tape.h"
#include "net/update.h"

typedef enum { PITH_I_SOFTMAX, PITH_I_COSINE } pith_i_weighing;

/* When embeddings that live in [0,1] are held there. The authors' scripts
** differ in this. */
typedef enum {
  PITH_I_HOLD_AFTER,  /* after each update                                   */
  PITH_I_HOLD_LATE,   /* after the forward pass of the next epoch, which sees
                         them as the update left them, with noise on top     */
  PITH_I_HOLD_THROUGH /* slots: with their noise, and the gradient passes as
                         if they were not held                               */
} pith_i_holding;

typedef struct {
  pith_i_semantics semantics;
  pith_i_weighing weighing;
  uint32_t epochs;
  pith_i_scalar rate;  /* Adam's                                      */
  pith_i_scalar bound; /* logits are held in [-bound, bound]; 0: free */
  pith_i_scalar tau_start,
      tau_end; /* softmax temperature, geometric in between  */
  pith_i_noise noise_kind;
  pith_i_scalar noise;       /* scale at the start                          */
  pith_i_scalar noise_hold;  /* share of the epochs at that scale, then
                        linearly to 0; negative: noise_decay        */
  pith_i_scalar noise_decay; /* factor every noise_every epochs             */
  uint32_t noise_every;
  uint32_t dimension;  /* of embeddings                               */
  bool onehot;         /* predicates' embeddings fixed, one-hot       */
  bool unit;           /* the authors' code: predicates start one-hot, slots in
                          [0,1]; all held there; noise on slots alone */
  pith_i_holding hold; /* unit: when                                  */
  bool uniform;        /* unit: predicates start anywhere in [0,1]    */
  bool alternate;      /* each epoch learns from one world, in turn   */
  pith_i_scalar eps;   /* of the cross-entropy                        */
  /* where the network has a core: */
  pith_i_scalar core_rate;     /* Adam's, of values                          */
  pith_i_scalar core_start;    /* of values; negative: anywhere in [0,1]     */
  pith_i_scalar core_penalty;  /* on the sum of the values, per example; the
                                  reference's loss is a sum, and so is this  */
  pith_i_scalar core_squash;   /* v enters as v / (v + squash); 0: as it is  */
  pith_i_scalar loss_scale;    /* reference: of the cross-entropy; 0: 1      */
  pith_i_scalar core_drop;     /* chance that an observed fact is left out of
                          an epoch                                   */
  pith_i_scalar invented_rate; /* Adam's, of the logits of invented facts;
                          0: they are values too                     */
} pith_i_recipe;

pith_i_recipe pith_i_recipe_default(void);
pith_i_recipe pith_i_recipe_paper(void);
pith_i_recipe pith_i_recipe_text(void);
/* The authors' scripts for theories. */
pith_i_recipe pith_i_recipe_taxonomy(void);
pith_i_recipe pith_i_recipe_kinship(void);

/* One group of lanes on its way. */
typedef struct {
  const pith_i_net *net;
  pith_i_recipe recipe;
  pith_i_tape *tape;
  size_t params;                                        /* rows of lanes */
  pith_i_real *theta;                                   /* (params) */
  pith_i_real *dtheta, *first, *second, *noise, *noisy; /* (params) */
  pith_i_real *norm;                                    /* (S + P) */
  pith_i_real *core; /* (M) the core values, and what they follow from: */
  pith_i_real *core_theta, *core_dtheta, *core_first, *core_second; /* (M) */
  pith_i_real *core_noise; /* (M) of observed facts: whether they are there */
  pith_i_word *seed;       /* (2) each lane's own stream of noise */
  uint32_t epoch;          /* done                            */
  void *block;
} pith_i_descent;

pith_status pith_i_descent_new(pith_i_env *env, const pith_i_net *net,
                               const pith_i_recipe *recipe,
                               pith_i_descent **out);
void pith_i_descent_free(pith_i_env *env, pith_i_descent *d);

/* Goes on with another network that has the same predicates, slots and
** candidates: other facts, constants and examples. Neither has a core.
**   PITH_EARG  it is not like the first; nothing has changed
**   PITH_ENOMEM  likewise */
pith_status pith_i_descent_turn(pith_i_env *env, pith_i_descent *d,
                                const pith_i_net *net);

/* Starts lane l anew from a seed; all lanes begin at epoch 0 together. */
void pith_i_descent_start(pith_i_descent *d, const uint64_t *seeds);
/* Left off on the way (tape->stopped), it changes nothing. */
void pith_i_descent_epoch(pith_i_descent *d);
/* The same with the noise that d->noise holds. */
void pith_i_descent_step(pith_i_descent *d);

/* Some more epochs of the core alone, with neither noise nor facts left out,
** and the slots as sure as they get: the values become what the rules leave to
** them. */
void pith_i_descent_settle(pith_i_descent *d, uint32_t epochs,
                           pith_i_scalar penalty);

/* Which candidate each slot of each lane would choose now, without noise:
** choice: (L, S). Overwrites the tape's weights, and brings core up to date. */
void pith_i_descent_decode(pith_i_descent *d, uint32_t *choice);

/* Loss and mean squared error of each lane in the last epoch, before its
** update. */
void pith_i_descent_loss(const pith_i_descent *d, pith_i_real *loss,
                         pith_i_real *error);

/* Loss and mean squared error of each lane without noise. */
void pith_i_descent_measure(pith_i_descent *d, pith_i_real *loss,
                            pith_i_real *error);

#endif
