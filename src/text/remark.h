/* Errors and warnings about input, each with its place. Up to a limit of
** errors a file they are kept; all are counted. */
#ifndef PITH_TEXT_REMARK_H
#define PITH_TEXT_REMARK_H

#include "base/vec.h"

enum { PITH_I_REMARK_LIMIT = 20 }; /* kept for each file */

typedef struct {
  pith_i_env *env;
  pith_i_arena arena;
  PITH_I_VEC(pith_remark) kept;
  size_t errors, warnings; /* all, also those not kept */
} pith_i_remarks;

void pith_i_remarks_init(pith_i_remarks *r, pith_i_env *env);
void pith_i_remarks_free(pith_i_remarks *r);

#endif
