#include "base/vec.h"

#include <assert.h>
#include <string.h>

bool pith_i_vec_reserve(pith_i_env *env, void **at, size_t *cap, size_t need,
                        size_t size) {
  size_t want = *cap < 8 ? 8 : *cap;
  while (want < need)
    want *= 2;
  if (want > SIZE_MAX / 4 / size) {
    pith_i_fail(env, PITH_ENOMEM, "out of memory: an array of %zu", need);
    return false;
  }
  void *grown = pith_i_realloc(env, *at, want * size);
  if (grown == NULL)
    return false;
  *at = grown;
  *cap = want;
  return true;
}

struct pith_i_chunk {
  struct pith_i_chunk *next;
};

enum { CHUNK = 1 << 16 };

void *pith_i_arena_alloc(pith_i_arena *a, size_t n) {
  assert(a->env != NULL);
  n = (n + 7) & ~(size_t)7;
  if (n > a->left) {
    size_t size = n > CHUNK / 4 ? n : CHUNK;
    struct pith_i_chunk *c = pith_i_alloc(a->env, sizeof *c + size);
    if (c == NULL)
      return NULL;
    c->next = a->chunks;
    a->chunks = c;
    if (size == n) /* a block of its own; what is left elsewhere is lost */
      a->left = 0;
    else
      a->left = size - n;
    a->next = (char *)(c + 1) + n;
    return c + 1;
  }
  void *block = a->next;
  a->next += n;
  a->left -= n;
  return block;
}

char *pith_i_arena_text(pith_i_arena *a, const char *text, size_t n) {
  char *copy = pith_i_arena_alloc(a, n + 1);
  if (copy != NULL) {
    memcpy(copy, text, n);
    copy[n] = '\0';
  }
  return copy;
}

void pith_i_arena_free(pith_i_arena *a) {
  while (a->chunks != NULL) {
    struct pith_i_chunk *next = a->chunks->next;
    pith_i_release(a->env, a->chunks);
    a->chunks = next;
  }
  a->left = 0;
  a->next = NULL;
}

void pith_i_arena_absorb(pith_i_arena *a, pith_i_arena *from) {
  assert(a != from && a->env == from->env);
  struct pith_i_chunk **end = &a->chunks;
  if (a->chunks == NULL) {
    a->next = from->next;
    a->left = from->left;
  }
  while (*end != NULL)
    end = &(*end)->next;
  *end = from->chunks;
  *from = (pith_i_arena){.env = from->env};
}
