#include "text/unpack.h"

#include <assert.h>
#include <string.h>

#ifdef PITH_HAVE_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#ifdef PITH_HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef PITH_HAVE_LZMA
#include <lzma.h>
#endif

enum { STEP = 1 << 18 }; /* least room before each call of a library */

/* What an unpacker is given and what it fills. */
typedef struct {
  pith_i_env *env;
  const char *name;
  const char *in;
  size_t n;
  pith_i_text_buffer out;
} job;

#if defined(PITH_HAVE_ZLIB) || defined(PITH_HAVE_ZSTD) ||                      \
    defined(PITH_HAVE_LZMA)
static pith_status refuse_damaged(const job *j, const char *kind) {
  return pith_i_fail(j->env, PITH_EIO,
                     "%s: the %s data is damaged or cut short; expected a "
                     "whole file; fetch or pack it again",
                     j->name, kind);
}
#endif

#ifdef PITH_HAVE_ZLIB
static voidpf zlib_alloc(voidpf env, uInt count, uInt size) {
  return pith_i_alloc(env, (size_t)count * size);
}
static void zlib_free(voidpf env, voidpf block) { pith_i_release(env, block); }

/* Tapes and disks fill the last block up with zeros, as gzip allows. */
static bool is_padding(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (text[i] != '\0')
      return false;
  return true;
}

/* A gzip file may be several, one after the other. */
static pith_status unpack_gzip(job *j) {
  z_stream z = {.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = j->env};
  if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
    return PITH_ENOMEM;
  size_t used = 0;
  int rc = Z_OK;
  while (rc == Z_OK) {
    if (!pith_i_room(j->env, &j->out, STEP)) {
      rc = Z_MEM_ERROR;
      break;
    }
    size_t left = j->n - used, room = j->out.cap - j->out.n;
    uInt in = left > STEP ? STEP : (uInt)left;
    uInt out = room > UINT32_MAX ? UINT32_MAX : (uInt)room;
    z.next_in = (const Bytef *)j->in + used;
    z.avail_in = in;
    z.next_out = (Bytef *)j->out.at + j->out.n;
    z.avail_out = out;
    rc = inflate(&z, Z_NO_FLUSH);
    used += in - z.avail_in;
    j->out.n += out - z.avail_out;
    if (rc == Z_STREAM_END && used < j->n &&
        !is_padding(j->in + used, j->n - used))
      rc = inflateReset(&z);
  }
  inflateEnd(&z);
  return rc == Z_STREAM_END  ? PITH_OK
         : rc == Z_MEM_ERROR ? PITH_ENOMEM
                             : refuse_damaged(j, "gzip");
}
#endif

#ifdef PITH_HAVE_ZSTD
/* How far back the first frame may refer, by its header (RFC 8878, 3.1.1.1),
** which is what unpacking it needs; 0: the header says nothing. */
static uint64_t zstd_window(const job *j) {
  const unsigned char *h = (const unsigned char *)j->in + 4;
  if (j->n < 6)
    return 0;
  bool single = (h[0] & 0x20) != 0;
  if (single) {
    unsigned long long content = ZSTD_getFrameContentSize(j->in, j->n);
    return content >= ZSTD_CONTENTSIZE_ERROR ? 0 : content;
  }
  uint64_t base = (uint64_t)1 << (10 + (h[1] >> 3));
  return base + base / 8 * (h[1] & 7);
}

static pith_status unpack_frames(job *j, ZSTD_DCtx *z) {
  ZSTD_inBuffer in = {j->in, j->n, 0};
  pith_status rc = PITH_OK;
  size_t hint = 1;
  while (rc >= 0 && (in.pos < in.size || hint != 0)) {
    if (!pith_i_room(j->env, &j->out, STEP)) {
      rc = PITH_ENOMEM;
      break;
    }
    ZSTD_outBuffer out = {j->out.at, j->out.cap, j->out.n};
    size_t before = in.pos;
    hint = ZSTD_decompressStream(z, &out, &in);
    if (ZSTD_isError(hint) ||
        (hint != 0 && in.pos == before && out.pos == j->out.n))
      rc = refuse_damaged(j, "zstd");
    j->out.n = out.pos;
  }
  return rc;
}

/* The library's own working memory is the one thing that does not come from
** our allocator: the call that would allow it is not part of its stable
** interface. A block of that size, which is never touched, stands for it. */
static pith_status unpack_zstd(job *j) {
  enum { BUFFERS = 3 << 17, LARGEST_LOG = 27 };
  uint64_t window = zstd_window(j), largest = (uint64_t)1 << LARGEST_LOG;
  void *reserved =
      pith_i_alloc(j->env, (window < largest ? window : largest) + BUFFERS);
  ZSTD_DCtx *z = reserved == NULL ? NULL : ZSTD_createDCtx();
  pith_status rc =
      z == NULL ? pith_i_fail(j->env, PITH_ENOMEM, "out of memory: unpacking")
                : unpack_frames(j, z);
  ZSTD_freeDCtx(z);
  pith_i_release(j->env, reserved);
  return rc;
}
#endif

#ifdef PITH_HAVE_LZMA
static void *lzma_get(void *env, size_t count, size_t size) {
  return pith_i_alloc(env, count * size);
}
static void lzma_put(void *env, void *block) { pith_i_release(env, block); }

static pith_status unpack_xz(job *j) {
  lzma_allocator memory = {lzma_get, lzma_put, j->env};
  lzma_stream z = LZMA_STREAM_INIT;
  z.allocator = &memory;
  if (lzma_stream_decoder(&z, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
    return PITH_ENOMEM;
  z.next_in = (const uint8_t *)j->in;
  z.avail_in = j->n;
  lzma_ret rc = LZMA_OK;
  while (rc == LZMA_OK) {
    if (!pith_i_room(j->env, &j->out, STEP)) {
      rc = LZMA_MEM_ERROR;
      break;
    }
    z.next_out = (uint8_t *)j->out.at + j->out.n;
    z.avail_out = j->out.cap - j->out.n;
    rc = lzma_code(&z, LZMA_FINISH);
    j->out.n = j->out.cap - z.avail_out;
  }
  lzma_end(&z);
  return rc == LZMA_STREAM_END  ? PITH_OK
         : rc == LZMA_MEM_ERROR ? PITH_ENOMEM
                                : refuse_damaged(j, "xz");
}
#endif

typedef struct {
  const char *magic, *kind, *library;
  pith_status (*unpack)(job *j); /* NULL: not in this build */
} packing;

static const packing packings[] = {
#ifdef PITH_HAVE_ZLIB
    {"\x1f\x8b", "gzip", "zlib", unpack_gzip},
#else
    {"\x1f\x8b", "gzip", "zlib", NULL},
#endif
#ifdef PITH_HAVE_ZSTD
    {"\x28\xb5\x2f\xfd", "zstd", "libzstd", unpack_zstd},
#else
    {"\x28\xb5\x2f\xfd", "zstd", "libzstd", NULL},
#endif
#ifdef PITH_HAVE_LZMA
    {"\xfd"
     "7zXZ",
     "xz", "liblzma", unpack_xz},
#else
    {"\xfd"
     "7zXZ",
     "xz", "liblzma", NULL},
#endif
};

static const packing *packing_of(const pith_i_text_buffer *b) {
  for (size_t i = 0; i < sizeof packings / sizeof *packings; i++) {
    size_t n = strlen(packings[i].magic);
    if (b->n >= n && memcmp(b->at, packings[i].magic, n) == 0)
      return &packings[i];
  }
  return NULL;
}

bool pith_i_is_packed(const pith_i_text_buffer *bytes) {
  return packing_of(bytes) != NULL;
}

pith_status pith_i_unpack(pith_i_env *env, const char *name,
                          pith_i_text_buffer *bytes) {
  assert(bytes->n == 0 || bytes->at != NULL);
  const packing *p = packing_of(bytes);
  if (p == NULL)
    return PITH_OK;
  if (p->unpack == NULL)
    return pith_i_fail(env, PITH_EUNSUPPORTED,
                       "%s: packed with %s, which this build does not know; "
                       "unpack it first, or build with %s",
                       name, p->kind, p->library);
  job j = {.env = env, .name = name, .in = bytes->at, .n = bytes->n};
  pith_status rc = p->unpack(&j);
  if (rc < 0) {
    pith_i_vec_free(env, &j.out);
    return rc;
  }
  pith_i_vec_free(env, bytes);
  *bytes = j.out;
  return PITH_OK;
}
