#include "base/run.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/env.h"

/* Of the caller's time, what even a part that starts late may use. */
static const double least_share = 1e-3;

static void clear_run(pith_i_run *run) {
  memset(run, 0, sizeof *run);
  run->every = 1;
  run->end = INFINITY;
  run->now.loss = NAN;
  run->now.phase = "";
  atomic_init(&run->over, false);
  atomic_init(&run->cancelled, false);
  atomic_flag_clear(&run->looking);
}

void pith_i_run_begin(pith_i_run *run, const pith_run *user) {
  clear_run(run);
  run->began = pith_i_now();
  if (user != NULL)
    run->user = *user;
  if (run->user.seconds > 0)
    run->end = run->began + run->user.seconds;
}

void pith_i_run_part(pith_i_run *part, pith_i_run *whole, double share) {
  assert(part != whole);
  assert(share > 0 && share <= 1);
  double now = pith_i_now();
  clear_run(part);
  part->whole = whole;
  part->user = whole->user;
  part->began = whole->began;
  if (whole->end < INFINITY)
    part->end = fmax(whole->began + (whole->end - whole->began) * share,
                     now + whole->user.seconds * least_share);
}

double pith_i_run_seconds(const pith_i_run *run) {
  return pith_i_now() - run->began;
}

void pith_i_run_report(pith_i_run *run) {
  if (run == NULL || run->user.progress == NULL)
    return;
  run->now.seconds = pith_i_run_seconds(run);
  run->user.progress(run->user.progress_ctx, &run->now);
}

void pith_i_run_phase(pith_i_run *run, const char *phase) {
  if (run == NULL)
    return;
  run->now.phase = phase;
  pith_i_run_report(run);
}

bool pith_i_stop_by_caller(pith_i_run *run) {
  if (run == NULL || run->user.stop == NULL)
    return false;
  while (run->whole != NULL)
    run = run->whole;
  if (atomic_load(&run->cancelled) || atomic_flag_test_and_set(&run->looking))
    return atomic_load(&run->cancelled); /* or another thread is asking */
  if (run->user.stop(run->user.stop_ctx))
    atomic_store(&run->cancelled, true);
  atomic_flag_clear(&run->looking);
  return atomic_load(&run->cancelled);
}

bool pith_i_run_was_cancelled(const pith_i_run *run) {
  while (run->whole != NULL)
    run = run->whole;
  return atomic_load(&run->cancelled);
}

/* Whether it is too soon for a look at the clock. */
static bool is_too_soon(pith_i_run *run) {
  assert(run->every > 0);
  assert(run->pause >= 0);
  if (run->every > 1 && ++run->requests % run->every != 0)
    return true;
  if (run->pause == 0)
    return false;
  double now = pith_i_now();
  if (now - run->looked < run->pause)
    return true;
  run->looked = now;
  return false;
}

/* A part's end may lie behind the whole's, which is over by then: that the
** part may finish is the reason for its least share. */
static bool look_at_clock(pith_i_run *run) {
  assert(!isnan(run->end));
  if (run->reports)
    pith_i_run_report(run);
  return pith_i_stop_by_caller(run) ||
         (run->end < INFINITY && pith_i_now() > run->end);
}

bool pith_i_stop_requested(pith_i_run *run) {
  if (run == NULL)
    return false;
  if (pith_i_run_is_over(run))
    return true;
  if (is_too_soon(run) || !look_at_clock(run))
    return false;
  pith_i_run_end(run);
  return true;
}

pith_status pith_i_call_poll(pith_i_env *env) {
  if (env->run != NULL)
    env->run->requests = env->run->every - 1;
  return pith_i_call_poll_rarely(env);
}

pith_status pith_i_call_look(pith_i_env *env) {
  return pith_i_call_stopped(env)
             ? pith_i_fail(env, PITH_ELIMIT, "stopped by the caller's limit")
             : PITH_OK;
}

bool pith_i_run_is_over(const pith_i_run *run) {
  return atomic_load_explicit(&run->over, memory_order_relaxed);
}

void pith_i_run_end(pith_i_run *run) {
  atomic_store_explicit(&run->over, true, memory_order_relaxed);
}
