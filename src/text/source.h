/* A text to be read, whole in memory: from a file, standard input or the
** caller; unpacked if it was packed, checked to be UTF-8, without a byte
** order mark, and ended by a NUL byte so that a lexer needs no other bound. */
#ifndef PITH_TEXT_SOURCE_H
#define PITH_TEXT_SOURCE_H

#include "text/remark.h"

typedef struct {
  pith_i_lines lines; /* the text */
  char *block;        /* the allocation behind it */
} pith_i_source;

/* Loads the file, "-" being standard input, and makes it the remarks' file.
**   PITH_EINPUT        not text: a remark says where
**   PITH_EIO           cannot be read, or is damaged
**   PITH_EUNSUPPORTED  packed in a way this build does not know
**   PITH_ENOMEM */
pith_status pith_i_source_load(pith_i_remarks *r, const char *path,
                               pith_i_source *out);

/* The same for text[0..n), which may be packed too; copied. */
pith_status pith_i_source_text(pith_i_remarks *r, const char *name,
                               const char *text, size_t n, pith_i_source *out);

void pith_i_source_free(pith_i_env *env, pith_i_source *s);

#endif
