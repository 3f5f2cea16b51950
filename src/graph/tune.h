/* What is learned from held-out facts: weights, which way of scoring serves
** the graph, and what probability a score means.
**
** A first fit goes against the rivals that noisy-or ranks high; the second
** against those that the first fit does, as weights are right only where they
** met resistance. The samples of the second are parted in two folds. Weights
** fitted to one are tried on the other, so that the choice and the
** probabilities rest on facts that the weights have not seen; then weights are
** fitted to both. */
#ifndef PITH_GRAPH_TUNE_H
#define PITH_GRAPH_TUNE_H

#include "graph/open_questions.h"

typedef struct {
  pith_i_crew *crew;
  const pith_i_rule_index *index;
  const pith_i_held_out *e;
  uint64_t seed;
  bool whole; /* as many facts are missing as are held out; if not, how many is
                 estimated */
  bool ranks_only; /* probabilities are not wanted, nor weights of all        */
  bool hurries;    /* asks a few first, then as many as there is time for     */
} pith_i_tuner;

typedef struct {
  uint64_t samples, asked; /* questions fitted to, and with those whose answer
                              nothing speaks for                             */
  double
      mrr[PITH_I_AGGREGATORS + 1]; /* on the fold not fitted to; last: chosen */
  double missing; /* facts that are missing, by fact that was held out */
  bool hurried;   /* there was no time for more questions              */
} pith_i_tuned;

/* PITH_STOPPED: s has what the first few questions taught, if info->samples is
** not 0. */
pith_status pith_i_tune(const pith_i_tuner *u, pith_i_scoring *s,
                        pith_i_tuned *info);

#endif
