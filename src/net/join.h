/* One join of a step: soft AND, and the best of all ways to match. */
#ifndef PITH_NET_JOIN_H
#define PITH_NET_JOIN_H

#include "net/net.h"

/* a, b: the operands' tensors, b NULL when there is one; out, won: (j->size).
** won: which pair gave the maximum; of no meaning where out is 0. */
void pith_i_join_forward(const pith_i_net *net, const pith_i_join *j,
                         bool product, const pith_i_real *a,
                         const pith_i_real *b, pith_i_real *out,
                         pith_i_int *won);

/* dout is the gradient of out; da and db are added into. */
void pith_i_join_backward(const pith_i_net *net, const pith_i_join *j,
                          bool product, const pith_i_real *a,
                          const pith_i_real *b, const pith_i_real *out,
                          const pith_i_int *won, const pith_i_real *dout,
                          pith_i_real *da, pith_i_real *db);

#endif
