/* Which of the candidate rules make the shortest description: rules are added
** one by one as long as that pays, taken out, exchanged; then a few are thrown
** over and it starts again, as long as the work allows. */
#ifndef PITH_COMPRESS_CHOOSE_RULES_H
#define PITH_COMPRESS_CHOOSE_RULES_H

#include "compress/rule_mining.h"
#include "compress/smallest_core.h"

typedef struct {
  bool free_rules;  /* templates were given: rules cost next to nothing */
  double exception; /* what a wrong prediction costs, times a fact */
  bool one_step;    /* no rule uses what another one derives */
  uint64_t seed;
  uint64_t work;          /* about: facts and instances looked at */
  uint32_t rounds;        /* of throwing over */
  uint32_t max_rules;     /* 0: any number */
  const uint32_t *copies; /* (shapes) rules of a shape at most; 0: any */
  size_t shape_count;
  pith_i_run *run;
} pith_i_choose_options;

typedef struct pith_i_chooser pith_i_chooser;

pith_status pith_i_chooser_new(const pith_i_observations *w,
                               const pith_i_mined_rules *candidates,
                               const pith_i_choose_options *opt,
                               pith_i_chooser **out);
void pith_i_chooser_free(pith_i_chooser *c);

/* Marks open (facts) what a further rule could save if active is chosen: the
** core, and what hangs together in cycles. */
pith_status pith_i_chooser_open(pith_i_chooser *c, const bool *active,
                                bool *open);

/* Improves active (candidates) from what it says. dead (candidates) may not be
** chosen, or NULL. *bits gets the length. PITH_STOPPED: told to; active is the
** best so far. */
pith_status pith_i_choose(pith_i_chooser *c, const bool *dead, bool *active,
                          double *bits);

#endif
