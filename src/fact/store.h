/* The ground facts, one relation a predicate. Rows are kept in the order they
** came: first the given facts, then the derived ones, round by round, so that
** "given", "old" and "new this round" are ranges of row numbers.
**
** A relation that came out dense is kept as bits instead: then rows has the
** given facts only and bits has all. */
#ifndef PITH_FACT_STORE_H
#define PITH_FACT_STORE_H

#include "base/vec.h"
#include "fact/bits.h"
#include "fact/index.h"

/* When the rows of a relation reached a number; see pith_i_relation_step. */
typedef struct {
  uint32_t step;
  uint32_t end;
} pith_i_mark;

typedef struct {
  pith_i_tuples rows;    /* width = arity                                   */
  size_t given;          /* rows [0, given) were given, the rest derived    */
  size_t old, end;       /* for joins: [old, end) is new, nothing from end  */
  pith_i_env *env;       /* of a store: its own, whoever asks for an index  */
  pith_i_index *indexes; /* made when a join first asks                     */
  pith_i_bits *bits;     /* or NULL */
  PITH_I_VEC(pith_i_mark) marks; /* ascending; only when steps are recorded */
} pith_i_relation;

typedef struct {
  pith_i_env *env;
  PITH_I_VEC(pith_i_relation) relations; /* by predicate */
} pith_i_store;

void pith_i_store_init(pith_i_store *s, pith_i_env *env);
void pith_i_store_free(pith_i_store *s);

/* The relation of a predicate, made if it is not there; NULL: no memory. The
** pointer lives until the next call. */
pith_i_relation *pith_i_relation_get(pith_i_store *s, pith_pred pred,
                                     uint32_t arity);
void pith_i_relation_free(pith_i_env *env, pith_i_relation *r);

/* An index on these columns (ascending), kept by the relation; NULL: no memory.
** It knows the rows that there were when it was last updated. Its memory is
** that of the relation's store, else of env: a join may be over the relations
** of several handles. */
pith_i_index *pith_i_relation_index_on(pith_i_env *env, pith_i_relation *r,
                                       const uint32_t *columns, uint32_t n);
pith_status pith_i_relation_index_update(pith_i_env *env, pith_i_relation *r,
                                         pith_i_index *x, pith_i_run *run);

/* Both: an index that knows all rows. */
pith_status pith_i_relation_index(pith_i_env *env, pith_i_relation *r,
                                  const uint32_t *columns, uint32_t n,
                                  pith_i_index **out);

/* The step in which a row was derived, 0 for a given one; and how many rows
** there were after a step. Steps must have been recorded. */
uint32_t pith_i_relation_step(const pith_i_relation *r, uint32_t row);
size_t pith_i_relation_end(const pith_i_relation *r, uint32_t step);

/* From now on all facts are in bits; the derived rows go. */
void pith_i_relation_take_bits(pith_i_env *env, pith_i_relation *r,
                               pith_i_bits *bits);

/* Adds a given fact. Nothing may have been derived yet. */
pith_status pith_i_fact_give(pith_i_store *s, pith_pred pred, uint32_t arity,
                             const pith_sym *args);
bool pith_i_fact_holds(const pith_i_store *s, pith_pred pred,
                       const pith_sym *args);
bool pith_i_fact_given(const pith_i_store *s, pith_pred pred,
                       const pith_sym *args);

/* pred may be PITH_NONE: all of them. */
uint64_t pith_i_fact_count(const pith_i_store *s, pith_pred pred,
                           pith_part part);
int pith_i_fact_each(const pith_i_store *s, pith_pred pred, pith_part part,
                     pith_fact_visit visit, void *ctx);
/* The same within a run, which may be NULL: PITH_STOPPED when it is over. */
int pith_i_fact_each_within(const pith_i_store *s, pith_part part,
                            pith_i_run *run, pith_fact_visit visit, void *ctx);

/* Drops all derived facts. */
void pith_i_store_forget(pith_i_store *s);

#endif
