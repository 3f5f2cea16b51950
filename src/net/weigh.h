/* From trained parameters to the weights of candidates: how much a slot is
** like each predicate that may fill it. */
#ifndef PITH_NET_WEIGH_H
#define PITH_NET_WEIGH_H

#include "net/net.h"

/* w = softmax over a slot's candidates of (theta + noise) / tau.
** All (C, L). */
void pith_i_softmax_forward(const pith_i_net *net, const float *theta,
                            const float *noise, float tau, float *w);
/* dtheta is added into. */
void pith_i_softmax_backward(const pith_i_net *net, const float *w, float tau,
                             const float *dw, float *dtheta);

/* w = max(0, cos(slot + noise, predicate + noise)): the paper's similarity.
** emb: (S + P, D, L), slots first, then the network's predicates; a tied slot
** is one slot. norm: (S + P, L) is filled in. */
void pith_i_cosine_forward(const pith_i_net *net, const float *emb, uint32_t d,
                           float *norm, float *w);
/* demb is added into; norm and w are the forward's. */
void pith_i_cosine_backward(const pith_i_net *net, const float *emb, uint32_t d,
                            const float *norm, const float *w, const float *dw,
                            float *demb);

#endif
