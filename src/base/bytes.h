/* Results as bytes: written one behind the other, taken out in the same order.
** They are read by the same build, so numbers stand as the machine has them. */
#ifndef PITH_BASE_BYTES_H
#define PITH_BASE_BYTES_H

#include "base/vec.h"

typedef PITH_I_VEC(char) pith_i_buffer;

/* Appends n bytes; from may be NULL where n is 0. False: no memory. */
bool pith_i_buffer_put(pith_i_env *env, pith_i_buffer *out, const void *from,
                       size_t n);

/* A place in such bytes; ok turns false at the first thing that does not fit,
** and what is taken from then on is zero. */
typedef struct {
  const char *at;
  size_t left;
  bool ok;
} pith_i_cursor;

void pith_i_cursor_take(pith_i_cursor *c, void *to, size_t n);

/* A number of things that take at least `size` bytes each: one that cannot be
** there is not ok, and 0. */
uint64_t pith_i_cursor_count(pith_i_cursor *c, size_t size);

/* A growable array as a count and its elements, and back; the array taken
** into is empty before. False: no memory. */
#define pith_i_buffer_put_vec(env, out, v)                                     \
  pith_i_buffer_put_list((env), (out), (v)->at, (v)->n, sizeof *(v)->at)
#define pith_i_cursor_take_vec(env, in, v)                                     \
  pith_i_cursor_take_list((env), (in), (void **)&(v)->at, &(v)->n, &(v)->cap,  \
                          sizeof *(v)->at)
bool pith_i_buffer_put_list(pith_i_env *env, pith_i_buffer *out,
                            const void *from, size_t n, size_t size);
bool pith_i_cursor_take_list(pith_i_env *env, pith_i_cursor *in, void **at,
                             size_t *n, size_t *cap, size_t size);

#endif
