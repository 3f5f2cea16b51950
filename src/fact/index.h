/* An index of a set of tuples on some of its columns: from the values there
** (the key) to the rows that have them.
**
** Rows of one key form a chain from the newest to the oldest, one number a
** row; so bringing the index up to date costs only the new rows, and a reader
** who may see only rows below some bound skips to it from the front. Where
** the key is one column and its symbols are few for the number of rows, the
** head of a chain is found by the symbol itself, else by open addressing. */
#ifndef PITH_FACT_INDEX_H
#define PITH_FACT_INDEX_H

#include <assert.h>

#include "base/run.h"
#include "base/tuples.h"

typedef struct pith_i_index {
  struct pith_i_index *after; /* the relation's next index              */
  uint32_t key_width;
  uint32_t *columns; /* (key_width) ascending                           */
  uint32_t *next;    /* (built) the next older row of this key, or NONE */
  size_t built, next_cap;
  uint32_t *heads; /* newest row of a key, or PITH_NONE                 */
  size_t head_count;
  size_t keys; /* different ones */
  bool direct; /* heads are by symbol */
} pith_i_index;

/* NULL: no memory. columns: ascending, key_width of them, at least one. */
pith_i_index *pith_i_index_new(pith_i_env *env, const uint32_t *columns,
                               uint32_t key_width);
void pith_i_index_free(pith_i_env *env, pith_i_index *x);

/* Takes in the rows added since, unless the run, which may be NULL, ends
** meanwhile. PITH_STOPPED, PITH_ENOMEM, PITH_ELIMIT: the index knows fewer rows
** than there are, and can be updated again. */
pith_status pith_i_index_update(pith_i_env *env, pith_i_index *x,
                                const pith_i_tuples *t, pith_i_run *run);

/* What pith_i_index_find does where heads are hashed. */
uint32_t pith_i_index_find_hashed(const pith_i_index *x, const pith_i_tuples *t,
                                  const uint32_t *key);

/* The newest row with the key, or PITH_NONE; the others follow in x->next. */
static inline uint32_t pith_i_index_find(const pith_i_index *x,
                                         const pith_i_tuples *t,
                                         const uint32_t *key) {
  assert(x->built <= t->n);
  if (x->direct)
    return key[0] < x->head_count ? x->heads[key[0]] : PITH_NONE;
  return pith_i_index_find_hashed(x, t, key);
}

#endif
