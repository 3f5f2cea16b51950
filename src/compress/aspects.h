/* Aspects: relations that no predicate names but one atom with a condition
** defines, so that mining can treat them like any other relation:
**
**   tone(X,red)              a place fixed to a constant
**   age(X,N), N >= 18        a number or date compared with a constant
**   earned(X,N), spent(X,M), N > M    or with another
**   \+ wed(X,_)              nothing of the kind is a fact
**   likes(X,Y), \+ knows(X,Y)
**
** The data propose them: constants that occur often enough in a place,
** thresholds where membership of some other relation changes, absences of
** whatever is there for others. A rule over aspects is then written out. */
#ifndef PITH_COMPRESS_ASPECTS_H
#define PITH_COMPRESS_ASPECTS_H

#include "compress/observations.h"

/* Predicates with more places have no aspects. */
enum { PITH_I_ASPECT_WIDEST = 3 };

typedef enum {
  PITH_I_FIXED,      /* pred with value in place; the other places stay     */
  PITH_I_AT_LEAST,   /* pred(X,N), N >= value; N in place                   */
  PITH_I_AT_MOST,    /* the same with =<                                    */
  PITH_I_GREATER,    /* pred(X,N), other(X,M), N > M                        */
  PITH_I_ABSENT,     /* \+ pred with X in place, whatever is in the others  */
  PITH_I_DIFFERENCE, /* pred(X,Y), \+ other(X,Y); place 1: \+ other(Y,X)    */
} pith_i_aspect_kind;

typedef struct {
  pith_i_aspect_kind kind;
  uint32_t arity; /* 1 or 2 */
  pith_pred pred;
  uint32_t other; /* another predicate; of a comparison with a constant, the
                     nearest value that it leaves out */
  uint32_t place;
  pith_sym value;
  uint32_t one_each; /* of such a comparison: no thing has two values */
} pith_i_aspect;

/* As a predicate an aspect has the number first + its place in the list. */
typedef struct {
  PITH_I_VEC(pith_i_aspect) list;
  pith_pred first;
} pith_i_aspects;

/* Fills the list with what the observations propose, most promising first; with
** fewer when the run is over. */
pith_status pith_i_aspects_find(const pith_i_observations *w, pith_i_run *run,
                                pith_i_aspects *out);
void pith_i_aspects_free(pith_i_env *env, pith_i_aspects *a);

/* Its parts: fixed_aspects.c, threshold_aspects.c, and what they share. Add
** leaves out an aspect that is in the list. */
pith_status pith_i_aspects_add_fixed(const pith_i_observations *w,
                                     pith_i_aspects *out);
pith_status pith_i_aspects_add_thresholds(const pith_i_observations *w,
                                          pith_i_run *run, pith_i_aspects *out);
pith_status pith_i_aspects_add(const pith_i_observations *w,
                               pith_i_aspects *out, pith_i_aspect a);

/* Whether all constants in this place of a binary predicate have one order. */
bool pith_i_aspect_is_ordered(const pith_i_observations *w, pith_pred p,
                              uint32_t place);
const pith_i_tuples *pith_i_aspect_rows(const pith_i_observations *w,
                                        pith_pred p);

/* The observations and, as further predicates, the aspects with all that they
** hold of. Facts of w keep their numbers. The caller frees out also after
** failure. */
pith_status pith_i_aspects_observe(const pith_i_aspects *a,
                                   const pith_i_observations *w,
                                   pith_i_observations *out);

/* Which aspect a predicate is, or NULL. */
static inline const pith_i_aspect *pith_i_aspect_of(const pith_i_aspects *a,
                                                    pith_pred pred) {
  if (a == NULL || pred < a->first)
    return NULL;
  assert(pred - a->first < a->list.n);
  return &a->list.at[pred - a->first];
}

/* A rule over aspects written out with atoms and conditions; in the head only
** a fixed place can be. Names of new variables are added to names. NULL: no
** memory. */
pith_rule *pith_i_aspects_expand(const pith_i_aspects *a, pith_i_names *names,
                                 const pith_rule *rule, pith_i_arena *arena);

/* The fact that a head is: out has room for args and one more. */
pith_pred pith_i_aspect_head(const pith_i_aspects *a, pith_pred pred,
                             uint32_t arity, const pith_sym *args,
                             pith_sym *out);

#endif
