#include "text/remark.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum {
  AROUND = 60,  /* bytes shown on either side of a caret in a long line */
  MESSAGE = 640 /* room for a message; names in it are short already    */
};

void pith_i_remarks_init(pith_i_remarks *r, pith_i_env *env) {
  memset(r, 0, sizeof *r);
  r->env = env;
  r->arena.env = env;
}

void pith_i_remarks_free(pith_i_remarks *r) {
  pith_i_vec_free(r->env, &r->kept);
  pith_i_arena_free(&r->arena);
}

/* ---- text fit to be shown -------------------------------------------- */

static bool is_inside(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

/* Control characters would move a terminal's cursor away from the caret, or
** worse; bytes that are no UTF-8 would make a bad line of JSON. */
static void make_printable(char *text) {
  size_t n = strlen(text);
  for (size_t i = 0; i < n;) {
    uint32_t code = 0;
    size_t len = pith_i_utf8_next(text + i, n - i, &code);
    if (len == 0)
      text[i] = '?';
    else if (pith_i_utf8_is_control(code))
      memset(text + i, ' ', len);
    i += len == 0 ? 1 : len;
  }
}

pith_i_short pith_i_shorten(const char *text, size_t n) {
  pith_i_short s;
  size_t room = sizeof s.text - 4;
  size_t len = n < room ? n : room;
  while (len < n && len > 0 && is_inside(text[len]))
    len--;
  memcpy(s.text, text, len);
  memcpy(s.text + len, len < n ? "..." : "", len < n ? 4 : 1);
  return s;
}

/* ---- places ---------------------------------------------------------- */

/* Counts on from the last place, or back from it: either way the cost is the
** distance, and places come nearly in order. */
size_t pith_i_line_of(pith_i_lines *l, size_t offset) {
  assert(offset <= l->n);
  if (l->line == 0)
    l->line = 1;
  while (l->line_start > offset) {
    l->line--;
    for (l->line_start--; l->line_start > 0; l->line_start--)
      if (l->text[l->line_start - 1] == '\n')
        break;
  }
  for (;;) {
    const char *from = l->text + l->line_start;
    const char *end = memchr(from, '\n', offset - l->line_start);
    if (end == NULL)
      return l->line;
    l->line++;
    l->line_start = (size_t)(end - l->text) + 1;
  }
}

/* Valid UTF-8: every byte but those inside a character starts one. */
static size_t count_characters(const char *text, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += !is_inside(text[i]);
  return count;
}

/* The line around offset into m->source, its ends cut when it is long. */
static pith_status show_line(pith_i_remarks *r, const pith_i_lines *l,
                             size_t offset, pith_remark *m) {
  assert(l->line_start <= offset && offset <= l->n);
  const char *text = l->text;
  size_t from = l->line_start, to = offset;
  const char *end = memchr(text + offset, '\n', l->n - offset);
  to = end == NULL ? l->n : (size_t)(end - text);
  if (to > offset && text[to - 1] == '\r')
    to--;
  bool cut_front = offset - from > (size_t)2 * AROUND,
       cut_back = to - offset > AROUND;
  if (cut_front)
    for (from = offset - AROUND; is_inside(text[from]);)
      from++;
  if (cut_back)
    for (to = offset + AROUND; is_inside(text[to]);)
      to--;
  char *line = pith_i_arena_alloc(&r->arena, to - from + 7);
  if (line == NULL)
    return PITH_ENOMEM;
  sprintf(line, "%s%.*s%s", cut_front ? "..." : "", (int)(to - from),
          text + from, cut_back ? "..." : "");
  make_printable(line);
  m->source = line;
  m->caret = (cut_front ? 3 : 0) + count_characters(text + from, offset - from);
  return PITH_OK;
}

/* ---- adding ---------------------------------------------------------- */

pith_status pith_i_remarks_file(pith_i_remarks *r, const char *name) {
  char *copy = pith_i_arena_text(&r->arena, name, strlen(name));
  if (copy == NULL)
    return PITH_ENOMEM;
  make_printable(copy);
  r->file = copy;
  r->file_errors = r->file_warnings = 0;
  return PITH_OK;
}

static pith_status keep_remark(pith_i_remarks *r, pith_remark *m,
                               pith_i_lines *l, size_t offset,
                               const char *message) {
  m->file = r->file;
  m->source = "";
  m->text = pith_i_arena_text(&r->arena, message, strlen(message));
  if (m->text == NULL)
    return PITH_ENOMEM;
  if (l != NULL) {
    m->line = pith_i_line_of(l, offset);
    m->column =
        1 + count_characters(l->text + l->line_start, offset - l->line_start);
    if (show_line(r, l, offset, m) < 0)
      return PITH_ENOMEM;
  }
  return pith_i_push(r->env, &r->kept, *m) ? PITH_OK : PITH_ENOMEM;
}

static void set_sentence(pith_i_remarks *r, const pith_remark *m) {
  r->told = true;
  if (m->line == 0)
    pith_i_fail(r->env, PITH_EINPUT, "%s: %s", m->file, m->text);
  else
    pith_i_fail(r->env, PITH_EINPUT, "%s:%zu:%zu: %s", m->file, m->line,
                m->column, m->text);
}

pith_status pith_i_remark_add(pith_i_remarks *r, pith_i_remark_kind kind,
                              pith_i_lines *l, size_t offset,
                              const char *format, ...) {
  bool warning = kind == PITH_I_WARNING;
  size_t *here = warning ? &r->file_warnings : &r->file_errors;
  ++*(warning ? &r->warnings : &r->errors);
  if (++*here > PITH_I_REMARK_LIMIT)
    return PITH_OK;
  char message[MESSAGE];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  make_printable(message);
  pith_remark m = {.warning = warning};
  if (keep_remark(r, &m, l, offset, message) < 0)
    return PITH_ENOMEM;
  if (!warning && !r->told)
    set_sentence(r, &m);
  return PITH_OK;
}
