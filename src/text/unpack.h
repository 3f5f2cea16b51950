/* Unpacking of gzip, zstd and xz data, told by their first bytes. Each needs
** its library; without it the data is refused by name. */
#ifndef PITH_TEXT_UNPACK_H
#define PITH_TEXT_UNPACK_H

#include "base/vec.h"

typedef PITH_I_VEC(char) pith_i_text_buffer;

/* Whether the bytes start as packed data does. */
bool pith_i_is_packed(const pith_i_text_buffer *bytes);

/* Replaces the bytes when they are packed; name is for messages.
**   PITH_EIO           damaged or cut short
**   PITH_EUNSUPPORTED  its library is not in this build
**   PITH_ENOMEM */
pith_status pith_i_unpack(pith_i_env *env, const char *name,
                          pith_i_text_buffer *bytes);

#endif
