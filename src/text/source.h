/* A text to be read: from a file, standard input or the caller; unpacked if it
** was packed, checked to be UTF-8, without a byte order mark, and ended by a
** NUL byte so that a lexer needs no other bound. A long file comes part by
** part, each of whole lines, to a reader that goes line by line; for any other
** reader it is whole in memory. */
#ifndef PITH_TEXT_SOURCE_H
#define PITH_TEXT_SOURCE_H

#include "text/remark.h"
#include "text/unpack.h"

typedef struct {
  pith_i_lines lines;       /* the text, or the part of it that is here     */
  pith_i_text_buffer bytes; /* behind lines perhaps the start of the next   */
  pith_i_remarks *remarks;
  int fd;           /* where the rest comes from, or -1: this is all         */
  size_t lines_end; /* of lines in bytes                                    */
  char covered;     /* the byte there, which a NUL stands for                */
} pith_i_source;

/* Opens the file, "-" being standard input, makes it the remarks' file, and
** loads the first part.
**   PITH_EINPUT        not text: a remark says where
**   PITH_EIO           cannot be read, or is damaged
**   PITH_EUNSUPPORTED  packed in a way this build does not know
**   PITH_ENOMEM */
pith_status pith_i_source_open(pith_i_remarks *r, const char *path,
                               pith_i_source *out);

/* Loads all that is still to come, behind what is here. As above. */
pith_status pith_i_source_whole(pith_i_source *s);

/* Replaces the part that is here by the next: 1, or 0 when there is none; or as
** above. */
pith_status pith_i_source_next(pith_i_source *s);

/* The same for text[0..n), which may be packed too; copied. */
pith_status pith_i_source_text(pith_i_remarks *r, const char *name,
                               const char *text, size_t n, pith_i_source *out);

void pith_i_source_free(pith_i_source *s);

#endif
