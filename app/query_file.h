/* Queries in a file, one per line: likes(ann,X), with or without a full stop at
** the end. Empty lines and comments (%) are passed over. */
#ifndef APP_QUERY_FILE_H
#define APP_QUERY_FILE_H

#include "session.h"

typedef struct {
  pith_atom *atom; /* (n) */
  pith_term *args; /* (n, 2) of those atoms */
  size_t *line;    /* (n) */
  size_t n, room;
} query_list;

enum { QUERIES_NAMED = 20 }; /* of those that are wrong, at most */

/* After those that were named: how many more are wrong, if any. */
void say_more_queries(const char *path, size_t wrong);

/* Reads all of them; "-" is standard input. What is wrong is said of every
** line, with its number. An exit code. */
int read_queries(session *s, const char *path, query_list *out);
void query_list_free(query_list *l);

#endif
