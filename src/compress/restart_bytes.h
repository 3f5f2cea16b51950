/* A trained restart as bytes, for the other processes of a team. */
#ifndef PITH_COMPRESS_RESTART_BYTES_H
#define PITH_COMPRESS_RESTART_BYTES_H

#include "base/bytes.h"
#include "compress/soft_theory.h"

/* False: no memory. */
bool pith_i_restart_put(pith_i_env *env, const pith_i_net *net,
                        const pith_i_restart *r, pith_i_buffer *out);
/* Into a restart that has its arrays, which stay where they are. */
void pith_i_restart_take(pith_i_cursor *in, const pith_i_net *net,
                         pith_i_restart *r);

#endif
