/* Discrete search: from a program, all programs that differ in one slot (or
** leave out or bring back one rule) are evaluated exactly at once; the best
** that is not tabu is taken, for a number of moves. */
#ifndef PITH_TRAIN_SLOT_MOVES_H
#define PITH_TRAIN_SLOT_MOVES_H

#include "base/run.h"
#include "train/program.h"

typedef struct {
  pith_i_sliced *sliced;
  uint32_t *try_;            /* (S) a neighbour                        */
  uint32_t *best;            /* (S)                                    */
  uint32_t *from;            /* (S)                                    */
  uint32_t *tabu;            /* (C) move until which it is forbidden   */
  pith_i_errors *errors;     /* (PITH_I_SLICE)                       */
  pith_i_slot_change *moves; /* (PITH_I_SLICE) */
  uint32_t *nearest;         /* (S) for near_ties.h                    */
  uint32_t *decoded;         /* (S) for near_ties.h                    */
  bool *used;                /* (P) for trimming                       */
  bool *allowed;             /* (C) restricted: to which a slot may change */
  bool restricted;
  void *block;
} pith_i_search;

pith_status pith_i_search_new(pith_i_env *env, pith_i_sliced *sliced,
                              pith_i_search **out);
void pith_i_search_free(pith_i_env *env, pith_i_search *s);

/* Climbs from program, which becomes the best found; its errors. Ends at the
** first exact program, or when the run is over. */
pith_i_errors pith_i_search_climb(pith_i_search *s, uint32_t *program,
                                  uint32_t moves, pith_i_run *run);

/* Makes an exact program smaller by leaving out rules; with change, also
** better by one-slot changes that keep it exact. */
void pith_i_search_polish(pith_i_search *s, uint32_t *program, bool change);

#endif
