/* From trained parameters to the weights of candidates: how much a slot is
** like each predicate that may fill it. */
#ifndef PITH_NET_WEIGH_H
#define PITH_NET_WEIGH_H

#include "net/net.h"

/* w = softmax over a slot's candidates of (theta + noise) / tau. All (C). */
void pith_i_softmax_forward(const pith_i_net *net, const pith_i_real *theta,
                            const pith_i_real *noise, pith_i_scalar tau,
                            pith_i_real *w);
/* dtheta is added into. */
void pith_i_softmax_backward(const pith_i_net *net, const pith_i_real *w,
                             pith_i_scalar tau, const pith_i_real *dw,
                             pith_i_real *dtheta);

/* w = max(0, cos(slot, predicate)): the paper's similarity; in a reference
** network the cosine as it is, with |a| |b| of at least 1e-8. emb: (S + P, D),
** slots first, then the network's predicates; norm: (S + P) is filled in. */
void pith_i_cosine_forward(const pith_i_net *net, const pith_i_real *emb,
                           uint32_t d, pith_i_real *norm, pith_i_real *w);
/* demb is added into; norm and w are the forward's. */
void pith_i_cosine_backward(const pith_i_net *net, const pith_i_real *emb,
                            uint32_t d, const pith_i_real *norm,
                            const pith_i_real *w, const pith_i_real *dw,
                            pith_i_real *demb);

#endif
