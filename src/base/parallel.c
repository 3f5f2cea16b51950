#include "base/parallel.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/team.h"

/* What the workers' environments allocate with. */
static void *resize_locked(void *ctx, void *block, size_t size) {
  pith_i_crew *c = ctx;
  void *moved = NULL;
  pthread_mutex_lock(&c->lock);
  if (size == 0)
    pith_i_release(c->owner, block);
  else
    moved = pith_i_realloc(c->owner, block, size);
  pthread_mutex_unlock(&c->lock);
  return moved;
}

static uint32_t count_cores(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > PITH_I_CREW_MOST ? PITH_I_CREW_MOST : (uint32_t)n;
}

pith_status pith_i_crew_new(pith_i_env *owner, uint32_t jobs,
                            pith_i_crew **out) {
  *out = NULL;
  pith_i_crew *c = pith_i_zalloc(owner, 1, sizeof *c);
  if (c == NULL)
    return PITH_ENOMEM;
  c->owner = owner;
  c->jobs = jobs == 0                 ? count_cores()
            : jobs > PITH_I_CREW_MOST ? PITH_I_CREW_MOST
                                      : jobs;
  c->workers = pith_i_zalloc(owner, c->jobs, sizeof *c->workers);
  if (c->workers == NULL || pthread_mutex_init(&c->lock, NULL) != 0) {
    pith_i_release(owner, c->workers);
    pith_i_release(owner, c);
    return PITH_ENOMEM;
  }
  pith_memory memory = {.resize = resize_locked, .ctx = c};
  for (uint32_t i = 0; i < c->jobs; i++) {
    pith_i_env_init(&c->workers[i].env, &memory);
    c->workers[i].number = i;
    c->workers[i].crew = c;
  }
  *out = c;
  return PITH_OK;
}

void pith_i_crew_free(pith_i_crew *c) {
  if (c == NULL)
    return;
  pthread_mutex_destroy(&c->lock);
  pith_i_env *owner = c->owner;
  pith_i_release(owner, c->workers);
  pith_i_release(owner, c);
}

/* Under the lock. */
static void look_for_stop(pith_i_crew *c) {
  if (c->status == PITH_OK && pith_i_stop_requested(c->run))
    c->status = PITH_STOPPED;
}

/* While another holds the lock nobody waits for it: the next look will tell. */
bool pith_i_worker_stopped(pith_i_worker *w) {
  pith_i_crew *c = w->crew;
  if (pthread_mutex_trylock(&c->lock) != 0)
    return false;
  look_for_stop(c);
  bool stopped = c->status != PITH_OK;
  pthread_mutex_unlock(&c->lock);
  return stopped;
}

/* The next item, or the end: nothing is left to do. */
static size_t next_item(pith_i_crew *c) {
  pthread_mutex_lock(&c->lock);
  look_for_stop(c);
  size_t item = c->status == PITH_OK && c->next < c->end ? c->next++ : c->end;
  pthread_mutex_unlock(&c->lock);
  return item;
}

static void report_item(pith_i_crew *c, size_t item) {
  if (c->run == NULL)
    return;
  c->run->now.done = item;
  c->run->now.count = c->count;
  pith_i_run_report(c->run);
}

static void *work_items(void *arg) {
  pith_i_worker *w = arg;
  pith_i_crew *c = w->crew;
  for (size_t item; (item = next_item(c)) < c->end;) {
    if (w->number == 0)
      report_item(c, item);
    pith_status rc = c->work(c->ctx, w, item);
    if (rc != PITH_OK) {
      pthread_mutex_lock(&c->lock);
      c->status = rc < c->status || c->status == PITH_OK ? rc : c->status;
      pthread_mutex_unlock(&c->lock);
    }
  }
  return NULL;
}

/* Items [first, last) of the loop. Threads that cannot be had are done
** without. */
static pith_status run_range(pith_i_crew *c, size_t first, size_t last) {
  assert(c->jobs > 0 && c->jobs <= PITH_I_CREW_MOST);
  assert(first <= last && last <= c->count);
  pthread_t threads[PITH_I_CREW_MOST];
  bool started[PITH_I_CREW_MOST] = {false};
  c->next = first;
  c->end = last;
  c->status = PITH_OK;
  for (uint32_t i = 1; i < c->jobs && i < last - first; i++)
    started[i] =
        pthread_create(&threads[i], NULL, work_items, &c->workers[i]) == 0;
  work_items(&c->workers[0]);
  for (uint32_t i = 1; i < c->jobs; i++)
    if (started[i])
      pthread_join(threads[i], NULL);
  return c->status;
}

pith_status pith_i_crew_run(pith_i_crew *c, size_t count,
                            pith_status (*item)(void *ctx, pith_i_worker *w,
                                                size_t item),
                            void *ctx) {
  c->work = item;
  c->ctx = ctx;
  c->count = count;
  return run_range(c, 0, count);
}

/* ---- with other processes ------------------------------------------------ */

static pith_status fail_unlike(pith_i_crew *c) {
  return pith_i_fail(c->owner, PITH_EINPUT,
                     "results of another process do not fit; all must be the "
                     "same build of pith on the same input, and a checkpoint "
                     "of the same");
}

/* Does items until none is left, handing in what they gave. */
static pith_status share_items(pith_i_crew *c, const pith_i_shared_loop *loop,
                               void *ctx, uint32_t number) {
  pith_i_team *team = c->owner->team;
  pith_i_team_result part = {0};
  size_t first, last;
  pith_status rc;
  while ((rc = pith_i_team_next(team, number, &part, &first, &last)) ==
             PITH_OK &&
         first < last) {
    rc = last <= loop->count ? run_range(c, first, last) : fail_unlike(c);
    part.bytes.n = 0;
    part.first = first;
    part.last = last;
    if (rc == PITH_OK)
      rc = loop->pack(ctx, c, first, last, &part.bytes);
    if (rc != PITH_OK)
      break;
  }
  pith_i_vec_free(c->owner, &part.bytes);
  return rc;
}

static pith_status unpack_parts(pith_i_crew *c, const pith_i_shared_loop *loop,
                                void *ctx, uint32_t number) {
  const pith_i_team_result *part;
  pith_status rc = PITH_OK;
  for (size_t i = 0;
       rc >= 0 && (part = pith_i_team_part(c->owner->team, number, i)) != NULL;
       i++) {
    pith_i_cursor in = {part->bytes.at, part->bytes.n, true};
    rc = loop->unpack(ctx, c, part->first, part->last, &in);
    if (rc >= 0 && (!in.ok || in.left > 0))
      rc = fail_unlike(c);
  }
  return rc;
}

pith_status pith_i_crew_share(pith_i_crew *c, const pith_i_shared_loop *loop,
                              void *ctx) {
  uint32_t number;
  if (c->owner->team == NULL)
    return pith_i_crew_run(c, loop->count, loop->work, ctx);
  c->work = loop->work;
  c->ctx = ctx;
  c->count = loop->count;
  pith_status rc = pith_i_team_begin(c->owner->team, loop->count,
                                     pith_i_mix(loop->print, loop->count),
                                     !loop->bulky, &number);
  if (rc == PITH_OK)
    rc = share_items(c, loop, ctx, number);
  if (rc >= 0) { /* of a loop that was stopped, what is there */
    pith_status unpacked = unpack_parts(c, loop, ctx, number);
    rc = unpacked < 0 ? unpacked : rc;
  }
  pith_i_team_end(c->owner->team, number, rc);
  return rc;
}
