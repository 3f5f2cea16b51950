/* A whole stream as text in memory, within the command's limit. */
#ifndef APP_STREAM_TEXT_H
#define APP_STREAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *at; /* with a NUL behind it once something was read */
  size_t n, room;
} stream_text;

/* Appends the file, or standard input for "-". False: it said why, and *code is
** the exit code. */
bool stream_text_append(stream_text *t, const char *path, int *code);
void stream_text_free(stream_text *t);

#endif
