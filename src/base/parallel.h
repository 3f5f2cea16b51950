/* A loop shared out to threads: items 0 .. count-1, each done once by some
** worker. Which worker does what is left to chance, so an item's result may
** depend on the item alone; workers keep what they gather apart, and sums of
** integers or results kept by item are then the same for any number of them.
**
** A worker has an environment of its own whose memory is the owner's, behind
** a lock. What it allocates may stay between loops, and is released through
** the same worker. */
#ifndef PITH_BASE_PARALLEL_H
#define PITH_BASE_PARALLEL_H

#include <pthread.h>

#include "base/bytes.h"
#include "base/env.h"
#include "base/run.h"

enum { PITH_I_CREW_MOST = 256 };

typedef struct pith_i_crew pith_i_crew;

typedef struct {
  pith_i_env env; /* safe beside the other workers */
  uint32_t number;
  pith_i_crew *crew;
} pith_i_worker;

struct pith_i_crew {
  pith_i_env *owner;
  pthread_mutex_t lock;
  uint32_t jobs;
  pith_i_worker *workers; /* (jobs) */
  /* of the loop under way */
  pith_status (*work)(void *ctx, pith_i_worker *w, size_t item);
  void *ctx;
  size_t next, end, count; /* of count items, [next, end) are still to do */
  pith_status status;      /* the worst so far */
  pith_i_run *run;         /* or NULL */
};

/* jobs 0: one a core. */
pith_status pith_i_crew_new(pith_i_env *owner, uint32_t jobs,
                            pith_i_crew **out);
void pith_i_crew_free(pith_i_crew *c);

/* Runs the loop. An item that fails ends it, and so does a stop, which is
** asked between items: PITH_STOPPED, with some items not done. Progress is
** reported from the caller's thread alone. */
pith_status pith_i_crew_run(pith_i_crew *c, size_t count,
                            pith_status (*work)(void *ctx, pith_i_worker *w,
                                                size_t item),
                            void *ctx);

/* Whether the loop is over; for a worker inside a long item, which then ends
** with PITH_STOPPED and what it has. */
bool pith_i_worker_stopped(pith_i_worker *w);

/* A loop that a team of processes can share (team.h). */
typedef struct {
  size_t count;
  pith_status (*work)(void *ctx, pith_i_worker *w, size_t item);
  /* Takes the results of items [first, last) out of ctx: as if they had not
  ** been done. out is the owner's. PITH_ENOMEM */
  pith_status (*pack)(void *ctx, pith_i_crew *c, size_t first, size_t last,
                      pith_i_buffer *out);
  /* And puts them in, whoever did them. PITH_ENOMEM */
  pith_status (*unpack)(void *ctx, pith_i_crew *c, size_t first, size_t last,
                        pith_i_cursor *in);
  bool bulky;     /* results are too many for a journal */
  uint64_t print; /* what it computes, where members may come to others; or 0 */
} pith_i_shared_loop;

/* Runs it with whoever is in the owner's team; alone, as pith_i_crew_run. */
pith_status pith_i_crew_share(pith_i_crew *c, const pith_i_shared_loop *loop,
                              void *ctx);

#endif
