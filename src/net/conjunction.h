/* One join of a step: soft AND, and the best of all ways to match. For the hot
** files only: rows are parts of rows (base/lanes.h). */
#ifndef PITH_NET_CONJUNCTION_H
#define PITH_NET_CONJUNCTION_H

#include "net/net.h"

/* a, b: the operands' tensors, b NULL when there is one; out, won: (j->size).
** won: which pair gave the maximum; of no meaning where out is 0. */
void PITH_I_NAME(pith_i_conjunction_forward)(const pith_i_net *net,
                                             const pith_i_join *j, bool product,
                                             const pith_i_part *a,
                                             const pith_i_part *b,
                                             pith_i_part *out,
                                             pith_i_part_int *won);

/* dout is the gradient of out; da and db are added into. */
void PITH_I_NAME(pith_i_conjunction_backward)(
    const pith_i_net *net, const pith_i_join *j, bool product,
    const pith_i_part *a, const pith_i_part *b, const pith_i_part *out,
    const pith_i_part_int *won, const pith_i_part *dout, pith_i_part *da,
    pith_i_part *db);

#endif
