/* Steps of a reference network: the authors' code, operation by operation. For
** the hot files only. */
#ifndef PITH_NET_REFERENCE_H
#define PITH_NET_REFERENCE_H

#include "net/view.h"

void PITH_I_NAME(pith_i_reference_forward)(const view *t);
void PITH_I_NAME(pith_i_reference_backward)(const view *t);

#endif
