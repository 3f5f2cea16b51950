/* Exact evaluation of many programs at once, one program a bit.
**
** A program is a choice of one candidate for each slot of a network, perhaps
** with rules left out. The network's own joins run on words of bits, AND for
** and, OR for or, until nothing changes: the fixpoint of every program in one
** pass, with no limit of steps. Errors are counted in bit-sliced counters. */
#ifndef PITH_TRAIN_SLICED_H
#define PITH_TRAIN_SLICED_H

#include "base/run.h"
#include "net/net.h"
#include "task/judge.h"

enum { PITH_I_SLICE_WORDS = 4, PITH_I_SLICE = 64 * PITH_I_SLICE_WORDS };

typedef struct {
  const pith_i_net *net;
  uint64_t *choice;      /* (C, W)  bit i: program i has this candidate    */
  uint64_t *value;       /* (A, W)                                         */
  uint64_t *tensor;      /* (T, W)                                         */
  const uint64_t *given; /* (A, W)  what each program starts from; NULL: the
                            network's facts                            */
  void *block;
  uint32_t count;  /* programs added                                 */
  pith_i_run *run; /* asked on the way; may be NULL */
  bool stopped;    /* the last run was cut short    */
} pith_i_sliced;

pith_status pith_i_sliced_new(pith_i_env *env, const pith_i_net *net,
                              pith_i_sliced **out);
void pith_i_sliced_free(pith_i_env *env, pith_i_sliced *s);

/* Empties, then adds programs: choice (S), PITH_NONE for the head slot of a
** rule that is left out. At most PITH_I_SLICE of them. */
void pith_i_sliced_clear(pith_i_sliced *s);
void pith_i_sliced_add(pith_i_sliced *s, const uint32_t *choice);

/* The same of a program whose slots may have a second candidate, or PITH_NONE:
** where they have, either will do. second: (S) */
void pith_i_sliced_add_either(pith_i_sliced *s, const uint32_t *choice,
                              const uint32_t *second);

/* Brings value to the fixpoint of each program. */
void pith_i_sliced_close(pith_i_sliced *s);

/* The same, compared with the examples; errors: (count). A run that is cut
** short counts every example as wrong. */
void pith_i_sliced_run(pith_i_sliced *s, pith_i_errors *errors);

#endif
