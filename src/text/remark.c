#include "text/remark.h"

#include <string.h>

void pith_i_remarks_init(pith_i_remarks *r, pith_i_env *env) {
  memset(r, 0, sizeof *r);
  r->env = env;
  r->arena.env = env;
}

void pith_i_remarks_free(pith_i_remarks *r) {
  pith_i_vec_free(r->env, &r->kept);
  pith_i_arena_free(&r->arena);
}
