/* Growable arrays: PITH_I_VEC(int) v = {0}; pushes return false when memory
** is refused, and leave the array as it was. */
#ifndef PITH_BASE_VEC_H
#define PITH_BASE_VEC_H

#include "base/env.h"

#define PITH_I_VEC(T)                                                          \
  struct {                                                                     \
    T *at;                                                                     \
    size_t n, cap;                                                             \
  }

/* Room for more elements; doubles. */
bool pith_i_vec_reserve(pith_i_env *env, void **at, size_t *cap, size_t need,
                        size_t size);

#define pith_i_room(env, v, more)                                              \
  ((v)->n + (more) <= (v)->cap ||                                              \
   pith_i_vec_reserve((env), (void **)&(v)->at, &(v)->cap, (v)->n + (more),    \
                      sizeof *(v)->at))

#define pith_i_push(env, v, ...)                                               \
  (pith_i_room((env), (v), 1) && ((v)->at[(v)->n++] = (__VA_ARGS__), true))

#define pith_i_vec_free(env, v)                                                \
  (pith_i_release((env), (v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)

/* Small blocks that live and die together. */
typedef struct {
  pith_i_env *env;
  struct pith_i_chunk *chunks; /* newest first */
  size_t left;                 /* bytes free in the newest */
  char *next;
} pith_i_arena;

void *pith_i_arena_alloc(pith_i_arena *a, size_t n); /* aligned to 8 */
char *pith_i_arena_text(pith_i_arena *a, const char *text, size_t n); /* +NUL */
void pith_i_arena_free(pith_i_arena *a);
/* Takes over the blocks of another arena, which is empty afterwards. */
void pith_i_arena_absorb(pith_i_arena *a, pith_i_arena *from);

#endif
