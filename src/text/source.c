#include "text/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "text/sniff.h"
#include "text/unpack.h"

enum { STEP = 1 << 16 }; /* least room before each read */

/* ---- reading --------------------------------------------------------- */

static pith_status cannot_read(pith_i_env *env, const char *path) {
  return pith_i_fail(env, PITH_EIO, "%s: cannot read: %s", path,
                     strerror(errno));
}

/* A regular file says how long it is: one block, and one byte more to see
** its end. */
static pith_status read_whole_file(pith_i_env *env, int fd, const char *path,
                                   pith_i_text_buffer *b) {
  struct stat st;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
      (uintmax_t)st.st_size < SIZE_MAX / 4) {
    size_t size = (size_t)st.st_size + 1;
    b->at = pith_i_alloc(env, size);
    if (b->at == NULL)
      return PITH_ENOMEM;
    b->cap = size;
  }
  for (;;) {
    if (b->n == b->cap && !pith_i_room(env, b, STEP))
      return PITH_ENOMEM;
    ssize_t got = read(fd, b->at + b->n, b->cap - b->n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return cannot_read(env, path);
    if (got == 0)
      return PITH_OK;
    b->n += (size_t)got;
  }
}

static pith_status read_source_file(pith_i_env *env, const char *path,
                                    pith_i_text_buffer *b) {
  if (strcmp(path, "-") == 0)
    return read_whole_file(env, STDIN_FILENO, "standard input", b);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return cannot_read(env, path);
  pith_status rc = read_whole_file(env, fd, path, b);
  close(fd);
  return rc;
}

/* ---- checking -------------------------------------------------------- */

/* The length of the leading part of text[0..n) that is UTF-8 without NUL.
** Eight bytes at a time while they are ASCII, as nearly all are. */
static size_t valid_prefix(const char *text, size_t n) {
  size_t i = 0;
  while (i < n) {
    uint64_t w;
    while (n - i >= sizeof w) {
      memcpy(&w, text + i, sizeof w);
      uint64_t zero = (w - UINT64_C(0x0101010101010101)) & ~w;
      if (((w | zero) & UINT64_C(0x8080808080808080)) != 0)
        break;
      i += sizeof w;
    }
    if (i == n)
      break;
    uint32_t code = 0;
    size_t len = pith_i_utf8_next(text + i, n - i, &code);
    if (len == 0 || code == 0)
      break;
    i += len;
  }
  return i;
}

static pith_status known_bytes(pith_i_remarks *r, const pith_i_look *look) {
  pith_status rc = pith_i_remark_add(
      r, PITH_I_ERROR, NULL, 0, "this looks like %s; expected text; %s",
      look->title,
      look->advice != NULL
          ? look->advice
          : "leave --from out, and name the file itself, unpacked");
  return rc < 0 ? rc : PITH_EINPUT;
}

/* The bad byte becomes the text's end: what is before it can be shown. */
static pith_status not_text(pith_i_remarks *r, pith_i_source *s, size_t at) {
  assert(at < s->lines.n);
  pith_i_look look = pith_i_sniff_bytes(s->lines.text, s->lines.n);
  if (look.title != NULL)
    return known_bytes(r, &look);
  unsigned char bad = (unsigned char)s->lines.text[at];
  s->block[s->lines.text - s->block + (ptrdiff_t)at] = '\0';
  s->lines.n = at;
  pith_status rc =
      bad == 0
          ? pith_i_remark_add(r, PITH_I_ERROR, &s->lines, at,
                              "a NUL byte; expected text; this may be a binary "
                              "file, or UTF-16: convert it to UTF-8")
          : pith_i_remark_add(r, PITH_I_ERROR, &s->lines, at,
                              "byte 0x%02x is not UTF-8; expected UTF-8 text; "
                              "convert it, for example with iconv -f latin1 "
                              "-t utf-8",
                              bad);
  return rc < 0 ? rc : PITH_EINPUT;
}

/* Takes the bytes, whatever comes of them. */
static pith_status finish_source(pith_i_remarks *r, const char *name,
                                 pith_i_text_buffer *b, pith_i_source *out) {
  pith_status rc = pith_i_unpack(r->env, name, b);
  if (rc >= 0 && !pith_i_push(r->env, b, '\0'))
    rc = PITH_ENOMEM;
  if (rc < 0) {
    pith_i_vec_free(r->env, b);
    return rc;
  }
  size_t skip = b->n > 3 && memcmp(b->at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  out->block = b->at;
  out->lines = (pith_i_lines){.text = b->at + skip, .n = b->n - 1 - skip};
  size_t good = valid_prefix(out->lines.text, out->lines.n);
  rc = good < out->lines.n ? not_text(r, out, good) : PITH_OK;
  if (rc < 0)
    pith_i_source_free(r->env, out);
  return rc;
}

pith_status pith_i_source_load(pith_i_remarks *r, const char *path,
                               pith_i_source *out) {
  memset(out, 0, sizeof *out);
  const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
  if (pith_i_remarks_file(r, name) < 0)
    return PITH_ENOMEM;
  pith_i_text_buffer b = {0};
  pith_status rc = read_source_file(r->env, path, &b);
  if (rc < 0) {
    pith_i_vec_free(r->env, &b);
    return rc;
  }
  return finish_source(r, name, &b, out);
}

pith_status pith_i_source_text(pith_i_remarks *r, const char *name,
                               const char *text, size_t n, pith_i_source *out) {
  memset(out, 0, sizeof *out);
  if (pith_i_remarks_file(r, name) < 0)
    return PITH_ENOMEM;
  pith_i_text_buffer b = {
      .at = pith_i_alloc(r->env, n + 1), .n = n, .cap = n + 1};
  if (b.at == NULL)
    return PITH_ENOMEM;
  if (n > 0)
    memcpy(b.at, text, n);
  return finish_source(r, name, &b, out);
}

void pith_i_source_free(pith_i_env *env, pith_i_source *s) {
  pith_i_release(env, s->block);
  s->block = NULL;
}
