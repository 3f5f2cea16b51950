/* Programs that training found: the best few, best first; or, filled by
** append, each in its turn. A program is a choice for each slot of a network;
** threads fill such lists, and a checkpoint holds them. As theories they are
** judged by task/best. */
#ifndef PITH_TRAIN_PROGRAM_LIST_H
#define PITH_TRAIN_PROGRAM_LIST_H

#include "task/judge.h"
#include "train/program.h"

typedef struct {
  uint32_t *choice;  /* (S) */
  uint32_t *tied;    /* (S) a candidate that the slot is as near to, or
                        PITH_NONE (near_ties.h)                       */
  bool both;         /* it means that one too                          */
  float *similarity; /* (R) */
  pith_i_errors errors;
  pith_stage stage;
  uint32_t restart, epoch;
  float loss, error;
} pith_i_found_program;

typedef struct {
  pith_i_found_program *at; /* (cap) */
  uint32_t n, cap;
  void *block;
} pith_i_programs;

pith_status pith_i_programs_new(pith_i_env *env, const pith_i_net *net,
                                uint32_t cap, pith_i_programs *list);
void pith_i_programs_free(pith_i_env *env, pith_i_programs *list);
/* Copies f if it is good enough and not there. */
void pith_i_programs_add(const pith_i_net *net, pith_i_programs *list,
                         const pith_i_found_program *f);
/* Copies f behind the others; there must be room. */
void pith_i_programs_append(const pith_i_net *net, pith_i_programs *list,
                            const pith_i_found_program *f);

#endif
