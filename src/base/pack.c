#include "base/pack.h"

#include <assert.h>
#include <string.h>

#ifdef PITH_HAVE_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif

bool pith_i_wants_packing(const char *path) {
  static const char end[] = ".gz";
  size_t n = strlen(path), of = sizeof end - 1;
  return n > of && strcmp(path + n - of, end) == 0;
}

#ifdef PITH_HAVE_ZLIB
enum { PACKED_ROOM = 1 << 16, PART = 1 << 30 };

struct pith_i_packer {
  pith_i_env *env;
  z_stream z;
  char room[PACKED_ROOM];
};

static voidpf pack_alloc(voidpf env, uInt count, uInt size) {
  return pith_i_alloc(env, (size_t)count * size);
}
static void pack_release(voidpf env, voidpf block) {
  pith_i_release(env, block);
}

pith_status pith_i_packer_new(pith_i_env *env, const char *path,
                              pith_i_packer **out) {
  (void)path;
  pith_i_packer *p = pith_i_zalloc(env, 1, sizeof *p);
  *out = NULL;
  if (p == NULL)
    return PITH_ENOMEM;
  p->env = env;
  p->z = (z_stream){.zalloc = pack_alloc, .zfree = pack_release, .opaque = env};
  if (deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    pith_i_release(env, p);
    return PITH_ENOMEM;
  }
  *out = p;
  return PITH_OK;
}

void pith_i_packer_free(pith_i_packer *p) {
  if (p == NULL)
    return;
  (void)deflateEnd(&p->z);
  pith_i_release(p->env, p);
}

/* At most as much as zlib takes at once. */
static pith_status pack_part(pith_i_packer *p, const char *text, uInt n,
                             int flush, pith_i_pack_sink sink, void *ctx) {
  pith_status rc = PITH_OK;
  p->z.next_in = (const Bytef *)text;
  p->z.avail_in = n;
  do {
    p->z.next_out = (Bytef *)p->room;
    p->z.avail_out = PACKED_ROOM;
    int packed = deflate(&p->z, flush);
    assert(packed != Z_STREAM_ERROR);
    (void)packed;
    size_t made = PACKED_ROOM - p->z.avail_out;
    if (made > 0)
      rc = sink(ctx, p->room, made);
  } while (rc >= 0 && p->z.avail_out == 0);
  return rc;
}

pith_status pith_i_packer_write(pith_i_packer *p, const char *text, size_t n,
                                bool last, pith_i_pack_sink sink, void *ctx) {
  pith_status rc = PITH_OK;
  for (; rc >= 0 && n > PART; text += PART, n -= PART)
    rc = pack_part(p, text, PART, Z_NO_FLUSH, sink, ctx);
  return rc < 0 ? rc
                : pack_part(p, text, (uInt)n, last ? Z_FINISH : Z_NO_FLUSH,
                            sink, ctx);
}
#else
pith_status pith_i_packer_new(pith_i_env *env, const char *path,
                              pith_i_packer **out) {
  *out = NULL;
  return pith_i_fail(env, PITH_EINPUT,
                     "%s: this build of pith has no zlib and cannot pack; "
                     "choose a name that does not end in .gz",
                     path);
}

void pith_i_packer_free(pith_i_packer *p) { (void)p; }

pith_status pith_i_packer_write(pith_i_packer *p, const char *text, size_t n,
                                bool last, pith_i_pack_sink sink, void *ctx) {
  (void)p, (void)text, (void)n, (void)last, (void)sink, (void)ctx;
  return PITH_EARG; /* none was made */
}
#endif
