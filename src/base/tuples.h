/* A set of tuples of 32-bit numbers, all of one width. Rows are kept in the
** order added, so a row's number names it; an open-addressing table of row
** numbers finds them. The table takes six to twelve bytes a row, beside the
** row itself. */
#ifndef PITH_BASE_TUPLES_H
#define PITH_BASE_TUPLES_H

#include "base/env.h"

struct pith_i_run;

typedef struct {
  uint32_t width;
  uint32_t *at; /* (n, width) */
  size_t n, cap;
  uint32_t *slots;   /* rows, with a part of their hash; PITH_NONE: empty */
  size_t slot_count; /* a power of two, or 0 */
  uint64_t start;    /* of hashes: the environment's secret */
} pith_i_tuples;

/* The row number, or PITH_NONE. */
uint32_t pith_i_tuples_find(const pith_i_tuples *t, const uint32_t *key);

/* Adds unless there; row and added may be NULL. PITH_ENOMEM, PITH_ELIMIT:
** unchanged. */
pith_status pith_i_tuples_add(pith_i_env *env, pith_i_tuples *t,
                              const uint32_t *key, uint32_t *row, bool *added);

/* Says that key is about to be looked up, so that its place is on its way
** into the cache when it is. */
void pith_i_tuples_expect(const pith_i_tuples *t, const uint32_t *key);

/* Makes room for more rows at once, instead of by and by. PITH_ENOMEM:
** unchanged. */
pith_status pith_i_tuples_reserve(pith_i_env *env, pith_i_tuples *t,
                                  size_t more);

/* Makes the table large enough for more rows to be added at once, unless the
** run, which may be NULL, ends meanwhile. PITH_STOPPED, PITH_ENOMEM,
** PITH_ELIMIT: unchanged. */
pith_status pith_i_tuples_grow(pith_i_env *env, pith_i_tuples *t, size_t more,
                               struct pith_i_run *run);

/* Forgets all rows from n on. */
void pith_i_tuples_cut(pith_i_tuples *t, size_t n);
void pith_i_tuples_free(pith_i_env *env, pith_i_tuples *t);

#endif
