/* A place to write; see pith.h. */
#ifndef PITH_BASE_OUT_H
#define PITH_BASE_OUT_H

#include <string.h>

#include "base/env.h"

pith_status pith_i_out_file(pith_i_env *env, const char *path, pith_out **o);
pith_status pith_i_out_memory(pith_i_env *env, pith_out **o);

/* Forgets what was written; memory only. */
void pith_i_out_clear(pith_out *o);
pith_i_env *pith_i_out_env(const pith_out *o); /* whose memory it is */

static inline pith_status pith_i_out_text(pith_out *o, const char *text) {
  return pith_out_write(o, text, strlen(text));
}

static inline pith_status pith_i_out_char(pith_out *o, char c) {
  return pith_out_write(o, &c, 1);
}

#endif
