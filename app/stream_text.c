#include "stream_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "memory_budget.h"
#include "options.h"
#include "report.h"

static bool make_text_room(stream_text *t) {
  if (t->room - t->n > 1)
    return true;
  size_t room = t->room < 4096 ? 65536 : 2 * t->room;
  char *more = command_resize(t->at, room);
  if (more == NULL)
    return false;
  t->at = more;
  t->room = room;
  return true;
}

/* False: no memory. */
static bool append_stream(stream_text *t, FILE *f) {
  for (size_t got = 1; got > 0; t->n += got) {
    if (!make_text_room(t))
      return false;
    got = fread(t->at + t->n, 1, t->room - t->n - 1, f);
  }
  t->at[t->n] = '\0';
  return true;
}

bool stream_text_append(stream_text *t, const char *path, int *code) {
  bool input = strcmp(path, "-") == 0;
  errno = 0;
  FILE *f = input ? stdin : fopen(path, "rb");
  bool whole = f != NULL && append_stream(t, f);
  if (f == NULL || ferror(f)) {
    say_error("%s: cannot read%s%s", path, errno != 0 ? ": " : "",
              errno != 0 ? strerror(errno) : "");
    *code = EXIT_INPUT;
  } else if (!whole) {
    say_error("%s: out of memory; raise --memory", path);
    *code = EXIT_LIMIT;
  }
  whole = whole && !ferror(f);
  if (f != NULL && !input)
    fclose(f);
  return whole;
}

void stream_text_free(stream_text *t) {
  command_free(t->at);
  *t = (stream_text){0};
}
