/* One group of restarts, from initialisation to decoded programs. */
#ifndef PITH_TRAIN_GROUP_H
#define PITH_TRAIN_GROUP_H

#include "train/restarts.h"

typedef struct {
  pith_i_descent *descent;
  pith_i_sliced *sliced;
  pith_i_search *search;
  pith_i_programs list;       /* what the lanes found */
  pith_i_found_program found; /* being looked at             */
  uint32_t *choices;          /* (L, S) decoded              */
  pith_i_errors errors[PITH_I_SLICE];
  uint32_t number;      /* restarts number*L ...       */
  uint32_t lanes;       /* that count                  */
  uint32_t search_next; /* epoch of the next search    */
  float loss;           /* least at the last check     */
  bool use_search, go_on;
  bool each; /* keep every lane's program, and look only at the end */
  bool solved, done;
  void *block;
} pith_i_group;

pith_status pith_i_group_new(pith_i_env *env, const pith_i_net *net,
                             const pith_i_recipe *recipe, uint32_t keep,
                             pith_i_group **out);
void pith_i_group_free(pith_i_env *env, pith_i_group *g);

/* Restarts number*L and up; seed is the run's. */
void pith_i_group_start(pith_i_group *g, uint64_t seed, uint32_t number,
                        uint32_t restarts);
/* Trains to the next check and looks at what is decoded; sets done. False: the
** run was over on the way. What was found by then is in the list, but the
** group is between two checks and cannot go on from there. */
bool pith_i_group_advance(pith_i_group *g, pith_i_run *run);

/* Pairs joined, in all programs at once, by the searches of a group that is
** trained for that many epochs. */
double pith_i_search_pairs(const pith_i_net *net, uint32_t epochs);

/* Bytes a group takes. */
double pith_i_group_bytes(const pith_i_net *net, const pith_i_recipe *recipe);

#endif
