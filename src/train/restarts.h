/* Learning rules: restarts in groups of lanes, each group trained, decoded
** and checked every few epochs; groups side by side in threads.
**
** What is returned does not depend on the threads: groups are numbered, and
** a group's theories count only if no lower group that solved the task came
** before it. Within a group everything follows from the seed. */
#ifndef PITH_TRAIN_RESTARTS_H
#define PITH_TRAIN_RESTARTS_H

#include "task/judge.h"
#include "train/descent.h"
#include "train/slot_moves.h"

/* A program that was found, and where. */
typedef struct {
  uint32_t *choice;  /* (S) */
  float *similarity; /* (R) */
  pith_i_errors errors;
  pith_stage stage;
  uint32_t restart, epoch;
  float loss, error;
} pith_i_found;

/* The best few, best first; or, filled by append, each in its turn. */
typedef struct {
  pith_i_found *at; /* (cap) */
  uint32_t n, cap;
  void *block;
} pith_i_shelf;

pith_status pith_i_shelf_new(pith_i_env *env, const pith_i_net *net,
                             uint32_t cap, pith_i_shelf *shelf);
void pith_i_shelf_free(pith_i_env *env, pith_i_shelf *shelf);
/* Copies f if it is good enough and not there. */
void pith_i_shelf_add(const pith_i_net *net, pith_i_shelf *shelf,
                      const pith_i_found *f);
/* Copies f behind the others; there must be room. */
void pith_i_shelf_append(const pith_i_net *net, pith_i_shelf *shelf,
                         const pith_i_found *f);

typedef struct {
  uint32_t restarts_done;
  uint64_t epochs_done;
  bool stopped; /* by time or the user */
} pith_i_learn_info;

/* Fills the shelf. Uses recipe->epochs, and of opt the seed, restarts, jobs,
** search, go_on, each and checkpoint. */
pith_status pith_i_learn(pith_i_env *env, const pith_i_net *net,
                         const pith_i_recipe *recipe,
                         const pith_learn_options *opt, pith_i_run *run,
                         pith_i_shelf *shelf, pith_i_learn_info *info);

/* The recipe that the options ask for. */
pith_i_recipe pith_i_recipe_of(const pith_learn_options *opt);

#endif
