/* The state of a run in a file, so that a run that was killed goes on where
** it was and ends with the same result. */
#ifndef PITH_TRAIN_CHECKPOINT_H
#define PITH_TRAIN_CHECKPOINT_H

#include "train/group.h"

typedef PITH_I_VEC(char) pith_i_buffer;

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

/* A place in the bytes of a checkpoint; ok turns false at the first thing
** that does not fit. */
typedef struct {
  const char *at;
  size_t left;
  bool ok;
} pith_i_cursor;

void pith_i_cursor_take(pith_i_cursor *c, void *to, size_t n);
void pith_i_group_load(pith_i_cursor *c, pith_i_group *g);
void pith_i_programs_load(pith_i_cursor *c, const pith_i_net *net,
                          pith_i_programs *s);
bool pith_i_buffer_put(pith_i_env *env, pith_i_buffer *out, const void *from,
                       size_t n);

#endif
