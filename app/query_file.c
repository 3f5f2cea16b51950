#define _POSIX_C_SOURCE 200809L /* getline */
#include "query_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void query_list_free(query_list *l) {
  free(l->atom);
  free(l->args);
  free(l->line);
  *l = (query_list){0};
}

/* A block of its own kind; where memory is refused it stays as it was. */
static bool grow_block(void **block, size_t n, size_t size) {
  void *more = realloc(*block, n * size);
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
static int take_line(session *s, const char *path, char *text, size_t line,
                     query_list *out, size_t *bad) {
  const pith_atom *a = NULL;
  const char *why = "a query has one variable and one constant, such as "
                    "likes(ann,X)";
  const char *begin = text;
  text = trim_query(text);
  size_t column = (size_t)(text - begin) + 1;
  if (*text == '\0')
    return 0;
  pith_status rc = pith_atom_read(s->p, text, &a);
  if (rc == PITH_ENOMEM)
    return session_fail(s, rc);
  if (rc >= 0 && a->arity == 2 &&
      PITH_IS_VAR(a->args[0]) != PITH_IS_VAR(a->args[1]))
    return add_query(out, a, line) ? 0 : session_fail(s, PITH_ENOMEM);
  if (rc < 0)
    why = split_place(pith_error(s->p), &column);
  if (++*bad <= QUERIES_NAMED)
    say_error("%s:%zu:%zu: %s", path, line, column, why);
  return 0;
}

static int take_lines(session *s, const char *path, FILE *f, query_list *out,
                      size_t *bad) {
  char *text = NULL;
  size_t room = 0;
  int code = 0;
  errno = 0;
  for (size_t line = 1; code == 0 && getline(&text, &room, f) >= 0; line++)
    code = take_line(s, path, text, line, out, bad);
  free(text);
  if (code == 0 && ferror(f)) {
    say_error("%s: %s", path, strerror(errno));
    return EXIT_INPUT;
  }
  return code;
}

int read_queries(session *s, const char *path, query_list *out) {
  bool standard = strcmp(path, "-") == 0;
  FILE *f = standard ? stdin : fopen(path, "r");
  size_t bad = 0;
  *out = (query_list){0};
  if (f == NULL) {
    say_error("%s: %s", path, strerror(errno));
    return EXIT_INPUT;
  }
  int code = take_lines(s, path, f, out, &bad);
  if (!standard)
    fclose(f);
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
