/* Steps of a pooled network: each rule chooses among whole bodies. For the hot
** files only. */
#ifndef PITH_NET_POOLED_H
#define PITH_NET_POOLED_H

#include "net/view.h"

void PITH_I_NAME(pith_i_pooled_forward)(const view *t);
void PITH_I_NAME(pith_i_pooled_backward)(const view *t);

#endif
