/* A program of a network as a theory: the way from training to the
** best-list. */
#ifndef PITH_TRAIN_OFFER_PROGRAM_H
#define PITH_TRAIN_OFFER_PROGRAM_H

#include "task/best.h"
#include "train/program_list.h"

/* first_restart: what the program calls restart 0. space may be NULL. */
pith_status pith_i_offer_program(const pith_i_net *net,
                                 const pith_i_found_program *f,
                                 uint32_t first_restart,
                                 const pith_space *space, pith_i_best *best,
                                 bool *solved);

#endif
