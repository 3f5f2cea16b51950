/* WebAssembly as browsers run it without special headers has one thread: a
** lock is nothing, and a thread cannot be had, which callers do without. */
#ifndef PITH_WASM_PTHREAD_H
#define PITH_WASM_PTHREAD_H

#include <errno.h>
#include <stddef.h>

typedef char pthread_mutex_t;
typedef char pthread_t;
typedef char pthread_cond_t;

static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *how) {
  (void)how;
  *lock = 0;
  return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *lock) {
  (void)lock;
  return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *lock) {
  (void)lock;
  return 0;
}

static inline int pthread_mutex_trylock(pthread_mutex_t *lock) {
  (void)lock;
  return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *lock) {
  (void)lock;
  return 0;
}

/* Nobody else could wake one who waits, and nobody waits alone. */
static inline int pthread_cond_init(pthread_cond_t *c, const void *how) {
  (void)how;
  *c = 0;
  return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t *c) {
  (void)c;
  return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t *c) {
  (void)c;
  return 0;
}

static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock) {
  (void)c, (void)lock;
  return EINVAL;
}

static inline int pthread_create(pthread_t *thread, const void *how,
                                 void *(*work)(void *), void *arg) {
  (void)how, (void)work, (void)arg;
  *thread = 0;
  return EAGAIN;
}

static inline int pthread_join(pthread_t thread, void **result) {
  (void)thread, (void)result;
  return EINVAL;
}

#endif
