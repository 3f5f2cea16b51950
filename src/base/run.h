/* A long computation as its parts see it: when it must end, whether the caller
** wants it to stop, and how far it is.
**
** Whoever works asks pith_i_stop_requested now and then. A run that was found
** to be over stays over, so the answer never goes back to false. A part of a
** run has its own end: a share of the time, or the wish of whoever started the
** part. Threads may ask the same run; the caller's functions are never entered
** by two threads at once. */
#ifndef PITH_BASE_RUN_H
#define PITH_BASE_RUN_H

#include <stdatomic.h>

#include "base/env.h"
#include "pith.h"

typedef struct pith_i_run {
  pith_run user;     /* what the caller asked for                          */
  pith_progress now; /* kept up to date by whoever works                   */
  struct pith_i_run *whole; /* the run that this is a part of, or NULL     */
  double began, end;        /* by the clock; end: INFINITY without a limit */
  /* How seldom to look, for loops whose turns are short. */
  uint32_t every;        /* look at every n-th request only                 */
  double pause;          /* and only if the last look is n seconds ago      */
  bool reports;          /* each look reports progress                      */
  double looked;         /* when it last looked, or reported for itself     */
  uint32_t requests;     /* since the last look; counted where every > 1    */
  atomic_bool cancelled; /* the caller's stop said so                      */
  atomic_bool over;      /* what the last look found                        */
  atomic_flag looking;   /* a thread is inside the caller's stop            */
} pith_i_run;

/* Starts the clock. user may be NULL: no limit, no stop, no progress. */
void pith_i_run_begin(pith_i_run *run, const pith_run *user);

/* Starts a part of a run that may use the time up to this share of the whole,
** and a thousandth of it at least. Its seconds count from the whole's start.
** The whole must outlive it. */
void pith_i_run_part(pith_i_run *part, pith_i_run *whole, double share);

/* Whether to stop: the time is up, the caller wants it, or pith_i_run_end was
** called. NULL never stops. */
bool pith_i_stop_requested(pith_i_run *run);

/* Whether the caller's stop says so, whatever the clock says. */
bool pith_i_stop_by_caller(pith_i_run *run);

/* What the last look found; does not look. */
bool pith_i_run_is_over(const pith_i_run *run);

/* Whether the caller wanted it to stop when it was last asked. */
bool pith_i_run_was_cancelled(const pith_i_run *run);

/* Makes every later request say yes; from any thread. */
void pith_i_run_end(pith_i_run *run);

/* Tells the caller what run->now says. One thread at a time. NULL is fine. */
void pith_i_run_report(pith_i_run *run);

/* The same under the name of a phase; phase is kept, not copied. */
void pith_i_run_phase(pith_i_run *run, const char *phase);

/* Whether the call under way must end, if it is one that takes no run itself
** (pith_limit_calls). From then on it is refused memory as well, so that
** whatever it does comes to an end. */
static inline bool pith_i_call_stopped(pith_i_env *env) {
  return env->run != NULL && pith_i_stop_requested(env->run);
}

/* PITH_ELIMIT if so, with the error set. Rarely: for loops whose turns are
** short, as with memory, which look at the clock every few turns. */
pith_status pith_i_call_poll(pith_i_env *env);
pith_status pith_i_call_look(pith_i_env *env); /* the latter, where limited */
static inline pith_status pith_i_call_poll_rarely(pith_i_env *env) {
  return env->run == NULL ? PITH_OK : pith_i_call_look(env);
}

/* For a loop of short turns, at each of them: every so many, PITH_STOPPED if
** the run, which may be NULL, is over, and PITH_ELIMIT if the call must end. */
static inline pith_status pith_i_look_at_turn(pith_i_env *env, pith_i_run *run,
                                              size_t turn) {
  enum { TURNS = 1 << 16 };
  if (turn % TURNS != TURNS - 1)
    return PITH_OK;
  return pith_i_stop_requested(run) ? PITH_STOPPED : pith_i_call_poll(env);
}

double pith_i_run_seconds(const pith_i_run *run); /* since the start */

#endif
