/* A world: a theory, which names things and has the rules and examples, and
** the facts. Worlds of one task share no constants; predicates and rules are
** matched by name. */
#ifndef PITH_FACT_WORLD_H
#define PITH_FACT_WORLD_H

#include "base/run.h"
#include "fact/store.h"
#include "term/theory.h"

typedef struct {
  pith_i_theory *theory;
  pith_i_store *store;
  pith_i_run *run; /* ends what is derived to judge by; NULL: nothing does */
} pith_i_world;

#endif
