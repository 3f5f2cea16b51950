/* What every part of a handle shares: where memory comes from, how much of it
** is held, and one sentence about the last failure.
**
** Each block carries its size in a header in front of it, so that the bytes
** held can be counted and a limit enforced whatever the allocator behind is.
** All allocations of the library go through here, which lets a test refuse
** any one of them. */
#ifndef PITH_BASE_ENV_H
#define PITH_BASE_ENV_H

#include "base/hash.h"
#include "pith.h"

struct pith_i_run;

typedef struct {
  pith_memory memory;
  size_t used, peak;
  struct pith_i_run *run;   /* of a call that takes none itself, or NULL */
  const pith_run *limits;   /* of calls, for what is written between them */
  pith_i_hash_key key;      /* of the tables of names and facts: secret */
  struct pith_i_team *team; /* that long loops are shared with, or NULL */
  char error[1024];
} pith_i_env;

void pith_i_env_init(pith_i_env *env, const pith_memory *memory);

/* NULL when refused, with the error set. n may be 0. */
void *pith_i_alloc(pith_i_env *env, size_t n);
void *pith_i_zalloc(pith_i_env *env, size_t count, size_t size); /* zeroed */
void *pith_i_realloc(pith_i_env *env, void *block, size_t n); /* keeps block */
void pith_i_release(pith_i_env *env, void *block);            /* NULL is fine */

/* Sets the sentence and returns s, so that a failure is one line. */
pith_status pith_i_fail(pith_i_env *env, pith_status s, const char *format, ...)
    PITH_PRINTF(3, 4);

/* Takes the sentence back: the failure was mended. */
void pith_i_forget_failure(pith_i_env *env);

/* A number that nobody can guess, for keys and names of files. */
uint64_t pith_i_secret_number(void);

/* Memory of the machine; where it cannot be told, more than any has. */
double pith_i_machine_bytes(void);

/* Seconds on a clock that only goes forward. */
double pith_i_now(void);

#endif
