/* What a theory is to give back: the observations, and beside them optional
** facts, which may follow or be stated or neither: those of invented
** predicates, and some that the observations lack. Every fact has a number,
** predicate by predicate in the order of the store. */
#ifndef PITH_COMPRESS_OBSERVATIONS_H
#define PITH_COMPRESS_OBSERVATIONS_H

#include <assert.h>

#include "base/run.h"
#include "compress/hidden_atoms.h"
#include "fact/store.h"
#include "logic/plan.h"
#include "score/length.h"
#include "term/theory.h"

typedef struct {
  pith_i_env *env;
  const pith_i_theory *theory; /* for names */
  pith_i_hide_atoms hiding;
  pith_i_store store; /* all facts are given */
  size_t pred_count;
  size_t *base;   /* (pred_count + 1) the number of the first fact of each */
  size_t *solid;  /* (pred_count) the first so many are not optional */
  bool *invented; /* (pred_count) */
  size_t n;       /* facts */
  pith_i_vocabulary_size words; /* predicates with facts, constants */
  double scale; /* facts that each of these stands for; 1: no sample */
} pith_i_observations;

/* Copies the given facts of observed and, when it is not NULL, of optional; a
** predicate of which nothing was observed is invented. The caller frees also
** after failure. PITH_STOPPED by the run, which may be NULL. */
pith_status pith_i_observations_init(pith_i_observations *w,
                                     const pith_i_theory *theory,
                                     const pith_i_store *observed,
                                     const pith_i_store *optional,
                                     pith_i_run *run);
/* The same of what is given and derived, all of it observed. */
pith_status pith_i_observations_closed(pith_i_observations *w,
                                       const pith_i_theory *theory,
                                       const pith_i_store *store);
/* A copy of w with room for more predicates behind its own, to which the caller
** gives facts before it numbers them again. The caller frees out also after
** failure. */
pith_status pith_i_observations_extend(pith_i_observations *out,
                                       const pith_i_observations *w,
                                       size_t more);
pith_status pith_i_observations_number(pith_i_observations *w);
void pith_i_observations_free(pith_i_observations *w);

/* The facts of w whose constants all are among some that are drawn by seed,
** about as many as wanted. What a rule derives there it derives in w from the
** same facts: so a rule that is right about w is right about the sample. */
pith_status pith_i_observations_sample(pith_i_observations *s,
                                       const pith_i_observations *w,
                                       size_t wanted, uint64_t seed);

/* The number of a fact, or PITH_NONE. */
static inline uint32_t pith_i_observation_find(const pith_i_observations *w,
                                               pith_pred pred,
                                               const pith_sym *args) {
  assert(pred < w->pred_count);
  uint32_t row = pith_i_tuples_find(&w->store.relations.at[pred].rows, args);
  return row == PITH_NONE ? PITH_NONE : (uint32_t)w->base[pred] + row;
}

static inline size_t pith_i_observation_count(const pith_i_observations *w,
                                              pith_pred pred) {
  assert(pred < w->pred_count);
  return w->base[pred + 1] - w->base[pred];
}

/* Whether it is one that the observations lack. */
static inline bool pith_i_observation_lacks(const pith_i_observations *w,
                                            pith_pred pred, uint32_t fact) {
  assert(pred < w->pred_count);
  assert(fact >= w->base[pred] && fact < w->base[pred + 1]);
  return fact - w->base[pred] >= w->solid[pred] && !w->invented[pred];
}

static inline const pith_sym *
pith_i_observation_args(const pith_i_observations *w, pith_pred pred,
                        uint32_t fact) {
  assert(pred < w->pred_count);
  assert(fact >= w->base[pred] && fact < w->base[pred + 1]);
  const pith_i_tuples *t = &w->store.relations.at[pred].rows;
  return t->at + (fact - w->base[pred]) * t->width;
}

/* Whether there are facts of invented predicates. */
static inline bool pith_i_observations_invent(const pith_i_observations *w) {
  for (size_t p = 0; p < w->pred_count; p++)
    if (w->invented[p])
      return true;
  return false;
}

/* Description lengths: of a fact of this predicate, and of all observations,
** one by one. */
static inline double pith_i_observation_bits(const pith_i_observations *w,
                                             pith_pred pred) {
  assert(pred < w->pred_count);
  return pith_i_fact_bits(w->words, w->store.relations.at[pred].rows.width);
}
double pith_i_observed_bits(const pith_i_observations *w);

/* A plan to match the form's body with the facts of w; every_match: also those
** that give a head again. NULL: no memory. */
pith_i_plan *pith_i_plan_body(const pith_i_observations *w, pith_i_arena *arena,
                              const pith_i_form *form, bool every_match);
/* Every match, with the head's registers bound before the body is matched. */
pith_i_plan *pith_i_plan_from_head(const pith_i_observations *w,
                                   pith_i_arena *arena,
                                   const pith_i_form *form);

#endif
