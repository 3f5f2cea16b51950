/* Learning rules: restarts in groups of lanes, each group trained, decoded
** and checked every few epochs; groups side by side in threads.
**
** What is returned does not depend on the threads: groups are numbered, and
** a group's theories count only if no lower group that solved the task came
** before it. Within a group everything follows from the seed. */
#ifndef PITH_TRAIN_RESTARTS_H
#define PITH_TRAIN_RESTARTS_H

#include "train/descent.h"
#include "train/program_list.h"
#include "train/slot_moves.h"

/* What a training is asked for. */
typedef struct {
  pith_i_recipe recipe;
  uint64_t seed;
  uint32_t restarts, jobs; /* jobs 0: one per core */
  uint32_t keep;           /* programs of each group, at most              */
  bool search;             /* discrete moves on decoded programs           */
  bool go_on;              /* do not stop at the first exact program       */
  bool each; /* every restart's program at the end of its training, in their
                order; none stops early and none is searched from          */
  const char *checkpoint; /* a file to go on from, or NULL                 */
} pith_i_training;

/* The training that the options ask for. */
pith_i_training pith_i_training_of(const pith_learn_options *opt);

/* What was done, restarts that were cut short not counted. */
typedef struct {
  uint32_t restarts;
  uint64_t epochs; /* of all restarts */
} pith_i_trained;

/* Fills found. A run that is stopped fills it with the best so far.
**   PITH_EINPUT  the checkpoint is of another training, or damaged
**   PITH_EIO, PITH_ENOMEM */
pith_status pith_i_train(pith_i_env *env, const pith_i_net *net,
                         const pith_i_training *opt, pith_i_run *run,
                         pith_i_programs *found, pith_i_trained *done);

/* The recipe that the options ask for. */
/* What was given, or the defaults for NULL. */
pith_variant pith_i_variant(const pith_variant *given);

pith_i_recipe pith_i_recipe_of(const pith_learn_options *opt);

#endif
