#include "base/env.h"

#include <assert.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/random.h>
#endif

#include "base/run.h"

/* In front of each block; 16 bytes keep malloc's alignment. */
typedef union {
  size_t size;
  max_align_t align;
} header;

static void *libc_resize(void *ctx, void *block, size_t size) {
  (void)ctx;
  if (size == 0) {
    free(block);
    return NULL;
  }
  return realloc(block, size);
}

static bool ask_kernel_for_bytes(void *to, size_t n) {
#ifdef __linux__
  return getrandom(to, n, GRND_NONBLOCK) == (ssize_t)n;
#else
  (void)to, (void)n;
  return false;
#endif
}

static bool read_random_device(void *to, size_t n) {
  int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  bool whole = read(fd, to, n) == (ssize_t)n;
  close(fd);
  return whole;
}

/* The clock and an address stand in where the system has no random numbers. */
static void draw_secret_numbers(uint64_t *to, size_t n) {
  size_t size = n * sizeof *to;
  if (!ask_kernel_for_bytes(to, size) && !read_random_device(to, size))
    memset(to, 0, size);
  double now = pith_i_now();
  for (size_t i = 0; i < n; i++) {
    to[i] = pith_i_mix(to[i], pith_i_hash_bytes(&now, sizeof now));
    to[i] = pith_i_mix(to[i], (uint64_t)(uintptr_t)&now + i);
  }
}

uint64_t pith_i_secret_number(void) {
  uint64_t number;
  draw_secret_numbers(&number, 1);
  return number;
}

void pith_i_env_init(pith_i_env *env, const pith_memory *memory) {
  memset(env, 0, sizeof *env);
  uint64_t secret[5];
  draw_secret_numbers(secret, 5);
  env->key = pith_i_hash_key_of(secret[4], secret);
  if (memory != NULL)
    env->memory = *memory;
  if (env->memory.resize == NULL)
    env->memory.resize = libc_resize;
}

static void *refuse_block(pith_i_env *env, size_t n) {
  pith_i_fail(env, PITH_ENOMEM, "out of memory: %zu bytes asked, %zu held", n,
              env->used);
  return NULL;
}

/* What a block takes: our header and, in most allocators, eight bytes of their
** own, in steps of sixteen. */
static size_t cost_of_block(size_t n) {
  return (n + sizeof(header) + 8 + 15) / 16 * 16;
}

static bool is_within_limit(pith_i_env *env, size_t n, size_t freed) {
  if (n > SIZE_MAX / 4 || pith_i_call_stopped(env))
    return false;
  size_t after = env->used - freed + cost_of_block(n);
  return env->memory.limit == 0 || after <= env->memory.limit;
}

static void *account_block(pith_i_env *env, header *h, size_t n) {
  h->size = n;
  env->used += cost_of_block(n);
  if (env->used > env->peak)
    env->peak = env->used;
  return h + 1;
}

void *pith_i_alloc(pith_i_env *env, size_t n) {
  if (!is_within_limit(env, n, 0))
    return refuse_block(env, n);
  header *h = env->memory.resize(env->memory.ctx, NULL, n + sizeof *h);
  return h == NULL ? refuse_block(env, n) : account_block(env, h, n);
}

/* The C library's calloc hands out large blocks as untouched zero pages, so
** a sparse use of a big table costs only what it touches. */
void *pith_i_zalloc(pith_i_env *env, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / 4 / size)
    return refuse_block(env, SIZE_MAX);
  size_t n = count * size;
  if (env->memory.resize != libc_resize) {
    void *block = pith_i_alloc(env, n);
    return block == NULL ? NULL : memset(block, 0, n);
  }
  if (!is_within_limit(env, n, 0))
    return refuse_block(env, n);
  header *h = calloc(1, n + sizeof *h);
  return h == NULL ? refuse_block(env, n) : account_block(env, h, n);
}

void *pith_i_realloc(pith_i_env *env, void *block, size_t n) {
  if (block == NULL)
    return pith_i_alloc(env, n);
  header *h = (header *)block - 1;
  size_t old = cost_of_block(h->size);
  assert(old <= env->used);
  if (!is_within_limit(env, n, old) && cost_of_block(n) > old)
    return refuse_block(env, n);
  h = env->memory.resize(env->memory.ctx, h, n + sizeof *h);
  if (h == NULL)
    return refuse_block(env, n);
  env->used -= old;
  return account_block(env, h, n);
}

void pith_i_release(pith_i_env *env, void *block) {
  if (block == NULL)
    return;
  header *h = (header *)block - 1;
  assert(cost_of_block(h->size) <= env->used);
  env->used -= cost_of_block(h->size);
  env->memory.resize(env->memory.ctx, h, 0);
}

void pith_i_forget_failure(pith_i_env *env) { env->error[0] = '\0'; }

pith_status pith_i_fail(pith_i_env *env, pith_status s, const char *format,
                        ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(env->error, sizeof env->error, format, args);
  va_end(args);
  return s;
}

double pith_i_machine_bytes(void) {
  double bytes = 0x1p60;
#ifdef _SC_PHYS_PAGES
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0)
    bytes = (double)pages * (double)size;
#endif
  return bytes;
}

double pith_i_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
