#include "query_file.h"

#include <stdlib.h>
#include <string.h>

#include "memory_budget.h"
#include "stream_text.h"

void query_list_free(query_list *l) {
  command_free(l->atom);
  command_free(l->args);
  command_free(l->line);
  *l = (query_list){0};
}

/* A block of its own kind; where memory is refused it stays as it was. */
static bool grow_block(void **block, size_t n, size_t size) {
  void *more = command_resize(*block, n * size);
  *block = more != NULL ? more : *block;
  return more != NULL;
}

static bool make_room(query_list *l) {
  size_t room = l->room < 64 ? 64 : 2 * l->room;
  if (l->n < l->room)
    return true;
  if (!grow_block((void **)&l->atom, room, sizeof *l->atom) ||
      !grow_block((void **)&l->args, 2 * room, sizeof *l->args) ||
      !grow_block((void **)&l->line, room, sizeof *l->line))
    return false;
  l->room = room;
  return true;
}

static bool add_query(query_list *l, const pith_atom *a, size_t line) {
  if (!make_room(l))
    return false;
  l->args[2 * l->n] = a->args[0];
  l->args[2 * l->n + 1] = a->args[1];
  l->atom[l->n] = (pith_atom){.pred = a->pred, .arity = 2};
  l->line[l->n++] = line;
  return true;
}

/* The text between blanks, without what ends a clause; empty: a comment. */
static char *trim_query(char *text) {
  text += strspn(text, " \t\r\n");
  size_t n = strlen(text);
  while (n > 0 && strchr(" \t\r\n.", text[n - 1]) != NULL)
    n--;
  text[*text == '%' ? 0 : n] = '\0';
  return text;
}

/* What the reader says of an atom begins with its place, "atom:1:4: "; of that
** the column is left, counted from the beginning of the line. */
static const char *split_place(const char *message, size_t *column) {
  static const char place[] = "atom:1:";
  char *end;
  if (strncmp(message, place, sizeof place - 1) != 0)
    return message;
  *column += strtoul(message + sizeof place - 1, &end, 10) - 1;
  return strncmp(end, ": ", 2) == 0 ? end + 2 : message;
}

void say_more_queries(const char *path, size_t wrong) {
  if (wrong > QUERIES_NAMED)
    say_error("%s: and %zu more lines", path, wrong - QUERIES_NAMED);
}

/* One line. *bad counts those that are wrong. */
static int take_line(session *s, const char *path, char *text, size_t n,
                     size_t line, query_list *out, size_t *bad) {
  const pith_atom *a = NULL;
  const char *why = "a query has one variable and one constant, such as "
                    "likes(ann,X)";
  const char *begin = text, *nul = memchr(text, '\0', n);
  text = trim_query(text);
  size_t column = (size_t)(text - begin) + 1;
  if (*text == '\0' && nul == NULL)
    return 0;
  pith_status rc = nul == NULL ? pith_atom_read(s->p, text, &a) : PITH_EINPUT;
  if (rc == PITH_ENOMEM)
    return session_fail(s, rc);
  if (rc >= 0 && a->arity == 2 &&
      PITH_IS_VAR(a->args[0]) != PITH_IS_VAR(a->args[1]))
    return add_query(out, a, line) ? 0 : session_fail(s, PITH_ENOMEM);
  if (nul != NULL) {
    why = "a NUL byte; expected text; remove it";
    column = (size_t)(nul - begin) + 1;
  } else if (rc < 0) {
    why = split_place(pith_error(s->p), &column);
  }
  if (++*bad <= QUERIES_NAMED)
    say_error("%s:%zu:%zu: %s", path, line, column, why);
  return 0;
}

/* The lines of the text, each cut off where it ends. */
static int take_lines(session *s, const char *path, stream_text *t,
                      query_list *out, size_t *bad) {
  int code = 0;
  size_t number = 1;
  for (size_t from = 0; code == 0 && from < t->n; number++) {
    char *line = t->at + from, *end = memchr(line, '\n', t->n - from);
    size_t n = end == NULL ? t->n - from : (size_t)(end - line);
    line[n] = '\0';
    code = take_line(s, path, line, n, number, out, bad);
    from += n + 1;
  }
  return code;
}

int read_queries(session *s, const char *path, query_list *out) {
  stream_text text = {0};
  size_t bad = 0;
  int code = 0;
  *out = (query_list){0};
  if (stream_text_append(&text, path, &code))
    code = take_lines(s, path, &text, out, &bad);
  stream_text_free(&text);
  for (size_t i = 0; i < out->n; i++)
    out->atom[i].args = &out->args[2 * i];
  say_more_queries(path, bad);
  if (code == 0 && bad == 0 && out->n == 0) {
    say_error("%s: there is no query in it; write one per line, such as "
              "likes(ann,X)",
              path);
    return EXIT_INPUT;
  }
  return code != 0 || bad == 0 ? code : EXIT_INPUT;
}
