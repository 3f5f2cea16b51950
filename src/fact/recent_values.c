#include "fact/recent_values.h"

/* A place for four rows: more cost more waiting for memory than they save. */
bool pith_i_recent_new(pith_i_env *env, size_t rows,
                       pith_i_recent_values *out) {
  enum { LEAST = 1 << 6, MOST = 1 << 20, SHARE = 4 };
  size_t places = LEAST;
  while (places < MOST && places < rows / SHARE)
    places *= 2;
  *out =
      (pith_i_recent_values){.mask = places - 1, .secret = env->key.secret[0]};
  out->at = pith_i_zalloc(env, places, sizeof *out->at);
  return out->at != NULL;
}

void pith_i_recent_free(pith_i_env *env, pith_i_recent_values *r) {
  pith_i_release(env, r->at);
  r->at = NULL;
}
