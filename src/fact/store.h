/* The ground facts, one relation a predicate. Rows are kept in the order they
** came: first the given facts, then the derived ones, round by round, so that
** "given", "old" and "new this round" are ranges of row numbers. */
#ifndef PITH_FACT_STORE_H
#define PITH_FACT_STORE_H

#include "base/tuples.h"
#include "base/vec.h"

typedef struct {
  pith_i_tuples rows; /* width = arity */
  size_t given;       /* rows [0, given) were given, the rest derived */
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

/* Adds a given fact. Nothing may have been derived yet. */
pith_status pith_i_fact_give(pith_i_store *s, pith_pred pred, uint32_t arity,
                             const pith_sym *args);
bool pith_i_fact_holds(const pith_i_store *s, pith_pred pred,
                       const pith_sym *args);

/* Drops all derived facts. */
void pith_i_store_forget(pith_i_store *s);

#endif
