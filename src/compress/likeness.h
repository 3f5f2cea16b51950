/* How much soft rules are like rules that are known. */
#ifndef PITH_COMPRESS_LIKENESS_H
#define PITH_COMPRESS_LIKENESS_H

#include "net/net.h"

/* Of each rule of a theory the largest product of weights with which a rule of
** the network stands for it in this lane, and of these the least: weights are
** (candidates). Predicates that the network invents stand for those of meant
** that it does not know, in the way that fits best. NaN: meant is NULL, has no
** rules or more than sixty predicates. */
double pith_i_theory_likeness(const pith_i_net *net, const pith_i_real *weight,
                              int lane, const pith_i_theory *meant);

#endif
