/* What users and their files say is printed with control characters taken
** out: a name must not move the cursor, end a comment or break a line. */
#include "report.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- standard error --------------------------------------------------- */

bool wants_colour(FILE *f) {
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return (no == NULL || *no == '\0') && isatty(fileno(f)) &&
         (term == NULL || strcmp(term, "dumb") != 0);
}

static void say_kind(const char *kind, const char *colour) {
  if (wants_colour(stderr))
    fprintf(stderr, "pith: \033[%sm%s:\033[0m ", colour, kind);
  else
    fprintf(stderr, "pith: %s: ", kind);
}

/* Of a character that is not shown: what continues it goes with it. */
static size_t hidden_length(const char *text, size_t n) {
  size_t len = 1;
  while (len < n && len < 4 && ((unsigned char)text[len] & 0xc0) == 0x80)
    len++;
  return len;
}

/* A file's name or a word of the user's may hold anything. */
static void put_clean(const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    size_t len = pith_text_plain(text + i, n - i);
    if (len == 0)
      fputc(text[i] == '\t' ? ' ' : '?', stderr);
    else
      fwrite(text + i, 1, len, stderr);
    i += len == 0 ? hidden_length(text + i, n - i) : len;
  }
}

static void say_formatted(const char *kind, const char *colour,
                          const char *format, va_list args) {
  char text[2048];
  int n = vsnprintf(text, sizeof text, format, args);
  say_kind(kind, colour);
  put_clean(text, n < 0 ? 0 : strlen(text));
  fputc('\n', stderr);
}

#define SAY(kind, colour)                                                      \
  do {                                                                         \
    va_list args;                                                              \
    va_start(args, format);                                                    \
    say_formatted(kind, colour, format, args);                                 \
    va_end(args);                                                              \
  } while (0)

void say_error(const char *format, ...) { SAY("error", "1;31"); }
void say_warning(const char *format, ...) { SAY("warning", "1;33"); }
void say_note(const char *format, ...) { SAY("note", "1;36"); }

/* Two spaces, the line, and a caret under the place: one column a
** character. */
static void say_source(const pith_remark *r) {
  if (r->source[0] == '\0')
    return;
  fputs("  ", stderr);
  put_clean(r->source, strlen(r->source));
  fputs("\n  ", stderr);
  fprintf(stderr, "%*s^\n", (int)r->caret, "");
}

static void say_remark(const pith_remark *r) {
  if (r->warning)
    say_kind("warning", "1;33");
  else
    say_kind("error", "1;31");
  put_clean(r->file, strlen(r->file));
  if (r->line > 0)
    fprintf(stderr, ":%zu", r->line);
  if (r->line > 0 && r->column > 0)
    fprintf(stderr, ":%zu", r->column);
  fputs(": ", stderr);
  put_clean(r->text, strlen(r->text));
  fputc('\n', stderr);
  if (r->line > 0)
    say_source(r);
}

void say_remarks(const pith *p, size_t from, bool warnings) {
  for (size_t i = from; i < pith_remark_count(p); i++)
    if (warnings || !pith_remark_at(p, i)->warning)
      say_remark(pith_remark_at(p, i));
}

/* ---- figures ---------------------------------------------------------- */

const char *size_text(char room[SIZE_ROOM], double bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB",
                                      "TiB",   "PiB", "EiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
    bytes /= 1024;
    unit++;
  }
  assert(unit < sizeof units / sizeof units[0]);
  bool whole = unit == 0 || bytes == floor(bytes) || bytes >= 100;
  snprintf(room, SIZE_ROOM, whole ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return room;
}

const char *seconds_text(char room[SIZE_ROOM], double s) {
  if (s < 0.001)
    snprintf(room, SIZE_ROOM, "under 0.001 s");
  else if (s < 120)
    snprintf(room, SIZE_ROOM, s < 10 ? "%.3f s" : "%.1f s", s);
  else if (s < 7200)
    snprintf(room, SIZE_ROOM, "%.0f minutes", s / 60);
  else if (s < 1e6)
    snprintf(room, SIZE_ROOM, "%.0f hours", s / 3600);
  else
    snprintf(room, SIZE_ROOM, "%.3g days", s / 86400);
  return room;
}

const char *ratio_text(char room[SIZE_ROOM], double r) {
  if (isfinite(r))
    snprintf(room, SIZE_ROOM, "%.3f", r);
  else
    snprintf(room, SIZE_ROOM, "none");
  return room;
}

const char *plural(uint64_t n, const char *one, const char *many) {
  return n == 1 ? one : many;
}

/* ---- JSON ------------------------------------------------------------- */

void event_begin(pith_out *o, const char *name) {
  assert(o != NULL && name[0] != '\0');
  pith_out_print(o, "{\"event\":\"%s\"", name);
}

void event_key(pith_out *o, const char *key) {
  pith_out_print(o, ",\"%s\":", key);
}

void event_text(pith_out *o, const char *key, const char *text) {
  event_key(o, key);
  if (text == NULL)
    pith_out_print(o, "null");
  else
    pith_out_quote(o, text);
}

void event_atom(pith_out *o, const pith *p, const pith_atom *a) {
  pith_out_print(o, ",");
  pith_atom_write_json(p, a, o);
}

void event_rule(pith_out *o, const pith *p, const pith_rule *r) {
  pith_out_print(o, ",");
  pith_rule_write_json(p, r, o);
}

void event_count(pith_out *o, const char *key, uint64_t n) {
  event_key(o, key);
  pith_out_print(o, "%llu", (unsigned long long)n);
}

void event_real(pith_out *o, const char *key, double v) {
  event_key(o, key);
  if (isfinite(v))
    pith_out_print(o, "%.9g", v);
  else
    pith_out_print(o, "null");
}

void event_flag(pith_out *o, const char *key, bool v) {
  event_key(o, key);
  pith_out_print(o, v ? "true" : "false");
}

void event_end(pith_out *o) { pith_out_print(o, "}\n"); }

/* ---- comments --------------------------------------------------------- */

void put_safe(pith_out *o, const char *text) {
  assert(text != NULL);
  for (size_t n = strlen(text); n > 0;) {
    size_t len = pith_text_plain(text, n);
    pith_out_write(o, len == 0 ? "?" : text, len == 0 ? 1 : len);
    len = len == 0 ? hidden_length(text, n) : len;
    text += len;
    n -= len;
  }
}

void put_number(pith_out *o, uint64_t n, const char *one, const char *many) {
  pith_out_print(o, "%llu %s", (unsigned long long)n, plural(n, one, many));
}

void put_commented(pith_out *o, const char *text) {
  while (*text != '\0') {
    size_t n = strcspn(text, "\n");
    pith_out_print(o, "%% ");
    pith_out_write(o, text, n);
    pith_out_print(o, "\n");
    text += n + (text[n] == '\n');
  }
}
