/* Theories that were learned, as the files behind pith_learn share them. */
#ifndef PITH_API_LEARNED_H
#define PITH_API_LEARNED_H

#include "api/handle.h"
#include "train/restarts.h"

typedef struct {
  pith_theory_info info;
  pith_rule **rules;  /* (info.rules) */
  double *similarity; /* (info.rules) */
  double bits;        /* of a theory by clauses: to say its rules */
} pith_i_learned_theory;

struct pith_learned {
  pith *owner;
  pith_i_arena arena;
  pith_i_learned_theory *theories; /* (count) */
  size_t count;
  pith_i_learn_info info;
  bool full; /* memory ran out on the way */
};

/* A program as a theory: its rules, judged and made simpler if it fits. */
pith_status pith_i_learned_finish(const pith_i_world *trials, size_t n,
                                  const pith_i_net *net, const pith_i_found *f,
                                  pith_learned *l, pith_i_learned_theory *t);

/* Without templates: through spaces of theories by the gradient. invented:
** only those in which something is invented; there may be none. */
pith_status pith_i_learn_spaces(pith *const *worlds, size_t n,
                                const pith_learn_options *opt, bool invented,
                                pith_i_run *run, pith_learned *l);

/* Without templates: all ways, one after the other, until something fits. */
pith_status pith_i_learn_free(pith *const *worlds, size_t n,
                              const pith_learn_options *opt, pith_i_run *run,
                              pith_learned *l);

#endif
