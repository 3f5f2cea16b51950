/* Packs text with gzip as it is written, where the build has zlib. The same
** text gives the same bytes: neither time nor name stand in the file. */
#ifndef PITH_BASE_PACK_H
#define PITH_BASE_PACK_H

#include "base/env.h"

typedef struct pith_i_packer pith_i_packer;

/* Whether a file of this name is to be packed: it ends in .gz. */
bool pith_i_wants_packing(const char *path);

/* path: for the message.
**   PITH_EINPUT  this build cannot pack; PITH_ENOMEM */
pith_status pith_i_packer_new(pith_i_env *env, const char *path,
                              pith_i_packer **out);
void pith_i_packer_free(pith_i_packer *p); /* NULL is fine */

/* Hands packed bytes to the sink as they come; last: nothing follows. Fails as
** the sink does. */
typedef pith_status (*pith_i_pack_sink)(void *ctx, const char *bytes, size_t n);
pith_status pith_i_packer_write(pith_i_packer *p, const char *text, size_t n,
                                bool last, pith_i_pack_sink sink, void *ctx);

#endif
