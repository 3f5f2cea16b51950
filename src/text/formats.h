/* All formats in one table: their names, the endings of files, what they can
** hold, the library they need, and who reads them. Help, error messages,
** detection and the version's list of libraries all follow from it. */
#ifndef PITH_TEXT_FORMATS_H
#define PITH_TEXT_FORMATS_H

#include "text/parser.h"
#include "text/writers.h"

typedef pith_status (*pith_i_reader)(const pith_i_input *in);

/* NULL: it is written only, or its library is not in this build. */
pith_i_reader pith_i_format_reader(pith_format format);

/* The same of writing. */
pith_i_writer pith_i_format_writer(pith_format format);

/* The format that a file's name tells, a packing's ending aside; PITH_AUTO
** where it tells nothing. */
pith_format pith_i_format_of_name(const char *path);

/* The last part of a path without its ending and that of a packing: people of
** data/people.csv.gz. The result points into path. */
const char *pith_i_stem(const char *path, size_t *n);

/* The stem as the name of a relation, which is UTF-8: a byte of a file's name
** that is not becomes %9b. "-", the standard input, becomes `unnamed`. */
enum { PITH_I_STEM_ROOM = 800 }; /* names of files have 255 bytes at most */
typedef struct {
  char text[PITH_I_STEM_ROOM];
  size_t n;
} pith_i_stem_name;
pith_i_stem_name pith_i_relation_of_path(const char *path, const char *unnamed);

#endif
