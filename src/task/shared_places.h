/* Which argument places share constants: two of them may hold the same variable
** only where some constant stands in both. Those that search for clauses ask
** place by place; those that join whole bodies put places into kinds, where
** sharing goes on from place to place. */
#ifndef PITH_TASK_SHARED_PLACES_H
#define PITH_TASK_SHARED_PLACES_H

#include "base/env.h"

typedef struct {
  pith_i_env *env;
  uint32_t places;
  size_t constants, words;
  uint32_t *mark; /* (constants, words) the places that have it, as bits */
} pith_i_shared_places;

/* No constant stands anywhere yet. */
pith_status pith_i_places_init(pith_i_shared_places *p, pith_i_env *env,
                               uint32_t places, size_t constants);
void pith_i_places_free(pith_i_shared_places *p);
void pith_i_places_clear(pith_i_shared_places *p);

/* The constants of a place: n of them, stride numbers apart. */
void pith_i_places_add(pith_i_shared_places *p, uint32_t place,
                       const uint32_t *column, size_t n, size_t stride);

/* Sets meet[a * places + b], which is zeroed before, where a and b share one;
** a place shares with itself if it has any. */
void pith_i_places_meet(const pith_i_shared_places *p, uint8_t *meet);

/* Joins the kinds of places that share one. up: (places) a forest, each place
** its own root at first. */
void pith_i_places_join(const pith_i_shared_places *p, uint32_t *up);
uint32_t pith_i_places_kind(uint32_t *up, uint32_t place);

#endif
