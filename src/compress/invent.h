/* Concepts that no observation names. Relations that hold of the same pairs,
** one way round or the other, are merged into one (mother, father, daughter
** and son into child); and where merged relations differ in who they speak of
** (mothers are never fathers), those make kinds, shared by all relations that
** they fit (a wife is of the kind of mothers). The extensions are proposals:
** what of them is needed, and whether it pays, is for others to say. */
#ifndef PITH_COMPRESS_INVENT_H
#define PITH_COMPRESS_INVENT_H

#include "compress/observations.h"

typedef struct {
  pith_pred pred;
  const char *about; /* in words; lives in the arena */
} pith_i_concept;

typedef PITH_I_VEC(pith_i_concept) pith_i_concepts;

/* Adds the facts of the concepts to out and their predicates to the names:
** those that the templates call invented, else new ones; at most as many. */
pith_status pith_i_invent(pith_i_theory *theory, const pith_i_observations *w,
                          uint32_t most, pith_i_arena *arena, pith_i_store *out,
                          pith_i_concepts *concepts);

#endif
