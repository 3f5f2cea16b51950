/* The state of a run in a file, so that a run that was killed goes on where
** it was and ends with the same result. */
#ifndef PITH_TRAIN_CHECKPOINT_H
#define PITH_TRAIN_CHECKPOINT_H

#include "base/bytes.h"
#include "train/group.h"

/* What a run is: network, recipe, seed and options that change results. */
uint64_t pith_i_fingerprint(const pith_i_net *net, const pith_i_training *opt);

bool pith_i_group_save(pith_i_env *env, const pith_i_group *g,
                       pith_i_buffer *out);
/* Appends a shelf. */
bool pith_i_programs_save(pith_i_env *env, const pith_i_net *net,
                          const pith_i_programs *s, pith_i_buffer *out);

/* A file, whole. */
pith_status pith_i_buffer_read(pith_i_env *env, const char *path,
                               pith_i_buffer *out);

void pith_i_group_load(pith_i_cursor *c, pith_i_group *g);
void pith_i_programs_load(pith_i_cursor *c, const pith_i_net *net,
                          pith_i_programs *s);

#endif
