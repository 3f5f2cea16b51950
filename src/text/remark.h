/* Errors and warnings about input, each with its place. Up to a limit of
** errors and of warnings a file they are kept; all are counted. */
#ifndef PITH_TEXT_REMARK_H
#define PITH_TEXT_REMARK_H

#include "base/vec.h"

enum {
  PITH_I_REMARK_LIMIT = 20, /* kept of each kind for each file    */
  PITH_I_SUMMARY = 256      /* room to say what became of a file  */
};

typedef struct {
  pith_i_env *env;
  pith_i_arena arena;
  PITH_I_VEC(pith_remark) kept;
  size_t errors, warnings; /* all, also those not kept */
  const char *file;        /* the one being read; in the arena */
  size_t file_errors, file_warnings;
  bool told; /* an error is the handle's sentence already */
} pith_i_remarks;

/* A text being read, and how far its lines were counted. */
typedef struct {
  const char *text; /* (n + 1), NUL-ended, valid UTF-8, no other NUL */
  size_t n;
  size_t line, line_start; /* of the last place asked for; line from 1 */
} pith_i_lines;

typedef enum { PITH_I_ERROR, PITH_I_WARNING } pith_i_remark_kind;

void pith_i_remarks_init(pith_i_remarks *r, pith_i_env *env);
void pith_i_remarks_free(pith_i_remarks *r);

/* Remarks from here on are about this file. */
pith_status pith_i_remarks_file(pith_i_remarks *r, const char *name);

/* The line of the byte at offset, from 1. */
size_t pith_i_line_of(pith_i_lines *l, size_t offset);

/* Adds a remark about the byte at offset of l, or, l being NULL, about the
** whole file. Unless told, an error becomes the handle's sentence.
** PITH_OK, or PITH_ENOMEM. */
pith_status pith_i_remark_add(pith_i_remarks *r, pith_i_remark_kind kind,
                              pith_i_lines *l, size_t offset,
                              const char *format, ...) PITH_PRINTF(5, 6);

/* A text for use in a message: what is long is cut, at a character. */
typedef struct {
  char text[64];
} pith_i_short;
pith_i_short pith_i_shorten(const char *text, size_t n);

#endif
