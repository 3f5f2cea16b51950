#include "base/bytes.h"

#include <assert.h>
#include <string.h>

bool pith_i_buffer_put(pith_i_env *env, pith_i_buffer *out, const void *from,
                       size_t n) {
  if (!pith_i_room(env, out, n))
    return false;
  if (n > 0) /* from may be NULL */
    memcpy(out->at + out->n, from, n);
  out->n += n;
  return true;
}

void pith_i_cursor_take(pith_i_cursor *c, void *to, size_t n) {
  if (!c->ok || c->left < n) {
    c->ok = false;
    if (n > 0)
      memset(to, 0, n);
    return;
  }
  if (n > 0)
    memcpy(to, c->at, n);
  c->at += n;
  c->left -= n;
}

uint64_t pith_i_cursor_count(pith_i_cursor *c, size_t size) {
  uint64_t n;
  assert(size > 0);
  pith_i_cursor_take(c, &n, sizeof n);
  c->ok = c->ok && n <= c->left / size;
  return c->ok ? n : 0;
}

bool pith_i_buffer_put_list(pith_i_env *env, pith_i_buffer *out,
                            const void *from, size_t n, size_t size) {
  uint64_t count = n;
  return pith_i_buffer_put(env, out, &count, sizeof count) &&
         pith_i_buffer_put(env, out, from, n * size);
}

bool pith_i_cursor_take_list(pith_i_env *env, pith_i_cursor *in, void **at,
                             size_t *n, size_t *cap, size_t size) {
  assert(*n == 0);
  uint64_t count = pith_i_cursor_count(in, size);
  if (count > *cap && !pith_i_vec_reserve(env, at, cap, count, size))
    return false;
  pith_i_cursor_take(in, *at, count * size);
  *n = count;
  return true;
}
