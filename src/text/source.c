#include "text/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/run.h"
#include "base/utf8.h"
#include "text/sniff.h"
#include "text/unpack.h"

enum {
  STEP = 1 << 16, /* least room before each read          */
  PART = 1 << 20  /* bytes of a long file that are read at once */
};

/* ---- reading --------------------------------------------------------- */

static pith_status cannot_read(pith_i_env *env, const char *path) {
  return pith_i_fail(env, PITH_EIO, "%s: cannot read: %s", path,
                     strerror(errno));
}

/* Reads until there are `limit` bytes or the file ends: 1 when it ended. */
static pith_status read_up_to(pith_i_source *s, size_t limit) {
  pith_i_env *env = s->remarks->env;
  pith_i_text_buffer *b = &s->bytes;
  while (b->n < limit) {
    if (b->n == b->cap && !pith_i_room(env, b, STEP))
      return PITH_ENOMEM;
    size_t room = b->cap - b->n, left = limit - b->n;
    ssize_t got = read(s->fd, b->at + b->n, room < left ? room : left);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return cannot_read(env, s->remarks->file);
    if (got == 0)
      return 1;
    b->n += (size_t)got;
    pith_status rc = pith_i_call_poll(env);
    if (rc < 0)
      return rc;
  }
  return PITH_OK;
}

/* What is known to come gets one block, not the next power of two. */
static pith_status reserve_bytes(pith_i_source *s, size_t size) {
  pith_i_text_buffer *b = &s->bytes;
  if (size <= b->cap)
    return PITH_OK;
  char *grown = pith_i_realloc(s->remarks->env, b->at, size);
  if (grown == NULL)
    return PITH_ENOMEM;
  b->at = grown;
  b->cap = size;
  return PITH_OK;
}

/* A regular file says how long it is: with room for its end and a NUL. */
static pith_status reserve_file(pith_i_source *s) {
  struct stat st;
  bool known = fstat(s->fd, &st) == 0 && S_ISREG(st.st_mode) &&
               (uintmax_t)st.st_size < SIZE_MAX / 4;
  return known ? reserve_bytes(s, (size_t)st.st_size + 2) : PITH_OK;
}

static void close_source(pith_i_source *s) {
  if (s->fd > STDIN_FILENO)
    close(s->fd);
  s->fd = -1;
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
static pith_status not_text(pith_i_source *s, size_t at) {
  assert(at < s->lines.n);
  pith_i_remarks *r = s->remarks;
  pith_i_look look = pith_i_sniff_bytes(s->lines.text, s->lines.n);
  if (look.title != NULL)
    return known_bytes(r, &look);
  unsigned char bad = (unsigned char)s->lines.text[at];
  s->bytes.at[s->lines.text - s->bytes.at + (ptrdiff_t)at] = '\0';
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

/* bytes[from..to) are the text, or its next part. */
static pith_status show_lines(pith_i_source *s, size_t from, size_t to) {
  assert(from <= to && to <= s->bytes.n);
  if (!pith_i_room(s->remarks->env, &s->bytes, 1))
    return PITH_ENOMEM;
  s->covered = to < s->bytes.n ? s->bytes.at[to] : '\0';
  s->lines_end = to;
  s->bytes.at[to] = '\0';
  s->lines.text = s->bytes.at + from;
  s->lines.n = to - from;
  size_t good = valid_prefix(s->lines.text, s->lines.n);
  return good < s->lines.n ? not_text(s, good) : PITH_OK;
}

static size_t mark_length(const pith_i_text_buffer *b) {
  return b->n >= 3 && memcmp(b->at, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* All bytes are here. */
static pith_status show_all(pith_i_source *s) {
  close_source(s);
  pith_i_remarks *r = s->remarks;
  pith_status rc = pith_i_unpack(r->env, r->file, &s->bytes);
  return rc < 0 ? rc : show_lines(s, mark_length(&s->bytes), s->bytes.n);
}

/* Behind the last line that is here whole; 0: there is none. */
static size_t whole_lines(const pith_i_text_buffer *b) {
  size_t end = b->n;
  while (end > 0 && b->at[end - 1] != '\n')
    end--;
  return end;
}

/* ---- sources --------------------------------------------------------- */

static pith_status open_source(pith_i_source *s, const char *path) {
  s->fd =
      strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  return s->fd < 0 ? cannot_read(s->remarks->env, path) : PITH_OK;
}

static pith_status load_rest(pith_i_source *s) {
  pith_status rc = reserve_file(s);
  if (rc >= 0)
    rc = read_up_to(s, SIZE_MAX);
  return rc < 0 ? rc : show_all(s);
}

static pith_status load_first_part(pith_i_source *s) {
  pith_status rc = read_up_to(s, PART);
  if (rc < 0)
    return rc;
  if (rc == 1)
    return show_all(s);
  size_t end = whole_lines(&s->bytes);
  return end == 0 || pith_i_is_packed(&s->bytes)
             ? load_rest(s)
             : show_lines(s, mark_length(&s->bytes), end);
}

pith_status pith_i_source_open(pith_i_remarks *r, const char *path,
                               pith_i_source *out) {
  *out = (pith_i_source){.remarks = r, .fd = -1};
  const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
  if (pith_i_remarks_file(r, name) < 0)
    return PITH_ENOMEM;
  pith_status rc = open_source(out, path);
  if (rc >= 0)
    rc = load_first_part(out);
  if (rc < 0)
    pith_i_source_free(out);
  return rc;
}

static void put_covered_back(pith_i_source *s) {
  if (s->lines_end < s->bytes.n)
    s->bytes.at[s->lines_end] = s->covered;
}

pith_status pith_i_source_whole(pith_i_source *s) {
  if (s->fd < 0)
    return PITH_OK;
  put_covered_back(s);
  return load_rest(s);
}

/* Remarks count lines from the start of the file. */
static void count_lines(pith_i_lines *l) {
  pith_i_line_of(l, l->n);
  l->line_start = 0;
}

/* Reads on until a line ends, and in larger and larger parts while none
** does. */
static pith_status read_next_part(pith_i_source *s, size_t *end) {
  pith_i_text_buffer *b = &s->bytes;
  for (*end = 0; *end == 0;) {
    pith_status rc = read_up_to(s, b->n + (b->n < PART ? PART : b->n));
    if (rc < 0)
      return rc;
    *end = rc == 1 ? b->n : whole_lines(b);
    if (rc == 1) {
      close_source(s);
      break;
    }
  }
  return PITH_OK;
}

pith_status pith_i_source_next(pith_i_source *s) {
  pith_i_text_buffer *b = &s->bytes;
  size_t end = 0;
  if (s->fd < 0)
    return 0;
  count_lines(&s->lines);
  put_covered_back(s);
  b->n -= s->lines_end;
  memmove(b->at, b->at + s->lines_end, b->n);
  pith_status rc = read_next_part(s, &end);
  if (rc < 0 || end == 0)
    return rc;
  rc = show_lines(s, 0, end);
  return rc < 0 ? rc : 1;
}

pith_status pith_i_source_text(pith_i_remarks *r, const char *name,
                               const char *text, size_t n, pith_i_source *out) {
  *out = (pith_i_source){.remarks = r, .fd = -1};
  if (pith_i_remarks_file(r, name) < 0 || reserve_bytes(out, n + 1) < 0)
    return PITH_ENOMEM;
  if (n > 0)
    memcpy(out->bytes.at, text, n);
  out->bytes.n = n;
  pith_status rc = show_all(out);
  if (rc < 0)
    pith_i_source_free(out);
  return rc;
}

void pith_i_source_free(pith_i_source *s) {
  close_source(s);
  pith_i_vec_free(s->remarks->env, &s->bytes);
}
